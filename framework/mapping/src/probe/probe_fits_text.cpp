// SPDX-License-Identifier: Apache-2.0
#include <cartwright/mapping/probe/probe_analysis.hpp>
#include <nlohmann/json.hpp>

namespace cartwright::mapping {
namespace {

using FitsJson = nlohmann::ordered_json;

/// Parameters of a fit, or why there are none.
FitsJson fit_or_reason(const std::string& refusal, FitsJson parameters) {
  if (refusal.empty()) return parameters;
  return {{"refused", refusal}};
}

FitsJson points_json(const std::vector<PairsPoint>& points) {
  FitsJson json = FitsJson::array();
  for (const auto& [pairs, value] : points) json.push_back({pairs, value});
  return json;
}

FitsJson models_json(const LevelFits& level) {
  const auto& log_gp = level.log_gp.model;
  const auto& log_fp = level.log_fp.model;
  return {
      {"hockney", fit_or_reason(level.hockney.refusal, {{"alpha_s", level.hockney.alpha},
                                                        {"beta_s_per_B", level.hockney.beta}})},
      {"loggp", fit_or_reason(level.log_gp.refusal, {{"L_s", log_gp.latency},
                                                     {"o_s", log_gp.send_overhead},
                                                     {"g_s", log_gp.gap},
                                                     {"G_s_per_B", log_gp.byte_time},
                                                     {"protocol_limits_B", level.log_gp.limits}})},
      {"logfp", fit_or_reason(level.log_fp.refusal, {{"L_s", log_fp.latency},
                                                     {"o_min_s", log_fp.send_overhead_min},
                                                     {"o_max_s", log_fp.send_overhead_max},
                                                     {"o_r_s", log_fp.receive_overhead_max},
                                                     {"g_s", log_fp.gap},
                                                     {"f", log_fp.free_burst}})},
      {"pipelined", fit_or_reason(level.pipelined.refusal, {{"a_p_s", level.pipelined.pipelining},
                                                            {"a_r_s", level.pipelined.required}})}};
}

}  // namespace

std::string fits_text(const ProbeAnalysis& analysis) {
  FitsJson levels = FitsJson::array();
  for (const LevelFits& level : analysis.levels) {
    levels.push_back({{"name", level.name},
                      {"described_by", level.model},
                      {"models", models_json(level)},
                      {"window_B_per_s", level.window_bandwidth},
                      {"both_ways_B_per_s", level.both_ways_bandwidth},
                      {"pairs_message_B", level.pairs_bytes},
                      {"pairs_B_per_s", points_json(level.pairs_bandwidth)},
                      {"pairs_window_B_per_s", points_json(level.pairs_window)},
                      {"pairs_latency_s", points_json(level.pairs_latency)},
                      {"channels", level.channels()},
                      {"notes", level.notes}});
  }
  const FitsJson all{{"levels", levels}, {"notes", analysis.notes}};
  return all.dump(2) + "\n";
}

}  // namespace cartwright::mapping
