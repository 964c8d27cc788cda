// SPDX-License-Identifier: Apache-2.0
// Forces between all pairs: against sums by hand, alike by all ways, and with the messages that
// theory says.
#include <gtest/gtest.h>

#include <cartwright/cartwright.hpp>
#include <cartwright/comm/backends/backends.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/block_matrix_fill.hpp>
#include <cmath>
#include <cstring>

#include "pair_forces.hpp"
#include "sample_run.hpp"

namespace nbody {
namespace {

namespace comm = cartwright::comm;
namespace grid = cartwright::grid;

const char* const space = R"(
grid: {extent: [8, 8, 8]}
)";

double random(long long identity, int number) {
  return grid::random_element(5, static_cast<std::uint64_t>(4 * identity + number));
}

struct Sample {
  explicit Sample(long long count, const std::string& more = {})
      : run(space + more),
        frame(*run),
        ranks(run->make_cart({process_grid(frame.comm().size())})),
        bodies(frame, "bodies", count, {{"mass", "kg"}}, *ranks) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const long long identity = bodies.identities()[i];
      for (int axis = 0; axis < 3; ++axis) bodies.position().at(i, axis) = random(identity, axis);
      bodies["mass"].at(i) = 1.5 + random(identity, 3);
    }
  }
  grid::test::SampleRun run;
  grid::Grid<3> frame;
  std::unique_ptr<comm::CartComm> ranks;
  grid::Particles bodies;
};

constexpr double softening = 0.07;

std::array<double, 4> by_hand(long long identity, long long count) {
  std::array<double, 4> sums{};
  for (long long other = 0; other < count; ++other) {
    if (other == identity) continue;
    double square = softening * softening;
    std::array<double, 3> way{};
    for (int axis = 0; axis < 3; ++axis) {
      way[static_cast<std::size_t>(axis)] = random(other, axis) - random(identity, axis);
      square += way[static_cast<std::size_t>(axis)] * way[static_cast<std::size_t>(axis)];
    }
    const double mass = 1.5 + random(other, 3), r = std::sqrt(square);
    for (std::size_t axis = 0; axis < 3; ++axis) sums[axis] += 3.0 * mass * way[axis] / (r * r * r);
    sums[3] -= 3.0 * mass / r;
  }
  return sums;
}

class Forces : public testing::TestWithParam<long long> {};

TEST_P(Forces, AreThoseOfSumsByHand) {
  for (const auto& [name, way] : cartwright::mapping::pair_ways()) {
    Sample sample(GetParam());
    PairForces forces(sample.bodies, way, 3.0, softening);
    forces.compute(true);
    for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
      const auto expected = by_hand(sample.bodies.identities()[i], GetParam());
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(forces.acceleration(i, axis), expected[static_cast<std::size_t>(axis)],
                    1e-11 * static_cast<double>(GetParam()))
            << name;
      EXPECT_NEAR(forces.potential(i), expected[3], 1e-11 * static_cast<double>(GetParam()));
    }
  }
}

TEST_P(Forces, HaveTheSameBitsByAllWays) {
  Sample sample(GetParam());
  std::vector<std::vector<double>> found;
  for (const auto& [name, way] : cartwright::mapping::pair_ways()) {
    PairForces forces(sample.bodies, way, 1.0, softening);
    for (const bool with_potential : {true, false}) {
      forces.compute(with_potential);
      auto& mine = found.emplace_back();
      for (std::size_t i = 0; i < sample.bodies.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) mine.push_back(forces.acceleration(i, axis));
    }
  }
  for (const auto& other : found) {
    ASSERT_EQ(other.size(), found.front().size());
    EXPECT_TRUE(other.empty() || std::memcmp(other.data(), found.front().data(),
                                             other.size() * sizeof(double)) == 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, Forces, testing::Values(0LL, 1LL, 2LL, 33LL, 97LL, 600LL));

/// Bytes that all ranks have sent for collectives so far, as plans count them: p2p sends each
/// message as it is.
std::int64_t bytes_sent(const comm::Collectives& collectives) {
  const comm::Traffic& traffic = collectives.backends().traffic();
  return traffic.bytes_on_node + traffic.bytes_off_node;
}

TEST(RowsAndColumns, SendAsManyBytesAsTheorySays) {
  // As many bodies on each rank.
  for (const bool with_potential : {false, true}) {
    const int size = grid::test::SampleRun(space)->runtime().comm().size();
    const long long own = 2 * grid::Particles::identity_block, count = own * size;
    Sample sample(count, "comm: {backend: p2p}\n");
    const comm::CartComm& ranks = *sample.ranks;
    PairForces forces(sample.bodies, Way::rows_and_columns, 1.0, softening);
    forces.compute(with_potential);  // makes what the first call makes
    const std::int64_t before = bytes_sent(ranks.along(0)) + bytes_sent(ranks.along(1));
    forces.compute(with_potential);
    std::int64_t sent = bytes_sent(ranks.along(0)) + bytes_sent(ranks.along(1)) - before;
    sent = ranks.allreduce(sent, comm::Operator::sum);
    const long long p = ranks.dims()[0], q = ranks.dims()[1];
    const long long positions = own * 24 * (p - 1 + q - 1);
    const long long sums = own * (with_potential ? 32 : 24) * (q - 1);
    EXPECT_EQ(sent, size * (positions + sums));

    PairForces thesis(sample.bodies, Way::allgather, 1.0, softening);
    thesis.compute(with_potential);
    const std::int64_t then = bytes_sent(ranks.all());
    thesis.compute(with_potential);
    const std::int64_t by_allgather = bytes_sent(ranks.all()) - then;
    EXPECT_EQ(ranks.allreduce(by_allgather, comm::Operator::sum), size * own * 24 * (size - 1));
  }
}

}  // namespace
}  // namespace nbody
