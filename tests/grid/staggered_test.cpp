// SPDX-License-Identifier: Apache-2.0
// Fields whose points live on faces.
#include <gtest/gtest.h>

#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cmath>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

TEST(Staggered, PointsAreOnFacesAndAllOfThemOwnedOnce) {
  SampleRun run("grid: {extent: [13, 9, 8], length: [13, 18, 8], periodic: [false, true, false]}");
  Grid<3> grid(*run);
  const std::array<long long, 3> cells{13, 9, 8};
  Staggered<double, 3> u(grid, "u");
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    std::array<long long, 3> expected = cells;
    if (axis != 1) ++expected[a];  // a periodic axis has no closing face
    const Block block = u[axis].block();
    EXPECT_EQ(block.global, expected);
    EXPECT_EQ(grid.comm().allreduce(block.points(), comm::Operator::sum), block.global_points());
    const auto x = u[axis].coordinates()({0, 0, 0});
    for (int other = 0; other < 3; ++other)
      EXPECT_DOUBLE_EQ(
          x[other],
          grid.spacing(other) * (static_cast<double>(block.start[static_cast<std::size_t>(other)]) +
                                 (other == axis ? 0.0 : 0.5)));
    EXPECT_EQ(u[axis].name(), std::string("u_") + "xyz"[axis]);
  }
}

/// The divergence of a gradient is the Laplacian, bit by bit but for the order of sums.
TEST(Staggered, DifferencesGoThereAndBack) {
  SampleRun run("grid: {extent: [16, 12], periodic: [true, false]}");
  Grid<2> grid(*run);
  Field<double, 2> p(grid, "temperature");
  p.set_boundary({1, Side::low}, BoundaryCondition::dirichlet(2.0));
  p.set_boundary({1, Side::high}, BoundaryCondition::neumann(-1.0));
  p.set_from([](const std::array<double, 3>& x, int) { return std::sin(5 * x[0]) + x[1] * x[1]; });
  Staggered<double, 2> gradient(grid, "gradient");
  for (auto& part : gradient.parts())  // the kernel sets the faces on walls, too
    for (int number = 0; number < 4; ++number)
      part.set_boundary(Face::from_number(number), BoundaryCondition::neumann(0.0));
  exchange(p).wait();
  const auto in = p.view();
  const auto out = gradient.view();
  for (int axis = 0; axis < 2; ++axis)
    for_each(
        gradient[axis],
        KOKKOS_LAMBDA(Index<2> i) { out[axis](i) = difference_below(in, i, axis); });
  exchange(gradient).wait();
  double worst = 0.0;
  reduce(
      p,
      KOKKOS_LAMBDA(Index<2> i, double& most) {
        const double sum = difference_above(out[0], i, 0) + difference_above(out[1], i, 1);
        most = std::fmax(most, std::fabs(sum - laplacian(in, i)));
      },
      Max(worst));
  EXPECT_LT(worst, 1e-10);
}

/// What flows through a wall is on its faces; what flows along it is half a cell away.
TEST(Staggered, WallsHoldOnTheFacesAcrossThem) {
  SampleRun run("grid: {extent: [8, 8]}");
  Grid<2> grid(*run);
  Staggered<double, 2> u(grid, "u");
  for (auto& part : u.parts()) {
    part.set_boundary({0, Side::low}, BoundaryCondition::dirichlet(3.0));
    part.set_from([](const std::array<double, 3>&, int) { return 1.0; });
  }
  exchange(u).wait();
  if (!grid.is_boundary({0, Side::low})) return;
  EXPECT_EQ(u[0].view()({0, 0}), 3.0);
  EXPECT_EQ(u[1].view()({0, 1}), 1.0);
  EXPECT_EQ(u[1].view()({-1, 1}), 5.0);
  if (grid.is_boundary({1, Side::low})) {
    EXPECT_EQ(u[1].view()({0, 0}), 0.0);  // where nothing is said
  }
}

}  // namespace
}  // namespace cartwright::grid
