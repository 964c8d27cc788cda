// SPDX-License-Identifier: Apache-2.0
// Solvers converge with second order to analytic solutions that need all kinds of boundaries.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "pde_program.hpp"

namespace pde_test {
namespace {

struct Case {
  std::string name, deck, field;
  std::vector<int> extents;  ///< cells along each axis, each twice the one before
  int dimensions;
  int cells_a_step = 0;  ///< above 0: time steps become shorter as cells do
};

/// Neither zero nor symmetric at any face: values in x and z, derivatives in y.
std::string heat_deck(int dimensions,
                      const std::string& more = "heat: {diffusivity: 0.5}\ntime: {end: 0.04}") {
  const std::string in_x = "cos(2*x+0.3)";
  const std::string in_y = dimensions > 1 ? "*cos(1.5*y+0.4)" : "";
  const std::string in_z = dimensions > 2 ? "*cos(z+0.2)" : "";
  const std::string rate =
      std::array{"4", "6.25", "7.25"}[static_cast<std::size_t>(dimensions) - 1];
  const std::string decay = fmt::format("*exp(-diffusivity*{}*t)", rate);
  std::string deck = fmt::format(R"yaml(solver: heat
{1}
initial: {{temperature: "{0}"}}
exact: {{temperature: "{0}"}}
boundary:
  temperature:
    all: {{dirichlet: "{0}"}}
)yaml",
                                 in_x + in_y + in_z + decay, more);
  if (dimensions > 1)
    deck += fmt::format(R"yaml(
    y_low: {{neumann: "1.5*sin(0.4)*{0}"}}
    y_high: {{neumann: "-1.5*sin(1.9)*{0}"}}
)yaml",
                        in_x + in_z + decay);
  return deck;
}

/// Few steps: their errors count most, and a boundary value of another time would be seen. (Where
/// cells are as large as in space they would leave the asymptotic range: slower there.)
std::string implicit_heat_deck(int dimensions) {
  return heat_deck(dimensions,
                   fmt::format("heat: {{diffusivity: {}, scheme: crank_nicolson, linear: "
                               "{{tolerance: 1.0e-9}}}}\ntime: {{end: 1}}",
                               dimensions < 3 ? 0.5 : 0.05));
}

/// The same kinds of faces, but z is periodic.
std::string wave_deck(int dimensions) {
  const std::string in_x = "cos(2*x+0.3)";
  const std::string in_y = dimensions > 1 ? "*cos(3*y+0.4)" : "";
  const std::string in_z = dimensions > 2 ? "*cos(2*pi*z)" : "";
  const std::string square =
      std::array{"4", "13", "(13+4*pi^2)"}[static_cast<std::size_t>(dimensions) - 1];
  const std::string frequency = fmt::format("(speed*sqrt({}))", square);
  const std::string swing = fmt::format("*sin({}*t+0.5)", frequency);
  std::string deck = fmt::format(R"yaml(solver: wave
wave: {{speed: 0.8}}
time: {{end: 0.6}}
initial: {{displacement: "{0}{1}", velocity: "{0}*{2}*cos(0.5)"}}
exact: {{displacement: "{0}{1}"}}
boundary:
  displacement:
    all: {{dirichlet: "{0}{1}"}}
)yaml",
                                 in_x + in_y + in_z, swing, frequency);
  if (dimensions > 1)
    deck += fmt::format(R"yaml(
    y_low: {{neumann: "3*sin(0.4)*{0}"}}
    y_high: {{neumann: "-3*sin(3.4)*{0}"}}
)yaml",
                        in_x + in_z + swing);
  return deck;
}

