// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cartwright::mapping {

/// How the ranks of a run are bound to cores, as verified: the same on every rank.
struct Binding {
  int ranks = 0;
  int nodes = 1;
  int fewest_cores = 0;  ///< cores that the rank with the fewest may use
  int most_cores = 0;
  int unbound_ranks = 0;        ///< ranks that may use every core of a node with more than one core
  int sharing_ranks = 0;        ///< ranks that may run on a core of another rank
  int smallest_node_cores = 0;  ///< cores available to the job on the smallest node

  /// Ranks share cores: "process to core" means nothing, and times vary.
  [[nodiscard]] bool is_doubtful() const noexcept;
  /// "2 ranks, each bound to 1 core", or what is wrong: one line.
  [[nodiscard]] std::string describe() const;
};

}  // namespace cartwright::mapping
