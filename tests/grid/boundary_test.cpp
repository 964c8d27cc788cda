// SPDX-License-Identifier: Apache-2.0
// Ghosts beyond physical faces.
#include <gtest/gtest.h>

#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/for_each.hpp>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

/// A linear function is reproduced exactly by any condition that holds for it.
template <int D>
void check_linear(const FieldOptions& options, BoundaryCondition::Kind kind) {
  const double slope[3] = {2.0, -3.0, 0.5};
  const auto linear = [&](const std::array<double, 3>& x) {
    return 1.0 + slope[0] * x[0] + (D > 1 ? slope[1] * x[1] : 0) + (D > 2 ? slope[2] * x[2] : 0);
  };
  SampleRun run(D == 1   ? "grid: {extent: [24]}"
                : D == 2 ? "grid: {extent: [24, 16]}"
                         : "grid: {extent: [16, 8, 16]}");
  Grid<D> grid(*run);
  Field<double, D> u(grid, "u", options);
  for (int number = 0; number < 2 * D; ++number) {
    const Face face = Face::from_number(number);
    const double outward = slope[face.axis] * (face.is_low() ? -1.0 : 1.0);
    u.set_boundary(face, kind == BoundaryCondition::Kind::neumann
                             ? BoundaryCondition::neumann(outward)
                             : BoundaryCondition{kind,
                                                 [linear](const std::array<double, 3>& x, double,
                                                          int) { return linear(x); },
                                                 std::nullopt, true});
  }
  u.set_from([&](const std::array<double, 3>& x, int) { return linear(x); });
  exchange(u).wait();
  const auto in = u.view();
  const auto at = u.coordinates();
  const Box<D> all = u.layout().with_ghosts();
  for (long long number = 0; number < all.size(); ++number) {
    const Index<D> i = point_of(all, number);
    int outside = 0;
    std::array<double, 3> x{};
    for (int axis = 0; axis < D; ++axis) {
      outside += i[axis] < 0 || i[axis] >= u.owned().upper[axis] ? 1 : 0;
      x[static_cast<std::size_t>(axis)] = at(i)[axis];
    }
    if (outside > 1 && !options.corners) continue;
    EXPECT_NEAR(in(i), linear(x), 1e-12) << "point " << number;
  }
}

TEST(Boundary, LinearFunctionsAreExact) {
  for (const auto kind : {BoundaryCondition::Kind::dirichlet, BoundaryCondition::Kind::neumann})
    for (const Centring centring : {Centring::cell, Centring::node})
      for (const bool corners : {false, true}) {
        check_linear<1>({centring, 2, corners}, kind);
        check_linear<2>({centring, 1, corners}, kind);
        check_linear<2>({centring, 2, corners}, kind);
        check_linear<3>({centring, 1, corners}, kind);
      }
}

TEST(Boundary, NodesOnADirichletFaceAreSet) {
  SampleRun run("grid: {extent: [24, 16]}");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u", {.centring = Centring::node});
  for (int face = 0; face < 4; ++face)
    u.set_boundary(Face::from_number(face), BoundaryCondition::dirichlet(face + 1.0));
  exchange(u).wait();
  const auto in = u.view();
  if (grid.is_boundary({1, Side::low})) {
    EXPECT_EQ(in(Index<2>{1, 0}), 3.0);
  }
  if (grid.is_boundary({1, Side::high})) {
    EXPECT_EQ(in(Index<2>{1, u.owned().upper[1] - 1}), 4.0);
  }
}

TEST(Boundary, UsersOwnRule) {
  SampleRun run("grid: {extent: [24, 16]}");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u");
  u.set_boundary(
      {0, Side::high},
      KOKKOS_LAMBDA(const FieldView<double, 2>& view, const Index<2>& i, const Vector<double, 2>& x,
                    double time) { return view(i.shifted(0, -1)) + x[1] + time; });
  u.set_from([](const std::array<double, 3>&, int) { return 10.0; });
  exchange(u).wait();
  if (!grid.is_boundary({0, Side::high})) return;
  const Index<2> ghost{u.owned().upper[0], 3};
  EXPECT_DOUBLE_EQ(u.view()(ghost), 10.0 + u.coordinates()(ghost)[1]);
}

}  // namespace
}  // namespace cartwright::grid
