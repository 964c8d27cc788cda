// SPDX-License-Identifier: Apache-2.0
// How many steps at once a trial chooses.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/rt/communicator.hpp>
#include <functional>
#include <utility>
#include <vector>

#include "turn_choice.hpp"

namespace cartwright::grid::test {
namespace {

/// Makes turns until the choice is made, each of at most `longest` steps; how many at once it wants
/// then. `seconds`: a step, by how many are made at once.
int chosen_with(int most, int longest, const std::function<double(int)>& seconds) {
  const auto comm = rt::Communicator::duplicate(MPI_COMM_WORLD);
  TurnChoice choice = TurnChoice::by_trial(most);
  for (int turn = 0; choice.is_under_trial(); ++turn) {
    const int steps = std::min(choice.steps(), longest);
    EXPECT_LE(steps, most);
    if (turn == 100) return -1;
    choice.note(steps, steps * seconds(steps), comm);
  }
  return choice.steps();
}

TEST(TurnChoice, TheQuickest) {
  EXPECT_EQ(chosen_with(4, 4, [](int steps) { return 1.0 / steps; }), 4);
  EXPECT_EQ(chosen_with(4, 4, [](int steps) { return steps == 2 ? 1.0 : 2.0; }), 2);
  EXPECT_EQ(chosen_with(4, 4, [](int steps) { return 1.0 * steps; }), 1);
  EXPECT_EQ(chosen_with(2, 2, [](int steps) { return 1.0 / steps; }), 2);
}

TEST(TurnChoice, FewStepsWhereItMakesNoDifference) {
  EXPECT_EQ(chosen_with(4, 4, [](int steps) { return 1.0 - 0.004 * steps; }), 1);
}

/// One slow turn, or all of the first two rounds, decide nothing.
TEST(TurnChoice, BadMomentsDontCount) {
  int calls = 0;
  EXPECT_EQ(chosen_with(4, 4,
                        [&calls](int steps) {
                          const int call = calls++;
                          return (call < 28 || call == 41 ? 1e3 : 1.0) / steps;
                        }),
            4);
}

/// What a turn leaves in the caches is of no use to one of another kind.
TEST(TurnChoice, TheFirstTurnOfAKindDoesntCount) {
  int before = 0;
  const auto seconds = [&before](int steps) {
    const bool is_first = std::exchange(before, steps) != steps;
    return steps == 1 ? (is_first ? 3.0 : 1.0) : 2.0;
  };
  EXPECT_EQ(chosen_with(4, 4, seconds), 1);
  EXPECT_EQ(chosen_with(2, 2, seconds), 1);
}

/// Outputs cut turns short: what was never made isn't chosen.
TEST(TurnChoice, OnlyWhatWasMade) {
  EXPECT_EQ(chosen_with(4, 2, [](int steps) { return 1.0 / steps; }), 2);
  EXPECT_EQ(chosen_with(4, 1, [](int /*steps*/) { return 1.0; }), 1);
}

/// The slowest rank counts, on all of them.
TEST(TurnChoice, RanksAgree) {
  const auto comm = rt::Communicator::duplicate(MPI_COMM_WORLD);
  const bool is_slow = comm.rank() == rt::Rank{comm.size() - 1};
  const int chosen =
      chosen_with(4, 4, [is_slow](int steps) { return is_slow && steps == 4 ? 9.0 : 1.0 / steps; });
  EXPECT_EQ(chosen, 2);
}

TEST(TurnChoice, NothingToChoose) {
  EXPECT_EQ(TurnChoice(3).steps(), 3);
  EXPECT_EQ(TurnChoice::by_trial(1).steps(), 1);
  EXPECT_FALSE(TurnChoice::by_trial(1).is_under_trial());
}

}  // namespace
}  // namespace cartwright::grid::test
