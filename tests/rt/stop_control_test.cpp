// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/stop_control.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>

#include "stop_signals.hpp"

namespace cartwright::rt {
namespace {

class StopControlTest : public testing::Test {
 protected:
  // Steps until the ranks agree to stop; fails when they stop at different steps.
  int steps_until_stop(StopControl& stop, int most) {
    int step = 0;
    while (step < most && !stop.should_stop()) {
      ++step;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    int smallest = 0;
    int largest = 0;
    MPI_Allreduce(&step, &smallest, 1, MPI_INT, MPI_MIN, comm_.handle());
    MPI_Allreduce(&step, &largest, 1, MPI_INT, MPI_MAX, comm_.handle());
    EXPECT_EQ(smallest, largest);
    return step;
  }
  Communicator comm_ = Communicator::duplicate(MPI_COMM_WORLD);
};

TEST_F(StopControlTest, DoesNotStopUnasked) {
  StopControl stop(comm_, now());
  EXPECT_EQ(steps_until_stop(stop, 50), 50);
  EXPECT_FALSE(stop.stopped());
}

TEST_F(StopControlTest, ASignalAtOneRankStopsAll) {
  StopControl stop(comm_, now());
  EXPECT_FALSE(stop.should_stop());
  EXPECT_FALSE(stop.should_stop());
  if (comm_.rank().value == comm_.size() - 1) std::raise(SIGUSR2);
  EXPECT_LE(steps_until_stop(stop, 1000), 2);
  EXPECT_EQ(stop.reason(), StopReason::signal);
  EXPECT_TRUE(stop.should_stop()) << "stays stopped, and asks nobody any more";
}

TEST_F(StopControlTest, ASignalThatCameBeforeItCountsOnce) {
  const StopSignals early;
  const bool last = comm_.rank().value == comm_.size() - 1;
  if (last) std::raise(SIGUSR2);
  if (last) std::raise(SIGTERM);  // no reason to die
  {
    StopControl stop(comm_, now());
    EXPECT_LE(steps_until_stop(stop, 1000), 2);
    EXPECT_EQ(stop.reason(), StopReason::signal);
  }
  StopControl next(comm_, now());
  EXPECT_EQ(steps_until_stop(next, 10), 10);
}

TEST_F(StopControlTest, ASignalIsAcknowledgedToTheLauncher) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("marks_" + std::to_string(static_cast<int>(getpid())));
  std::ofstream(file) << "started\n";
  setenv("CARTWRIGHT_MARKS", file.c_str(), 1);
  {
    const StopSignals signals;
    unsetenv("CARTWRIGHT_MARKS");
    std::raise(SIGUSR2);
    std::raise(SIGUSR2);
    EXPECT_TRUE(StopSignals::requested());
  }
  std::ifstream marks(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(marks), {}), "started\nready\nstopping\n");
  std::filesystem::remove(file);
}

TEST_F(StopControlTest, TheProgramMayAskOnAnyRank) {
  StopControl stop(comm_, now());
  if (comm_.rank().value == comm_.size() / 2) stop.request();
  EXPECT_LE(steps_until_stop(stop, 1000), 2);
  EXPECT_EQ(stop.reason(), StopReason::program);
}

TEST_F(StopControlTest, AFileStopsAndIsRemoved) {
  int id = static_cast<int>(getpid());
  MPI_Bcast(&id, 1, MPI_INT, 0, comm_.handle());
  const auto file = std::filesystem::temp_directory_path() / ("stop_" + std::to_string(id));
  StopControl stop(comm_, now());
  stop.watch_file(file.string());
  EXPECT_EQ(steps_until_stop(stop, 5), 5);
  if (comm_.is_root()) std::ofstream(file) << "now";
  EXPECT_LT(steps_until_stop(stop, 5000), 5000);
  EXPECT_EQ(stop.reason(), StopReason::stop_file);
  EXPECT_NE(stop.reason_text().find(file.string()), std::string::npos);
  comm_.barrier();
  EXPECT_FALSE(std::filesystem::exists(file)) << "a restarted run would stop at once";
}

TEST_F(StopControlTest, TheLimitOfWallTimeLeavesTimeForACheckpoint) {
  StopControl stop(comm_, now(), 3600.0);
  EXPECT_EQ(steps_until_stop(stop, 20), 20);
  stop.reserve(3600.0);
  EXPECT_LE(steps_until_stop(stop, 1000), 2);
  EXPECT_EQ(stop.reason(), StopReason::wall_time);
  EXPECT_EQ(stop.reason_text(), "the limit of wall time (1h) was reached");
}

TEST_F(StopControlTest, AProgramMayAsk) {
  StopControl stop(comm_, now());
  EXPECT_EQ(stop.reason_text(), "nothing asked it to");
  stop.request();
  EXPECT_LE(steps_until_stop(stop, 1000), 2);
  EXPECT_EQ(stop.reason_text(), "the program asked for it");
}

bool never() {
  return false;
}

TEST_F(StopControlTest, AllRanksLeaveTheirLoopTogether) {
  for (const int steps : {0, 1, 5}) {
    StopControl stop(comm_, now());
    EXPECT_EQ(steps_until_stop(stop, steps), steps);
    EXPECT_TRUE(stop.all_leave(never));
  }
}

TEST_F(StopControlTest, OneThatLeavesAloneIsFoundOut) {
  if (comm_.size() == 1) return;
  for (const int steps : {0, 1, 5}) {
    StopControl stop(comm_, now());
    EXPECT_EQ(steps_until_stop(stop, steps), steps);
    if (comm_.is_root()) {
      EXPECT_FALSE(stop.all_leave(never));
      continue;
    }
    EXPECT_FALSE(stop.should_stop());
    EXPECT_THROW((void)stop.should_stop(), Error);
  }
}

// A step apart: who leaves later hears of it, and doesn't ask.
TEST_F(StopControlTest, RanksThatLeaveInDifferentStepsAreFoundOut) {
  if (comm_.size() == 1) return;
  StopControl stop(comm_, now());
  const bool one_more = !comm_.is_root();
  const bool stops = one_more && stop.should_stop();
  EXPECT_FALSE(stops);
  EXPECT_FALSE(stop.all_leave(never));
}

TEST_F(StopControlTest, RestoresTheFormerHandlers) {
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGTERM, nullptr, &before);
  { const StopControl stop(comm_, now()); }
  sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace cartwright::rt
