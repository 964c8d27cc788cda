// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/execution/traffic.hpp>
#include <cstdint>

namespace cartwright::comm {
class CartComm;
}
namespace cartwright::rt {
class Report;
}

namespace cartwright::grid {

/// What this rank's halo exchanges have amounted to, for the report.
struct HaloStatistics {
  std::int64_t exchanges = 0;
  comm::Traffic traffic;            ///< sent
  double overlapped_seconds = 0.0;  ///< computing while messages were in flight
  double waited_seconds = 0.0;      ///< doing nothing but waiting for messages
};

/// Collective. Adds the sum over the ranks to the report: messages and bytes per class of link, and
/// how much of the time in flight was hidden behind kernels.
void report_halos(rt::Report& report, const comm::CartComm& comm, const HaloStatistics& mine);

}  // namespace cartwright::grid
