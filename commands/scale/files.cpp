// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cartwright/mapping/probe/chart.hpp>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

namespace cartwright::command {

namespace {

const char* name_of(mapping::Scaling scaling) {
  return scaling == mapping::Scaling::strong ? "strong" : "weak";
}

void for_each_run(const std::vector<ScalingCurves>& all,
                  const std::function<void(const ScalingCurves&, const Curve&,
                                           const mapping::PredictedRun&)>& visit) {
  for (const ScalingCurves& scaling : all)
    for (const Curve& curve : scaling.curves)
      for (const mapping::PredictedRun& run : curve.runs) visit(scaling, curve, run);
}

mapping::ChartSeries line(std::string name, const std::vector<mapping::PredictedRun>& runs,
                          const std::function<double(const mapping::PredictedRun&)>& value) {
  mapping::ChartSeries series{
      .name = std::move(name), .points = {}, .is_line = true, .is_marked = true};
  for (const mapping::PredictedRun& run : runs)
    series.points.push_back({static_cast<double>(run.ranks), value(run)});
  return series;
}

/// Two lines that nobody could tell apart.
bool is_like(const std::vector<mapping::PredictedRun>& a,
             const std::vector<mapping::PredictedRun>& b) {
  constexpr double a_pixel = 0.02;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i].step() / b[i].step() - 1.0) > a_pixel) return false;
  return true;
}

/// What is far below the quickest step would only press the rest together.
void leave_out_small(mapping::Chart& chart, const std::vector<mapping::PredictedRun>& runs) {
  constexpr double far_below = 1e-3;
  double least = runs.front().step();
  for (const mapping::PredictedRun& run : runs) least = std::min(least, run.step());
  for (mapping::ChartSeries& series : chart.series)
    std::erase_if(series.points, [&](const auto& point) { return point.y < far_below * least; });
  std::erase_if(chart.series, [](const auto& series) { return series.points.empty(); });
}

mapping::Chart chart_of(const mapping::StepProfile& profile, const plan::Machine& machine,
                        const ScalingCurves& scaling) {
  const std::vector<mapping::PredictedRun>& runs = scaling.curves.front().runs;
  mapping::Chart chart;
  chart.title =
      fmt::format("{} on {}, predicted; {}", profile.solver, machine.name, scaling.title());
  for (const mapping::Bend& bend : mapping::bends(runs, scaling.scaling))
    chart.note += fmt::format("{} {} ranks: {}", chart.note.empty() ? "bends at" : "; at",
                              bend.ranks, mapping::name_of(bend.part));
  chart.x = {"ranks", true, true};
  chart.y = {"time of a step  [s]", true};
  chart.legend_is_beside = true;
  const auto whole = [](const mapping::PredictedRun& run) { return run.step(); };
  chart.series.push_back(line("a step", runs, whole));
  chart.series.back().width = 3.0;
  const mapping::PredictedRun& first = runs.front();
  chart.series.push_back(line("ideal", runs, [&](const mapping::PredictedRun& run) {
    return scaling.scaling == mapping::Scaling::weak ? first.step()
                                                     : first.step() * first.ranks / run.ranks;
  }));
  chart.series.back().is_dashed = true;
  chart.series.back().is_marked = false;
  for (std::size_t part = 0; part < mapping::run_parts; ++part) {
    const auto which = static_cast<mapping::RunPart>(part);
    chart.series.push_back(
        line(std::string(mapping::name_of(which)), runs,
             [which](const mapping::PredictedRun& run) { return run.of(which); }));
  }
  for (std::size_t way = 1; way < scaling.curves.size(); ++way) {
    const Curve& curve = scaling.curves[way];
    if (is_like(curve.runs, runs)) continue;
    chart.series.push_back(line("a step: " + curve.name(), curve.runs, whole));
    chart.series.back().is_dashed = true;
  }
  leave_out_small(chart, runs);
  return chart;
}

}  // namespace

std::string scaling_json(const mapping::StepProfile& profile, const plan::Machine& machine,
                         const std::vector<ScalingCurves>& all) {
  nlohmann::ordered_json json{{"solver", profile.solver},   {"deck", profile.deck},
                              {"extents", profile.extents}, {"steps", profile.steps},
                              {"machine", machine.name},    {"measured", profile.measured}};
  for (const ScalingCurves& scaling : all) {
    auto& bends = json["bends"][name_of(scaling.scaling)] = nlohmann::ordered_json::array();
    for (const mapping::Bend& bend : mapping::bends(scaling.curves.front().runs, scaling.scaling))
      bends.push_back(
          {{"ranks", bend.ranks}, {"part", mapping::name_of(bend.part)}, {"why", bend.why}});
  }
  json["predictions"] = nlohmann::ordered_json::array();
  for_each_run(all, [&json](const ScalingCurves& scaling, const Curve& curve,
                            const mapping::PredictedRun& run) {
    nlohmann::ordered_json row{{"scaling", name_of(scaling.scaling)},
                               {"backend", curve.backend},
                               {"remapped", curve.remapped},
                               {"ranks", run.ranks},
                               {"nodes", run.nodes},
                               {"process_grid", run.process_grid},
                               {"steps_at_once", run.steps_at_once},
                               {"cells_of_rank", run.block},
                               {"mapping", run.around.mapping},
                               {"step_seconds", run.step()},
                               {"flight_seconds", run.flight}};
    for (std::size_t part = 0; part < mapping::run_parts; ++part)
      row["parts"][std::string(mapping::name_of(static_cast<mapping::RunPart>(part)))] =
          run.seconds[part];
    json["predictions"].push_back(std::move(row));
  });
  return json.dump(2) + '\n';
}

std::string scaling_csv(const std::vector<ScalingCurves>& all) {
  std::string text = "scaling,backend,remapped,ranks,nodes,process_grid,steps_at_once,step_seconds";
  for (std::size_t part = 0; part < mapping::run_parts; ++part)
    text += fmt::format(",{} [s]", mapping::name_of(static_cast<mapping::RunPart>(part)));
  text += '\n';
  for_each_run(all, [&text](const ScalingCurves& scaling, const Curve& curve,
                            const mapping::PredictedRun& run) {
    text += fmt::format("{},{},{},{},{},{},{},{}", name_of(scaling.scaling), curve.backend,
                        curve.remapped ? "yes" : "no", run.ranks, run.nodes,
                        fmt::join(run.process_grid, "x"), run.steps_at_once, run.step());
    for (const double seconds : run.seconds) text += fmt::format(",{}", seconds);
    text += '\n';
  });
  return text;
}

std::string scaling_picture(const mapping::StepProfile& profile, const plan::Machine& machine,
                            const std::vector<ScalingCurves>& all) {
  std::vector<mapping::Chart> charts;
  charts.reserve(all.size());
  for (const ScalingCurves& scaling : all) charts.push_back(chart_of(profile, machine, scaling));
  return mapping::svg_below_each_other(charts);
}

}  // namespace cartwright::command
