// SPDX-License-Identifier: Apache-2.0
// Kernels and reductions that run while ghosts are exchanged, against a plain sequential model.
#include <gtest/gtest.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cartwright/grid/field/stencil.hpp>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

double start_value(const std::array<double, 3>& x, int) {
  return std::sin(3.0 * x[0]) + x[1] * x[1] - 0.7 * x[2] + x[0] * x[1];
}

/// All owned values of all ranks, at their global places (x fastest), on every rank.
template <int D>
std::vector<double> gather(const Field<double, D>& field) {
  const Block block = field.block();
  std::vector<double> all(static_cast<std::size_t>(block.global_points()), 0.0);
  std::vector<double> mine(static_cast<std::size_t>(block.points()));
  field.copy_owned_to(std::as_writable_bytes(std::span(mine)));
  std::size_t next = 0;
  for (long long z = 0; z < block.count[2]; ++z)
    for (long long y = 0; y < block.count[1]; ++y)
      for (long long x = 0; x < block.count[0]; ++x)
        all[static_cast<std::size_t>(((block.start[2] + z) * block.global[1] + block.start[1] + y) *
                                         block.global[0] +
                                     block.start[0] + x)] = mine[next++];
  field.grid().comm().allreduce(std::span(all), comm::Operator::sum);
  return all;
}

template <int D>
std::vector<double> diffuse(const std::string& deck, int steps) {
  SampleRun run(deck);
  Grid<D> grid(*run);
  Field<double, D> u(grid, "temperature");
  Field<double, D> next = u.like();
  u.set_from(start_value);
  for (int step = 0; step < steps; ++step) {
    const auto in = u.view();
    const auto out = next.view();
    exchange(u).overlap(
        KOKKOS_LAMBDA(const Index<D>& i) { out(i) = in(i) + 1e-4 * laplacian(in, i); });
    swap(u, next);
  }
  return gather(u);
}

TEST(Overlap, SameBitsWithAndWithoutOverlapStagingAndMapping) {
  const std::string grid = "grid: {extent: [37, 29, 23], periodic: [false, true, false]}\n";
  const auto expected = diffuse<3>(grid + "comm: {overlap: false}", 7);
  const auto same = [&](const std::string& more) {
    const auto got = diffuse<3>(grid + more, 7);
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(double)), 0) << more;
  };
  same("comm: {overlap: true}");
  same("comm: {stage_messages: true}");
  same("comm: {device_memory: direct}");
  same("comm: {device_memory: direct, direct_ghosts: true}");
  same("comm: {device_memory: direct, backend: rma}");
  same("comm: {direct_ghosts: true}");
  same("comm: {backend: p2p}");
  same("comm: {backend: rma}");
  same("comm: {backend: rma, overlap: false}");
  same("mapping: {strategy: identity}");
  same("checks: halos");
}

TEST(Overlap, SameBitsAsTheStepWrittenPlainly) {
  const int n = 33;
  const auto got = diffuse<1>("grid: {extent: [33], periodic: [true]}", 5);
  std::vector<double> u(n);
  std::vector<double> next(n);
  const double h = 1.0 / n;
  for (int i = 0; i < n; ++i)
    u[static_cast<std::size_t>(i)] = start_value({(i + 0.5) * h, 0, 0}, 0);
  const double inverse = 1.0 / h;
  for (int step = 0; step < 5; ++step) {
    for (int i = 0; i < n; ++i) {
      const auto at = [&](int k) { return u[static_cast<std::size_t>((k + n) % n)]; };
      next[static_cast<std::size_t>(i)] =
          at(i) + 1e-4 * (inverse * inverse * ((at(i - 1) + at(i + 1)) - 2.0 * at(i)));
    }
    std::swap(u, next);
  }
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_EQ(got[i], u[i]) << i;
}

TEST(Overlap, ReductionsInsideTheKernel) {
  for (const char* overlap : {"true", "false"}) {
    SampleRun run(
        std::string("grid: {extent: [41, 27], periodic: [true, true]}\ncomm: {overlap: ") +
        overlap + "}");
    Grid<2> grid(*run);
    Field<double, 2> u(grid, "u");
    u.set_from([](const std::array<double, 3>&, int) { return 1.0; });
    const auto in = u.view();
    const auto at = u.coordinates();
    double points = 0;
    exchange(u).overlap(
        KOKKOS_LAMBDA(const Index<2>& i, double& sum) {
          sum += 0.25 * (in(i.shifted(0, 1)) + in(i.shifted(0, -1)) + in(i.shifted(1, 1)) +
                         in(i.shifted(1, -1)));
        },
        Sum(points));
    EXPECT_EQ(points, 41.0 * 27.0);
    long long last = -1;
    reduce(
        u,
        KOKKOS_LAMBDA(const Index<2>& i, long long& most) {
          const long long number = at.global(i, 0) + 41 * at.global(i, 1);
          if (number > most) most = number;
        },
        Max(last));
    EXPECT_EQ(last, 41 * 27 - 1);
    double least = 0;
    reduce(
        u,
        KOKKOS_LAMBDA(const Index<2>& i, double& low) {
          const double x = at(i)[0];
          if (x < low) low = x;
        },
        Min(least));
    EXPECT_EQ(least, 0.5 / 41.0);
  }
}

TEST(Overlap, ExtremesAreNaNWhereOnePointIs) {
  SampleRun run("grid: {extent: [41, 27], periodic: [true, true]}");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u");
  const auto at = u.coordinates();
  for (const long long bad : {0LL, 1LL, 41LL * 13 + 20, 41LL * 27 - 1, -1LL}) {
    const auto value = KOKKOS_LAMBDA(const Index<2>& i) {
      const long long number = at.global(i, 0) + 41 * at.global(i, 1);
      return number == bad ? std::nan("") : static_cast<double>(number);
    };
    double least = 0, most = 0;
    reduce(
        u, KOKKOS_LAMBDA(const Index<2>& i, double& low) { Min<double>::join(low, value(i)); },
        Min(least));
    reduce(
        u, KOKKOS_LAMBDA(const Index<2>& i, double& high) { Max<double>::join(high, value(i)); },
        Max(most));
    EXPECT_EQ(std::isnan(least), bad >= 0) << bad;
    EXPECT_EQ(std::isnan(most), bad >= 0) << bad;
    if (bad >= 0) continue;
    EXPECT_EQ(least, 0.0);
    EXPECT_EQ(most, 41.0 * 27.0 - 1.0);
  }
  double least = 0;
  reduce(
      u, KOKKOS_LAMBDA(const Index<2>&, double& low) { Min<double>::join(low, INFINITY); },
      Min(least));
  EXPECT_EQ(least, INFINITY);
}

TEST(Overlap, SumsDependOnNothingButTheRanks) {
  const auto sum = [](const std::string& more) {
    SampleRun run("grid: {extent: [9001], periodic: [true]}\n" + more);
    Grid<1> grid(*run);
    Field<double, 1> u(grid, "u");
    u.set_from([](const std::array<double, 3>& x, int) { return std::sin(100 * x[0]) * 1e-3 + 1; });
    const auto in = u.view();
    double total = 0;
    exchange(u).overlap(
        KOKKOS_LAMBDA(const Index<1>& i, double& s) { s += in(i)*in(i.shifted(0, 1)); },
        Sum(total));
    return total;
  };
  const double expected = sum("");
  EXPECT_EQ(sum("comm: {overlap: false}"), expected);
  EXPECT_EQ(sum("mapping: {topology: 'node:8 core:1'}"), expected);
}

}  // namespace
}  // namespace cartwright::grid
