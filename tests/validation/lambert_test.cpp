// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <validation/formulas/lambert.hpp>
#include <validation/formulas/recursive_multiplying_cost.hpp>

namespace cartwright::validation::formulas {
namespace {

constexpr double branch_point = -1.0 / std::numbers::e;

TEST(Lambert, upper_branch_inverts_w_exp_w) {
  for (double w = -0.999; w < 30.0; w += 0.037) {
    const double x = w * std::exp(w);
    // how well x determines w falls off towards the branch point
    const double tolerance = 1e-14 * std::max(1.0, std::abs(w)) / std::min(1.0, w + 1.0);
    EXPECT_NEAR(lambert_w0(x), w, tolerance) << x;
  }
}

TEST(Lambert, lower_branch_inverts_w_exp_w) {
  for (double w = -1.001; w > -700.0; w *= 1.03) {
    const double x = w * std::exp(w);
    const double tolerance = 1e-14 * std::abs(w) / std::min(1.0, -1.0 - w);
    EXPECT_NEAR(lambert_w_minus1(x), w, tolerance) << x;
  }
}

TEST(Lambert, known_values) {
  EXPECT_DOUBLE_EQ(lambert_w0(0.0), 0.0);
  EXPECT_NEAR(lambert_w0(1.0), 0.56714329040978387300, 1e-15);  // omega constant
  EXPECT_NEAR(lambert_w0(std::numbers::e), 1.0, 1e-15);
  EXPECT_NEAR(lambert_w0(1e300), 684.2472086, 1e-6);
  EXPECT_NEAR(lambert_w0(branch_point), -1.0, 1e-7);
  EXPECT_NEAR(lambert_w_minus1(branch_point), -1.0, 1e-7);
  EXPECT_NEAR(lambert_w_minus1(-0.1), -3.577152063957297, 1e-14);
}

TEST(Lambert, refuses_what_has_no_real_value) {
  EXPECT_THROW(lambert_w0(-0.4), std::domain_error);
  EXPECT_THROW(lambert_w_minus1(-0.4), std::domain_error);
  EXPECT_THROW(lambert_w_minus1(0.0), std::domain_error);
  EXPECT_THROW(lambert_w_minus1(0.5), std::domain_error);
  EXPECT_THROW(lambert_w0(std::nan("")), std::domain_error);
}

struct BurstOracle {
  double ratio, best, largest;
};

// Three decimals of brute force
constexpr std::array<BurstOracle, 9> burst_oracles{{{0.386, 1.000, 1.000},
                                                    {0.5, 1.156, 1.337},
                                                    {1.0, 1.718, 3.000},
                                                    {1.2, 1.912, 3.736},
                                                    {2.1, 2.669, 7.439},
                                                    {2.3, 2.820, 8.335},
                                                    {2.911, 3.258, 11.206},
                                                    {5.0, 4.572, 22.226},
                                                    {10.0, 7.174, 53.430}}};

TEST(Bursts, best_and_largest) {
  for (const auto& oracle : burst_oracles) {
    EXPECT_NEAR(best_burst(oracle.ratio), oracle.best, 0.0006) << oracle.ratio;
    EXPECT_NEAR(largest_burst(oracle.ratio), oracle.largest, 0.0006) << oracle.ratio;
  }
}

TEST(Bursts, solve_their_equations) {
  for (double ratio = 0.45; ratio < 40.0; ratio *= 1.1) {
    const double best = best_burst(ratio);
    EXPECT_NEAR((best + 1.0) * std::log(best + 1.0) - best, ratio, 1e-11 * (1.0 + ratio));
    const double largest = largest_burst(ratio);
    EXPECT_NEAR((ratio + 1.0) * std::log2(largest + 1.0), ratio + largest, 1e-10 * largest);
  }
}

// Table 4.1 of the thesis with the values that follow from a_p / a_r
TEST(Bursts, archer_table) {
  constexpr std::array<std::array<double, 4>, 6> rows{{{0.88, 0.38, 2.832, 8.406},
                                                       {0.89, 0.38, 2.852, 8.526},
                                                       {0.91, 0.38, 2.890, 8.767},
                                                       {0.96, 0.46, 2.659, 7.381},
                                                       {0.96, 0.79, 1.926, 3.794},
                                                       {0.86, 2.17, 1.014, 1.029}}};
  for (const auto& [pipelining, required, best, largest] : rows) {
    EXPECT_NEAR(best_burst(pipelining / required), best, 0.0006);
    EXPECT_NEAR(largest_burst(pipelining / required), largest, 0.0006);
  }
}

TEST(Bursts, below_the_domain_doubling_is_best) {
  for (const double ratio : {0.386, 0.2, 0.088, 0.0, -0.004}) {
    EXPECT_DOUBLE_EQ(best_burst(ratio), 1.0);
    EXPECT_DOUBLE_EQ(largest_burst(ratio), 1.0);
    EXPECT_EQ(largest_factor(ratio), 2);
  }
}

// Chapter 5's hidden parameter: a minimum at b = 3.258 and factors up to 12
TEST(Bursts, chapter_5) {
  EXPECT_NEAR(best_burst(2.911), 3.258, 0.0005);
  EXPECT_EQ(largest_factor(2.911), 12);
  EXPECT_EQ(largest_factor(0.88 / 0.38), 9);
}

}  // namespace
}  // namespace cartwright::validation::formulas
