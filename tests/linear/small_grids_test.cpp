// SPDX-License-Identifier: Apache-2.0
// Few cells on many ranks: coarser grids have fewer cells than there are ranks, or one; extents are
// prime. The same bits as on one rank, in as few cycles.
#include <gtest/gtest.h>

#include "sample_system.hpp"

namespace cartwright::linear {
namespace {

using test::bumpy;
using test::part_of;
using test::Problem;
using test::solve;
using test::solve_alone;
using test::Solved;

/// Whether the deck's process grid of so many ranks leaves each rank a cell.
template <int D>
std::optional<Solved> solve_if_it_fits(const Problem& problem, const Options& options) {
  try {
    return solve<D>(problem, options);
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), rt::ExitCode::input_error) << error.what();
    EXPECT_NE(std::string(error.what()).find("leave a rank"), std::string::npos) << error.what();
    return std::nullopt;
  }
}

/// `gather_below` 1: only where a rank would have no cell.
template <int D>
void expect_as_alone(const Problem& problem, long long most_cycles) {
  for (const long long gather_below : {1LL, 30LL, 4096LL})
    for (const Method method : {Method::multigrid, Method::cg}) {
      Options options{.method = method, .tolerance = 1e-10};
      options.multigrid.gather_below = gather_below;
      const auto got = solve_if_it_fits<D>(problem, options);
      if (!got) return;
      const Solved alone = solve_alone<D>(problem, options);
      EXPECT_EQ(got->result.residuals, alone.result.residuals);
      EXPECT_EQ(got->values, part_of(alone, got->block));
      EXPECT_LE(got->result.iterations, most_cycles) << name_of(options);
    }
}

TEST(SmallGrids, OneCellForEachRank) {
  for (const long long n : {8, 9, 11, 13, 16, 17}) {
    expect_as_alone<1>({.spec = {.extent = {n}}}, 20);
    expect_as_alone<2>({.spec = {.extent = {n, 8}}, .walls = "vvdd"}, 20);
    expect_as_alone<2>({.spec = {.extent = {3, n}}, .coefficient = bumpy}, 20);
  }
}

TEST(SmallGrids, PrimeExtents) {
  for (const auto& extent : {std::vector<long long>{2, 3, 5}, {7, 5, 3}, {8, 1, 2}, {11, 2, 13}}) {
    expect_as_alone<3>({.spec = {.extent = extent}, .coefficient = bumpy}, 25);
    expect_as_alone<3>({.spec = {.extent = extent, .periodic = {false, false, true}}}, 25);
  }
}

/// A long line of ranks along the axis that alone is coarsened.
TEST(SmallGrids, RanksAlongTheStrongestAxis) {
  expect_as_alone<2>({.spec = {.extent = {64, 3}, .length = {0.1, 10.0}}}, 25);
  expect_as_alone<2>({.spec = {.extent = {61, 5}, .length = {0.1, 10.0}}, .coefficient = bumpy},
                     25);
}

}  // namespace
}  // namespace cartwright::linear
