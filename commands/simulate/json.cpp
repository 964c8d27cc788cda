// SPDX-License-Identifier: Apache-2.0
#include "json.hpp"

#include <cartwright/rt/output_file.hpp>
#include <nlohmann/json.hpp>

namespace cartwright::command {

namespace {

nlohmann::ordered_json row_of(const Compared& row) {
  nlohmann::ordered_json json{{"algorithm", row.choice.algorithm->name},
                              {"tuning", row.choice.tuning},
                              {"seconds", plan::seconds(row.time)},
                              {"seconds_by_formula", plan::seconds(row.formula)},
                              {"simulated", row.kind == plan::CostKind::simulated}};
  if (row.kind == plan::CostKind::formula) return json;
  json["spread_seconds"] = plan::seconds(row.simulation.spread);
  json["steps"] = row.simulation.steps;
  for (const plan::LevelTraffic& level : row.simulation.levels)
    json["levels"].push_back({{"level", level.level},
                              {"messages", level.all.messages},
                              {"bytes", level.all.bytes},
                              {"busiest_unit", level.busiest_unit},
                              {"busiest_messages", level.busiest.messages},
                              {"busiest_bytes", level.busiest.bytes}});
  return json;
}

}  // namespace

void write_json(const SimulateOptions& options, const plan::Machine& machine,
                const std::vector<Compared>& all) {
  nlohmann::ordered_json json{{"operation", plan::name_of(options.problem.operation)},
                              {"ranks", options.problem.ranks},
                              {"bytes", options.problem.bytes()},
                              {"machine", machine.name},
                              {"algorithms", nlohmann::ordered_json::array()}};
  for (const Compared& row : all) json["algorithms"].push_back(row_of(row));
  rt::write_file(options.json, json.dump(2) + '\n');
}

}  // namespace cartwright::command
