// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/predict/run_prediction.hpp>
#include <string>
#include <vector>

#include "options.hpp"

namespace cartwright::command {

/// One way to run, for all numbers of ranks that can share the grid.
struct Curve {
  std::string backend;
  bool remapped = true;
  std::vector<mapping::PredictedRun> runs;

  /// "auto", "auto, ranks in order".
  [[nodiscard]] std::string name() const;
};

/// All curves of one kind of scaling: first the one that is shown in full, then the same without
/// remapping, then other backends.
struct ScalingCurves {
  mapping::Scaling scaling = mapping::Scaling::strong;
  std::vector<Curve> curves;
  std::string ended;  ///< why more ranks can't share the grid; empty if all can

  [[nodiscard]] std::string title() const;
};

/// Throws the input error of a run where not even the fewest ranks can share the grid.
[[nodiscard]] std::vector<ScalingCurves> scaling_curves(const ScaleOptions& options,
                                                        const mapping::StepProfile& profile,
                                                        const plan::Machine& machine);

}  // namespace cartwright::command
