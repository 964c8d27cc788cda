// SPDX-License-Identifier: Apache-2.0
#include "threads_together.hpp"

#include <algorithm>
#include <atomic>
#include <cartwright/rt/binding.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cstddef>
#include <thread>

namespace cartwright::grid {

int usable_cores() {
  constexpr int most = 64;
  return std::clamp(static_cast<int>(rt::cpu_set().size()), 1, most);
}

void on_threads(int threads, const std::function<void(int me)>& work) {
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& other : others) other.join();
}

std::vector<double> rounds_together(int threads, int rounds,
                                    const std::function<RoundOfThread()>& prepare) {
  std::atomic<int> arrived{0};
  const auto count = static_cast<std::size_t>(rounds);
  std::vector<std::vector<double>> seconds(static_cast<std::size_t>(threads));
  on_threads(threads, [&](int me) {
    std::vector<double>& mine = seconds[static_cast<std::size_t>(me)];
    mine.resize(count);
    const RoundOfThread work = prepare();
    for (int round = 0; round < rounds; ++round) {
      arrived.fetch_add(1);
      while (arrived.load() < threads * (round + 1)) std::this_thread::yield();
      const rt::Ticks begin = rt::now();
      work();
      mine[static_cast<std::size_t>(round)] = rt::seconds_between(begin, rt::now());
    }
  });
  std::vector<double> slowest(count);
  for (const std::vector<double>& of_thread : seconds)
    for (std::size_t round = 0; round < count; ++round)
      slowest[round] = std::max(slowest[round], of_thread[round]);
  return slowest;
}

std::vector<double> for_numbers_of_cores(const std::function<double(int threads)>& measured) {
  std::vector<double> results;
  const int most = usable_cores();
  for (int threads = 1; threads <= most; ++threads) {
    const bool is_measured = threads <= 4 || threads == most || (threads & (threads - 1)) == 0;
    results.push_back(is_measured ? measured(threads) : results.back());
  }
  return results;
}

}  // namespace cartwright::grid
