// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/backend.hpp>
#include <cartwright/rt/communicator.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../common/statistics.hpp"
#include "limits.hpp"
#include "options.hpp"

namespace cartwright::bench {

/// One that is measured against the MPI library.
struct Contestant {
  std::string name;
  comm::Backend* backend = nullptr;
  /// What it does for a call, in a word or two; none: it doesn't say.
  std::function<std::string(const comm::Call&)> way{};
};

/// What became of a contestant in one cell of the table.
struct Row {
  std::string backend;
  std::string way{};                   ///< what it did, where it says so
  std::vector<double> ours{}, peer{};  ///< seconds, of the first measurement
  Summary ratio{};                     ///< ours / peer, of pairs
  std::optional<Limit> limit{};
  int measurements = 0;
  int exceeded = 0;  ///< in so many of them, beyond the spread

  [[nodiscard]] bool is_miss() const { return measurements > 0 && exceeded == measurements; }
};

/// An operation with a size: all contestants, measured in turns with the peer, and the peer once
/// more against itself.
struct Cell {
  plan::Operation operation = plan::Operation::barrier;
  std::size_t bytes = 0;
  /// Relative: how far the peer's median is from its own, and how uncertain that is (95 %).
  double spread = 0.0;
  std::vector<Row> rows;
};

/// Collective; the same result on all ranks. Measures again what exceeds its limit.
[[nodiscard]] Cell measure_cell(const rt::Communicator& comm, plan::Operation operation,
                                std::size_t bytes, const std::vector<Contestant>& contestants,
                                const CollectivesSelection& selection);

}  // namespace cartwright::bench
