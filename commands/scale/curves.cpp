// SPDX-License-Identifier: Apache-2.0
#include "curves.hpp"

#include <fmt/format.h>
#include <cartwright/rt/error.hpp>

namespace cartwright::command {

namespace {

std::vector<Curve> ways(const ScaleOptions& options) {
  std::vector<Curve> curves{{options.backends.front(), true, {}},
                            {options.backends.front(), false, {}}};
  for (std::size_t i = 1; i < options.backends.size(); ++i)
    curves.push_back({options.backends[i], true, {}});
  return curves;
}

ScalingCurves curves_of(const ScaleOptions& options, const mapping::StepProfile& profile,
                        const plan::Machine& machine, mapping::Scaling scaling) {
  ScalingCurves all{scaling, ways(options), {}};
  const int base = options.base > 0 ? options.base : options.ranks.front();
  for (const int ranks : options.ranks) {
    try {
      mapping::PredictionRequest request = mapping::scaled(profile, scaling, ranks, base);
      request.node_size = options.ranks_per_node;
      request.is_here = options.machine == "here";
      for (Curve& curve : all.curves) {
        request.remapped = curve.remapped;
        request.transport = mapping::transport_of(curve.backend);
        curve.runs.push_back(mapping::predict_run(profile, machine, request));
      }
    } catch (const rt::Error& error) {
      if (all.curves.front().runs.empty()) throw;
      // Some number of ranks may fit no grid, and a larger one may again.
      all.ended = fmt::format("{}{} ranks: {}", all.ended.empty() ? "" : all.ended + "\n", ranks,
                              error.what());
    }
  }
  return all;
}

}  // namespace

std::string Curve::name() const {
  return backend + (remapped ? "" : ", ranks in order");
}

std::string ScalingCurves::title() const {
  return scaling == mapping::Scaling::strong ? "strong scaling: the grid stays"
                                             : "weak scaling: the cells of a rank stay";
}

std::vector<ScalingCurves> scaling_curves(const ScaleOptions& options,
                                          const mapping::StepProfile& profile,
                                          const plan::Machine& machine) {
  std::vector<ScalingCurves> all;
  if (options.strong) all.push_back(curves_of(options, profile, machine, mapping::Scaling::strong));
  if (options.weak) all.push_back(curves_of(options, profile, machine, mapping::Scaling::weak));
  return all;
}

}  // namespace cartwright::command
