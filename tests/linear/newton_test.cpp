// SPDX-License-Identifier: Apache-2.0
// Systems that aren't linear: Bratu's problem, laplacian(u) + lambda exp(u) = 0 with u = 0 at
// walls, whose solutions on a line are known.
#include <gtest/gtest.h>

#include <cartwright/grid/field/stencil.hpp>
#include <cartwright/linear/newton/newton.hpp>

#include "sample_system.hpp"

namespace cartwright::linear {
namespace {

using test::part_of;
using test::Solved;

template <int D>
struct Bratu {
  double lambda;
  KOKKOS_INLINE_FUNCTION double operator()(const FieldView<const double, D>& u,
                                           const Index<D>& i) const {
    return -grid::laplacian(u, i) - lambda * std::exp(u(i));
  }
};

/// From u = `guess`; `corrections` gets how many it took.
template <int D>
Solved solve_bratu(const grid::GridSpec& spec, double lambda, const NewtonOptions& options,
                   long long* corrections = nullptr, double guess = 0.0) {
  grid::test::SampleRun run = test::sample_run();
  Grid<D> grid(*run, spec);
  Field<double, D> u(grid, "u");
  test::set_walls(u, test::Problem{.spec = spec});
  u.set_from([guess](const auto&, int) { return guess; });
  Diffusion about(u);
  Newton newton(u, about, Bratu<D>{lambda}, options);
  const long long took = newton.solve(u, Bratu<D>{lambda});
  if (corrections != nullptr) *corrections = took;
  Solved solved;
  solved.block = u.block();
  solved.values.resize(static_cast<std::size_t>(solved.block.points()));
  u.copy_owned_to(std::as_writable_bytes(std::span(solved.values)));
  return solved;
}

/// theta = sqrt(2 lambda) cosh(theta / 4), the smaller one.
double theta_of(double lambda) {
  double theta = 0.0;
  for (int k = 0; k < 1000; ++k) theta = std::sqrt(2 * lambda) * std::cosh(theta / 4);
  return theta;
}

TEST(Newton, BratuOnALineIsOfSecondOrder) {
  for (const double lambda : {1.0, 2.0, 3.4}) {
    const double theta = theta_of(lambda);
    const auto exact = [theta](const std::array<double, 3>& x) {
      return -2 * std::log(std::cosh((x[0] - 0.5) * theta / 2) / std::cosh(theta / 4));
    };
    // As tabulated.
    if (lambda < 3.0) {
      EXPECT_NEAR(exact({0.5, 0, 0}), lambda == 1.0 ? 0.140539 : 0.328952, 1e-6);
    }
    std::vector<double> errors;
    for (const long long n : {32, 64, 128}) {
      const grid::GridSpec spec{.extent = {n}, .on_every_rank = true};
      long long corrections = 0;
      const Solved got = solve_bratu<1>(spec, lambda, {.tolerance = 1e-9}, &corrections);
      errors.push_back(test::error_of(got, spec, exact));
      EXPECT_LE(corrections, 9);
    }
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1) << lambda;
  }
}

TEST(Newton, SameBitsOnAnyNumberOfRanks) {
  for (const Method method : {Method::bicgstab, Method::cg, Method::pipelined_cg})
    for (const Preconditioner preconditioner :
         {Preconditioner::none, Preconditioner::jacobi, Preconditioner::multigrid}) {
      const NewtonOptions options{.tolerance = 1e-7,
                                  .linear = {.method = method, .preconditioner = preconditioner}};
      grid::GridSpec spec{.extent = {23, 19, 11}, .periodic = {false, true, false}};
      const Solved got = solve_bratu<3>(spec, 2.0, options);
      spec.on_every_rank = true;
      const Solved whole = solve_bratu<3>(spec, 2.0, options);
      EXPECT_EQ(got.values, part_of(whole, got.block));
    }
}

/// From far away whole steps would leave the region where there is a solution.
TEST(Newton, ShortensStepsThatLeadAstray) {
  const grid::GridSpec spec{.extent = {24, 24}, .on_every_rank = true};
  const Solved near = solve_bratu<2>(spec, 5.0, {.tolerance = 1e-10});
  const Solved far = solve_bratu<2>(spec, 5.0, {.tolerance = 1e-12}, nullptr, -6.0);
  for (std::size_t i = 0; i < near.values.size(); ++i)
    EXPECT_NEAR(far.values[i], near.values[i], 1e-5);
}

/// Beyond lambda = 6.808 there is no solution in a square.
TEST(Newton, SaysWhereThereIsNoSolution) {
  const grid::GridSpec spec{.extent = {16, 16}};
  try {
    (void)solve_bratu<2>(spec, 8.0, {});
    FAIL() << "of a problem without a solution";
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), rt::ExitCode::numerical_failure);
    EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
    EXPECT_NE(std::string(error.what()).find("u"), std::string::npos) << error.what();
  }
  EXPECT_THROW((void)solve_bratu<2>(spec, 1.0, {.linear = {.method = Method::multigrid}}),
               rt::Error);
}

template <int D>
struct Heated {
  double source;
  KOKKOS_INLINE_FUNCTION double operator()(const FieldView<const double, D>& u,
                                           const Index<D>& i) const {
    return -grid::laplacian(u, i) - source;
  }
};

/// What Newton says of a source in a square whose walls let nothing through.
std::string refusal_of_heated(double source, Preconditioner preconditioner) {
  grid::test::SampleRun run = test::sample_run();
  const test::Problem problem{.spec = {.extent = {8, 8}}, .walls = "dddd"};
  Grid<2> grid(*run, problem.spec);
  Field<double, 2> u(grid, "u");
  test::set_walls(u, problem);
  Diffusion about(u);
  NewtonOptions options;
  options.linear.preconditioner = preconditioner;
  Newton newton(u, about, Heated<2>{source}, options);
  try {
    newton.solve(u, Heated<2>{source});
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), rt::ExitCode::numerical_failure);
    EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
    return error.what();
  }
  return "nothing";
}

TEST(Newton, SaysWhatNobodyCanSolve) {
  for (const Preconditioner preconditioner : {Preconditioner::multigrid, Preconditioner::jacobi}) {
    const std::string words = refusal_of_heated(1.0, preconditioner);
    EXPECT_NE(words.find("no face has a value and the Diffusion has no reaction"),
              std::string::npos)
        << words;
    EXPECT_EQ(refusal_of_heated(std::nan(""), preconditioner),
              "u by Newton: the residual of the first guess is not a finite number, cell (0, 0), "
              "at x, y = (0.0625, 0.0625)");
  }
}

}  // namespace
}  // namespace cartwright::linear
