// SPDX-License-Identifier: Apache-2.0
#include "simulated.hpp"

#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/mapping/predict/predict.hpp>
#include <cartwright/mapping/predict/simulate_axes.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cartwright::bench {

namespace {

/// What comm does along a line whose ranks are on these nodes, when it is waited for later (as
/// collectives of several axes are).
mapping::LineMaker chosen_broadcast(const plan::Machine& machine, plan::Count bytes) {
  auto knowledge = std::make_shared<comm::Knowledge>();
  knowledge->machine = machine;
  return [knowledge, bytes](std::size_t, std::span<const int> nodes) -> plan::Maker {
    auto line = std::make_shared<const plan::Hierarchy>(
        plan::Hierarchy::named({std::vector<int>(nodes.begin(), nodes.end())}));
    const auto ranks = static_cast<int>(nodes.size());
    const comm::Selection selection(knowledge, {.ranks = ranks, .nodes = line->members(0)}, line);
    plan::Problem problem{.operation = plan::Operation::broadcast,
                          .ranks = ranks,
                          .elements = bytes,
                          .element_size = 1};
    const auto later = comm::Waiting::later;
    const comm::CallKey key{.operation = problem.operation, .size = bytes, .waiting = later};
    const auto decision = selection.decide_for(selection.decide(key).backend, problem, later);
    problem.nodes = line.get();
    return [line, make = decision.choice.maker(problem)](plan::Team team) { return make(team); };
  };
}

}  // namespace

plan::Machine one_link_machine(int cores) {
  plan::Machine machine = plan::typical_machine(cores);
  machine.name = "one link";
  machine.levels.front().leaving = {{12e9}};
  return machine;
}

plan::Machine with_cores(plan::Machine machine, int cores) {
  const auto node = static_cast<std::ptrdiff_t>(mapping::node_level(machine));
  machine.levels.erase(machine.levels.begin(), machine.levels.begin() + node);
  machine.levels.front().units = 0;
  while (machine.ranks_in_unit(0) < cores) ++machine.levels.back().units;
  return machine;
}

double halo_seconds(const mapping::NodeMap& map, const plan::Machine& machine,
                    plan::Count face_bytes) {
  const std::vector<plan::Count> bytes(map.shape.dims.size(), face_bytes);
  return plan::seconds(mapping::simulate_halo(map, machine, bytes).total);
}

double broadcast_seconds(const mapping::NodeMap& map, const plan::Machine& machine,
                         plan::Count bytes) {
  const bool at_once =
      mapping::overlap_pays(map, mapping::node_channels(machine), static_cast<double>(bytes));
  const auto make = chosen_broadcast(machine, bytes);
  return plan::seconds(mapping::simulate_lines(map, machine, make, bytes, at_once).total);
}

}  // namespace cartwright::bench
