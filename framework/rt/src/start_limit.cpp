// SPDX-License-Identifier: Apache-2.0
#include "start_limit.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <chrono>
#include <cmath>
#include <system_error>

#include "signals_blocked.hpp"

namespace cartwright::rt {

StartLimit::StartLimit(double seconds) : seconds_(seconds) {
  if (!std::isfinite(seconds)) return;
  const SignalsBlocked blocked;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): then without a limit
  }
}

StartLimit::~StartLimit() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    has_started_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void StartLimit::run() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds period{200};
  std::unique_lock lock(mutex_);
  for (Seconds ran{0}; ran.count() < seconds_;) {
    const Clock::time_point begin = Clock::now();
    if (changed_.wait_for(lock, period, [this] { return has_started_; })) return;
    // What is much longer: this process itself was stopped.
    ran += std::min(Seconds(Clock::now() - begin), Seconds(2 * period));
  }
  lock.unlock();
  FailureGuard::end_start(
      internal_failure(
          fmt::format("MPI has not started within {} (5 times CARTWRIGHT_STOP_SILENCE): another "
                      "process of this run is stopped or gone, or its node can't be reached",
                      format_duration(Seconds(seconds_))),
          "Look at the nodes of this job. Where starting takes so long, set "
          "CARTWRIGHT_STOP_SILENCE to more, or to off."),
      MPI_COMM_WORLD);
}

}  // namespace cartwright::rt
