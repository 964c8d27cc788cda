// SPDX-License-Identifier: Apache-2.0
// Linear systems: the same bits on any number of ranks, orders of accuracy, numbers of iterations,
// and what happens where there is no solution.
#include <gtest/gtest.h>

#include <cartwright/grid/field/stencil.hpp>
#include <cartwright/linear/operators/stencil.hpp>

#include "sample_system.hpp"

namespace cartwright::linear {
namespace {

using test::bumpy;
using test::error_of;
using test::part_of;
using test::pi;
using test::Problem;
using test::repeats_what_two_ranks_do;
using test::rough;
using test::solve;
using test::solve_alone;
using test::solve_on_root;
using test::Solved;

const Options multigrid{.tolerance = 1e-10};

Options krylov(Method method, Preconditioner preconditioner) {
  return {.method = method, .preconditioner = preconditioner, .tolerance = 1e-10};
}

template <int D>
void expect_same_bits(const Problem& problem, const Options& options, const std::string& what) {
  grid::test::SampleRun run = test::sample_run();
  const Solved expected = solve_on_root<D>(run, problem, options);
  const Solved got = solve<D>(run, problem, options);
  EXPECT_EQ(got.result.residuals, expected.result.residuals) << what;
  const std::vector<double> mine = part_of(expected, got.block);
  ASSERT_EQ(mine.size(), got.values.size());
  EXPECT_EQ(std::memcmp(mine.data(), got.values.data(), mine.size() * sizeof(double)), 0) << what;
}

TEST(Linear, SameBitsOnAnyNumberOfRanks) {
  Options two_cycles = multigrid;
  two_cycles.multigrid = {.cycle = Cycle::w, .before = 2, .after = 1, .gather_below = 64};
  Options full = multigrid;
  full.multigrid.cycle = Cycle::full;
  const std::vector<Options> all{multigrid,
                                 two_cycles,
                                 full,
                                 krylov(Method::cg, Preconditioner::none),
                                 krylov(Method::cg, Preconditioner::jacobi),
                                 krylov(Method::cg, Preconditioner::multigrid),
                                 krylov(Method::pipelined_cg, Preconditioner::jacobi),
                                 krylov(Method::bicgstab, Preconditioner::multigrid)};
  for (std::size_t number = 0; number < all.size(); ++number) {
    const std::string what = "options " + std::to_string(number);
    expect_same_bits<3>({.spec = {.extent = {37, 29, 23}}, .walls = "vddvvv", .at_walls = rough},
                        all[number], what + ", 37 x 29 x 23");
    expect_same_bits<3>({.spec = {.extent = {24, 32, 17}, .periodic = {false, true, true}},
                         .walls = "dvvvvv",
                         .coefficient = bumpy},
                        all[number], what + ", varying, 24 x 32 x 17");
    expect_same_bits<2>({.spec = {.extent = {101, 64}, .length = {1.0, 30.0}},
                         .coefficient = bumpy,
                         .diffusion = {.factor = 0.3, .reaction = 7.0, .mean = Mean::arithmetic}},
                        all[number], what + ", 101 x 64");
    expect_same_bits<1>({.spec = {.extent = {83}}, .walls = "dv"}, all[number], what + ", 83");
  }
}

/// What a solver has done before leaves nothing behind: restarts need that. Odd periodic axes have
/// neighbours of one colour.
TEST(Linear, SolutionsDontDependOnEarlierOnes) {
  for (const Options& options : {multigrid, krylov(Method::cg, Preconditioner::multigrid)}) {
    grid::test::SampleRun run = test::sample_run();
    const Problem problem{.spec = {.extent = {26, 18}, .periodic = {true, false}}, .walls = "vvdv"};
    Grid<2> grid(*run, problem.spec);
    Field<double, 2> u(grid, "u"), f(grid, "f");
    set_walls(u, problem);
    Diffusion operation(u);
    Solver solver(operation, options);
    const auto solution = [&](double factor) {
      u.set_from([](const auto&, int) { return 0.0; });
      f.set_from([&](const auto& x, int) { return factor * rough(x) + factor * factor * x[0]; });
      (void)solver.solve(u, f);
      std::vector<double> values(static_cast<std::size_t>(u.block().points()));
      u.copy_owned_to(std::as_writable_bytes(std::span(values)));
      return values;
    };
    const std::vector<double> first = solution(1.0);
    (void)solution(-7.0);
    EXPECT_EQ(solution(1.0), first) << solver.name();
  }
}

TEST(Linear, SameBitsInCheckedMode) {
  const Problem problem{.spec = {.extent = {26, 31}, .periodic = {true, false}},
                        .coefficient = bumpy};
  const Solved expected = solve<2>(problem, multigrid);
  const Solved got = solve<2>(problem, multigrid, "checks: halos");
  EXPECT_EQ(got.values, expected.values);
}

TEST(Linear, CyclesDependNeitherOnSizeNorOnRanks) {
  for (const auto& [method, most] :
       std::vector<std::pair<Method, long long>>{{Method::multigrid, 18}, {Method::cg, 14}}) {
    for (const long long n : {8, 16, 32, 33, 47, 64, 96}) {
      const Solved got =
          solve<3>({.spec = {.extent = {n, n, n}}}, {.method = method, .tolerance = 1e-10});
      EXPECT_LE(got.result.iterations, most) << n;
    }
    for (const long long n : {16, 64, 127, 256})
      EXPECT_LE(solve<2>({.spec = {.extent = {n, n}}}, {.method = method, .tolerance = 1e-10})
                    .result.iterations,
                most)
          << n;
  }
}

/// Multigrid with each kind of cycle, and as preconditioner.
std::vector<Options> kinds_of_cycles() {
  Options w = multigrid, full = multigrid;
  w.multigrid.cycle = Cycle::w;
  full.multigrid.cycle = Cycle::full;
  return {multigrid, w, full, krylov(Method::cg, Preconditioner::multigrid)};
}

TEST(Linear, AnisotropyTakesAtMostTwiceTheCycles) {
  const long long n = repeats_what_two_ranks_do() ? 16 : 32;
  for (const Options& options : kinds_of_cycles()) {
    const Solved even = solve<3>({.spec = {.extent = {n, n, n}}}, options);
    for (const std::vector<double>& length :
         {std::vector<double>{1, 1000, 1}, {1000, 1, 1}, {1, 30, 1000}, {1, 1.7, 2.9}}) {
      const Solved got = solve<3>({.spec = {.extent = {n, n, n}, .length = length}}, options);
      EXPECT_LE(got.result.iterations, 2 * even.result.iterations) << length[0] << ' ' << length[1];
    }
  }
}

/// On coarser grids more than one cycle for each of the next finer one: no more are needed in all.
TEST(Linear, WAndFullCyclesTakeNoMore) {
  for (const char* const walls : {"vvvvvv", "vdvdrv"}) {
    const Problem problem{.spec = {.extent = {48, 48, 48}}, .walls = walls, .coefficient = bumpy};
    const auto kinds = kinds_of_cycles();
    const long long v = solve<3>(problem, kinds[0]).result.iterations;
    EXPECT_LE(solve<3>(problem, kinds[1]).result.iterations, v) << walls;
    EXPECT_LE(solve<3>(problem, kinds[2]).result.iterations, v) << walls;
  }
}

/// Values at x faces, derivatives at y faces; the coefficient varies.
TEST(Linear, IsOfSecondOrder) {
  if (repeats_what_two_ranks_do()) GTEST_SKIP() << "two ranks do the same";
  const auto exact = [](const std::array<double, 3>& x) {
    return std::cos(2 * x[0] + 0.3) * std::cos(1.5 * x[1] + 0.4);
  };
  const auto right_side = [exact](const std::array<double, 3>& x) {
    return 6.25 * (1 + x[0] + 0.5 * x[1]) * exact(x) +
           2 * std::sin(2 * x[0] + 0.3) * std::cos(1.5 * x[1] + 0.4) +
           0.75 * std::cos(2 * x[0] + 0.3) * std::sin(1.5 * x[1] + 0.4);
  };
  const auto at_walls = [exact](const std::array<double, 3>& x) {
    if (x[1] > 0.0 && x[1] < 1.0) return exact(x);
    return (x[1] > 0.5 ? -1.5 : 1.5) * std::cos(2 * x[0] + 0.3) * std::sin(1.5 * x[1] + 0.4);
  };
  std::vector<double> errors;
  for (const long long n : {32, 64, 128}) {
    const Problem problem{.spec = {.extent = {n, n}},
                          .walls = "vvdd",
                          .right_side = right_side,
                          .coefficient = [](const auto& x) { return 1 + x[0] + 0.5 * x[1]; },
                          .at_walls = at_walls,
                          .diffusion = {.mean = Mean::arithmetic}};
    errors.push_back(error_of(solve_alone<2>(problem, multigrid), problem.spec, exact));
  }
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1) << errors[1] << ' ' << errors[2];
}

TEST(Linear, RobinConditions) {
  if (repeats_what_two_ranks_do()) GTEST_SKIP() << "two ranks do the same";
  const auto exact = [](const std::array<double, 3>& x) { return std::exp(x[0]) * std::cos(x[1]); };
  const auto at_walls = [exact](const std::array<double, 3>& x) {
    const double outward = x[0] == 0.0 ? -1.0 : 1.0;
    if (x[0] == 0.0 || x[0] == 1.0) return (outward + 3.0) * exact(x);
    return exact(x);
  };
  std::vector<double> errors;
  for (const long long n : {32, 64, 128}) {
    const Problem problem{.spec = {.extent = {n, n}},
                          .walls = "rrvv",
                          .right_side = [](const auto&) { return 0.0; },
                          .at_walls = at_walls};
    const Solved got = solve_alone<2>(problem, multigrid);
    EXPECT_LE(got.result.iterations, 18);
    errors.push_back(error_of(got, problem.spec, exact));
  }
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1);
}

