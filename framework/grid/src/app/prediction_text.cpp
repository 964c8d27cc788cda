// SPDX-License-Identifier: Apache-2.0
#include "prediction_text.hpp"

#include <fmt/format.h>

#include <cartwright/plan/models/time.hpp>
#include <cartwright/plan/models/time_text.hpp>
#include <cartwright/rt/progress_line.hpp>

namespace cartwright::grid {
namespace {

std::string time_text(double seconds) {
  constexpr double longest = 9e6;  // that whole picoseconds can say
  if (seconds > longest) return fmt::format("{:.4g} s", seconds);
  return plan::time_text(plan::picoseconds(seconds));
}

std::string detail_of(mapping::RunPart part, const mapping::StepProfile& profile,
                      const mapping::PredictedRun& run) {
  using enum mapping::RunPart;
  switch (part) {
    case kernels:
      return run.by_memory ? "wait for memory, which cores share" : "";
    case halo:
      if (run.flight <= 0.0) return {};
      return fmt::format("messages fly for {}; {}", time_text(run.flight), run.around.mapping);
    case reductions: {
      double calls = 0.0;
      for (const mapping::CollectiveKind& kind : profile.collectives) calls += kind.times;
      return fmt::format("{:.3g} collectives", calls);
    }
    case output:
      return "of all steps alike; times by " + profile.output_source;
    default:
      return {};
  }
}

}  // namespace

void say_prediction(rt::Log& log, const mapping::StepProfile& profile, const plan::Machine& machine,
                    const mapping::PredictedRun& run) {
  const double step = run.step();
  log.entry("machine", fmt::format("{}: {}", machine.name, machine.about));
  log.entry("nodes", fmt::format("{} of {} cores", run.nodes,
                                 machine.levels.empty() ? 1 : run.cores_of_node));
  log.entry("a step", fmt::format("{}, predicted: {} has the largest part", time_text(step),
                                  mapping::name_of(run.largest())));
  if (!profile.at_once.empty())
    log.entry("steps at once", fmt::format("{}, by prediction", run.steps_at_once));
  for (std::size_t i = 0; i < mapping::run_parts; ++i) {
    const auto part = static_cast<mapping::RunPart>(i);
    const std::string detail = detail_of(part, profile, run);
    log.entry(fmt::format("  {}", mapping::name_of(part)),
              fmt::format("{:>10} {:>5.1f} %{}{}", time_text(run.of(part)),
                          step > 0.0 ? 100.0 * run.of(part) / step : 0.0,
                          detail.empty() ? "" : "  ", detail));
  }
  for (const std::string& remark : run.remarks) log.entry("note", remark);
  log.entry("time", fmt::format("about {}, an estimate: {} steps; kernels {}\n"
                                "start-up, initial data and ranks that wait for each other are not "
                                "in it",
                                rt::ProgressLine::duration_text(step * profile.steps),
                                profile.steps, profile.measured));
}

}  // namespace cartwright::grid
