// SPDX-License-Identifier: Apache-2.0
// Cells with widths of their own.
#include <gtest/gtest.h>

#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/output/error_norm.hpp>
#include <cartwright/grid/output/field_statistics.hpp>
#include <cmath>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

/// Denser at walls along y; x is periodic and denser in its middle.
std::string deck(int cells) {
  const std::string n = std::to_string(cells);
  return "grid: {extent: [" + n + ", " + n +
         "], length: [1, 2], periodic: [true, false], coordinates: {"
         "x: \"x + 0.1*sin(2*pi*x)\", y: \"1 - cos(pi*y/2)\"}}";
}

TEST(Stretched, EdgesMiddlesAndWidths) {
  SampleRun run("grid: {extent: [3, 24], coordinates: {x: [0, 1, 3, 7]}}");
  Grid<2> grid(*run);
  EXPECT_TRUE(grid.is_stretched());
  EXPECT_TRUE(grid.is_stretched(0));
  EXPECT_FALSE(grid.is_stretched(1));
  EXPECT_EQ(grid.length(0), 7.0);
  EXPECT_EQ(grid.spacing(0, 1), 2.0);
  EXPECT_EQ(grid.centre(0, 2), 5.0);
  EXPECT_EQ(grid.edge(0, 3), 7.0);
  EXPECT_EQ(grid.edge(0, -1), -1.0) << "cells beyond a wall are mirror images";
  EXPECT_EQ(grid.edge(0, 4), 11.0);
  EXPECT_EQ(grid.spacing(1), grid.spacing(1, 5));
  EXPECT_THROW((void)grid.spacing(0), rt::Error);
}

/// Pairs of cells; beyond a wall the last one takes the mirror image of its first half.
TEST(Stretched, CoarserCellsLieOnFinerOnes) {
  SampleRun run("grid: {extent: [3, 24], coordinates: {x: [0, 1, 3, 7]}}");
  const Grid<2> fine(*run);
  const Grid<2> coarse(fine, fine.coarser({2, 2}));
  EXPECT_EQ(coarse.extent(0), 2);
  EXPECT_TRUE(coarse.is_stretched(0));
  EXPECT_FALSE(coarse.is_stretched(1));
  EXPECT_EQ(coarse.edge(0, 1), 3.0);
  EXPECT_EQ(coarse.edge(0, 2), 11.0);
  EXPECT_EQ(coarse.length(0), 11.0);
  EXPECT_EQ(coarse.spacing(0, 0), 3.0);
  EXPECT_EQ(coarse.spacing(1), 2.0 * fine.spacing(1));
  const Block mine = fine.block(Centring::cell), its = coarse.block(Centring::cell);
  EXPECT_EQ(its.start[1], (mine.start[1] + 1) / 2);
  const Grid<2> whole(fine, fine.coarser({3, 24}));
  EXPECT_EQ(whole.spacing(0, 0), 7.0);
}

/// A flow without a divergence on cells has none between their middles either; linear profiles are
/// met at faces.
TEST(Stretched, FlowThroughHalvesOfFaces) {
  SampleRun run(deck(24));
  Grid<2> grid(*run);
  Staggered<double, 2> u(grid, "u", {.corners = true});
  double most = 0.0, linear = 0.0;
  with_cells(u, [&](const auto& cells) {
    auto flow = u.view();
    // From a stream function at corners: what flows through faces sums to 0 over each cell.
    const auto corner = grid.coordinates(Centring::node);
    const auto psi = [corner](const Index<2>& i) {
      const auto at = corner(i);
      return std::sin(2 * M_PI * at[0]) * std::sin(0.5 * M_PI * at[1]);
    };
    for (const int axis : {0, 1})
      for_each(u[axis], [=](Index<2> i) {
        const double along = psi(i.shifted(1 - axis, 1)) - psi(i);
        const double width = inverse_width(flow[axis], i, 1 - axis, cells[axis]);
        flow[axis](i) = (axis == 0 ? along : -along) * width;
      });
    exchange(u).wait();
    reduce(
        u[0],
        [=](Index<2> i, double& largest) {
          const double through =
              (mean_above(flow[0], i, 0, cells[0]) - mean_below(flow[0], i, 0, cells[0])) *
                  inverse_width(flow[0], i, 0, cells[0]) +
              (flow_below(flow[1], i.shifted(1, 1), 0, cells[1]) -
               flow_below(flow[1], i, 0, cells[1])) *
                  inverse_width(flow[0], i, 1, cells[0]);
          largest = std::fmax(largest, std::fabs(through));
        },
        Max(most));
    u[0].set_from([](const auto& at, int) { return 3 * at[1]; });
    reduce(
        u[0],
        [=](Index<2> i, double& largest) {
          const double edge = corner(i)[1];
          const double error = std::fabs(mean_below(flow[0], i, 1, cells[0]) - 3 * edge);
          largest = std::fmax(largest, edge > 0.0 ? error : 0.0);
        },
        Max(linear));
  });
  EXPECT_LT(most, 1e-11);
  EXPECT_LT(grid.comm().size() == 1 ? linear : 0.0, 1e-12);
}