TEST(Linear, SolvesWhereConstantsAreFree) {
  if (repeats_what_two_ranks_do()) GTEST_SKIP() << "two ranks do the same";
  const auto exact = [](const std::array<double, 3>& x) {
    return std::cos(2 * pi * x[0]) * std::cos(pi * x[1]);
  };
  for (const Method method : {Method::multigrid, Method::cg}) {
    std::vector<double> errors;
    for (const long long n : {31, 62, 124}) {
      const Problem problem{
          .spec = {.extent = {n, n}, .periodic = {true, false}},
          .walls = "dddd",
          .right_side = [exact](const auto& x) { return 5 * pi * pi * exact(x); }};
      const Solved got = solve_alone<2>(problem, {.method = method, .tolerance = 1e-9});
      // On an odd ring red meets red, and one of the coarse cells is half as wide: rates of 0.45
      // instead of 0.31 at the most.
      EXPECT_LE(got.result.iterations, n % 2 == 0 ? 18 : 26) << n;
      errors.push_back(error_of(got, problem.spec, exact));
    }
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1);
  }
}

TEST(Linear, SmallestGrids) {
  const auto four = [](const std::array<double, 3>&) { return 4.0; };
  for (const Method method : {Method::multigrid, Method::cg}) {
    const Options options{.method = method, .tolerance = 1e-10};
    const Problem one{.spec = {.extent = {1, 1, 1}}, .right_side = four};
    EXPECT_DOUBLE_EQ(solve_alone<3>(one, options).values[0], 4.0 / 12.0);
    const Problem two{.spec = {.extent = {2}, .length = {2.0}}, .right_side = four};
    // The tolerance, times the first residual, by the smallest eigenvalue.
    EXPECT_NEAR(solve_alone<1>(two, options).values[1], 2.0, 1e-10 * std::sqrt(32.0) / 2.0);
    const Problem line{.spec = {.extent = {1, 7, 1}, .periodic = {true, false, true}}};
    EXPECT_TRUE(solve_alone<3>(line, options).result.converged);
  }
}

