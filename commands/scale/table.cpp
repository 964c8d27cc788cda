// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cartwright/plan/models/time.hpp>
#include <cartwright/plan/models/time_text.hpp>
#include <set>

namespace cartwright::command {

namespace {

std::string time_text(double seconds) {
  constexpr double longest = 9e6;  // that whole picoseconds can say
  if (seconds > longest) return fmt::format("{:.4g} s", seconds);
  return plan::time_text(plan::picoseconds(seconds));
}

void print_head(const mapping::StepProfile& profile, const plan::Machine& machine) {
  fmt::print("{} ({}), {} cells, {} steps\n", profile.solver, profile.deck,
             fmt::join(profile.extents, " x "), profile.steps);
  fmt::print("machine {}: {}\n", machine.name, machine.about);
  fmt::print("kernels {}; output by {}\n", profile.measured, profile.output_source);
}

/// `may_choose`: how many steps ranks make at once.
void print_parts(const ScalingCurves& scaling, bool may_choose) {
  const std::vector<mapping::PredictedRun>& runs = scaling.curves.front().runs;
  fmt::print("\n{}; {}\n", scaling.title(), scaling.curves.front().name());
  fmt::print("{:>9} {:>7} {:>16} {:>18}{} {:>10} {:>5}", "ranks", "nodes", "process grid",
             "cells of a rank", may_choose ? "  at once" : "", "step", "eff.");
  for (std::size_t part = 0; part < mapping::run_parts; ++part)
    fmt::print(" {:>14}", mapping::name_of(static_cast<mapping::RunPart>(part)));
  fmt::print("\n");
  for (const mapping::PredictedRun& run : runs) {
    fmt::print("{:>9} {:>7} {:>16} {:>18}{} {:>10} {:>4.0f}%", run.ranks, run.nodes,
               fmt::format("{}", fmt::join(run.process_grid, " x ")),
               fmt::format("{}", fmt::join(run.block, " x ")),
               may_choose ? fmt::format("{:>9}", run.steps_at_once) : "", time_text(run.step()),
               100.0 * mapping::efficiency(runs.front(), run, scaling.scaling));
    for (const double seconds : run.seconds) fmt::print(" {:>14}", time_text(seconds));
    fmt::print("\n");
  }
}

void print_ways(const ScalingCurves& scaling) {
  fmt::print("\na step of other ways to run, against {}\n{:>9}", scaling.curves.front().name(),
             "ranks");
  for (const Curve& curve : scaling.curves) fmt::print(" {:>24}", curve.name());
  fmt::print("\n");
  for (std::size_t row = 0; row < scaling.curves.front().runs.size(); ++row) {
    const double first = scaling.curves.front().runs[row].step();
    fmt::print("{:>9}", scaling.curves.front().runs[row].ranks);
    for (const Curve& curve : scaling.curves)
      fmt::print(" {:>16} {:>7}", time_text(curve.runs[row].step()),
                 fmt::format("x{:.2f}", curve.runs[row].step() / first));
    fmt::print("\n");
  }
}

void print_words(const ScalingCurves& scaling) {
  const auto bends = mapping::bends(scaling.curves.front().runs, scaling.scaling);
  if (bends.empty()) fmt::print("\ndoesn't bend: cores lose less than half of their work\n");
  for (const mapping::Bend& bend : bends)
    fmt::print("{}bends at {} ranks, where cores have lost half of their work again: {}\n",
               &bend == &bends.front() ? "\n" : "", bend.ranks, bend.why);
  if (!scaling.ended.empty()) fmt::print("{}\n", scaling.ended);
  std::set<std::string> remarks;
  for (const mapping::PredictedRun& run : scaling.curves.front().runs)
    if (!run.remarks.empty()) remarks.insert(run.remarks.begin(), run.remarks.end());
  if (!remarks.empty()) fmt::print("note: {}\n", *remarks.rbegin());
}

}  // namespace

void print_scaling(const mapping::StepProfile& profile, const plan::Machine& machine,
                   const std::vector<ScalingCurves>& all) {
  print_head(profile, machine);
  for (const ScalingCurves& scaling : all) {
    print_parts(scaling, !profile.at_once.empty());
    print_ways(scaling);
    print_words(scaling);
  }
  fmt::print("\neff.: work of a core against that of the first row; 100 % is ideal.\n");
}

}  // namespace cartwright::command
