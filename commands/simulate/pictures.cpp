// SPDX-License-Identifier: Apache-2.0
#include "pictures.hpp"

#include <fmt/format.h>

#include <cartwright/plan/simulation/timeline.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/output_file.hpp>
#include <functional>
#include <sstream>

namespace cartwright::command {

namespace {

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::ostringstream out;
  write(out);
  rt::write_file(path, out.view());
  fmt::print("wrote {}\n", path);
}

}  // namespace

void write_pictures(const SimulateOptions& options, const plan::Machine& machine,
                    const plan::Choice& choice) {
  if (options.timeline.empty() && options.trace.empty()) return;
  if (plan::steps_of(options.problem, choice) > 5'000'000)
    throw rt::input_error("a timeline of so many steps shows nothing",
                          "Take fewer ranks, or another algorithm with --algorithm.");
  std::vector<plan::Picoseconds> arrivals;
  plan::SimulationOptions simulation = simulation_options(options, arrivals);
  simulation.record = plan::Record::timeline;
  const plan::Simulation run = plan::simulate_choice(options.problem, machine, choice, simulation);
  const std::string title =
      fmt::format("{} by {}: {} B on {} ranks of {}", plan::name_of(options.problem.operation),
                  choice.name(), options.problem.bytes(), options.problem.ranks, machine.name);
  if (!options.timeline.empty())
    write_file(options.timeline,
               [&](std::ostream& out) { plan::write_svg(out, run.timeline, {.title = title}); });
  if (!options.trace.empty())
    write_file(options.trace, [&](std::ostream& out) { plan::write_trace(out, run.timeline); });
}

}  // namespace cartwright::command
