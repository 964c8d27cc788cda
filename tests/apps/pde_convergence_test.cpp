// SPDX-License-Identifier: Apache-2.0
// Both solvers converge with second order to analytic solutions that need all kinds of boundaries.
#include <gtest/gtest.h>

#include <cmath>

#include "pde_program.hpp"

namespace pde_test {
namespace {

struct Case {
  std::string name, deck, field;
  std::vector<int> extents;  ///< cells along each axis, each twice the one before
  int dimensions;
};

/// Neither zero nor symmetric at any face: values in x, derivatives in y, and z is periodic.
std::string heat_deck(int dimensions) {
  const std::string in_y = dimensions > 1 ? "*cos(1.5*y+0.4)" : "";
  const std::string in_z = dimensions > 2 ? "*cos(2*pi*z)" : "";
  const std::string rate =
      std::string("2^2") + (dimensions > 1 ? "+1.5^2" : "") + (dimensions > 2 ? "+4*pi^2" : "");
  const std::string decay = "exp(-diffusivity*(" + rate + ")*t)";
  const std::string exact = "cos(2*x+0.3)" + in_y + in_z + "*" + decay;
  const std::string slope = "1.5*cos(2*x+0.3)" + in_z + "*" + decay;
  std::string deck =
      "solver: heat\nheat: {diffusivity: 0.5}\ntime: {end: 0.04}\n"
      "initial: {temperature: \"" +
      exact + "\"}\nexact: {temperature: \"" + exact +
      "\"}\n"
      "boundary:\n  temperature:\n    x_low: {dirichlet: \"" +
      exact +
      "\"}\n"
      "    x_high: {dirichlet: \"" +
      exact + "\"}\n";
  if (dimensions > 1)
    deck += "    y_low: {neumann: \"" + slope +
            "*sin(0.4)\"}\n"
            "    y_high: {neumann: \"-" +
            slope + "*sin(1.9)\"}\n";
  return deck;
}

std::string wave_deck(int dimensions) {
  const std::string in_y = dimensions > 1 ? "*cos(3*y+0.4)" : "";
  const std::string in_z = dimensions > 2 ? "*cos(2*pi*z)" : "";
  const std::string square =
      std::string("2^2") + (dimensions > 1 ? "+3^2" : "") + (dimensions > 2 ? "+4*pi^2" : "");
  const std::string frequency = "(speed*sqrt(" + square + "))";
  const std::string shape = "cos(2*x+0.3)" + in_y + in_z;
  const std::string exact = shape + "*sin(" + frequency + "*t+0.5)";
  const std::string slope = "3*cos(2*x+0.3)" + in_z + "*sin(" + frequency + "*t+0.5)";
  std::string deck =
      "solver: wave\nwave: {speed: 0.8}\ntime: {end: 0.6}\n"
      "initial:\n  displacement: \"" +
      exact +
      "\"\n"
      "  velocity: \"" +
      frequency + "*" + shape +
      "*cos(0.5)\"\n"
      "exact: {displacement: \"" +
      exact +
      "\"}\n"
      "boundary:\n  displacement:\n    x_low: {dirichlet: \"" +
      exact +
      "\"}\n"
      "    x_high: {dirichlet: \"" +
      exact + "\"}\n";
  if (dimensions > 1)
    deck += "    y_low: {neumann: \"" + slope +
            "*sin(0.4)\"}\n"
            "    y_high: {neumann: \"-" +
            slope + "*sin(3.4)\"}\n";
  return deck;
}

class Convergence : public testing::TestWithParam<Case> {};

TEST_P(Convergence, IsOfSecondOrder) {
  const Case& given = GetParam();
  const Scratch scratch;
  std::string periodic, length;
  for (int axis = 0; axis < given.dimensions; ++axis) {
    periodic += std::string(axis == 0 ? "" : ",") + (axis == 2 ? "true" : "false");
    length += axis == 0 ? "1" : ",1";
  }
  const std::string deck = scratch.write("deck.yaml", given.deck + "output: {every: 0}\n");
  std::vector<double> maximum, l2;
  for (const int cells : given.extents) {
    std::string extent = std::to_string(cells);
    for (int axis = 1; axis < given.dimensions; ++axis) extent += "," + std::to_string(cells);
    const std::string directory = scratch.path() + "/out" + std::to_string(cells);
    const Result result =
        run(2, deck + " 'grid.extent=[" + extent + "]' 'grid.length=[" + length +
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
    testing::Values(Case{"heat_1d", heat_deck(1), "temperature", {32, 64, 128}, 1},
                    Case{"heat_2d", heat_deck(2), "temperature", {32, 64, 128}, 2},
                    Case{"heat_3d", heat_deck(3), "temperature", {24, 48, 96}, 3},
                    Case{"wave_1d", wave_deck(1), "displacement", {64, 128, 256}, 1},
                    Case{"wave_2d", wave_deck(2), "displacement", {64, 128, 256}, 2},
                    Case{"wave_3d", wave_deck(3), "displacement", {16, 32, 64}, 3}),
    [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace pde_test
