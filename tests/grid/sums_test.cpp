// SPDX-License-Identifier: Apache-2.0
// Sums over fields have the same bits on any number of ranks, threads and nodes, by any backend,
// with and without overlap: those that one loop over all points gives.
#include <gtest/gtest.h>

#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

/// Numbers of many sizes and both signs, at a point.
double value_at(const std::array<double, 3>& x, int which) {
  const double wave =
      std::sin(1.1 * x[0] + which) + std::cos(1.9 * x[1]) * std::sin(2.4 * x[2] + 1);
  return std::ldexp(wave, static_cast<int>(35 * std::sin(13 * x[0] + 8 * x[1] + 3 * x[2])));
}

const std::string deck =
    "grid: {extent: [37, 29, 23], length: [37, 29, 23], periodic: [false, true, false]}\n";
constexpr std::array<int, 3> extent{37, 29, 23};

/// Over all points, in the order of memory; no framework.
double one_loop(const std::function<double(const std::array<double, 3>&)>& value) {
  comm::BinnedSum sum;
  for (int z = 0; z < extent[2]; ++z)
    for (int y = 0; y < extent[1]; ++y)
      for (int x = 0; x < extent[0]; ++x) sum.add(value({x + 0.5, y + 0.5, z + 0.5}));
  return sum.value();
}

template <class T>
struct Made {
  explicit Made(const std::string& text) : run(text), grid(*run), u(grid, "u"), v(grid, "v") {
    u.set_from([](const std::array<double, 3>& x, int c) { return value_at(x, c); });
    v.set_from([](const std::array<double, 3>& x, int c) { return value_at(x, c + 5); });
  }
  SampleRun run;
  Grid<3> grid;
  Field<T, 3> u, v;
};

const std::vector<std::string> ways{"",
                                    "comm: {overlap: false}",
                                    "comm: {backend: native}",
                                    "comm: {backend: p2p}",
                                    "comm: {backend: shared}",
                                    "comm: {backend: rma}",
                                    "mapping: {strategy: identity}",
                                    "mapping: {topology: 'node:2 core:4'}",
                                    "mapping: {topology: 'node:3 core:3'}",
#ifndef KOKKOS_ENABLE_CUDA
                                    "checks: halos",
#endif
                                    "mapping: {topology: 'node:4 core:2'}\ncomm: {backend: p2p}"};

TEST(Sums, OfKernels) {
  const double expected = one_loop([](const auto& x) { return value_at(x, 0); });
  for (const std::string& way : ways) {
    Made<double> made(deck + way);
    const auto in = made.u.view();
    double plain = 0, overlapped = 0, started = 0;
    const auto kernel = KOKKOS_LAMBDA(const Index<3>& i, double& sum) {
      sum += in(i);
    };
    reduce(made.u, kernel, Sum(plain));
    exchange(made.v).overlap(kernel, Sum(overlapped));
    auto pending = start_reduce(made.u, kernel, Sum(started));
    EXPECT_EQ(plain, expected) << way;
    EXPECT_EQ(overlapped, expected) << way;
    pending.wait();
    EXPECT_EQ(started, expected) << way;
  }
}

TEST(Sums, DotProducts) {
  const double expected = one_loop([](const auto& x) { return value_at(x, 0) * value_at(x, 5); });
  for (const std::string& way : ways) {
    const Made<double> made(deck + way);
    EXPECT_EQ(dot(made.u, made.v), expected) << way;
  }
}

TEST(Sums, SeveralAtOnce) {
  for (const std::string& way : ways) {
    Made<Vector<double, 2>> made(deck + way);
    const auto in = made.u.view();
    Vector<double, 3> sums{};
    std::complex<double> product;
    reduce(
        made.u,
        KOKKOS_LAMBDA(const Index<3>& i, Vector<double, 3>& total) {
          total[0] += in(i)[0];
          total[1] += in(i)[1];
          total[2] += in(i)[0] * in(i)[1];
        },
        Sum(sums));
    // The library's complex numbers are not for device code.
    if constexpr (kernels_run_on_host) {
      reduce(
          made.u,
          [=](const Index<3>& i, std::complex<double>& total) {
            total += std::complex<double>(in(i)[0], in(i)[1]);
          },
          Sum(product));
      EXPECT_EQ(product, std::complex<double>(sums[0], sums[1])) << way;
    }
    for (int c = 0; c < 2; ++c)
      EXPECT_EQ(sums[c], one_loop([&](const auto& x) { return value_at(x, c); })) << way;
    EXPECT_EQ(sums[2], one_loop([](const auto& x) { return value_at(x, 0) * value_at(x, 1); }));
    EXPECT_EQ(dot(made.u, made.v), one_loop([](const auto& x) {
                return value_at(x, 0) * value_at(x, 5) + value_at(x, 1) * value_at(x, 6);
              }))
        << way;
  }
}

