// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "options.hpp"
#include "statistics.hpp"

namespace cartwright::bench {

/// One comparison. With a time for unit, a ratio below 1 means that ours is faster.
struct Case {
  std::string name;
  nlohmann::ordered_json parameters;
  std::string unit = "s";
  Summary ours, peer;
  Summary ratio;  ///< ours / peer, of pairs measured one after the other
  std::size_t rounds = 0;
  /// Makes a case from paired samples in seconds.
  [[nodiscard]] static Case of_times(std::string name, nlohmann::ordered_json parameters,
                                     std::span<const double> ours, std::span<const double> peer);
};

/// The results of one benchmark program: a table for persons, JSON for programs. Rank 0 only.
class Results {
 public:
  Results(std::string benchmark, std::string layout)
      : benchmark_(std::move(benchmark)), layout_(std::move(layout)) {}

  /// What had no round, for lack of time, is told and isn't a figure.
  void add(Case result);
  /// A line below the table.
  void note(std::string text) { notes_.push_back(std::move(text)); }

  [[nodiscard]] std::string table() const;
  /// Prints the table and writes the JSON file where one is asked for. Throws an input error when
  /// the file can't be written.
  void publish(const Options& options) const;
  /// The JSON file alone.
  void write(const Options& options) const;

 private:
  [[nodiscard]] nlohmann::ordered_json json(const Options& options) const;

  std::string benchmark_, layout_;
  std::vector<Case> cases_;
  std::vector<std::string> notes_;
};

}  // namespace cartwright::bench
