// SPDX-License-Identifier: Apache-2.0
// What watchers conclude from what they see.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cartwright/rt/silence.hpp>
#include <chrono>
#include <csignal>
#include <functional>
#include <future>
#include <string>
#include <thread>

#include "process_state.hpp"

namespace cartwright::rt {
namespace {

RankSight rank(int number, const Activity& activity, double silent = 0.0,
               ProcessState state = ProcessState::runs) {
  RankSight sight;
  sight.rank = number;
  sight.process = 1000 + number;
  sight.activity = activity;
  sight.silent = silent;
  sight.state = state;
  return sight;
}

Activity waits(double seconds, const std::string& where = "MPI_Barrier (a.cpp:1)") {
  Activity activity;
  activity.kind = WaitKind::ranks;
  activity.seconds = seconds;
  activity.where = where;
  return activity;
}

Activity in_file(double seconds) {
  Activity activity = waits(seconds, "H5Dwrite");
  activity.kind = WaitKind::files;
  return activity;
}

/// Inside a call for files that only waits for other ranks, as in a library that has failed on one.
Activity stuck_in_file(double seconds) {
  Activity activity = in_file(seconds);
  activity.only_waits = true;
  return activity;
}

/// Inside a library that computes and talks: nobody can tell which of them.
Activity in_library(double seconds) {
  Activity activity = waits(seconds, "hypre's set-up");
  activity.kind = WaitKind::library;
  return activity;
}

Activity left() {
  Activity activity;
  activity.has_left = true;
  return activity;
}

NodeSight node(double silent, double waiting, bool is_known = true) {
  NodeSight sight;
  sight.name = "node1";
  sight.ranks = {2, 3};
  sight.silent = silent;
  sight.waits = waiting;
  sight.is_known = is_known;
  sight.activities = "\n  ranks 2, 3: in allreduce (heat.cpp:7)";
  return sight;
}

SilenceLimits limits() {
  return {.silence = 60.0, .margin = 3.0, .wait = std::nullopt, .grace = 1.5};
}

std::string verdict(const std::vector<RankSight>& ranks, const std::vector<NodeSight>& nodes = {},
                    const SilenceLimits& given = limits(), bool sees_all = true) {
  Sight sight;
  sight.node = "node0";
  sight.ranks = ranks;
  sight.nodes = nodes;
  sight.sees_all = sees_all;
  const auto found = judge(sight, given);
  if (!found) return "";
  EXPECT_EQ(found->code(), ExitCode::internal_failure);
  return found->what();
}

void expect(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is missing in: " << text;
}

const Activity computes;

TEST(Silence, WhoComputesMayDoSoForAsLongAsItTakes) {
  EXPECT_EQ(verdict({rank(0, computes)}), "");
  EXPECT_EQ(verdict({rank(0, computes), rank(1, waits(1e6))}), "") << "1 waits for 0's kernel";
}

TEST(Silence, ASlowFileIsNoSilence) {
  EXPECT_EQ(verdict({rank(0, in_file(1e6)), rank(1, waits(1e6))}), "");
  EXPECT_EQ(verdict({rank(0, in_file(1e6)), rank(1, in_file(1e6))}), "");
}

TEST(Silence, WhoIsInALibraryMayBeComputingAndIsNamed) {
  SilenceLimits some = limits();
  some.wait = 10.0;
  EXPECT_EQ(verdict({rank(0, in_library(1e6)), rank(1, waits(9.0))}, {}, some), "");
  const std::string text =
      verdict({rank(0, in_library(1e6)), rank(1, computes, 60.5, ProcessState::stopped)});
  EXPECT_NE(text.find("rank 1 (process 1001 on node node0)"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 0: computes, in hypre's set-up"), std::string::npos) << text;
}

TEST(Silence, WhoOnlySpinsInACallForFilesWaits) {
  const std::string text = verdict({rank(0, stuck_in_file(61)), rank(1, waits(61))});
  expect(text, "all ranks have been waiting for longer than 1m");
  expect(text, "rank 0: waits for others, in H5Dwrite");
  EXPECT_NE(verdict({rank(0, stuck_in_file(61)), rank(1, stuck_in_file(61))}), "");
  EXPECT_EQ(verdict({rank(0, stuck_in_file(61)), rank(1, in_file(61))}), "") << "1 writes";
  SilenceLimits limit = limits();
  limit.silence.reset();
  limit.wait = 1.0;
  EXPECT_EQ(verdict({rank(0, stuck_in_file(61))}, {}, limit), "")
      << "comm.time_limit isn't for files";
}

TEST(Silence, AllRanksThatWaitForEachOtherWaitInVain) {
  const std::string text = verdict(
      {rank(0, waits(61, "the exchange of ghosts")), rank(1, waits(61)), rank(2, waits(62))});
  expect(text, "all ranks have been waiting for longer than 1m (stop.silence)");
  expect(text, "\n  rank 0: in the exchange of ghosts");
  expect(text, "\n  ranks 1, 2: in MPI_Barrier (a.cpp:1)");
  EXPECT_EQ(verdict({rank(0, waits(61)), rank(1, waits(60))}), "") << "only just";
  EXPECT_NE(verdict({rank(0, waits(61))}), "") << "a single rank waits for itself";
}

TEST(Silence, WhoHasLeftIsNotWaitedFor) {
  expect(verdict({rank(0, left(), 1e6, ProcessState::gone), rank(1, waits(61))}),
         "\n  rank 0: has ended its run");
  EXPECT_EQ(verdict({rank(0, left(), 1e6, ProcessState::gone), rank(1, computes)}), "");
  EXPECT_EQ(verdict({rank(0, left()), rank(1, left())}), "");
}

TEST(Silence, ARankThatShowsNoSignOfLifeIsLost) {
  const struct {
    ProcessState state;
    const char* words;
  } cases[] = {{ProcessState::gone, "is gone"},
               {ProcessState::stopped, "is stopped (by a signal such as SIGSTOP)"},
               {ProcessState::traced, "is held by a debugger"},
               {ProcessState::runs, "shows no sign of life"}};
  for (const auto& [state, words] : cases) {
    const std::string text = verdict({rank(0, waits(3)), rank(1, computes, 60.5, state)});
    expect(text, std::string("rank 1 (process 1001 on node node0) ") + words +
                     ", for longer than 1m (stop.silence)");
    expect(text, "\n  rank 0: in MPI_Barrier");
    EXPECT_EQ(verdict({rank(0, waits(3)), rank(1, computes, 59.5, state)}), "");
  }
}

TEST(Silence, ANodeMayBeSilentALittleLongerThanARank) {
  const std::vector<RankSight> ranks{rank(0, computes)};
  EXPECT_EQ(verdict(ranks, {node(62.9, 0)}), "");
  const std::string text = verdict(ranks, {node(63.1, 0)});
  expect(text, "node node1 (ranks 2, 3) has been unreachable for longer than 1m (stop.silence)");
  EXPECT_EQ(text.find("heat.cpp"), std::string::npos) << "what it did once is no news";
}

TEST(Silence, NodesThatWereNeverHeardOfAreNotWatched) {
  EXPECT_EQ(verdict({rank(0, computes)}, {node(1e6, 0, false)}), "");
  EXPECT_EQ(verdict({rank(0, waits(1e6))}, {node(1e6, 0, false)}), "") << "it may compute";
}

TEST(Silence, AllRanksOfAllNodesWait) {
  expect(verdict({rank(0, waits(61))}, {node(0, 61)}), "\n  ranks 2, 3: in allreduce (heat.cpp:7)");
  EXPECT_EQ(verdict({rank(0, waits(61))}, {node(0, 1)}), "");
  EXPECT_EQ(verdict({rank(0, waits(1))}, {node(0, 61)}), "");
  EXPECT_EQ(verdict({rank(0, waits(61))}, {node(0, 61)}, limits(), false), "")
      << "another node sees more";
}

TEST(Silence, OffMeansForEver) {
  SilenceLimits off = limits();
  off.silence.reset();
  EXPECT_EQ(verdict({rank(0, waits(1e9)), rank(1, computes, 1e9, ProcessState::stopped)},
                    {node(1e9, 1e9)}, off),
            "");
}

TEST(Silence, ATimeLimitHoldsForEveryWaitForRanks) {
  SilenceLimits some = limits();
  some.wait = 10.0;
  const std::string text =
      verdict({rank(0, computes), rank(1, waits(11.6, "the exchange of ghosts"))}, {}, some);
  expect(text, "rank 1 has waited in the exchange of ghosts for longer than 10s (comm.time_limit)");
  expect(text, "\n  rank 0: computes");
  EXPECT_EQ(verdict({rank(0, computes), rank(1, waits(11.4))}, {}, some), "")
      << "it ends by itself";
  EXPECT_EQ(verdict({rank(0, in_file(50)), rank(1, computes)}, {}, some), "");
  some.silence.reset();
  EXPECT_NE(verdict({rank(0, computes), rank(1, waits(11.6))}, {}, some), "");
}

/// A process that does `action`, and is no more at the end.
class Child {
 public:
  template <class Action>
  explicit Child(const Action& action) : id_(fork()) {
    if (id_ != 0) return;
    action();
    _exit(0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  [[nodiscard]] pid_t id() const { return id_; }

 private:
  pid_t id_;
};

ProcessMark mark_of(pid_t id, std::uint64_t started) {
  return {id, started};
}

TEST(ProcessStates, AreTheKernels) {
  const ProcessMark self = this_process();
  EXPECT_EQ(state_of(self), ProcessState::runs);
  EXPECT_TRUE(is_visible(self));
  // The number of a process that is gone may be another's.
  EXPECT_EQ(state_of(mark_of(getpid(), self.started + 1)), ProcessState::gone);
  EXPECT_FALSE(is_visible(mark_of(getpid(), self.started + 1)));
}

/// What becomes of a child: it writes its own mark to a pipe first.
template <class Action>
ProcessState state_after(const Action& action, int options) {
  int ends[2] = {};
  if (pipe(ends) != 0) return ProcessState::runs;
  const Child child([&] {
    const ProcessMark mine = this_process();
    if (write(ends[1], &mine, sizeof(mine)) != sizeof(mine)) _exit(1);
    action();
  });
  ProcessMark mark{};
  EXPECT_EQ(read(ends[0], &mark, sizeof(mark)), static_cast<ssize_t>(sizeof(mark)));
  close(ends[0]);
  close(ends[1]);
  siginfo_t what{};
  EXPECT_EQ(waitid(P_PID, static_cast<id_t>(child.id()), &what, options | WNOWAIT), 0);
  return state_of(mark);
}

TEST(ProcessStates, StoppedTracedAndGone) {
  EXPECT_EQ(state_after([] { raise(SIGSTOP); }, WSTOPPED), ProcessState::stopped);
  EXPECT_EQ(state_after(
                [] {
                  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) raise(SIGSTOP);
                },
                WSTOPPED | WEXITED),
            ProcessState::traced);
  EXPECT_EQ(state_after([] {}, WEXITED), ProcessState::gone) << "nobody has asked how it ended";
}

/// In how many of ten looks at a thread that goes on with `body` it only waited for other ranks.
/// `ends`: it doesn't take long.
int idle_looks(
    bool ends, const std::function<void()>& body, const std::function<void()>& release = [] {}) {
  using namespace std::chrono_literals;
  std::atomic<bool> is_over{false};
  std::atomic<long long> turns{0};
  std::promise<FileWork> made;
  std::thread thread([&] {
    made.set_value(FileWork());
    for (; !is_over; ++turns) body();
  });
  FileWork work = made.get_future().get();
  int idle = 0;
  for (int look = -1; look < 10; ++look) {  // two of them tell
    const long long before = turns;
    std::this_thread::sleep_for(10ms);
    for (int more = 0; ends && more < 3000 && turns < before + 2; ++more)  // on a busy machine
      std::this_thread::sleep_for(1ms);
    const bool is_idle = work.is_idle();
    if (look >= 0 && is_idle) ++idle;
  }
  is_over = true;
  release();
  thread.join();
  return idle;
}

// Ranks that wait inside a call for files, for other ranks that have left it, spin or nap.
TEST(FileWork, IsToldFromWaiting) {
  EXPECT_EQ(idle_looks(true, [] {}), 10);
  EXPECT_EQ(idle_looks(true, [] { std::this_thread::sleep_for(std::chrono::microseconds(20)); }),
            10);
  EXPECT_EQ(idle_looks(false, [] { std::this_thread::sleep_for(std::chrono::seconds(2)); }), 0);
  char letter = 0;
  const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(idle_looks(true, [&] { EXPECT_EQ(read(zeros, &letter, 1), 1); }), 0);
  close(zeros);
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  const auto slow_file = [&] { EXPECT_EQ(read(ends[0], &letter, 1), 1); };
  EXPECT_EQ(idle_looks(false, slow_file, [&] { EXPECT_EQ(write(ends[1], &letter, 1), 1); }), 0);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace cartwright::rt