TEST(Sums, OfFloatsAreRoundedOnce) {
  Made<float> made(deck);
  const auto in = made.u.view();
  float total = 0;
  reduce(
      made.u, KOKKOS_LAMBDA(const Index<3>& i, float& sum) { sum += in(i); }, Sum(total));
  EXPECT_EQ(total, static_cast<float>(one_loop([](const auto& x) {
              return static_cast<double>(static_cast<float>(value_at(x, 0)));
            })));
}

TEST(Sums, ThatCancelOrOverflowOnTheWay) {
  Made<double> made(deck);
  const auto at = made.u.coordinates();
  const auto total_of = [&](double left, double right) {
    double total = 0;
    reduce(
        made.u,
        KOKKOS_LAMBDA(const Index<3>& i, double& sum) {
          const long long x = at.global(i, 0);
          sum += x == 0 ? left : (x == 36 ? right : 0.0);
        },
        Sum(total));
    return total;
  };
  constexpr double most = std::numeric_limits<double>::max();
  EXPECT_EQ(total_of(most, -most), 0.0);
  EXPECT_EQ(total_of(most, most), HUGE_VAL);
  EXPECT_EQ(total_of(HUGE_VAL, 1), HUGE_VAL);
  EXPECT_TRUE(std::isnan(total_of(HUGE_VAL, -HUGE_VAL)));
  EXPECT_TRUE(std::isnan(total_of(std::nan(""), 1)));
}

// What a device does, here on the host: each point goes into a sum by itself.
TEST(Sums, PointByPoint) {
  const Made<double> made(deck);
  const auto in = made.u.view();
  double whole = 0;
  const auto kernel = KOKKOS_LAMBDA(const Index<3>& i, double& sum) {
    sum += in(i);
  };
  reduce(made.u, kernel, Sum(whole));
  BinnedReduction<3, Sum<double>> mine(made.u.owned());
  mine.add_on_device(made.u.owned(), kernel);
  using Across = AcrossRanks<Sum<double>>;
  Across all(mine.result());
  made.grid.comm().allreduce(all.data, Across::op);
  EXPECT_EQ(all.value(), whole);
}

/// Of points, or of packs of them.
struct Square {
  PackView<const double, 3> u;
  template <class Point, class Value>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i, Value& total) const {
    total += u(i) * u(i);
  }
};
struct Moments {
  PackView<const double, 3> u;
  template <class Point, class Value>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i, Value& totals) const {
    totals[0] += u(i);
    totals[1] += u(i) * laplacian(u, i);
  }
};
struct Largest {
  PackView<const double, 3> u;
  template <class Point, class Value>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i, Value& most) const {
    most = grid::max(most, u(i));
  }
};
struct Smallest {
  PackView<const double, 3> u;
  template <class Point, class Value>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i, Value& least) const {
    least = grid::min(least, u(i));
  }
};
/// Counts points: of packs there are none of integers.
struct Positive {
  PackView<const double, 3> u;
  template <class Point>
  KOKKOS_INLINE_FUNCTION void operator()(const Point& i, int& count) const {
    count += u(i) > 0.0 ? 1 : 0;
  }
};

template <class Kernel, class Reduction>
void expect_same_in_packs(Field<double, 3>& field, const Kernel& kernel,
                          const Reduction& reduction) {
  typename Reduction::Value& result = *reduction.result;
  reduce(field, kernel, reduction);
  const auto by_points = result;
  result = {};
  reduce(field, in_packs(kernel), reduction);
  EXPECT_EQ(result, by_points);
  result = {};
  exchange(field).overlap(in_packs(kernel), reduction);
  EXPECT_EQ(result, by_points);
}

TEST(Sums, OfKernelsInPacksHaveTheBitsOfPoints) {
  for (const std::string& way : ways) {
    Made<double> made(deck + way);
    exchange(made.u).wait();
    const auto u = packs(std::as_const(made.u));
    double number = 0.0;
    Vector<double, 2> numbers{};
    int count = 0;
    expect_same_in_packs(made.u, Square{u}, Sum(number));
    expect_same_in_packs(made.u, Moments{u}, Sum(numbers));
    expect_same_in_packs(made.u, Largest{u}, Max(number));
    expect_same_in_packs(made.u, Smallest{u}, Min(number));
    expect_same_in_packs(made.u, Positive{u}, Sum(count));
  }
}

/// A greatest of no integers isn't 0.
TEST(Extrema, AreWhereTheyBeganIfNoKernelSetsThem) {
  const Made<double> made(deck);
  int greatest = 0, least = 0;
  reduce(made.u, KOKKOS_LAMBDA(const Index<3>&, int&){}, Max(greatest));
  reduce(made.u, KOKKOS_LAMBDA(const Index<3>&, int&){}, Min(least));
  EXPECT_EQ(greatest, std::numeric_limits<int>::lowest());
  EXPECT_EQ(least, std::numeric_limits<int>::max());
}

}  // namespace
}  // namespace cartwright::grid
