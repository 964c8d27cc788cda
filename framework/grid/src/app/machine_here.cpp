// SPDX-License-Identifier: Apache-2.0
#include "machine_here.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/rt/binding.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/ticks.hpp>
#include <filesystem>
#include <thread>
#include <vector>

namespace cartwright::grid {
namespace {

constexpr std::size_t elements = 2'000'000;  // 48 MB in three arrays
constexpr double bytes_per_element = 24.0;

/// One core's arrays, touched by the core that uses them.
class Triad {
 public:
  void prepare() {
    a_.assign(elements, 0.0);
    b_.assign(elements, 1.0);
    c_.assign(elements, 2.0);
  }
  void run() {
    const double scale = 3.0;
    double* __restrict const a = a_.data();
    const double* __restrict const b = b_.data();
    const double* __restrict const c = c_.data();
    for (std::size_t i = 0; i < elements; ++i) a[i] = b[i] + scale * c[i];
  }

 private:
  std::vector<double> a_, b_, c_;
};

/// Seconds of the best of some rounds in which all of so many threads run together.
double best_round(int threads) {
  constexpr int rounds = 4;
  std::atomic<int> arrived{0};
  std::vector<double> seconds(static_cast<std::size_t>(threads) * rounds);
  const auto work = [&](int me) {
    Triad triad;
    triad.prepare();
    for (int round = 0; round < rounds; ++round) {
      arrived.fetch_add(1);
      while (arrived.load() < threads * (round + 1)) std::this_thread::yield();
      const rt::Ticks begin = rt::now();
      triad.run();
      seconds[static_cast<std::size_t>(round * threads + me)] =
          rt::seconds_between(begin, rt::now());
    }
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& other : others) other.join();
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const auto first = seconds.begin() + static_cast<std::ptrdiff_t>(round) * threads;
    best = std::min(best, *std::max_element(first, first + threads));
  }
  return best;
}

}  // namespace

plan::Concurrency measured_memory() {
  constexpr int most = 64;  // 3 GB
  const int cores = std::clamp(static_cast<int>(rt::cpu_set().size()), 1, most);
  plan::Concurrency memory;
  double before = 0.0;
  for (int threads = 1; threads <= cores; ++threads) {
    const bool measured = threads <= 4 || threads == cores || (threads & (threads - 1)) == 0;
    if (measured)
      before = std::max(before, threads * elements * bytes_per_element / best_round(threads));
    memory.bandwidth.push_back(before);
  }
  return memory;
}

plan::Machine machine_here(const mapping::Topology& topology, const plan::Concurrency& memory) {
  const int cores = std::max(topology.cores_on_node, 1);
  mapping::ProbeIdentity identity = mapping::identify(topology);
  identity.layout = fmt::format("1x{}", cores);
  const std::string probed = mapping::probed_machine_path(identity);
  std::error_code ignored;
  plan::Machine machine = plan::typical_machine(cores);
  machine.name = "this machine";
  machine.about = "round numbers for messages (./cartwright probe measures them)";
  if (std::filesystem::is_regular_file(probed, ignored)) {
    try {
      machine = mapping::read_machine(probed);
      machine.about = "probed: " + probed;
    } catch (const rt::Error&) {
      machine.about += fmt::format("; {} can't be read", probed);
    }
  }
  machine.memory = memory;
  machine.files.bandwidth = {usual_files};
  return machine;
}

plan::Machine described_machine(const std::string& name) {
  try {
    return mapping::described_machine(name, CARTWRIGHT_INPUTS "/machines");
  } catch (const rt::Error& error) {
    throw rt::input_error(error.what(), error.advice(), rt::Reach::all_ranks);
  }
}

}  // namespace cartwright::grid
