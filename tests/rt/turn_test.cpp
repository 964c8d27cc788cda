// SPDX-License-Identifier: Apache-2.0
// Of all that could say why a run ends, one does.
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/failure.hpp>

#include "failure_state.hpp"

namespace cartwright::rt {
namespace {

/// A watcher on each rank sees the same silence at the same moment. The first has their turn, and
/// is about to take the node's, too: those that come in between leave it that.
TEST(TurnToSpeak, IsLeftToTheFirstOfTheWatchers) {
  const Communicator world = Communicator::duplicate(MPI_COMM_WORLD);
  const Arena arena(world);
  const FailureGuard guard(world, arena);
  std::atomic<std::uint32_t> taken{1};
  EXPECT_FALSE(may_speak(taken));
  (void)on_all_ranks(world, true);
  std::atomic<std::uint32_t> mine{world.is_root() ? 0U : 1U};
  EXPECT_EQ(may_speak(mine), world.is_root());
  (void)on_all_ranks(world, true);
  EXPECT_FALSE(may_speak());
}

}  // namespace
}  // namespace cartwright::rt
