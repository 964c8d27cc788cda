// SPDX-License-Identifier: Apache-2.0
// Ghosts beyond physical faces.
#include <gtest/gtest.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

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
    const double coefficient = 1.5;
    const bool is_robin = kind == BoundaryCondition::Kind::robin;
    const auto value = [=](const std::array<double, 3>& x, double, int) {
      return is_robin ? outward + coefficient * linear(x) : linear(x);
    };
    u.set_boundary(face, kind == BoundaryCondition::Kind::neumann
                             ? BoundaryCondition::neumann(outward)
                             : BoundaryCondition{kind, value, std::nullopt, true, coefficient});
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
  for (const auto kind : {BoundaryCondition::Kind::dirichlet, BoundaryCondition::Kind::neumann,
                          BoundaryCondition::Kind::robin})
    for (const Centring centring :
         {Centring::cell, Centring::node, Centring::face_x, Centring::face_y})
      for (const bool corners : {false, true}) {
        check_linear<1>({centring, 2, corners}, kind);
        check_linear<2>({centring, 1, corners}, kind);
        check_linear<2>({centring, 2, corners}, kind);
        check_linear<2>({centring, 3, corners}, kind);
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

/// Layer `layer` beyond `face` at one place along it, and the owned point that it mirrors.
Index<2> ghost_of(const Box<2>& owned, Face face, int layer) {
  Index<2> i{2, 1};
  i[face.axis] = face.is_low() ? -1 - layer : owned.upper[face.axis] + layer;
  return i;
}
Index<2> mirrored(const Box<2>& owned, Face face, int layer) {
  Index<2> i{2, 1};
  i[face.axis] = face.is_low() ? layer : owned.upper[face.axis] - 1 - layer;
  return i;
}

TEST(Boundary, WallsAndInflowOfVectors) {
  SampleRun run(
      "grid: {extent: [24, 16]}\n"
      "boundary:\n  gas:\n"
      "    x_low: {inflow: {density: 2, velocity: [3, y], pressure: 5}}\n"
      "    x_high: outflow\n    y_low: slip\n    y_high: no_slip\n");
  Grid<2> grid(*run);
  for (const bool corners : {false, true}) {
    Field<Vector<double, 4>, 2> u(grid, "gas", {.halo = 2, .corners = corners});
    u.set_from([](const std::array<double, 3>& x, int c) { return x[0] + 10 * x[1] + c; });
    exchange(u).wait();
    const auto in = u.view();
    for (int layer = 0; layer < 2; ++layer)
      for (int number = 0; number < 4; ++number) {
        const Face face = Face::from_number(number);
        if (!grid.is_boundary(face)) continue;
        const Index<2> at = ghost_of(u.owned(), face, layer);
        const Vector<double, 4> ghost = in(at);
        Vector<double, 4> expected = in(mirrored(u.owned(), face, layer));
        if (number == 0) expected = {2.0, 3.0, u.coordinates()(at)[1], 5.0};
        if (number >= 2) expected[2] = -expected[2];
        if (number == 3) expected[1] = -expected[1];
        for (int c = 0; c < 4; ++c) EXPECT_EQ(ghost[c], expected[c]) << number << " " << c;
      }
  }
}

TEST(Boundary, PartsOfAFace) {
  SampleRun run(
      "grid: {extent: [24, 16], length: [1.5, 1.0]}\n"
      "boundary:\n  u:\n    x_low: [{where: y<0.3, inflow: 7}, {where: y<0.7, inflow: y}, "
      "outflow]\n");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u", {.halo = 2});
  u.set_from([](const std::array<double, 3>&, int) { return 100.0; });
  exchange(u).wait();
  if (!grid.is_boundary({0, Side::low})) return;
  for (int j = 0; j < u.owned().upper[1]; ++j)
    for (int layer = 1; layer <= 2; ++layer) {
      const double y = u.coordinates()(Index<2>{0, j})[1];
      EXPECT_EQ(u.view()(Index<2>{-layer, j}), y < 0.3 ? 7.0 : y < 0.7 ? y : 100.0);
    }
}

/// What is given on each part may change in time by itself.
TEST(Boundary, PartsOfAFaceChangeInTime) {
  SampleRun run(
      "grid: {extent: [24, 16], length: [1.5, 1.0]}\n"
      "boundary:\n  u:\n    x_low: [{where: y<0.3, inflow: 7*t}, {where: y<0.7, dirichlet: y+t^2}, "
      "{neumann: t}]\n");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u");
  u.set_from([](const std::array<double, 3>&, int) { return 100.0; });
  for (const double t : {0.0, 0.5, 2.0, 0.5}) {
    exchange(u).at(t).wait();
    if (!grid.is_boundary({0, Side::low})) continue;
    for (int j = 0; j < u.owned().upper[1]; ++j) {
      const double y = u.coordinates()(Index<2>{0, j})[1];
      const double wanted = y < 0.3   ? 7.0 * t
                            : y < 0.7 ? 2.0 * (y + t * t) - 100.0
                                      : 100.0 + t * grid.spacing(0);
      EXPECT_DOUBLE_EQ(u.view()(Index<2>{-1, j}), wanted) << y << ' ' << t;
    }
  }
}

/// Formulas without a place are evaluated once for the whole face, others in each place.
TEST(Boundary, ValuesThatAreTheSameEverywhere) {
  const auto ghosts = [](const std::string& here) {
    SampleRun run(
        "grid: {extent: [24, 16, 20]}\n"
        "boundary:\n  gas:\n"
        "    x_low: {inflow: {density: 2" +
        here +
        ", velocity: [sin(t), 3, 0], pressure: exp(t)}}\n"
        "    y_high: {dirichlet: {density: 1" +
        here +
        ", velocity: [0, t, 1], pressure: 0.1}}\n"
        "    z_low: [{where: x<0.4, inflow: {density: t, velocity: [1, 2, 3], pressure: 7" +
        here + "}}, outflow]\n");
    Grid<3> grid(*run);
    Field<Vector<double, 5>, 3> u(grid, "gas", {.halo = 2, .corners = true});
    u.set_from([](const std::array<double, 3>& x, int c) { return x[0] + x[1] * x[2] + c; });
    std::vector<double> found;
    for (const double t : {0.3, 0.3, 1.7, 0.3}) {
      exchange(u).at(t).wait();
      const Box<3> all = u.layout().with_ghosts();
      for (long long number = 0; number < all.size(); ++number)
        for (int c = 0; c < 5; ++c) found.push_back(u.view()(point_of(all, number))[c]);
    }
    return found;
  };
  EXPECT_EQ(ghosts(""), ghosts(" + 0*x"));
}

/// From whichever thread.
TEST(Boundary, WhatAFunctionOfPlaceThrowsComesBack) {
  SampleRun run("grid: {extent: [96, 96, 32]}");
  Grid<3> grid(*run);
  Field<double, 3> u(grid, "u", {.centring = Centring::node});
  EXPECT_THROW(u.set_from([](const auto& x, int) -> double {
    throw std::out_of_range("no value at " + std::to_string(x[0]));
  }),
               std::out_of_range);
  const auto until_one = [](const std::array<double, 3>&, double time, int) {
    return time < 1.0 ? time : throw std::out_of_range("no value then");
  };
  bool has_face = false;
  for (int number = 0; number < 6; ++number) {
    const Face face = Face::from_number(number);
    has_face = has_face || grid.is_boundary(face);
    BoundaryCondition condition;
    condition.value = until_one;
    condition.uniform.reset();
    condition.constant_in_time = false;
    u.set_boundary(face, condition);
  }
  u.impose_boundary(0.5);
  if (has_face) {
    EXPECT_THROW(u.impose_boundary(1.5), std::out_of_range);
  }
}

TEST(Boundary, IntegersHaveTheValueItself) {
  SampleRun run("grid: {extent: [24, 16]}\nboundary: {u: {x_low: {dirichlet: 3}}}\n");
  Grid<2> grid(*run);
  Field<unsigned char, 2> u(grid, "u", {.corners = true});
  u.set_from([](const std::array<double, 3>&, int) { return 1.0; });
  exchange(u).wait();
  if (grid.is_boundary({0, Side::low})) {
    EXPECT_EQ(u.view()(Index<2>{-1, 1}), 3);
  }
  if (grid.is_boundary({1, Side::low})) {
    EXPECT_EQ(u.view()(Index<2>{2, -1}), 0);
  }
}

TEST(Boundary, HoldsAtTheTimeThatIsAskedFor) {
  SampleRun run("grid: {extent: [24, 16]}\nboundary: {u: {all: {inflow: y + t}}}\n");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u"), stage = u.like();
  stage.set_boundary({0, Side::low}, BoundaryCondition::inflow(-1.0));
  const auto at_low_x = [&](Field<double, 2>& field) { return field.view()(Index<2>{-1, 1}); };
  const double y = u.coordinates()(Index<2>{-1, 1})[1];
  for (const double time : {0.25, 0.5, 0.25}) {
    exchange(u).at(time).wait();
    exchange(stage).at(time).overlap([](Index<2>) {});
    if (!grid.is_boundary({0, Side::low})) continue;
    EXPECT_EQ(at_low_x(u), y + time);
    EXPECT_EQ(at_low_x(stage), -1.0);
  }
  exchange(u).wait();
  if (grid.is_boundary({0, Side::low})) {
    EXPECT_EQ(at_low_x(u), y);
  }
}

/// Corners beyond physical faces are there before any cell is computed that reads them.
template <int D>
void check_corners(const std::string& deck) {
  SampleRun run(deck);
  Grid<D> grid(*run);
  Field<double, D> u(grid, "u", {.corners = true}), waited(grid, "v"), overlapped(grid, "v");
  Box<D> around{};
  for (int axis = 0; axis < D; ++axis) around = around.with(axis, -1, 2);
  const auto at = u.coordinates();
  for (int round = 1; round <= 2; ++round) {  // the second finds ghosts of the first
    u.set_from([round](const std::array<double, 3>& x, int) {
      return round * std::sin(3 * x[0]) + 2 * x[1] - x[2];
    });
    const auto sum = [in = u.view(), around, at](const Index<D>& i, double& value) {
      for (long long number = 0; number < around.size(); ++number) {
        const Index<D> step = point_of(around, number);
        Index<D> there = i;
        for (int axis = 0; axis < D; ++axis) there[axis] += step[axis];
        value += in(there) * (1.0 + static_cast<double>(number) * at(i)[0]);
      }
    };
    auto out = overlapped.view();
    exchange(u).overlap([=](Index<D> i) { out(i) = 0, sum(i, out(i)); });
    auto expected = waited.view();
    exchange(u).wait();
    for_each(waited, [=](Index<D> i) { expected(i) = 0, sum(i, expected(i)); });
    for (long long number = 0; number < u.owned().size(); ++number)
      EXPECT_EQ(out(point_of(u.owned(), number)), expected(point_of(u.owned(), number)));
  }
}

TEST(Boundary, CornersAreThereInTime) {
  for (const std::string x : {"true", "false"})
    for (const std::string y : {"true", "false"}) {
      const std::string all = "boundary: {u: {all: {dirichlet: x+y+1}}}\n";
      check_corners<2>("grid: {extent: [24, 16], periodic: [" + x + ", " + y + "]}\n" + all);
      check_corners<3>("grid: {extent: [16, 8, 16], periodic: [" + x + ", " + y + ", false]}\n" +
                       all);
    }
}

/// The stages of two schemes: u' = a u0 + b (u + dt f(u)), with u at begin + c dt.
struct Stage {
  double a, b, c;
};

/// du/dt = -du/dx, upwind of second order, with an inflow that moves; what is left at the end.
std::vector<double> advect(const std::vector<Stage>& stages, int cells, int steps) {
  SampleRun run("grid: {extent: [" + std::to_string(cells) +
                "]}\nboundary: {u: {x_low: {dirichlet: \"sin(5*(x-t))\"}, x_high: outflow}}\n");
  Grid<1> grid(*run);
  const FieldOptions options{.halo = 2};
  Field<double, 1> u(grid, "u", options), stage(grid, "u", options), next(grid, "u", options);
  u.set_from([](const std::array<double, 3>& x, int) { return std::sin(5 * x[0]); });
  const double dt = 1.0 / steps;
  const double rate = dt * cells;
  for (int step = 0; step < steps; ++step) {
    auto start = u.view();
    for_each(stage, [to = stage.view(), start](Index<1> i) { to(i) = start(i); });
    for (const Stage& each : stages) {
      auto in = stage.view();
      auto out = next.view();
      exchange(stage).at((step + each.c) * dt).overlap([=](Index<1> i) {
        const double slope = 1.5 * in(i)-2 * in(i.shifted(0, -1)) + 0.5 * in(i.shifted(0, -2));
        out(i) = each.a * start(i) + each.b * (in(i)-rate * slope);
      });
      swap(stage, next);
    }
    swap(u, stage);
  }
  std::vector<double> values(static_cast<std::size_t>(cells));
  const auto block = u.block();
  for (int i = 0; i < u.owned().upper[0]; ++i)
    values[static_cast<std::size_t>(block.start[0] + i)] = u.view()(Index<1>{i});
  for (double& value : values) value = grid.comm().allreduce(value, comm::Operator::sum);
  return values;
}

const std::vector<Stage> heun{{0, 1, 0}, {0.5, 0.5, 1}};
const std::vector<Stage> ssp3{{0, 1, 0}, {0.75, 0.25, 1}, {1. / 3, 2. / 3, 0.5}};

double greatest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double greatest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) greatest = std::max(greatest, std::abs(a[i] - b[i]));
  return greatest;
}

TEST(Stages, KeepTheirOrderInTimeWithAnInflowThatMoves) {
  const auto limit = advect(ssp3, 24, 6400);
  for (const auto& [stages, order] : {std::pair{heun, 2.0}, std::pair{ssp3, 3.0}}) {
    const double coarse = greatest_difference(advect(stages, 24, 400), limit);
    const double fine = greatest_difference(advect(stages, 24, 800), limit);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << coarse << " " << fine;
  }
}

TEST(Stages, HeunIsOfSecondOrderWithAnExactInflow) {
  const auto error = [](int cells) {
    const auto found = advect(heun, cells, 4 * cells);
    double sum = 0;
    for (int i = 0; i < cells; ++i)
      sum += std::abs(found[static_cast<std::size_t>(i)] - std::sin(5 * ((i + 0.5) / cells - 1)));
    return sum / cells;
  };
  EXPECT_NEAR(std::log2(error(64) / error(128)), 2.0, 0.1);
}

}  // namespace
}  // namespace cartwright::grid
