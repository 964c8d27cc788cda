// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

namespace cartwright::grid {

/// Cores on which this process may run, 64 at the most.
[[nodiscard]] int usable_cores();

/// Runs `work(me)` on so many threads, this one is the first; returns when all have done.
void on_threads(int threads, const std::function<void(int me)>& work);

/// What a thread does in each of some rounds.
using RoundOfThread = std::function<void()>;
/// Seconds of rounds that so many threads begin together, each as long as its slowest thread takes.
/// `prepare` makes what a thread does, on that thread.
[[nodiscard]] std::vector<double> rounds_together(int threads, int rounds,
                                                  const std::function<RoundOfThread()>& prepare);

/// `measured(n)` for n = 1, 2, … up to all usable cores; of many only some are measured, those
/// between have what `measured` returned last.
[[nodiscard]] std::vector<double> for_numbers_of_cores(
    const std::function<double(int threads)>& measured);

}  // namespace cartwright::grid
