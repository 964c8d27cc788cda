// SPDX-License-Identifier: Apache-2.0
// MPICH over UCX polls and never gives its core away: with more ranks than cores, whoever waits
// holds up those that it waits for, for a whole slice of the scheduler each time. There is no
// option against that. Loaded before the program (LD_PRELOAD), this takes UCX's poll over: one that
// found nothing lets others run, and naps if that goes on: beside busy programs sched_yield alone
// keeps a core from those that are waited for (8 ranks on 2 cores: a barrier took 2 to 15 times as
// long).
#include <dlfcn.h>
#include <sched.h>

#include <chrono>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int polls_before_nap = 4;
constexpr std::chrono::microseconds nap{20};
/// A program that polls now and then between other work isn't one that waits.
constexpr std::chrono::microseconds other_work{100};

}  // namespace

// UCX's own signature; 0: nothing happened. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  using Progress = unsigned (*)(void*);
  static const auto progress = reinterpret_cast<Progress>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
  thread_local int idle_polls = 0;
  thread_local Clock::time_point last{};
  const Clock::time_point begin = Clock::now();
  const unsigned events = progress(worker);
  if (events != 0 || begin - last > other_work) idle_polls = 0;
  if (events == 0) {
    if (idle_polls < polls_before_nap) {
      ++idle_polls;
      sched_yield();
    } else {
      std::this_thread::sleep_for(nap);
    }
  }
  last = Clock::now();
  return events;
}
