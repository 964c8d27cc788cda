// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/faces/grid_shape.hpp>
#include <cartwright/mapping/predict/rank_surroundings.hpp>
#include <cartwright/mapping/predict/run_prediction.hpp>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <vector>

namespace cartwright::mapping {

/// Seconds of a step.
struct HaloTime {
  double copying = 0.0;  ///< packing and unpacking
  double flight = 0.0;   ///< messages under way
  double exposed = 0.0;  ///< of it, what no kernel runs beside
};

/// A grid on its ranks.
struct DealtGrid {
  const std::vector<long long>& extents;
  const GridShape& shape;
  const std::vector<long long>& block;  ///< cells of the largest
  const Surroundings& around;
};

/// Of all exchanges of a step, for the rank and the node that have most to send. `kernels`: seconds
/// of a step's kernels, which run beside exchanges that are overlapped.
[[nodiscard]] HaloTime halo_time(const StepProfile& profile, const plan::Machine& machine,
                                 const DealtGrid& grid, Transport transport, double kernels);

}  // namespace cartwright::mapping
