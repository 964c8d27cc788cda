// SPDX-License-Identifier: Apache-2.0
#include "machine_here.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/rt/error.hpp>
#include <filesystem>
#include <memory>
#include <vector>

#include "threads_together.hpp"

namespace cartwright::grid {
namespace {

constexpr std::size_t elements = 2'000'000;  // 48 MB in three arrays, of a core
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
  return std::ranges::min(rounds_together(threads, rounds, [] {
    const auto triad = std::make_shared<Triad>();
    triad->prepare();
    return [triad] { triad->run(); };
  }));
}

}  // namespace

plan::Concurrency measured_memory() {
  double before = 0.0;
  return {for_numbers_of_cores([&](int threads) {
    return before = std::max(before, threads * elements * bytes_per_element / best_round(threads));
  })};
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
