// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/selection/decision.hpp>
#include <cartwright/plan/cuts.hpp>
#include <cartwright/plan/selection/operation.hpp>
#include <string>
#include <vector>

namespace cartwright::comm {

/// What a communicator looks like to whoever chooses an algorithm for it: the same on all its
/// ranks.
struct CommunicatorShape {
  int ranks = 1;
  int nodes = 1;
  // What was tuned doesn't depend on these.
  bool shares_memory = true;  ///< those of its ranks that are on one node
  bool far_cores = false;     ///< as measured by NodeMemory
  int node_ranks = 1;         ///< most on a node, with those of other lines of a grid
  [[nodiscard]] bool is_in_memory() const { return nodes == 1 && shares_memory; }
  friend bool operator==(const CommunicatorShape& a, const CommunicatorShape& b) {
    return a.ranks == b.ranks && a.nodes == b.nodes;
  }
};

/// The quickest way that was measured for an operation of some size.
struct TunedWinner {
  plan::Operation operation = plan::Operation::barrier;
  plan::Count bytes = 0;  ///< of the vector, or of each rank's block
  BackendId backend = BackendId::native;
  std::string algorithm;      ///< "ring"; empty for native
  double seconds = 0;         ///< its median time
  double native_seconds = 0;  ///< that of the MPI library's own
};

/// Winners that were measured on communicators of some shapes.
class TuningTable {
 public:
  void add(const CommunicatorShape& shape, TunedWinner winner);
  [[nodiscard]] bool empty() const { return shapes_.empty(); }
  /// The winner at the measured size nearest to `bytes` (by ratio). Null when that operation was
  /// never measured on that shape.
  [[nodiscard]] const TunedWinner* find(const CommunicatorShape& shape, plan::Operation operation,
                                        plan::Count bytes) const;
  /// The same where it counts for `bytes`: these lie between two measured sizes, or are at most
  /// twice or at least half of one. Null elsewhere: what is quick there was never measured.
  [[nodiscard]] const TunedWinner* find_near(const CommunicatorShape& shape,
                                             plan::Operation operation, plan::Count bytes) const;
  /// Measurements of `newer` replace those of the same shape and operation.
  void replace_by(const TuningTable& newer);

  [[nodiscard]] std::string to_json() const;
  /// Throws an input error that names `source` when the text isn't such a table.
  [[nodiscard]] static TuningTable from_json(const std::string& text, const std::string& source);

 private:
  struct OfShape {
    CommunicatorShape shape;
    std::vector<TunedWinner> winners;  // by operation, then by bytes
  };
  [[nodiscard]] const OfShape* of(const CommunicatorShape& shape) const;
  OfShape& entry(const CommunicatorShape& shape);

  std::vector<OfShape> shapes_;
};

}  // namespace cartwright::comm
