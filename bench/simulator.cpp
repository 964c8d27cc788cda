// SPDX-License-Identifier: Apache-2.0
// How many steps (sends, receives, combinations and copies of all ranks) the simulator does in a
// second, with the making of the schedules. Pure computing: no MPI, one core.
// layouts: 1x1
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cartwright/plan/algorithms/allgather.hpp>
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/algorithms/alltoall.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/processor_time.hpp"
#include "common/serial_program.hpp"

namespace plan = cartwright::plan;

namespace {

using Json = nlohmann::ordered_json;

struct Case {
  std::string name;
  int ranks;
  plan::Count bytes;  ///< a block
  std::function<plan::Schedule(plan::Team)> make;
  plan::Machine machine;
  plan::SimulationOptions options;
  int runs;
};

struct Result {
  plan::Count steps = 0;
  double simulated = 0.0;  ///< s
  double seconds = 0.0;    ///< of the quickest run
  double processor = 0.0;  ///< s of it, as others use the machine, too
  double peak = 0.0;       ///< MiB, of all cases so far
};

Result measure(const Case& one) {
  Result result;
  const plan::Layout layout(plan::Cuts::uniform(one.make({one.ranks, 0}).blocks(), one.bytes));
  for (int i = 0; i < one.runs; ++i) {
    const double begin = cartwright::bench::processor_seconds();
    const plan::Simulation run = plan::simulate(
        one.ranks,
        [&](int r) {
          return one.make({one.ranks, r});
        },
        layout, 1, one.machine, one.options);
    const double processor = cartwright::bench::processor_seconds() - begin;
    if (i == 0 || run.wall_seconds < result.seconds) result.seconds = run.wall_seconds;
    if (i == 0 || processor < result.processor) result.processor = processor;
    result.steps = run.steps;
    result.simulated = plan::seconds(run.total);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result.peak = static_cast<double>(usage.ru_maxrss) / 1024.0;
  return result;
}

/// Nodes of 16 cores, which share the way out.
plan::Machine shared_channels() {
  const plan::Network network = plan::log_gp(1e-6, 1e-7, 1e-7, 1e-8, 1e-9);
  plan::Machine machine = plan::flat_machine(network);
  machine.levels[0].name = "node";
  machine.levels[0].leaving.bandwidth = {1e9, 1.8e9, 2.4e9};
  machine.levels.push_back({"core", 16, network, 1, {}});
  return machine;
}

std::vector<Case> cases(bool quick) {
  const auto doubling = [](plan::Team team) { return plan::allreduce::recursive_doubling(team); };
  const auto ring = [](plan::Team team) { return plan::allgather::ring(team); };
  const auto alltoall = [](plan::Team team) { return plan::alltoall::pairwise(team); };
  const plan::Machine thesis = plan::flat_machine(plan::pipelined(5e-7, 1e-7, 4e-10), 1e-8);
  const plan::Machine gaps = plan::flat_machine(plan::log_gp(1e-6, 1e-7, 1e-7, 1e-8, 1e-9));
  const plan::SimulationOptions listed;
  plan::SimulationOptions free;
  free.execution = plan::Execution::by_dependencies;
  const int less = quick ? 2 : 0;  // powers of two
  const int runs = quick ? 1 : 3;
  return {
      {"allreduce, recursive doubling", 1 << (20 - less), 8, doubling, thesis, listed, runs},
      {"the same with gaps at ports", 1 << (20 - less), 8, doubling, gaps, listed, runs},
      {"allgather, ring", 1 << (11 - less), 1024, ring, gaps, listed, runs},
      {"alltoall, pairwise", 1 << (11 - less), 64, alltoall, gaps, listed, runs},
      {"allreduce, shared channels", 1 << (17 - less), 1024, doubling, shared_channels(), listed,
       runs},
      {"allreduce, by dependencies", 1 << (15 - less), 8, doubling, gaps, free, runs},
  };
}

Json run_all(bool quick) {
  fmt::print("{:<30} {:>8} {:>6} {:>10} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "case", "ranks", "bytes",
             "steps", "wall, s", "cpu, s", "Msteps/s", "per cpu s", "peak, MiB");
  Json json = Json::array();
  for (const Case& one : cases(quick)) {
    const Result result = measure(one);
    const double steps = static_cast<double>(result.steps) / 1e6;
    fmt::print("{:<30} {:>8} {:>6} {:>10} {:>9.3f} {:>9.3f} {:>9.2f} {:>9.2f} {:>9.0f}\n", one.name,
               one.ranks, one.bytes, result.steps, result.seconds, result.processor,
               steps / result.seconds, steps / result.processor, result.peak);
    std::fflush(stdout);
    json.push_back({{"name", one.name},
                    {"parameters", {{"ranks", one.ranks}, {"bytes", one.bytes}}},
                    {"unit", "Msteps/s"},
                    {"ours", steps / result.seconds},
                    {"per_processor_second", steps / result.processor},
                    {"steps", result.steps},
                    {"seconds", result.seconds},
                    {"simulated_seconds", result.simulated},
                    {"peak_mebibytes", result.peak},
                    {"rounds", one.runs}});
  }
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  return cartwright::bench::run_serial_benchmark(argc, argv, "simulator", "smaller cases", run_all);
}
