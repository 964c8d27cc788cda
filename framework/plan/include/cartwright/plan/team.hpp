// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cartwright::plan {

/// Where the caller's contribution lies: in a buffer of its own, or where the result will be.
enum class Place : std::uint8_t { separate, in_place };

/// The ranks that take part in a collective operation, seen by one of them. What every generator of
/// a schedule starts from.
struct Team {
  int ranks = 1;
  int me = 0;
  Place place = Place::separate;
};

/// The rank from which, or to which, a rooted operation goes.
struct Root {
  int rank = 0;
};

}  // namespace cartwright::plan
