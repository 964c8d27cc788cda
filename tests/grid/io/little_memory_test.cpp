// SPDX-License-Identifier: Apache-2.0
// One allocation after the other fails while a checkpoint is read.
#include <cartwright/grid/output/checkpoint.hpp>

#include "../../failing_allocation.hpp"
#include "sample_field.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

TEST(LittleMemory, IsNoDamageOfACheckpoint) {
  const Team team = world();
  if (team.size() > 1) GTEST_SKIP() << "what one rank alone lacks, others would wait for";
  const GridDescription space{1, {5, 1, 1}, {1, 1, 1}, {0, 0, 0}, {false, false, false}};
  const Scratch scratch(team);
  CheckpointStore store(team, space, scratch.path(), {2, {"a.yaml", "", "1.0", "abc", ""}, {}});
  auto field = sample(team, space, "u", Centring::cell, 1, false);
  for (const int step : {1, 2}) {
    field.fill(step);
    store.write({step, 0.1 * step, 0.1, "", {}}, {&field});
  }
  bool has_failed = true;
  for (long count = 0; has_failed; ++count) {
    ASSERT_LT(count, 100'000);
    try {
      const cartwright::test::FailingAllocation allocation(count);
      const auto restored = store.restore({&field});
      has_failed = allocation.has_failed();
      EXPECT_EQ(restored.state.step, 2) << "without allocation " << count;
    } catch (const std::exception&) {
    }
    ASSERT_TRUE(std::filesystem::exists(scratch.path() / "step_0000000002.h5")) << count;
  }
}

}  // namespace
}  // namespace cartwright::grid::test
