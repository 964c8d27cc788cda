// SPDX-License-Identifier: Apache-2.0
#include "cores_here.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cartwright/plan/models/fit.hpp>
#include <cartwright/rt/request.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cstddef>
#include <memory>
#include <utility>

#include "threads_together.hpp"

namespace cartwright::grid {
namespace {

/// A stencil on numbers that stay in the nearest cache.
class Work {
 public:
  void pass() {
    for (std::size_t i = 1; i + 1 < size; ++i)
      to_[i] = 0.5 * from_[i] + 0.25 * (from_[i - 1] + from_[i + 1]);
    std::swap(from_, to_);
  }
  void passes(int count) {
    for (int i = 0; i < count; ++i) pass();
    kept_ = from_[size / 2];
  }

 private:
  static constexpr std::size_t size = 1024;
  std::array<double, size> a_{1.0}, b_{};
  double* from_ = a_.data();
  double* to_ = b_.data();
  volatile double kept_ = 0.0;  // or a compiler leaves all this out
};

/// Seconds of a pass when so many threads run together: the middle of some rounds.
double pass_seconds(int threads) {
  constexpr int rounds = 7, passes = 1000;
  const auto prepare = [] { return [work = std::make_shared<Work>()] { work->passes(passes); }; };
  return plan::fits::median(rounds_together(threads, rounds, prepare)) / passes;
}

/// Seconds of a wait, when threads compute `passes` between two.
double wait_seconds(int threads, int passes) {
  constexpr int steps = 200;
  struct alignas(64) Progress {
    std::atomic<int> done{0};
  };
  std::vector<Progress> at(static_cast<std::size_t>(threads));
  const rt::Ticks begin = rt::now();
  on_threads(threads, [&](int me) {
    Work work;
    const auto wait_for = [&](int thread, int step) {
      rt::Patience patience(false);
      const Progress& other = at[static_cast<std::size_t>((thread + threads) % threads)];
      while (other.done.load(std::memory_order_acquire) < step) patience.pause();
    };
    for (int step = 1; step <= steps; ++step) {
      work.passes(passes);
      at[static_cast<std::size_t>(me)].done.store(step, std::memory_order_release);
      wait_for(me - 1, step);
      wait_for(me + 1, step);
    }
  });
  return rt::seconds_between(begin, rt::now()) / steps;
}

/// Seconds that one thread computes while all others wait for it.
double beside_waiting(int threads, int passes) {
  std::atomic<bool> is_over{false};
  double seconds = 0.0;
  on_threads(threads, [&](int me) {
    if (me != 0) {
      rt::Patience patience(false);
      while (!is_over.load(std::memory_order_acquire)) patience.pause();
      return;
    }
    Work work;
    const rt::Ticks begin = rt::now();
    work.passes(passes);
    seconds = rt::seconds_between(begin, rt::now());
    is_over.store(true, std::memory_order_release);
  });
  return seconds;
}

}  // namespace

std::vector<double> measured_core_speeds() {
  double alone = 0.0, last = 1.0;
  return for_numbers_of_cores([&](int threads) {
    const double seconds = pass_seconds(threads);
    if (threads == 1) alone = seconds;
    return last = std::min(last, alone / seconds);
  });
}

SharedCores measured_shared_cores() {
  constexpr int on_core = 2, rounds = 9;
  constexpr double a_while = 40e-6, a_picture = 10e-3;  // s of computing
  const int threads = on_core * usable_cores();
  std::vector<double> waits, slowness;
  for (int round = 0; round < rounds; ++round) {
    const double together = pass_seconds(usable_cores()), alone = pass_seconds(1);
    const int passes = std::max(1, static_cast<int>(a_while / together));
    waits.push_back(wait_seconds(threads, passes) - on_core * passes * together);
    const int many = static_cast<int>(a_picture / alone);
    slowness.push_back(beside_waiting(threads, many) / (many * alone));
  }
  return {std::max(0.0, plan::fits::median(waits)), std::max(1.0, plan::fits::median(slowness))};
}

}  // namespace cartwright::grid
