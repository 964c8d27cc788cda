// SPDX-License-Identifier: Apache-2.0
// Writes a schedule for LogGOPSim, and when each rank finishes it by our simulator:
//   validation_loggopsim ALGORITHM RANKS BYTES FILE.goal L O GAP G [in_order]
// prints a line `Host R: TIME` for each rank, as LogGOPSim does when it is given -L, -o, -g and -G
// with these numbers. All are picoseconds.
#include <cartwright/plan/algorithms/allreduce.hpp>

#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <validation/log_gops.hpp>

#include "../plan/simulation_samples.hpp"

namespace {

namespace plan = cartwright::plan;

// A message of no byte would be one of 2^64 - 1 there.
struct Subject {
  plan::ScheduleMaker make;
  int blocks;
};

Subject subject(const std::string& name, int p) {
  using plan::Team;
  if (name == "ring") return {[p](int r) { return plan::samples::ring({p, r}); }, p};
  if (name == "neighbour")
    return {[p](int r) { return plan::samples::neighbour_exchange({p, r}); }, p};
  if (name == "doubling")
    return {[p](int r) { return plan::samples::doubling_allgather({p, r}); }, p};
  if (name == "scatter") return {[p](int r) { return plan::samples::linear_scatter({p, r}); }, p};
  if (name == "alltoall") return {[p](int r) { return plan::samples::direct_alltoall({p, r}); }, p};
  if (name == "chain") return {[p](int r) { return plan::samples::chain({p, r}, 7); }, 7};
  if (name == "fan") return {[p](int r) { return plan::allreduce::fan_in_fan_out({p, r}); }, 1};
  if (name == "allreduce")
    return {[p](int r) { return plan::allreduce::recursive_doubling({p, r}); }, 1};
  if (name == "rabenseifner")
    return {[p](int r) {
              return plan::allreduce::rabenseifner({p, r});
            },
            plan::allreduce::rabenseifner({p, 0}).blocks()};
  if (name == "elimination")
    return {[p](int r) { return plan::allreduce::elimination({p, r}); }, 1};
  const plan::Stages stages = plan::parse_stages(name);
  return {[p, stages](int r) { return plan::allreduce::staged({p, r}, stages); }, 1};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 9) {
    std::fputs("usage: validation_loggopsim ALGORITHM RANKS BYTES FILE.goal L O GAP G [in_order]\n",
               stderr);
    return 1;
  }
  const int ranks = std::stoi(argv[2]);
  const Subject chosen = subject(argv[1], ranks);
  const plan::Layout layout(plan::Cuts::uniform(chosen.blocks, std::stoll(argv[3])));
  const auto time = [argv](int i) { return plan::seconds(std::stoll(argv[i])); };
  const plan::Machine machine =
      plan::flat_machine(plan::log_gp(time(5), time(6), time(6), time(7), time(8)), 5e-7, 1e-10);
  std::ofstream file(argv[4]);
  cartwright::validation::write_goal(file, ranks, chosen.make, layout, 1, machine);
  const plan::Simulation result =
      argc == 9 ? cartwright::validation::simulate_log_gops(ranks, chosen.make, layout, 1, machine)
                : plan::simulate(ranks, chosen.make, layout, 1, machine);
  for (int r = 0; r < ranks; ++r)
    std::printf("Host %d: %lld\n", r,
                static_cast<long long>(result.finish[static_cast<std::size_t>(r)]));
  return file ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
