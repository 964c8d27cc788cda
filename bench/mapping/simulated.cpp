// SPDX-License-Identifier: Apache-2.0
#include "simulated.hpp"

#include <algorithm>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/mapping/predict/predict.hpp>
#include <cartwright/mapping/predict/simulate_axes.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cartwright::bench {

namespace {

/// What comm chooses for lines, when they are waited for later (as collectives of several axes
/// are).
class LineChoices {
 public:
  LineChoices(const plan::Machine& machine, int node_ranks, plan::Count bytes)
      : node_ranks_(node_ranks), bytes_(bytes) {
    knowledge_->machine = machine;
  }
  /// Of a line; many have their nodes in the same order.
  const plan::Choice& of(const std::shared_ptr<const plan::Hierarchy>& line) {
    std::vector<int> members;
    for (int rank = 0; rank < line->ranks(); ++rank)
      members.push_back(line->member_at(0, line->place_of(rank)));
    const auto [known, is_new] = choices_.try_emplace(std::move(members));
    if (is_new) known->second = choose(line);
    return known->second;
  }
  [[nodiscard]] plan::Problem problem(const plan::Hierarchy& line) const {
    return {.operation = plan::Operation::broadcast,
            .ranks = line.ranks(),
            .elements = bytes_,
            .element_size = 1};
  }

 private:
  [[nodiscard]] plan::Choice choose(const std::shared_ptr<const plan::Hierarchy>& line) const {
    const comm::Selection selection(
        knowledge_, {.ranks = line->ranks(), .nodes = line->members(0), .node_ranks = node_ranks_},
        line);
    const auto later = comm::Waiting::later;
    const comm::CallKey key{
        .operation = plan::Operation::broadcast, .size = bytes_, .waiting = later};
    return selection.decide_for(selection.decide(key).backend, problem(*line), later).choice;
  }

  std::shared_ptr<comm::Knowledge> knowledge_ = std::make_shared<comm::Knowledge>();
  int node_ranks_;
  plan::Count bytes_;
  std::map<std::vector<int>, plan::Choice> choices_;  // by the node of each rank
};

/// What comm does along a line whose ranks are on these nodes.
mapping::LineMaker chosen_broadcast(const mapping::NodeMap& map, const plan::Machine& machine,
                                    plan::Count bytes) {
  const auto sizes = map.sizes();
  const auto choices =
      std::make_shared<LineChoices>(machine, *std::max_element(sizes.begin(), sizes.end()), bytes);
  return [choices](std::size_t, std::span<const int> nodes) -> plan::Maker {
    auto line = std::make_shared<const plan::Hierarchy>(
        plan::Hierarchy::named({std::vector<int>(nodes.begin(), nodes.end())}));
    plan::Problem problem = choices->problem(*line);
    problem.nodes = line.get();
    return [line, make = choices->of(line).maker(problem)](plan::Team team) { return make(team); };
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
  const auto make = chosen_broadcast(map, machine, bytes);
  return plan::seconds(mapping::simulate_lines(map, machine, make, bytes, at_once).total);
}

}  // namespace cartwright::bench
