// SPDX-License-Identifier: Apache-2.0
// Systems with walls of all kinds, on grids of the test's own.
#pragma once

#include <mpi.h>

#include <cartwright/linear/solver.hpp>
#include <cartwright/rt/sleeping_barrier.hpp>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../grid/sample_run.hpp"

namespace cartwright::linear::test {

using Function = std::function<double(const std::array<double, 3>&)>;
inline constexpr double pi = 3.14159265358979323846;

/// Smooth, but for nobody's taste.
inline double rough(const std::array<double, 3>& x) {
  return std::sin(7 * x[0] * x[0] + 2 * x[1] + 5 * x[2] * x[0]) + std::cos(9 * x[1]) + x[2];
}
inline double bumpy(const std::array<double, 3>& x) {
  return 1.5 + std::sin(6 * x[0]) * std::cos(5 * x[1] + 3 * x[2]);
}

struct Problem {
  grid::GridSpec spec{};
  /// By face: v(alue), d(erivative), r(obin, 3), m(ixed), s(tripes), h(alf), o(ne cell); empty:
  /// values everywhere.
  std::string walls = "";
  Function right_side = rough;
  Function coefficient = {};  ///< none: 1
  Function at_walls = {};     ///< value or outward derivative; none: 0
  Function slopes = {};       ///< the derivative on a part of mixed ones; none: 0
  DiffusionOptions diffusion{};
};

struct Solved {
  Result result;
  std::vector<double> values;  ///< this rank's
  grid::Block block;
};

/// A value where the other coordinates are small together; a derivative, and beyond that more than
/// it, where they aren't.
inline void mix(grid::BoundaryCondition& condition, int axis, const Function& slopes, double end) {
  const auto beyond = [axis](double limit) {
    return [axis, limit](const std::array<double, 3>& x) {
      return x[0] + x[1] + x[2] - x[static_cast<std::size_t>(axis)] > limit;
    };
  };
  for (const bool is_robin : {true, false}) {
    grid::BoundaryCondition part =
        is_robin ? grid::BoundaryCondition::robin(3.0, 0.5) : grid::BoundaryCondition::neumann(0.0);
    part.where = beyond(is_robin ? end : 0.6);
    if (slopes && !is_robin) {
      part.uniform.reset();
      part.value = [slopes](const auto& x, double, int) { return slopes(x); };
    }
    condition.parts.push_back(part);
  }
}

/// Values and derivatives by turns, 16 of each in a unit of length.
inline void stripe(grid::BoundaryCondition& condition, int axis) {
  condition.parts.push_back(grid::BoundaryCondition::neumann(0.0));
  condition.parts.back().where = [axis](const std::array<double, 3>& x) {
    const double along = x[0] + x[1] + x[2] - x[static_cast<std::size_t>(axis)];
    return std::sin(32 * pi * along) > 0.1;
  };
}

/// A value up to the middle, a derivative beyond.
inline void halve(grid::BoundaryCondition& condition, int axis) {
  condition.parts.push_back(grid::BoundaryCondition::neumann(0.0));
  condition.parts.back().where = [axis](const std::array<double, 3>& x) {
    return x[axis == 0 ? 1 : 0] > 0.5;
  };
}
/// A value on the cell at 1/3, a derivative elsewhere.
inline void leave_one(grid::BoundaryCondition& condition, int axis, double width) {
  condition.parts.push_back(grid::BoundaryCondition::neumann(0.0));
  condition.parts.back().where = [axis, width](const std::array<double, 3>& x) {
    return std::floor(x[axis == 0 ? 1 : 0] / width) != std::floor(1.0 / (3.0 * width));
  };
}

template <int D>
void set_walls(Field<double, D>& u, const Problem& problem) {
  for (int number = 0; number < 2 * D; ++number) {
    grid::BoundaryCondition condition;
    const char wall = problem.walls.empty() ? 'v' : problem.walls[static_cast<std::size_t>(number)];
    using Kind = grid::BoundaryCondition::Kind;
    condition.kind = wall == 'd' ? Kind::neumann : wall == 'r' ? Kind::robin : Kind::dirichlet;
    if (wall == 'r') condition.coefficient = 3.0;
    if (problem.at_walls) {
      condition.uniform.reset();
      condition.value = [f = problem.at_walls](const auto& x, double, int) { return f(x); };
    }
    // Where slopes are given, no part has a Robin condition.
    if (wall == 'm') mix(condition, number / 2, problem.slopes, problem.slopes ? 1e9 : 0.8);
    if (wall == 's') stripe(condition, number / 2);
    if (wall == 'h') halve(condition, number / 2);
    if (wall == 'o')
      leave_one(condition, number / 2, 1.0 / static_cast<double>(problem.spec.extent[0]));
    u.set_boundary(grid::Face::from_number(number), condition);
  }
}

template <int D>
[[nodiscard]] Solved solve_on(Grid<D>& grid, const Problem& problem, const Options& options) {
  Field<double, D> u(grid, "u"), f(grid, "f"), a(grid, "a");
  set_walls(u, problem);
  f.set_from([&](const auto& x, int) { return problem.right_side(x); });
  Solved solved;
  if (problem.coefficient) {
    a.set_from([&](const auto& x, int) { return problem.coefficient(x); });
    Diffusion operation(u, a, problem.diffusion);
    Solver solver(operation, options);
    solved.result = solver.solve(u, f);
  } else {
    Diffusion operation(u, problem.diffusion);
    Solver solver(operation, options);
    solved.result = solver.solve(u, f);
  }
  solved.block = u.block();
  solved.values.resize(static_cast<std::size_t>(solved.block.points()));
  u.copy_owned_to(std::as_writable_bytes(std::span(solved.values)));
  return solved;
}

/// Collective.
[[nodiscard]] inline grid::test::SampleRun sample_run(const std::string& deck = "") {
  return grid::test::SampleRun("grid: {extent: [8]}\n" + deck);
}

template <int D>
[[nodiscard]] Solved solve(grid::test::SampleRun& run, const Problem& problem,
                           const Options& options) {
  Grid<D> grid(*run, problem.spec);
  return solve_on(grid, problem, options);
}

template <int D>
[[nodiscard]] Solved solve(const Problem& problem, const Options& options,
                           const std::string& deck = "") {
  grid::test::SampleRun run = sample_run(deck);
  return solve<D>(run, problem, options);
}

/// The same on each rank by itself.
template <int D>
[[nodiscard]] Solved solve_alone(Problem problem, const Options& options) {
  problem.spec.on_every_rank = true;
  return solve<D>(problem, options);
}

/// By the root alone, which has all points; the others are told.
template <int D>
[[nodiscard]] Solved solve_on_root(grid::test::SampleRun& run, Problem problem,
                                   const Options& options) {
  problem.spec.on_every_rank = true;
  Grid<D> grid(*run, problem.spec);
  const bool is_root = run->runtime().comm().rank().value == 0;
  Solved solved;
  if (is_root) solved = solve_on(grid, problem, options);
  // A broadcast of MPI's would keep the root from its core meanwhile.
  rt::sleeping_barrier(run->runtime().comm(), std::chrono::milliseconds(1));
  const auto tell = [&](auto& values) {
    auto count = static_cast<long long>(values.size());
    MPI_Bcast(&count, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    values.resize(static_cast<std::size_t>(count));
    MPI_Bcast(values.data(), static_cast<int>(count), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  };
  tell(solved.values);
  tell(solved.result.residuals);
  MPI_Bcast(&solved.result.iterations, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  MPI_Bcast(&solved.result.converged, 1, MPI_CXX_BOOL, 0, MPI_COMM_WORLD);
  solved.block = Field<double, D>(grid, "whole").block();
  return solved;
}

/// More than two ranks. What each of them does by itself (`solve_alone`) two ranks have done
/// already; and what many do together has the bits of one, as tests show, so that they count cycles
/// on fewer examples.
[[nodiscard]] inline bool repeats_what_two_ranks_do() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks > 2;
}

/// Those of `whole` (all points) that belong to this rank's block.
[[nodiscard]] inline std::vector<double> part_of(const Solved& whole, const grid::Block& block) {
  std::vector<double> part;
  for (long long z = 0; z < block.count[2]; ++z)
    for (long long y = 0; y < block.count[1]; ++y)
      for (long long x = 0; x < block.count[0]; ++x)
        part.push_back(whole.values[static_cast<std::size_t>(
            ((block.start[2] + z) * block.global[1] + block.start[1] + y) * block.global[0] +
            block.start[0] + x)]);
  return part;
}

/// Root mean square of the difference from `exact`, of a solution that every rank has.
[[nodiscard]] inline double error_of(const Solved& whole, const grid::GridSpec& spec,
                                     const Function& exact) {
  const grid::GridDescription grid = description_of(spec);
  double sum = 0.0;
  std::size_t at = 0;
  for (long long z = 0; z < grid.extent[2]; ++z)
    for (long long y = 0; y < grid.extent[1]; ++y)
      for (long long x = 0; x < grid.extent[0]; ++x) {
        const auto place = [&](int axis, long long i) {
          return axis < grid.dimensions ? grid.position(axis, grid::Centring::cell, i) : 0.0;
        };
        const double difference =
            whole.values[at++] - exact({place(0, x), place(1, y), place(2, z)});
        sum += difference * difference;
      }
  return std::sqrt(sum / static_cast<double>(at));
}

}  // namespace cartwright::linear::test
