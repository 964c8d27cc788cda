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

  explicit Sections(const std::string& text, const std::vector<std::string>& overrides = {})
      : deck(rt::Deck::parse(text, "deck.yaml", overrides)) {
    data.names = {{"lx", 1.0}, {"ly", 1.0}, {"lz", 1.0}, {"diffusivity", 1.0}};
    bind_run_options(root, options);
    bind_field_data(
        root,
        {{"temperature", "K"},
         {"wind", "m/s"},
         {"gas", "", {{"density", "kg/m3"}, per_axis("velocity", "m/s"), {"pressure", "Pa"}}}},
        data);
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
  EXPECT_TRUE(sections.options.exchange.overlap);
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
  EXPECT_EQ(sections.data.of.at("wind").initial->formulas, (FormulaTexts{{"x", "-y"}}));
  EXPECT_EQ(sections.data.of.at("temperature").exact, (FormulaTexts{{"exp(-diffusivity*t)"}}));
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
  EXPECT_EQ(field.all_faces->front().conditions.front().values, (FormulaTexts{{"3"}}));
  EXPECT_EQ(field.faces.at(0)->front().conditions.front().kind, "neumann");
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

TEST(FieldData, ReadsComponents) {
  const Sections sections(start +
                          "initial:\n  gas: {density: 1, velocity: [x, 0], pressure: gaussian}\n"
                          "exact: {gas: {velocity_x: y*t, pressure: 2}}\n");
  ASSERT_EQ(sections.message, "");
  const FieldDeck& gas = sections.data.of.at("gas");
  ASSERT_EQ(gas.initial->kind, InitialData::Kind::components);
  EXPECT_EQ(gas.initial->parts[1].first, "velocity");
  EXPECT_EQ(gas.initial->parts[1].second.formulas, (FormulaTexts{{"x", "0"}}));
  EXPECT_EQ(gas.initial->parts[2].second.kind, InitialData::Kind::named);
  EXPECT_EQ(gas.exact, (FormulaTexts{{"y*t", "2"}, {"velocity_x", "pressure"}}));
}

TEST(FieldData, ReadsConditionsOfComponentsAndParts) {
  const std::string text =
      start +
      "boundary:\n  gas:\n"
      "    x_low:\n"
      "      - {where: y<0.2, inflow: {density: 1, velocity: [3, 0], pressure: 1}}\n"
      "      - slip\n"
      "    x_high: {density: outflow, velocity: no_slip, pressure: {dirichlet: t}}\n"
      "    y_low: {robin: {coefficient: 2, value: x}}\n"
      "    all: no_slip\n";
  Sections first(text);
  ASSERT_EQ(first.message, "");
  const FaceData& low = *first.data.of.at("gas").faces.at(0);
  ASSERT_EQ(low.size(), 2U);
  EXPECT_EQ(low[0].where, "y<0.2");
  EXPECT_EQ(low[0].conditions.front().values.names,
            (std::vector<std::string>{"density", "velocity_x", "velocity_y", "pressure"}));
  EXPECT_EQ(low[1].conditions.front().kind, "slip");
  const Sections second(first.deck.effective_configuration(first.root));
  EXPECT_EQ(second.message, "");
  for (int face = 0; face < 3; ++face)
    EXPECT_EQ(show_face(*second.data.of.at("gas").faces.at(face)),
              show_face(*first.data.of.at("gas").faces.at(face)));
  EXPECT_EQ(show_face(*second.data.of.at("gas").all_faces), "no_slip");
}

TEST(FieldData, MakesConditions) {
  const FieldInfo gas{"gas", "", {{"density"}, per_axis("velocity"), {"pressure"}}};
  using Kind = BoundaryCondition::Kind;
  const auto condition = [&](const std::string& face, Face place) {
    const Sections sections(start + "boundary: {gas: {all: " + face + "}}\n");
    EXPECT_EQ(sections.message, "");
    return make_condition(sections.deck, "boundary.gas.all", *sections.data.of.at("gas").all_faces,
                          place, components_of(gas, 2), 4, {});
  };
  EXPECT_EQ(condition("slip", {0, Side::high}).kinds,
            (std::vector{Kind::neumann, Kind::dirichlet, Kind::neumann, Kind::neumann}));
  EXPECT_EQ(condition("slip", {1, Side::low}).kinds,
            (std::vector{Kind::neumann, Kind::neumann, Kind::dirichlet, Kind::neumann}));
  EXPECT_EQ(condition("no_slip", {1, Side::low}).kinds,
            (std::vector{Kind::neumann, Kind::dirichlet, Kind::dirichlet, Kind::neumann}));
  EXPECT_EQ(condition("outflow", {1, Side::low}).kind, Kind::neumann);
  EXPECT_EQ(condition("outflow", {1, Side::low}).uniform, 0.0);
  const auto mixed =
      condition("{density: {neumann: 1}, velocity: {dirichlet: [y, 5]}, pressure: {inflow: 7}}",
                {0, Side::low});
  EXPECT_EQ(mixed.kinds,
            (std::vector{Kind::neumann, Kind::dirichlet, Kind::dirichlet, Kind::inflow}));
  EXPECT_EQ(mixed.value({0, 2, 0}, 0, 0), 1.0);
  EXPECT_EQ(mixed.value({0, 2, 0}, 0, 1), 2.0);
  EXPECT_EQ(mixed.value({0, 2, 0}, 0, 2), 5.0);
  EXPECT_EQ(mixed.value({0, 2, 0}, 0, 3), 7.0);
  EXPECT_TRUE(mixed.constant_in_time);
  EXPECT_FALSE(mixed.constant_in_space);
  const auto pulsating = condition("{outflow: , pressure: {inflow: t}}", {0, Side::low});
  EXPECT_FALSE(pulsating.constant_in_time);
  EXPECT_TRUE(pulsating.constant_in_space);
  EXPECT_FALSE(pulsating.uniform);
  EXPECT_THROW((void)condition("{pressure: outflow}", {0, Side::low}), rt::Error);
  EXPECT_THROW((void)condition("{inflow: {pressure: 1}}", {0, Side::low}), rt::Error);
  EXPECT_THROW((void)condition("{inflow: {velocity_z: 1}}", {0, Side::low}), rt::Error);
}

TEST(FieldData, NamesFaultsOfComponentsAndConditions) {
  const auto expect = [&](const std::string& line, const std::string& part) {
    const std::string found = Sections(start + line).message;
    EXPECT_NE(found.find(part), std::string::npos) << found;
  };
  expect("initial: {gas: {density: 1, presure: 2}}\n", "did you mean 'pressure'?");
  expect("initial: {gas: {density: {file: a.h5}}}\n", "files hold whole fields");
  expect("exact: {gas: {presure: 2}}\n", "did you mean 'pressure'?");
  expect("boundary: {gas: {all: {presure: outflow}}}\n", "did you mean 'pressure'?");
  expect("boundary: {gas: {all: sliip}}\n", "outflow, slip or no_slip");
  expect("boundary: {gas: {all: {slip: 3}}}\n", "'slip' has no value");
  expect("boundary: {gas: {all: {robin: 3}}}\n", "du/dn + coefficient u = value");
  expect("boundary: {gas: {all: {robin: {coefficient: -1, value: 3}}}}\n", "coefficient");
  expect("boundary: {gas: {all: {where: x, outflow: }}}\n", "but the last one says 'where'");
  expect("boundary: {gas: {all: [outflow, slip]}}\n", "but the last one says 'where'");
  expect("boundary: {gas: {all: []}}\n", "empty list");
  expect("boundary: {gas: {all: {outflow: , inflow: 1}}}\n", "expected one condition, found 2");
}

/// Maps of the command line are added to those of the deck, lists replace what is there.
TEST(FieldData, SaysHowAConditionIsReplaced) {
  const std::string text = start + "boundary: {temperature: {x_high: {neumann: 0}}}\n";
  const Sections added(text, {"boundary.temperature.x_high={dirichlet: 1}"});
  EXPECT_TRUE(
      added.says("expected one condition, found 2: dirichlet beside the deck's neumann; "
                 "brackets replace what the deck says: '[{dirichlet: …}]'"))
      << added.message;
  const Sections replaced(text, {"boundary.temperature.x_high=[{dirichlet: 1}]"});
  EXPECT_EQ(replaced.message, "");
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
  EXPECT_EQ(second.data.of.at("wind").faces.at(0)->front().conditions.front().kind, "neumann");

  Sections file(start + "initial: {temperature: {file: a.h5, checksum: 0123456789abcdef}}\n");
  const std::string again = file.deck.effective_configuration(file.root);
  EXPECT_NE(again.find("file: a.h5"), std::string::npos) << again;
  EXPECT_NE(again.find("dataset: temperature"), std::string::npos) << again;
  EXPECT_NE(again.find("0123456789abcdef"), std::string::npos) << again;
}

}  // namespace
}  // namespace cartwright::grid
