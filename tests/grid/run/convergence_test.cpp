// SPDX-License-Identifier: Apache-2.0
// When an iteration ends, and why.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/grid/run/convergence.hpp>
#include <cmath>

namespace cartwright::grid {
namespace {

constexpr IterationOptions options{
    .tolerance = 1e-2, .limit = 50, .stagnation = 10, .divergence = 100};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Convergence, ComparesWithTheFirstResidual) {
  Convergence way(options);
  EXPECT_FALSE(way.has_begun());
  EXPECT_FALSE(way.is_converged());
  EXPECT_EQ(way.relative(), 1.0);
  way.begin(8.0);
  EXPECT_EQ(way.target(), 0.08);
  way.add(1, 0.5);
  EXPECT_FALSE(way.has_ended(1));
  way.add(2, 0.08);
  EXPECT_TRUE(way.is_converged());
  EXPECT_TRUE(way.has_ended(2));
  EXPECT_TRUE(way.hopeless(2).empty());
}

TEST(Convergence, TheFirstOneAddedIsTheBeginWhereNothingElseWas) {
  Convergence way(options);
  way.add(1, 4.0);
  EXPECT_EQ(way.first(), 4.0);
  EXPECT_FALSE(way.is_converged());
}

TEST(Convergence, BelowRoundingThereIsNothingToBeGained) {
  Convergence way(options);
  way.begin(1e-12, 1e-11);
  EXPECT_TRUE(way.has_ended(0));
  way.begin(1.0, 0.5);  // each begin is a new one
  EXPECT_FALSE(way.is_converged());
  way.add(1, 0.5);
  EXPECT_TRUE(way.is_converged());
  way.begin(0.0);
  EXPECT_TRUE(way.is_converged());
}

TEST(Convergence, GivesUpWithAReason) {
  Convergence way(options);
  way.begin(1.0);
  way.add(1, 101.0);
  EXPECT_TRUE(contains(way.verdict(1, "tolerance"), "grown to 101 times the first one"));
  way.begin(1.0);
  long long done = 0;
  while (!way.has_ended(done)) way.add(++done, 0.995);
  EXPECT_EQ(done, 11);
  EXPECT_TRUE(contains(way.verdict(done, "tolerance"),
                       "has not fallen by 1 % in 10 iterations; it is 0.995 of the first one after "
                       "11 iterations; tolerance is 0.01"));
  way.begin(1.0);
  double residual = 1.0;
  for (done = 0; !way.has_ended(done);) way.add(++done, residual *= 0.98);
  EXPECT_EQ(done, 50);
  EXPECT_TRUE(way.hopeless(done).empty());  // more iterations may help
  EXPECT_TRUE(contains(way.verdict(done, "tolerance"), "the residual is 0.364 of the first one"));
  way.begin(std::nan(""));
  EXPECT_TRUE(way.has_ended(0));
  EXPECT_EQ(way.verdict(0, "tolerance"), "not converged: the residual is nan after 0 iterations");
}

TEST(Convergence, GoesOnFromItsState) {
  Convergence way(options), other(options);
  way.begin(1.0, 1e-3);
  for (int done = 1; done <= 5; ++done) way.add(done, 0.5);
  std::ranges::copy(way.state(), other.state().begin());
  for (int done = 6; done <= 11; ++done) {
    EXPECT_EQ(way.hopeless(done - 1), other.hopeless(done - 1));
    way.add(done, 0.5);
    other.add(done, 0.5);
  }
  EXPECT_TRUE(other.has_ended(11));
}

}  // namespace
}  // namespace cartwright::grid
