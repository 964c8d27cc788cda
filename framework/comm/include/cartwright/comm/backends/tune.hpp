// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/backends.hpp>
#include <cartwright/comm/selection/tuning_table.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <functional>
#include <string>
#include <vector>

namespace cartwright::comm {

/// What is measured, and how thoroughly.
struct TuningEffort {
  std::vector<plan::Operation> operations;  ///< empty: all
  std::vector<plan::Count> bytes;           ///< of the vector, or of each rank's block; ascending
  plan::Count most_bytes = plan::Count{64} << 20;  ///< of a buffer: greater cases are left out
  double first_look = 0.01;                        ///< s for each candidate
  double final_look = 0.2;  ///< s for each finalist, in turns with the MPI library's own
  int finalists = 3;        ///< besides the MPI library's own
  /// Winners must be quicker than the MPI library by this much: less can't be told apart.
  double clear_gain = 1.03;
};

/// Called on every rank before each case: how many are done, of how many, and what comes next.
using TuningProgress = std::function<void(int done, int all, const std::string& next)>;

/// Collective: measures every backend and algorithm on this very communicator; the same table on
/// all ranks. What the backends know of the
/// machine says which tunings of algorithms are worth a try. Times are medians, over
/// repetitions, of the time per call on the slowest rank. The backends must have p2p.
[[nodiscard]] TuningTable tune(const rt::Communicator& comm, const Backends& backends,
                               const TuningEffort& effort, const TuningProgress& progress = {});

}  // namespace cartwright::comm
