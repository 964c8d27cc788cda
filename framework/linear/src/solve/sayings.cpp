// SPDX-License-Identifier: Apache-2.0
#include <cartwright/linear/solve/sayings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/field/place_in_field.hpp>
#include <cartwright/grid/run/app.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::linear {

void refuse_first_residual(const grid::App& app, const std::string& system, double residual,
                           const std::vector<Suspect>& suspects) {
  const long long step = app.step_under_way();
  const std::string where = step == 0 ? system : fmt::format("step {}: {}", step, system);
  for (const Suspect& suspect : suspects) {
    const std::string place = grid::place_not_finite(*suspect.field);
    if (!place.empty())
      throw rt::numerical_failure(
          fmt::format("{}: {} is not a finite number, {}", where, suspect.what, place),
          suspect.advice, rt::Reach::all_ranks);
  }
  throw rt::numerical_failure(
      fmt::format("{}: the first residual is {:g}: its squares are too large to be added", where,
                  residual),
      "Choose units in which the numbers are smaller.", rt::Reach::all_ranks);
}

void note_rounding(const grid::App& app, const std::string& system, const grid::InnerLoop& loop,
                   double tolerance) {
  const double reached = loop.convergence().relative();
  if (loop.iterations() == 0 || reached <= tolerance) return;
  const auto record = std::ranges::find(app.inner_loops(), system, &grid::InnerLoopRecord::name);
  if (record == app.inner_loops().end() || record->solutions > 1) return;
  app.runtime().log().info(
      fmt::format("{}: the tolerance of {:g} is below what rounding allows here: {:.2g} was "
                  "reached, and counts as converged",
                  system, tolerance, reached));
}

}  // namespace cartwright::linear
