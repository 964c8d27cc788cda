// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cartwright::comm {

/// What is made of the times at which ranks come to collectives (comm.arrivals).
enum class ArrivalUse : std::uint8_t {
  off,     ///< nothing is measured
  watch,   ///< measured, for the report
  frozen,  ///< and forecast once for each site; that plan stays
  on,      ///< and forecast again and again
};

}  // namespace cartwright::comm
