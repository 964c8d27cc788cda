// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <cartwright/rt/runtime.hpp>
#include <memory>
#include <vector>

namespace cartwright::grid {

/// The same problem with fewer cells, about so many. Which ranks compute them, and how they talk,
/// suits the whole one only.
/// `spacing`: the same as the run's, so that a part of the domain is left, or as much larger as the
/// whole of it needs.
enum class SampleSpacing { as_the_run, whole_domain };
[[nodiscard]] RunRequest sample_request(const RunRequest& request, double cells,
                                        SampleSpacing spacing = SampleSpacing::as_the_run);

/// What the solver's own loop does and takes on small grids of the same spacing.
struct MeasuredLoop {
  Sample sample;                                      ///< on the largest of them
  std::shared_ptr<const mapping::Topology> topology;  ///< of this run
  mapping::StepProfile profile;  ///< without kernels where too few steps were made
};

/// Collective. Measures with about so many cells for each rank, ascending; where the grid has fewer
/// it is taken whole. `blocks`: the least cells of the run's ranks along each axis; they say how
/// many steps at once a run may try. Writes nothing. The times of output are those of the last
/// report in the run's directory, if it is this solver's, else round numbers.
[[nodiscard]] MeasuredLoop measure_loop(rt::Runtime& runtime, const RunRequest& request,
                                        const SolverEntry& solver,
                                        const std::vector<double>& cells_of_rank,
                                        const std::vector<long long>& blocks);

/// Collective. Measures also with 1, 2 and 4 steps at once, where ranks may choose and the solver's
/// loop can: which is the quickest depends on how many ranks there are (see StepsAtOnce).
/// `measured` comes from `measure_loop` with the same arguments.
void measure_steps_at_once(rt::Runtime& runtime, const RunRequest& request,
                           const SolverEntry& solver, const std::vector<double>& cells_of_rank,
                           MeasuredLoop& measured);

}  // namespace cartwright::grid
