// SPDX-License-Identifier: Apache-2.0
// What the first call of its kind costs each rank before anything is sent: to decide who carries it
// out and how, and to make its own part of that, on up to 2^20 ranks. Pure computing: no MPI, one
// core. layouts: 1x1
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/processor_time.hpp"
#include "common/serial_program.hpp"

namespace comm = cartwright::comm;
namespace plan = cartwright::plan;

namespace {

using Json = nlohmann::ordered_json;

struct Machine {
  int ranks;
  int on_a_node;
  double limit;  ///< ms
};
constexpr std::array<Machine, 6> machines{{{128, 128, 5},
                                           {1024, 64, 10},
                                           {16384, 64, 50},
                                           {16383, 63, 50},
                                           {131072, 64, 200},
                                           {1 << 20, 128, 1000}}};

struct Cost {
  double decision = 0.0, schedule = 0.0;  ///< ms; the schedule's of the slower of two ranks
  std::string way;
  [[nodiscard]] double all() const { return decision + schedule; }
};

/// Of the processor.
template <class Work>
double milliseconds(const Work& work) {
  const double begin = cartwright::bench::processor_seconds();
  work();
  return (cartwright::bench::processor_seconds() - begin) * 1e3;
}

Cost cost_of(const comm::Selection& selection, const comm::CallKey& key) {
  const int ranks = selection.shape().ranks;
  Cost cost;
  comm::Decision decision;
  cost.decision = milliseconds([&] { decision = selection.decide(key); });
  cost.way = decision.name();
  if (decision.choice.algorithm == nullptr) return cost;
  plan::Problem problem = key.problem(ranks);
  problem.nodes = selection.nodes();
  for (const int rank : {0, ranks / 3})
    cost.schedule = std::max(cost.schedule, milliseconds([&] {
                               (void)decision.choice.maker(problem)({.ranks = ranks, .me = rank});
                             }));
  return cost;
}

/// What every rank would hold, or one would, must be an array of 2^31 bytes at most.
bool is_worth_a_call(plan::Operation operation, plan::Count bytes, int ranks) {
  using enum plan::Operation;
  if (operation == barrier) return bytes == 8;
  const bool is_of_blocks = operation == gather || operation == scatter || operation == allgather ||
                            operation == alltoall;
  return !is_of_blocks || bytes * ranks <= plan::Count{1} << 31;
}

comm::Selection selection_on(const Machine& machine) {
  const std::array<int, 1> node{machine.on_a_node};
  const comm::CommunicatorShape shape{
      .ranks = machine.ranks,
      .nodes = (machine.ranks + machine.on_a_node - 1) / machine.on_a_node,
      .node_ranks = machine.on_a_node};
  auto nodes =
      shape.nodes == 1
          ? nullptr
          : std::make_shared<const plan::Hierarchy>(plan::Hierarchy::even(machine.ranks, node));
  return {std::make_shared<const comm::Knowledge>(), shape, std::move(nodes)};
}

void measure(Json& cases, const Machine& machine) {
  using enum plan::Operation;
  const comm::Selection selection = selection_on(machine);
  std::pair<double, std::string> slowest;
  for (const plan::Operation operation : {barrier, broadcast, reduce, allreduce, reduce_scatter,
                                          allgather, gather, scatter, alltoall})
    for (const plan::Count bytes : {8LL, 1024LL, 65536LL, 4LL << 20U}) {
      if (!is_worth_a_call(operation, bytes, machine.ranks)) continue;
      const comm::CallKey key{.operation = operation, .size = operation == barrier ? 0 : bytes};
      const Cost cost = cost_of(selection, key);
      const std::string name = fmt::format("{}, {} B", plan::name_of(operation), key.size);
      slowest = std::max(slowest, {cost.all(), fmt::format("{} by {}", name, cost.way)});
      cases.push_back(
          {{"name", fmt::format("{} ranks, {} a node: {}", machine.ranks, machine.on_a_node, name)},
           {"unit", "ms"},
           {"ours", cost.all()},
           {"decision", cost.decision},
           {"limit", machine.limit},
           {"way", cost.way}});
    }
  fmt::print("{:>9} {:>8} {:>12.2f} {:>7.0f}  {}\n", machine.ranks, machine.on_a_node,
             slowest.first, machine.limit, slowest.second);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  return cartwright::bench::run_serial_benchmark(
      argc, argv, "first_calls", "at most 16384 ranks", [](bool quick) {
        Json cases = Json::array();
        fmt::print("{:>9} {:>8} {:>12} {:>7}  {}\n", "ranks", "a node", "slowest, ms", "limit",
                   "which");
        for (const Machine& machine : machines)
          if (!quick || machine.ranks <= 16384) measure(cases, machine);
        return cases;
      });
}
