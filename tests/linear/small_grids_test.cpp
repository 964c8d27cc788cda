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
using test::solve_on_root;
using test::Solved;

/// Whether the deck's process grid of so many ranks leaves each rank a cell.
template <int D>
std::optional<Solved> solve_if_it_fits(grid::test::SampleRun& run, const Problem& problem,
                                       const Options& options) {
  try {
    return solve<D>(run, problem, options);
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), rt::ExitCode::input_error) << error.what();
    EXPECT_NE(std::string(error.what()).find("leave a rank"), std::string::npos) << error.what();
    return std::nullopt;
  }
}

/// `gather_below` 1: coarse grids go to fewer ranks, as soon as one would have no cell, or fewer
/// than 25.
template <int D>
void expect_as_alone(const Problem& problem, long long most_cycles) {
  grid::test::SampleRun run = test::sample_run();
  for (const Method method : {Method::multigrid, Method::cg}) {
    const Solved alone = solve_on_root<D>(run, problem, {.method = method, .tolerance = 1e-10});
    for (const auto& [gather_below, cells_per_rank] :
         {std::pair{1LL, 1LL}, {1LL, 25LL}, {30LL, 1LL}, {4096LL, 512LL}}) {
      Options options{.method = method, .tolerance = 1e-10};
      options.multigrid.gather_below = gather_below;
      options.multigrid.cells_per_rank = cells_per_rank;
      const auto got = solve_if_it_fits<D>(run, problem, options);
      if (!got) return;
      EXPECT_EQ(got->result.residuals, alone.result.residuals);
      EXPECT_EQ(got->values, part_of(alone, got->block));
      EXPECT_LE(got->result.iterations, most_cycles) << name_of(options);
    }
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

/// Along the axis that is coarsened alone ranks run out of cells: the others go on with fewer of
/// them, and nobody gets all of a grid that is large.
TEST(SmallGrids, AnisotropyNeedsFewerRanks) {
  grid::test::SampleRun run = test::sample_run();
  const int ranks = run->runtime().comm().size();
  grid::GridSpec spec{.extent = {64, 40}, .length = {0.064, 40.0}};
  for (int rank = 0; rank <= ranks; ++rank) {
    if (rank == 0) spec.cuts = {{}, {0, 40}};
    spec.cuts[0].push_back(64LL * rank / ranks);
  }
  Grid<2> grid(*run, spec);
  Field<double, 2> u(grid, "u");
  Diffusion a(u);
  const Hierarchy<2, false> levels(a.level(), grid, {.gather_below = 16, .cells_per_rank = 1});
  const std::vector<int> of_levels = levels.ranks();
  EXPECT_TRUE(std::ranges::is_sorted(of_levels, std::greater<>()));
  EXPECT_EQ(of_levels.front(), ranks);
  if (grid.comm().rank().value == 0) {
    EXPECT_EQ(of_levels.back(), 1);
  }
  for (const double ratio : {1000.0, 0.001}) {
    const Problem problem{.spec = {.extent = {64, 40}, .length = {64.0, 40.0 * ratio}}};
    expect_as_alone<2>(problem, 25);
  }
}

/// Nodes are imagined; neighbours through memory, and by messages.
TEST(SmallGrids, FewerRanksOfNodes) {
  grid::test::SampleRun run = test::sample_run();
  const Problem problem{.spec = {.extent = {44, 31}, .length = {0.044, 31.0}}};
  for (const Method method : {Method::multigrid, Method::cg}) {
    Options options{.method = method, .tolerance = 1e-10};
    options.multigrid = {.gather_below = 1, .cells_per_rank = 100};
    const Solved alone = solve_on_root<2>(run, problem, options);
    for (const std::string deck :
         {"mapping: {topology: \"node:4 core:2\"}", "mapping: {topology: \"node:3 core:3\"}",
          "comm: {backend: p2p}", "comm: {backend: shared}"}) {
      const Solved got = solve<2>(problem, options, deck);
      EXPECT_EQ(got.result.residuals, alone.result.residuals) << deck;
      EXPECT_EQ(got.values, part_of(alone, got.block)) << deck;
    }
  }
}

}  // namespace
}  // namespace cartwright::linear