TEST(Linear, WhatIsSolvedAlreadyTakesNoIteration) {
  const Problem nothing{.spec = {.extent = {16, 16}},
                        .right_side = [](const auto&) { return 0.0; }};
  const Solved got = solve<2>(nothing, multigrid);
  EXPECT_EQ(got.result.iterations, 0);
  EXPECT_TRUE(got.result.converged);
}

rt::ExitCode code_of(const Problem& problem, const Options& options, std::string& words) {
  try {
    (void)solve<2>(problem, options);
  } catch (const rt::Error& error) {
    words = error.what();
    EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
    return error.code();
  }
  return rt::ExitCode::finished;
}

TEST(Linear, SaysWhyThereIsNoSolution) {
  std::string words;
  const Problem free{
      .spec = {.extent = {16, 16}}, .walls = "dddd", .right_side = [](const auto&) { return 1.0; }};
  EXPECT_EQ(code_of(free, multigrid, words), rt::ExitCode::input_error);
  EXPECT_NE(words.find("has no solution"), std::string::npos) << words;
  const Problem negative{.spec = {.extent = {16, 16}},
                         .coefficient = [](const auto& x) { return x[0] - 0.5; }};
  EXPECT_EQ(code_of(negative, multigrid, words), rt::ExitCode::input_error);
  const Problem square{.spec = {.extent = {32, 32}}};
  Options few = multigrid;
  few.limit = 2;
  EXPECT_EQ(code_of(square, few, words), rt::ExitCode::numerical_failure);
  EXPECT_NE(words.find("after 2 iterations; its tolerance is 1e-10"), std::string::npos) << words;
  const Problem no_number{.spec = {.extent = {16, 16}},
                          .right_side = [](const auto&) { return std::nan(""); }};
  EXPECT_EQ(code_of(no_number, multigrid, words), rt::ExitCode::numerical_failure);
  EXPECT_EQ(words,
            "u by multigrid: the right side 'f' is not a finite number, cell (0, 0), at x, y = "
            "(0.03125, 0.03125)");
  Options too_much = multigrid;
  too_much.tolerance = 1e-300;
  EXPECT_EQ(code_of(square, too_much, words), rt::ExitCode::numerical_failure);
  EXPECT_NE(words.find("has not fallen by 1 % in 20 iterations"), std::string::npos) << words;
}

