// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/schema.hpp>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt::test {

enum class Colour { red, green, blue };

struct Side {
  double value = 0.0;
  std::string type = "dirichlet";
};

struct GridPart {
  std::vector<int> extent;
  std::vector<bool> periodic{false};
  std::array<double, 2> origin{0.0, 0.0};
};

struct TimePart {
  int steps = 100;
  double step = 0.1;
};

/// A bit of everything that a deck can hold.
struct Sample {
  GridPart grid;
  TimePart time;
  std::string title = "a title";
  std::string backend = "native";
  bool checks = false;
  long long seed = 1;
  std::optional<std::string> trace;
  std::optional<double> limit;
  std::chrono::duration<double> wall_time{3600.0};
  std::map<std::string, double> constants{{"g", 9.81}};
  Colour colour = Colour::green;
  std::map<std::string, Side> boundary;
};

inline Schema<Sample> sample_schema() {
  return Schema<Sample>{key("title", &Sample::title).about("what stands above the pictures"),
                        key("trace", &Sample::trace).about("timeline file"),
                        key("backend", &Sample::backend).choices({"native", "p2p", "shared"}),
                        key("checks", &Sample::checks),
                        key("seed", &Sample::seed),
                        key("limit", &Sample::limit).minimum(0.0),
                        key("wall_time", &Sample::wall_time).above(0.0),
                        key("constants", &Sample::constants),
                        key("colour", &Sample::colour).choices({"red", "green", "blue"})}
      .section("grid", &Sample::grid,
               {key("extent", &GridPart::extent)
                    .about("number of cells along each axis")
                    .example("[64, 64]")
                    .length(1, 3)
                    .minimum(1)
                    .required(),
                key("periodic", &GridPart::periodic).length(1, 3),
                key("origin", &GridPart::origin).unit("m")},
               "the cells")
      .section("time", &Sample::time,
               {key("steps", &TimePart::steps).about("how many steps").minimum(0),
                key("step", &TimePart::step).unit("s").above(0.0).maximum(10.0)})
      .sections(
          "boundary", &Sample::boundary,
          {key("value", &Side::value), key("type", &Side::type).choices({"dirichlet", "neumann"})},
          "face");
}

/// Reads a deck into a Sample; the message of the error, or nothing.
struct Reader {
  Sample sample;
  SectionNode root;
  Deck deck;
  std::string message, advice;

  Reader() { sample_schema().bind(root, sample); }

  std::string read(const std::string& text, const std::vector<std::string>& overrides = {},
                   const Environment& environment = {}) {
    try {
      deck = Deck::parse(text, "heat.yaml", overrides, environment);
      deck.apply(root);
      message.clear();
    } catch (const Error& error) {
      message = error.code() == ExitCode::input_error && error.reach() == Reach::all_ranks
                    ? error.what()
                    : "wrong kind of error";
      advice = error.advice();
    }
    return message;
  }
};

/// The message that a deck with a good grid and `text` gives.
inline std::string message_of(const std::string& text,
                              const std::vector<std::string>& overrides = {},
                              const Environment& environment = {}) {
  return Reader().read("grid: {extent: [8, 8]}\n" + text, overrides, environment);
}

}  // namespace cartwright::rt::test
