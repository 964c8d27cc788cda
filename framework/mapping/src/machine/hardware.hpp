// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwloc.h>

#include <memory>

namespace cartwright::mapping {

struct ReleaseHardware {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
/// What hwloc knows of the hardware.
using Hardware = std::unique_ptr<hwloc_topology, ReleaseHardware>;

/// Some virtual machines show processors, but no cores.
[[nodiscard]] inline hwloc_obj_type_t core_type(const Hardware& hardware) {
  return hwloc_get_nbobjs_by_type(hardware.get(), HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE
                                                                      : HWLOC_OBJ_PU;
}

}  // namespace cartwright::mapping