/// The coefficient varies; values in x and z, derivatives in y.
std::string poisson_deck(int dimensions) {
  const std::string in_x = "cos(2*x+0.3)";
  const std::string in_y = dimensions > 1 ? "*cos(1.5*y+0.4)" : "";
  const std::string in_z = dimensions > 2 ? "*cos(z+0.2)" : "";
  const std::string square =
      std::array{"4", "6.25", "7.25"}[static_cast<std::size_t>(dimensions) - 1];
  std::string source =
      fmt::format("(1+x+0.5*y)*{}*{} + 2*sin(2*x+0.3){}{}", square, in_x + in_y + in_z, in_y, in_z);
  if (dimensions > 1) source += "+ 0.75*" + in_x + "*sin(1.5*y+0.4)" + in_z;
  std::string deck = fmt::format(R"yaml(solver: poisson
poisson: {{mean: arithmetic}}
iteration: {{tolerance: 1.0e-11}}
initial: {{coefficient: "1+x+0.5*y", source: "{1}"}}
exact: {{potential: "{0}"}}
boundary:
  potential:
    all: {{dirichlet: "{0}"}}
)yaml",
                                 in_x + in_y + in_z, source);
  if (dimensions > 1)
    deck += fmt::format(R"yaml(
    y_low: {{neumann: "1.5*sin(0.4)*{0}"}}
    y_high: {{neumann: "-1.5*sin(1.9)*{0}"}}
)yaml",
                        in_x + in_z);
  return deck;
}

/// The gas in a porous medium (m = 2) behind a front that moves at one unit a second: u is
/// linear in the way, its square isn't.
std::string porous_medium_deck(int dimensions) {
  const std::string density = std::string("0.5*(t+2-") + (dimensions > 1 ? "0.6*x-0.8*y)" : "x)");
  return fmt::format(R"yaml(solver: porous_medium
porous_medium: {{exponent: 2, newton: {{tolerance: 1.0e-9}}}}
time: {{end: 0.5}}
initial: {{density: "{0}"}}
exact: {{density: "{0}"}}
boundary: {{density: {{all: {{dirichlet: "{0}"}}}}}}
)yaml",
                     density);
}

/// Without V nothing reacts: U is fed, and spreads.
std::string gray_scott_deck() {
  const std::string u = "1-0.5*cos(2*x+0.3)*cos(1.5*y+0.4)*exp(-(6.25*u_diffusivity+0.3)*t)";
  return fmt::format(R"yaml(solver: gray_scott
gray_scott: {{u_diffusivity: 0.5, v_diffusivity: 0.1, feed: 0.3, kill: 0.1}}
time: {{end: 0.04}}
initial: {{concentration: {{u: "{0}"}}}}
exact: {{concentration: {{u: "{0}"}}}}
boundary: {{concentration: {{all: {{u: {{dirichlet: "{0}"}}, v: {{dirichlet: 0}}}}}}}}
)yaml",
                     u);
}

class Convergence : public testing::TestWithParam<Case> {};

TEST_P(Convergence, IsOfSecondOrder) {
  const Case& given = GetParam();
  const Scratch scratch;
  std::string periodic, length;
  for (int axis = 0; axis < given.dimensions; ++axis) {
    periodic += std::string(axis == 0 ? "" : ",") +
                (given.name == "wave_3d" && axis == 2 ? "true" : "false");
    length += axis == 0 ? "1" : ",1";
  }
  const std::string deck = scratch.write("deck.yaml", given.deck + "output: {every: 0}\n");
  std::vector<double> maximum, l2;
  for (const int cells : given.extents) {
    std::string extent = std::to_string(cells);
    for (int axis = 1; axis < given.dimensions; ++axis) extent += "," + std::to_string(cells);
    const std::string directory = scratch.path() + "/out" + std::to_string(cells);
    const std::string steps = given.cells_a_step > 0
                                  ? fmt::format(" time.steps={}", cells / given.cells_a_step)
                                  : std::string{};
    const Result result =
        run(2, deck + steps + " 'grid.extent=[" + extent + "]' 'grid.length=[" + length +
                   "]' 'grid.periodic=[" + periodic + "]' output.directory=" + directory);
    ASSERT_EQ(result.code, 0) << result.text;
    const auto row = last_diagnostics(directory);
    maximum.push_back(row.at(given.field + "_error_max"));
    l2.push_back(row.at(given.field + "_error_l2"));
  }
  for (std::size_t i = 1; i < l2.size(); ++i)
    std::printf("%s: %d -> %d cells: order %.3f (L2), %.3f (max)\n", given.name.c_str(),
                given.extents[i - 1], given.extents[i], std::log2(l2[i - 1] / l2[i]),
                std::log2(maximum[i - 1] / maximum[i]));
  EXPECT_NEAR(std::log2(l2[l2.size() - 2] / l2.back()), 2.0, 0.1);
  EXPECT_NEAR(std::log2(maximum[maximum.size() - 2] / maximum.back()), 2.0, 0.1);
}

