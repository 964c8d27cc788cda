// SPDX-License-Identifier: Apache-2.0
// Checked mode: kernels that read stale ghosts are found, others are left alone.
#include <gtest/gtest.h>

#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cartwright/grid/field/stencil.hpp>
#include <cartwright/rt/error.hpp>
#include <string>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

const char* const checked_deck = "grid: {extent: [16, 16], periodic: [true, true]}\nchecks: halos";

template <class T>
std::string message_of(const T& action) {
  try {
    action();
  } catch (const rt::Error& error) {
    return error.what();
  }
  return "";
}

template <class T>
class HaloChecksOf : public testing::Test {};
using FloatingTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(HaloChecksOf, FloatingTypes);

TYPED_TEST(HaloChecksOf, FindAForgottenExchange) {
  using T = TypeParam;
  SampleRun run(checked_deck);
  Grid<2> grid(*run);
  Field<T, 2> u(grid, "temperature");
  Field<T, 2> next = u.like();
  const auto in = u.view();
  const auto out = next.view();
  const auto average = KOKKOS_LAMBDA(const Index<2>& i) {
    out(i) = T(0.5) * (in(i.shifted(0, -1)) + in(i.shifted(0, 1)));
  };
  const std::string never = message_of([&] { for_each(u, average); });
  EXPECT_NE(never.find("'temperature'"), std::string::npos) << never;
  EXPECT_NE(never.find("face x_"), std::string::npos) << never;
  EXPECT_NE(never.find("never exchanged"), std::string::npos) << never;
  EXPECT_NE(never.find("step 1"), std::string::npos) << never;

  exchange(u).wait();
  for_each(u, average);  // fresh
  for_each(u, average);  // still fresh: nobody has written u
  for_each(
      u, KOKKOS_LAMBDA(const Index<2>& i) { in(i) += T(1); });
  const std::string stale = message_of([&] { for_each(u, average); });
  EXPECT_NE(stale.find("of generation"), std::string::npos) << stale;
}

TYPED_TEST(HaloChecksOf, LetKernelsWithoutGhostsPass) {
  using T = TypeParam;
  SampleRun run(checked_deck);
  Grid<2> grid(*run);
  Field<T, 2> u(grid, "u");
  const auto in = u.view();
  for (int round = 0; round < 3; ++round)
    for_each(
        u, KOKKOS_LAMBDA(const Index<2>& i) { in(i) = in(i) + T(1); });
}

TYPED_TEST(HaloChecksOf, FindCornersThatAreNotExchanged) {
  using T = TypeParam;
  SampleRun run(checked_deck);
  Grid<2> grid(*run);
  Field<T, 2> u(grid, "u");
  Field<T, 2> next = u.like();
  const auto in = u.view();
  const auto out = next.view();
  const std::string message = message_of([&] {
    exchange(u).overlap(
        KOKKOS_LAMBDA(const Index<2>& i) { out(i) = in(i.shifted(0, 1).shifted(1, 1)); });
  });
  EXPECT_NE(message.find("edges and corners"), std::string::npos) << message;
}

TYPED_TEST(HaloChecksOf, FindStaleGhostsInReductions) {
  using T = TypeParam;
  SampleRun run(checked_deck);
  Grid<2> grid(*run);
  Field<T, 2> u(grid, "u");
  const auto in = u.view();
  double total = 0;
  const std::string message = message_of([&] {
    reduce(
        u,
        KOKKOS_LAMBDA(const Index<2>& i, double& sum) {
          sum += static_cast<double>(in(i.shifted(1, -1)));
        },
        Sum(total));
  });
  EXPECT_NE(message.find("face y_low"), std::string::npos) << message;
}

TEST(HaloChecks, OffByDefault) {
  SampleRun run("grid: {extent: [16, 16]}");
  Grid<2> grid(*run);
  EXPECT_EQ(grid.checks(), nullptr);
}

}  // namespace
}  // namespace cartwright::grid
