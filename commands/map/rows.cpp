// SPDX-License-Identifier: Apache-2.0
#include "rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/faces/lower_bound.hpp>
#include <cartwright/mapping/predict/scheduled_mapping.hpp>
#include <cartwright/mapping/predict/simulate_axes.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>

namespace cartwright::command {

namespace {

/// Positions go round the nodes, as long as these have room.
mapping::MappingCandidate round_robin(const mapping::MappingRequest& request) {
  auto left = request.node_sizes;
  mapping::NodeMap map{request.shape, {}, static_cast<int>(left.size())};
  std::size_t node = 0;
  const auto positions = static_cast<std::size_t>(request.shape.size());
  while (map.nodes.size() < positions) {
    if (left[node] > 0) {
      --left[node];
      map.nodes.push_back(static_cast<int>(node));
    }
    node = (node + 1) % left.size();
  }
  const mapping::FaceTable faces(request.shape, request.weights);
  const double cost = faces.cost(map.nodes);
  const double busiest = faces.busiest(map.nodes, map.node_count);
  return {"round-robin", std::move(map), cost, busiest};
}

double simulated_seconds(const MapOptions& options, const MapProblem& problem,
                         const mapping::NodeMap& map, const mapping::AxisSchedule& schedule) {
  constexpr long long most_steps = 20'000'000;
  const double segments =
      schedule.tree == mapping::LineTree::chain
          ? std::ceil(static_cast<double>(options.line_bytes) / schedule.segment)
          : 1.0;
  if (2.0 * segments * static_cast<double>(map.nodes.size() * map.shape.dims.size()) > most_steps) {
    throw rt::input_error("--simulate: that many messages would take minutes",
                          "Take fewer ranks, or shorter lines with --line.");
  }
  return plan::seconds(
      mapping::simulate_axes(map, *problem.machine, schedule, options.line_bytes).total);
}

MapRow row_of(const MapOptions& options, const MapProblem& problem,
              mapping::MappingCandidate candidate) {
  MapRow row{.mapping = std::move(candidate),
             .judgement = {},
             .messages = {},
             .broadcasts = {},
             .simulated = {}};
  const mapping::NodeMap& map = row.mapping.map;
  row.judgement = mapping::judge(map, problem.request.weights);
  if (!problem.machine) return row;
  const auto channels = mapping::node_channels(*problem.machine);
  row.messages = mapping::halo_messages_by_level(map, *problem.machine);
  row.halo_seconds = mapping::halo_time(map, channels, problem.face_bytes);
  row.broadcasts = mapping::axis_times(map, channels, static_cast<double>(options.line_bytes));
  if (!options.simulate) return row;
  const std::vector<plan::Count> bytes(problem.face_bytes.begin(), problem.face_bytes.end());
  row.simulated_halo = plan::seconds(mapping::simulate_halo(map, *problem.machine, bytes).total);
  for (const auto& broadcast : row.broadcasts)
    row.simulated.push_back(simulated_seconds(options, problem, map, broadcast.schedule));
  return row;
}

std::string explain(const MapResult& result) {
  const MapRow& before = result.rows.front();
  const MapRow& after = result.rows[result.chosen];
  const auto percent = [&](const MapRow& row) {
    return 100.0 * (row.mapping.cost / result.bound - 1.0);
  };
  std::string first = after.mapping.name + ": ";
  if (result.bound <= 0.0) {
    first += "nothing has to leave a node";
  } else if (after.mapping.cost <= result.bound) {
    first += "no mapping can leave less between nodes";
  } else {
    first += fmt::format("at most {:.0f} % above what any mapping must leave between nodes",
                         std::ceil(percent(after) - 1e-9));
  }
  if (result.chosen == 0) return first + "\nthe ranks stay where they are: nothing else is better";
  return first +
         fmt::format("\nbefore: {:.2f} times as much between nodes, {:.2f} times at the busiest",
                     before.mapping.cost / std::max(after.mapping.cost, 1e-300),
                     before.mapping.busiest / std::max(after.mapping.busiest, 1e-300));
}

/// Which mapping (and schedule) takes least time, and why: over all candidates.
void explain_times(const MapOptions& options, const MapProblem& problem,
                   const std::vector<mapping::MappingCandidate>& candidates, MapResult& result) {
  const auto channels = mapping::node_channels(*problem.machine);
  const mapping::GridWorkload halos{.face_bytes = problem.face_bytes, .halos = 1.0};
  const mapping::GridWorkload broadcasts{.line_bytes = static_cast<double>(options.line_bytes),
                                         .broadcasts = 1.0};
  const auto explanation = [&](const mapping::GridWorkload& workload) {
    return mapping::choose_mapping_and_schedule(candidates, channels, workload).explanation;
  };
  result.why_halo = explanation(halos);
  result.why_broadcast = explanation(broadcasts);
}

}  // namespace

const mapping::AxisPrediction& MapRow::best_broadcast() const {
  return *std::min_element(broadcasts.begin(), broadcasts.end(),
                           [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
}

MapResult map_rows(const MapOptions& options, const MapProblem& problem) {
  auto candidates = mapping::mapping_portfolio(problem.request);
  candidates.insert(candidates.begin() + 1, round_robin(problem.request));
  auto chosen = mapping::choose_mapping(problem.request);
  const auto same = std::find_if(candidates.begin(), candidates.end(), [&](const auto& candidate) {
    return candidate.map.nodes == chosen.map.nodes;
  });
  auto index = static_cast<std::size_t>(same - candidates.begin());
  if (same == candidates.end()) candidates.push_back(std::move(chosen));

  MapResult result;
  result.bound = mapping::sharp_lower_bound(problem.request.shape, problem.request.node_sizes,
                                            problem.request.weights);
  if (problem.machine) explain_times(options, problem, candidates, result);
  if (!options.compare) {
    std::vector<mapping::MappingCandidate> two{candidates.front()};
    if (index != 0) two.push_back(candidates[index]);
    index = two.size() - 1;
    candidates = std::move(two);
  }
  for (auto& candidate : candidates)
    result.rows.push_back(row_of(options, problem, std::move(candidate)));
  result.chosen = index;
  result.why = explain(result);
  return result;
}

}  // namespace cartwright::command
