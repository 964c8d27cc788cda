// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/execution/traffic.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cartwright::comm {
class CartComm;
}
namespace cartwright::rt {
class Report;
}

namespace cartwright::grid {

/// Exchanges of one plan, for predictions.
struct ExchangeCount {
  std::array<long long, 3> extents{1, 1, 1};  ///< cells of the whole grid
  std::size_t layer_bytes = 0;                ///< for each cell of a face, all fields together
  bool corners = false;                       ///< of at least one field
  std::int64_t times = 0;
  std::int64_t overlapped = 0;  ///< of them: beside a kernel
};

/// What this rank's halo exchanges have amounted to, for the report.
struct HaloStatistics {
  std::int64_t exchanges = 0;
  comm::Traffic traffic;             ///< sent
  double overlapped_seconds = 0.0;   ///< computing while messages were in flight
  double waited_seconds = 0.0;       ///< doing nothing but waiting for messages
  std::int64_t tried_sweeps = 0;     ///< beside exchanges, in a manner that may not be kept
  std::vector<ExchangeCount> plans;  ///< in the order in which they were made
};

/// Collective. Adds the sum over the ranks to the report: messages and bytes per class of link, and
/// how much of the time in flight was hidden behind kernels.
void report_halos(rt::Report& report, const comm::CartComm& comm, const HaloStatistics& mine);

}  // namespace cartwright::grid