TEST(Stretched, BeyondAPeriodicEndIsTheOtherOne) {
  SampleRun run("grid: {extent: [3], periodic: [true], coordinates: {x: [0, 1, 3, 7]}}");
  const GridDescription grid = description_of(run.options().grid);
  EXPECT_EQ(grid.position(0, Centring::node, -1), -4.0);
  EXPECT_EQ(grid.position(0, Centring::node, 4), 8.0);
  EXPECT_EQ(grid.position(0, Centring::cell, 3), 7.5);
  EXPECT_EQ(grid.position(0, Centring::node, -3), -7.0);
}

/// The largest error of differences of sin(2 pi x) cos(y), and of the mean over the grid.
struct Errors {
  double laplacian = 0, gradient = 0, below = 0, mean = 0, norm = 0;
};

Errors errors_with(int cells) {
  SampleRun run(deck(cells));
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u"), square(grid, "square");
  const double pi = M_PI;
  for (const Side side : {Side::low, Side::high}) {
    auto condition = BoundaryCondition::dirichlet(0);
    condition.uniform.reset();
    condition.value = [](const auto& x, double, int) {
      return std::sin(2 * M_PI * x[0]) * std::cos(x[1]);
    };
    u.set_boundary({1, side}, condition);
  }
  u.set_from([](const auto& x, int) { return std::sin(2 * M_PI * x[0]) * std::cos(x[1]); });
  square.set_from([](const auto& x, int) { return x[1] * x[1]; });
  exchange(u).wait();
  const auto in = u.view();
  const auto at = u.coordinates();
  const auto cells_of_u = grid.stretched_cells(Centring::cell);
  Errors errors;
  const auto worst = [&](const auto& error) {
    double largest = 0.0;
    reduce(
        u,
        KOKKOS_LAMBDA(const Index<2>& i, double& most) {
          const auto x = at(i);
          // Between cells of two widths second derivatives are of first order at single points of
          // walls, where ghosts mirror; the solution isn't.
          if (x[1] > 0.2 && x[1] < 1.8) most = std::fmax(most, std::fabs(error(i, x)));
        },
        Max(largest));
    return largest;
  };
  errors.laplacian = worst([=](const Index<2>& i, const Vector<double, 2>& x) {
    return laplacian(in, i, cells_of_u) +
           (4 * pi * pi + 1) * std::sin(2 * pi * x[0]) * std::cos(x[1]);
  });
  errors.gradient = worst([=](const Index<2>& i, const Vector<double, 2>& x) {
    return gradient(in, i, cells_of_u)[1] + std::sin(2 * pi * x[0]) * std::sin(x[1]);
  });
  errors.below = worst([=](const Index<2>& i, const Vector<double, 2>& x) {
    const double middle = 0.5 * (x[0] + at(i.shifted(0, -1))[0]);
    return difference_below(in, i, 0, cells_of_u) -
           2 * pi * std::cos(2 * pi * middle) * std::cos(x[1]);
  });
  errors.mean =
      std::abs(statistics(grid.comm().all(), grid.description(), square).mean - 4.0 / 3.0);
  const std::vector<Formula> zero{Formula("0", {})};
  errors.norm = std::abs(error_norms(square, zero, 0).l2 - std::sqrt(16.0 / 5.0));
  return errors;
}

TEST(Stretched, DifferencesAreOfSecondOrderAndSumsCountVolumes) {
  const Errors coarse = errors_with(64), fine = errors_with(128);
  EXPECT_GT(std::log2(coarse.laplacian / fine.laplacian), 1.9);
  EXPECT_GT(std::log2(coarse.gradient / fine.gradient), 1.9);
  EXPECT_GT(std::log2(coarse.below / fine.below), 1.9);
  EXPECT_LT(fine.mean, 1e-3);
  EXPECT_GT(std::log2(coarse.mean / fine.mean), 1.9);
  EXPECT_GT(std::log2(coarse.norm / fine.norm), 1.9);
}

/// Who doesn't ask for widths sees that there is no single one.
TEST(Stretched, OneWidthForAllIsNoNumber) {
  SampleRun run(deck(32));
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u");
  EXPECT_TRUE(std::isnan(u.view().inverse_spacing(0)));
}

/// Equal cells that are given as edges: as if they weren't.
TEST(Stretched, EqualCellsAreRight) {
  SampleRun plain("grid: {extent: [16, 16]}");
  SampleRun given("grid: {extent: [16, 16], coordinates: {x: x, y: y}}");
  double sums[2] = {0, 0};
  int number = 0;
  for (SampleRun* run : {&plain, &given}) {
    Grid<2> grid(**run);
    Field<double, 2> u(grid, "u");
    u.set_from([](const auto& x, int) { return x[0] * x[0] * x[0] + std::exp(x[1]); });
    exchange(u).wait();
    const auto in = u.view();
    with_cells(u, [&](const auto& cells) {
      reduce(
          u,
          KOKKOS_LAMBDA(const Index<2>& i, double& sum) {
            const double value = laplacian(in, i, cells) + gradient(in, i, cells)[1] +
                                 difference_above(in, i, 0, cells);
            sum += value * value;
          },
          Sum(sums[number]));
    });
    ++number;
  }
  EXPECT_NEAR(sums[0] / sums[1], 1.0, 1e-10);
}

}  // namespace
}  // namespace cartwright::grid