INSTANTIATE_TEST_SUITE_P(
    Pde, Convergence,
    testing::Values(
        Case{"heat_1d_stretched",
             heat_deck(1) + "grid: {coordinates: {x: \"x-0.12*sin(2*pi*x)\"}}\n",
             "temperature",
             {32, 64, 128},
             1},
        Case{"heat_2d_stretched",
             heat_deck(2) + "grid: {coordinates: {x: \"x+0.1*sin(2*pi*x)\", y: "
                            "\"(exp(1.5*y)-1)/(exp(1.5)-1)\"}}\n",
             "temperature",
             {32, 64, 128},
             2},
        Case{"heat_1d", heat_deck(1), "temperature", {32, 64, 128}, 1},
        Case{"heat_2d", heat_deck(2), "temperature", {32, 64, 128}, 2},
        Case{"heat_3d", heat_deck(3), "temperature", {16, 32, 64}, 3},
        Case{"implicit_heat_1d", implicit_heat_deck(1), "temperature", {64, 128, 256}, 1, 8},
        Case{"implicit_heat_2d", implicit_heat_deck(2), "temperature", {64, 128, 256}, 2, 8},
        Case{"implicit_heat_3d", implicit_heat_deck(3), "temperature", {16, 32, 64}, 3, 2},
        Case{"poisson_1d", poisson_deck(1), "potential", {64, 128, 256}, 1},
        Case{"poisson_2d", poisson_deck(2), "potential", {64, 128, 256}, 2},
        Case{"poisson_3d", poisson_deck(3), "potential", {32, 64, 128}, 3},
        Case{"implicit_heat_2d_stretched",
             implicit_heat_deck(2) + "grid: {coordinates: {x: \"x+0.1*sin(2*pi*x)\", y: "
                                     "\"(exp(1.5*y)-1)/(exp(1.5)-1)\"}}\n",
             "temperature",
             {64, 128, 256},
             2,
             8},
        Case{"poisson_2d_stretched",
             poisson_deck(2) + "grid: {coordinates: {x: \"x+0.1*sin(2*pi*x)\", y: "
                               "\"(exp(1.5*y)-1)/(exp(1.5)-1)\"}}\n",
             "potential",
             {64, 128, 256},
             2},
        Case{"porous_medium_2d_stretched",
             porous_medium_deck(2) + "grid: {coordinates: {x: \"x+0.1*sin(2*pi*x)\", y: "
                                     "\"(exp(1.5*y)-1)/(exp(1.5)-1)\"}}\n",
             "density",
             {32, 64, 128},
             2,
             8},
        Case{"gray_scott_2d_stretched",
             gray_scott_deck() + "grid: {coordinates: {x: \"x+0.1*sin(2*pi*x)\", y: "
                                 "\"(exp(1.5*y)-1)/(exp(1.5)-1)\"}}\n",
             "concentration.u",
             {32, 64, 128},
             2},
        Case{"wave_1d_stretched",
             wave_deck(1) + "grid: {coordinates: {x: \"x-0.12*sin(2*pi*x)\"}}\n",
             "displacement",
             {64, 128, 256},
             1},
        Case{"wave_2d_stretched",
             wave_deck(2) + "grid: {coordinates: {x: \"x+0.1*sin(2*pi*x)\", y: "
                            "\"(exp(1.5*y)-1)/(exp(1.5)-1)\"}}\n",
             "displacement",
             {64, 128, 256},
             2},
        Case{"wave_1d", wave_deck(1), "displacement", {64, 128, 256}, 1},
        Case{"wave_2d", wave_deck(2), "displacement", {64, 128, 256}, 2},
        Case{"wave_3d", wave_deck(3), "displacement", {16, 32, 64}, 3}),
    [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace pde_test