/// The first point in memory order, whatever the ranks.
TEST(Linear, SaysWhatIsNotFinite) {
  std::string words;
  const auto expect = [&words](const Problem& problem, const std::string& what) {
    for (const Options& options : {multigrid, krylov(Method::cg, Preconditioner::jacobi)}) {
      EXPECT_EQ(code_of(problem, options, words), rt::ExitCode::numerical_failure);
      EXPECT_NE(words.find(what), std::string::npos) << words;
    }
  };
  expect({.spec = {.extent = {16, 16}},
          .right_side = [](const auto& x) { return x[0] + x[1] > 1.2 ? std::nan("") : 1.0; }},
         ": the right side 'f' is not a finite number, cell (15, 4), at x, y = (0.96875, 0.28125)");
  expect({.spec = {.extent = {16, 16}},
          .at_walls = [](const auto& x) { return x[1] == 1.0 ? 1.0 / 0.0 : 1.0; }},
         ": though right side and first guess are finite, the first residual is not a finite "
         "number, cell (0, 15), at x, y = (0.03125, 0.96875)");
  expect({.spec = {.extent = {16, 16}}, .right_side = [](const auto&) { return 1e200; }},
         ": the first residual is inf: its squares are too large to be added");
}

/// What `Options` begin with is for others.
TEST(Linear, NamesTheMethodsOfAStencil) {
  grid::test::SampleRun run = test::sample_run();
  Grid<2> grid(*run, grid::GridSpec{.extent = {8, 8}});
  const Field<double, 2> u(grid, "u");
  Stencil a(
      u, KOKKOS_LAMBDA(const FieldView<const double, 2>& v, const Index<2>& i) { return v(i); });
  try {
    const Solver solver(a);
    FAIL() << "multigrid of a Stencil";
  } catch (const rt::Error& error) {
    EXPECT_STREQ(error.what(), "the method 'multigrid' is for diffusion operators");
    EXPECT_NE(std::string(error.advice()).find("'cg', 'pipelined_cg' or 'bicgstab'"),
              std::string::npos)
        << error.advice();
  }
}

