// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/models/network.hpp>

#include <algorithm>
#include <stdexcept>

namespace cartwright::plan {
namespace {

TEST(BySize, interpolates_between_points_and_stays_beyond_them) {
  const BySize value({{8, 1.0}, {16, 3.0}, {64, 0.0}});
  EXPECT_DOUBLE_EQ(value.at(0), 1.0);
  EXPECT_DOUBLE_EQ(value.at(8), 1.0);
  EXPECT_DOUBLE_EQ(value.at(12), 2.0);
  EXPECT_DOUBLE_EQ(value.at(40), 1.5);
  EXPECT_DOUBLE_EQ(value.at(1 << 20), 0.0);
  EXPECT_THROW(BySize({{8, 1.0}, {8, 2.0}}), std::invalid_argument);
  EXPECT_DOUBLE_EQ(BySize(2.5).at(7), 2.5);
}

/// When the last of `messages` messages of n bytes that one rank sends in a row arrives, by the
/// rules of `Network` for one port.
double last_arrival(const Network& network, int messages, Count bytes) {
  const double on_the_wire = network.byte_time.at(bytes) *
                             static_cast<double>(bytes - (network.first_byte_is_free ? 1 : 0));
  double processor = 0.0;
  double port = 0.0;
  double arrival = 0.0;
  for (int i = 0; i < messages; ++i) {
    processor += network.send_overhead.at(bytes);
    const double start = std::max(processor, port);
    port = start + network.gap.at(bytes) + (network.bytes_hold_port ? on_the_wire : 0.0);
    arrival = start + network.latency.at(bytes) + on_the_wire;
  }
  return arrival + network.receive_overhead.at(bytes);
}

TEST(Networks, follow_the_formulas_of_their_models) {
  constexpr Count bytes = 100;
  EXPECT_NEAR(last_arrival(hockney(3.0, 0.5), 4, bytes), 4 * (3.0 + 50.0), 1e-12);
  EXPECT_NEAR(last_arrival(log_p(20.0, 5.0, 6.0, 10.0), 3, 1), 51.0, 1e-12);
  EXPECT_NEAR(last_arrival(log_gp(4.5, 2.4, 1.1, 3.0, 0.01), 3, bytes),
              2.4 + 2 * (3.0 + 0.99) + 0.99 + 4.5 + 1.1, 1e-12);
  EXPECT_NEAR(last_arrival(pipelined(0.88, 0.38, 0.01), 7, bytes), 0.88 + 7 * 0.38 + 1.0, 1e-12);
  const Network burst = log_fp(5.0, 0.5, 2.0, 1.5, 3.0, 4);
  EXPECT_TRUE(burst.varying_overhead);
  EXPECT_EQ(burst.free_burst, 4);
  EXPECT_DOUBLE_EQ(burst.send_overhead.at(1), 2.0);
  EXPECT_DOUBLE_EQ(burst.send_overhead_min.at(1), 0.5);
}

TEST(Machines, ranks_part_at_the_outermost_level_that_differs) {
  Machine machine;
  machine.levels.push_back({"node", 0, {}, 1, {}});
  machine.levels.push_back({"socket", 2, {}, 1, {}});
  machine.levels.push_back({"core", 6, {}, 1, {}});
  EXPECT_EQ(machine.ranks_in_unit(0), 12);
  EXPECT_EQ(machine.ranks_in_unit(1), 6);
  EXPECT_EQ(machine.ranks_in_unit(2), 1);
  EXPECT_EQ(parting_level(machine, 0, 12), 0U);
  EXPECT_EQ(parting_level(machine, 11, 12), 0U);
  EXPECT_EQ(parting_level(machine, 5, 6), 1U);
  EXPECT_EQ(parting_level(machine, 12, 17), 2U);
  EXPECT_EQ(parting_level(machine, 9, 9), 3U);
}

TEST(Concurrency, stays_at_its_last_value) {
  const Concurrency curve{{1.0, 1.5}};
  EXPECT_TRUE(curve.limited());
  EXPECT_FALSE(Concurrency{}.limited());
  EXPECT_DOUBLE_EQ(curve.at(1), 1.0);
  EXPECT_DOUBLE_EQ(curve.at(9), 1.5);
}

}  // namespace
}  // namespace cartwright::plan
