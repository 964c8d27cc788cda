// SPDX-License-Identifier: Apache-2.0
#include "json.hpp"

#include <cartwright/rt/output_file.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

namespace cartwright::command {

namespace {

nlohmann::ordered_json row_json(const MapRow& row) {
  nlohmann::ordered_json json{{"mapping", row.mapping.name},
                              {"off_node_faces", row.judgement.total()},
                              {"off_node_faces_by_axis", row.judgement.faces},
                              {"cost", row.mapping.cost},
                              {"busiest_node", row.mapping.busiest},
                              {"outgoing_lines", row.judgement.outgoing()},
                              {"outgoing_lines_by_axis", row.judgement.busiest_by_axis}};
  if (row.broadcasts.empty()) return json;
  json["halo_messages_by_level"] = row.messages;
  json["halo_seconds"] = row.halo_seconds;
  if (!row.simulated.empty()) json["simulated_halo_seconds"] = row.simulated_halo;
  for (std::size_t i = 0; i < row.broadcasts.size(); ++i) {
    const auto& broadcast = row.broadcasts[i];
    nlohmann::ordered_json one{
        {"schedule", broadcast.schedule.describe()},
        {"tree", broadcast.schedule.tree == mapping::LineTree::chain ? "chain" : "binomial"},
        {"overlapped", broadcast.schedule.overlapped},
        {"segment_bytes", broadcast.schedule.segment},
        {"seconds", broadcast.seconds}};
    if (!row.simulated.empty()) one["simulated_seconds"] = row.simulated[i];
    json["broadcasts"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

void write_map_json(const MapOptions& options, const MapProblem& problem, const MapResult& result) {
  const auto& request = problem.request;
  nlohmann::ordered_json json{{"dims", request.shape.dims},
                              {"periodic", request.shape.periodic},
                              {"node_sizes", request.node_sizes},
                              {"weights", request.weights},
                              {"faces", request.shape.faces()},
                              {"lower_bound", result.bound},
                              {"chosen", result.rows[result.chosen].mapping.name},
                              {"explanation", result.why}};
  if (problem.machine) {
    json["machine"] = problem.machine->name;
    json["face_bytes"] = problem.face_bytes;
    json["line_bytes"] = options.line_bytes;
    json["halo_explanation"] = result.why_halo;
    json["broadcast_explanation"] = result.why_broadcast;
  }
  for (const MapRow& row : result.rows) json["mappings"].push_back(row_json(row));
  json["nodes"] = result.rows[result.chosen].mapping.map.nodes;  // by rank on the grid, x fastest
  if (options.json == "-") {
    std::cout << json.dump(2) << '\n';
    return;
  }
  rt::write_file(options.json, json.dump(2) + '\n');
}

}  // namespace cartwright::command