/// Upwind convection and diffusion: not symmetric. Values at walls, in ghosts.
TEST(Linear, BiCgStabSolvesWhatIsNotSymmetric) {
  for (const Preconditioner preconditioner : {Preconditioner::none, Preconditioner::jacobi}) {
    const auto run_on = [preconditioner](bool on_every_rank) {
      grid::test::SampleRun run = test::sample_run();
      Grid<2> grid(*run, grid::GridSpec{.extent = {48, 37}, .on_every_rank = on_every_rank});
      Field<double, 2> u(grid, "u"), f(grid, "f");
      for (int face = 0; face < 4; ++face)
        u.set_boundary(grid::Face::from_number(face), grid::BoundaryCondition::dirichlet(face));
      f.set_from([](const auto& x, int) { return rough(x); });
      const auto kernel = KOKKOS_LAMBDA(const FieldView<const double, 2>& v, const Index<2>& i) {
        return 30 * v.inverse_spacing(0) * (v(i) - v(i.shifted(0, -1))) - grid::laplacian(v, i);
      };
      const double h = grid.spacing(0);
      const Stencil a(u, kernel, 30 / h + 2 * grid.inverse_spacing_squared());
      Solver solver(a, krylov(Method::bicgstab, preconditioner));
      Solved solved;
      solved.result = solver.solve(u, f);
      const auto v = u.view().reading();
      const auto given = f.view();
      double largest = 0.0;
      grid::exchange(u).overlap(
          KOKKOS_LAMBDA(const Index<2>& i, double& most) {
            const double rest = std::abs(kernel(v, i) - given(i));
            if (rest > most) most = rest;
          },
          grid::Max(largest));
      EXPECT_LT(largest, 1e-8 * solved.result.first());
      solved.block = u.block();
      solved.values.resize(static_cast<std::size_t>(solved.block.points()));
      u.copy_owned_to(std::as_writable_bytes(std::span(solved.values)));
      return solved;
    };
    const Solved expected = run_on(true), got = run_on(false);
    EXPECT_EQ(got.result.residuals, expected.result.residuals);
    EXPECT_EQ(got.values, part_of(expected, got.block));
  }
}

/// Where rounding doesn't stop classical conjugate gradients, it doesn't stop pipelined ones.
TEST(Linear, PipelinedAsAccurateAsClassical) {
  if (repeats_what_two_ranks_do()) GTEST_SKIP() << "two ranks do the same";
  for (const Preconditioner preconditioner :
       {Preconditioner::none, Preconditioner::jacobi, Preconditioner::multigrid}) {
    const Problem problem{.spec = {.extent = {96, 80}}, .coefficient = bumpy};
    Options classical = krylov(Method::cg, preconditioner);
    Options pipelined = krylov(Method::pipelined_cg, preconditioner);
    classical.tolerance = pipelined.tolerance = 1e-12;
    const Solved expected = solve_alone<2>(problem, classical);
    const Solved got = solve_alone<2>(problem, pipelined);
    // Multigrid has to be symmetric for it: that is weaker.
    const int quarters = preconditioner == Preconditioner::multigrid ? 12 : 5;
    EXPECT_LE(got.result.iterations, expected.result.iterations * quarters / 4 + 2);
    double largest = 0.0, difference = 0.0;
    for (std::size_t i = 0; i < got.values.size(); ++i) {
      largest = std::max(largest, std::abs(expected.values[i]));
      difference = std::max(difference, std::abs(got.values[i] - expected.values[i]));
    }
    EXPECT_LT(difference, 1e-10 * largest);
  }
}

/// Steps by hand: as far as solve() comes, and on from what is remembered.
TEST(Linear, StepByStepAsAtOnce) {
  const Problem problem{.spec = {.extent = {40, 27}}};
  const Solved expected = solve<2>(problem, krylov(Method::cg, Preconditioner::jacobi));
  grid::test::SampleRun run = test::sample_run();
  Grid<2> grid(*run, problem.spec);
  Field<double, 2> u(grid, "u"), f(grid, "f");
  f.set_from([&](const auto& x, int) { return problem.right_side(x); });
  Diffusion a(u);
  Solver solver(a, krylov(Method::cg, Preconditioner::jacobi));
  solver.begin(u, f);
  long long steps = 0;
  for (; !solver.ended(); ++steps) solver.iterate();
  EXPECT_EQ(steps, expected.result.iterations);
  EXPECT_EQ(solver.result().residuals, expected.result.residuals);
}

}  // namespace
}  // namespace cartwright::linear
