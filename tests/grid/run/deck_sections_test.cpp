// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/grid/run/field_data.hpp>
#include <cartwright/grid/run/run_options.hpp>
#include <cartwright/rt/deck.hpp>

namespace cartwright::grid {
namespace {

struct Sections {
  RunOptions options;
  FieldData data;
  rt::SectionNode root;
  rt::Deck deck;
  std::string message;

  explicit Sections(const std::string& text) : deck(rt::Deck::parse(text, "deck.yaml")) {
    data.names = {{"lx", 1.0}, {"ly", 1.0}, {"lz", 1.0}, {"diffusivity", 1.0}};
    bind_run_options(root, options);
    bind_field_data(root, {{"temperature", "K"}, {"wind", "m/s"}}, data);
    try {
      deck.apply(root);
      complete_run_options(deck, options);
      check_field_data(deck, options.grid.periodic, data);
    } catch (const rt::Error& error) {
      EXPECT_EQ(error.code(), rt::ExitCode::input_error);
      message = error.what();
    }
  }
  [[nodiscard]] bool says(const std::string& part) const {
    return message.find(part) != std::string::npos;
  }
};

const std::string start = "grid: {extent: [8, 4]}\ntime: {steps: 1}\n";

TEST(RunOptions, FillsWhatTheDeckLeavesOut) {
  const Sections sections(start);
  EXPECT_EQ(sections.message, "");
  EXPECT_EQ(sections.options.grid.length, (std::vector<double>{1.0, 0.5}));
  EXPECT_EQ(sections.options.grid.origin, (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(sections.options.grid.periodic, (std::vector<bool>{false, false}));
  EXPECT_TRUE(sections.options.overlap);
  EXPECT_FALSE(sections.options.check_halos());
}

TEST(RunOptions, RefusesContradictions) {
  EXPECT_TRUE(Sections("grid: {extent: [8, 4], length: [1.0]}\ntime: {steps: 1}\n")
                  .says("'grid.extent' has 2"));
  EXPECT_TRUE(Sections("time: {steps: 1}\n").says("'grid.extent' is missing"));
  EXPECT_TRUE(Sections(start + "output: {pictures: {range: [1, 0]}}\n").says("must rise"));
  EXPECT_TRUE(Sections(start + "output: {fields: [u, v, u]}\n").says("deck.yaml:3"));
  EXPECT_TRUE(Sections(start + "output: {pictures: {slice: z=1}}\n").says("3-D grids"));
  EXPECT_TRUE(Sections("grid: {extent: [8, 0]}\ntime: {steps: -1}\n").says("deck.yaml:2"));
  EXPECT_FALSE(Sections("grid: {extent: [8, 4, 2, 2]}\ntime: {steps: 1}\n").message.empty());
}

TEST(RunOptions, WantsPlacesThatDiffer) {
  const auto message = [](const std::string& grid) {
    return Sections("grid: {extent: [8, 4], " + grid + "}\ntime: {steps: 1}\n").message;
  };
  EXPECT_EQ(message("origin: [1e14, -1e14]"), "");
  EXPECT_NE(message("origin: [1e20, 0]").find("deck.yaml:1:32: along x, 'grid.origin' is 1e+20"),
            std::string::npos)
      << message("origin: [1e20, 0]");
  EXPECT_NE(message("origin: [0, -1e16]").find("along y"), std::string::npos);
  EXPECT_NE(message("length: [1, 1e-323]").find("'grid.length'"), std::string::npos);
  EXPECT_NE(message("length: [1.7e308, 1], origin: [1.7e308, 0]"), "");
}

TEST(FieldData, ReadsFormulasNamesAndFiles) {
  const Sections sections(start +
                          "initial:\n  temperature: {gaussian: {width: 0.2, centre: [0.5, 0.5]}}\n"
                          "  wind: [x, -y]\n"
                          "exact: {temperature: exp(-diffusivity*t)}\n");
  ASSERT_EQ(sections.message, "");
  const auto& initial = *sections.data.of.at("temperature").initial;
  EXPECT_EQ(initial.kind, InitialData::Kind::named);
  EXPECT_EQ(initial.name, "gaussian");
  EXPECT_EQ(initial.numbers.at("centre"), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(sections.data.of.at("wind").initial->formulas, (FormulaTexts{"x", "-y"}));
  EXPECT_EQ(sections.data.of.at("temperature").exact, (FormulaTexts{"exp(-diffusivity*t)"}));
  const Sections file(start + "initial: {temperature: {file: a.h5}}\n");
  EXPECT_EQ(file.data.of.at("temperature").initial->dataset, "temperature");
  const Sections plain(start + "initial: {temperature: sine}\n");
  EXPECT_EQ(plain.data.of.at("temperature").initial->kind, InitialData::Kind::named);
}

TEST(FieldData, ReadsBoundaries) {
  const Sections sections(
      start + "boundary: {temperature: {all: {dirichlet: 3}, x_low: {neumann: y*t}}}\n");
  ASSERT_EQ(sections.message, "");
  const FieldDeck& field = sections.data.of.at("temperature");
  EXPECT_EQ(field.all_faces->formulas, FormulaTexts{"3"});
  EXPECT_TRUE(field.faces.at(0)->is_neumann);
  EXPECT_FALSE(field.faces.at(1));
}

TEST(FieldData, NamesFaultsAndTheirPlace) {
  const auto fault = [](const std::string& line) { return Sections(start + line).message; };
  const auto expect = [&](const std::string& line, const std::string& part) {
    EXPECT_NE(fault(line).find(part), std::string::npos) << fault(line);
  };
  expect("initial: {temprature: x}\n", "did you mean 'temperature'?");
  expect("initial: {temperature: x}\n\nexact: {temperature: sin(x}\n", "deck.yaml:5:");
  expect("initial: {temperature: foo}\n", "unknown name 'foo'");
  expect("initial: {temperature: {gausian: {}}}\n", "did you mean 'gaussian'?");
  expect("initial: {temperature: {gaussian: {with: 1}}}\n", "did you mean 'width'?");
  expect("initial: {temperature: {gaussian: {width: wide}}}\n", "must be a number");
  expect("initial: {temperature: {file: a.h5, datset: u}}\n", "did you mean 'dataset'?");
  expect("initial: {temperature: {gaussian: [1, 2]}}\n", "takes named numbers (");
  expect("initial: {temperature: {gaussian: {width: [1, 2, 3, 4]}}}\n", "'width' takes");
  expect("initial: {temperature: {gaussian: {}, sine: {}}}\n", "expected a formula or one of");
  expect("initial: {temperature: {file: [a.h5]}}\n", "'file' must be a name, found");
  expect("initial: {temperature: {file: a.h5, dataset: ''}}\n", "'dataset' must be a name, found");
  expect("exact: {temperature: {a: 1}}\n", "expected a number or formula, found");
  expect("boundary: {temperature: {x_low: {dirichlt: 0}}}\n", "did you mean 'dirichlet'?");
  expect("boundary: {temperature: {x_low: 5}}\n", "expected {dirichlet: VALUE}");
  expect("boundary: {temperature: {x_lo: {dirichlet: 0}}}\n", "did you mean 'x_low'?");
  expect("boundary: {temperature: {z_low: {dirichlet: 0}}}\n", "no such face");
  const Sections periodic(
      "grid: {extent: [8], periodic: [true]}\ntime: {steps: 1}\n"
      "boundary: {temperature: {x_low: {dirichlet: 0}}}\n");
  EXPECT_TRUE(periodic.says("axis x is periodic")) << periodic.message;
}

TEST(FieldData, ShowsWhatItReads) {
  const std::string text =
      start +
      "initial:\n  temperature: {gaussian: {width: 0.2}}\n  wind: [x, \"-y\"]\n"
      "exact: {temperature: 1}\n"
      "boundary: {wind: {x_low: {neumann: \"y*t\"}}}\n";
  Sections first(text);
  ASSERT_EQ(first.message, "");
  const std::string shown = first.deck.effective_configuration(first.root);
  Sections second(shown);
  EXPECT_EQ(second.message, "") << shown;
  EXPECT_EQ(second.data.of.at("temperature").initial->numbers,
            first.data.of.at("temperature").initial->numbers);
  EXPECT_EQ(second.data.of.at("wind").initial->formulas,
            first.data.of.at("wind").initial->formulas);
  EXPECT_TRUE(second.data.of.at("wind").faces.at(0)->is_neumann);

  Sections file(start + "initial: {temperature: {file: a.h5, checksum: 0123456789abcdef}}\n");
  const std::string again = file.deck.effective_configuration(file.root);
  EXPECT_NE(again.find("file: a.h5"), std::string::npos) << again;
  EXPECT_NE(again.find("dataset: temperature"), std::string::npos) << again;
  EXPECT_NE(again.find("0123456789abcdef"), std::string::npos) << again;
}

}  // namespace
}  // namespace cartwright::grid
