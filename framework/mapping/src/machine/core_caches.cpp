// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/mapping/machine/core_caches.hpp>

#include "hardware.hpp"

namespace cartwright::mapping {

namespace {

constexpr std::size_t mebi = std::size_t{1} << 20U;

/// Virtual machines may show all of a processor's last-level cache, whose other cores are other
/// people's. Of 480 MiB shown to two cores of a Xeon each had 62 (docs/evidence/
/// 2026-11-29_between_rows). AMD's cores share 16 to 32 MiB in groups of four to eight: two to
/// which 508 MiB were shown had no more than two to which 32 were (docs/evidence/2026-11-30_epyc).
std::size_t believable_share(std::size_t shown) {
  constexpr std::size_t largest = 64 * mebi;
  if (shown <= largest) return shown;
#ifdef __x86_64__
  if (__builtin_cpu_is("amd")) return 16 * mebi;
#endif
  return largest;
}

/// Nothing where hwloc can't: to know caches is no need.
Hardware load_cores_and_caches() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  Hardware hardware(raw);
  // The rest (packages, groups of cores, devices) would take longer to find than all of this.
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  for (const auto type : {HWLOC_OBJ_CORE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE})
    hwloc_topology_set_type_filter(raw, type, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (hwloc_topology_load(raw) != 0) return nullptr;
  return hardware;
}

/// A core's part of the first cache of this level; 0 if there is none, or none that is known.
std::size_t part_of(const Hardware& hardware, hwloc_obj_type_t level) {
  hwloc_obj_t const cache = hwloc_get_obj_by_type(hardware.get(), level, 0);
  if (cache == nullptr) return 0;
  const int cores =
      hwloc_get_nbobjs_inside_cpuset_by_type(hardware.get(), cache->cpuset, core_type(hardware));
  return static_cast<std::size_t>(cache->attr->cache.size) /
         static_cast<std::size_t>(std::max(cores, 1));
}

CoreCaches ask() {
  CoreCaches caches;
  const Hardware hardware = load_cores_and_caches();
  if (!hardware) return caches;
  if (const std::size_t own = part_of(hardware, HWLOC_OBJ_L2CACHE); own > 0) caches.own = own;
  caches.share = believable_share(part_of(hardware, HWLOC_OBJ_L3CACHE));
  return caches;
}

}  // namespace

const CoreCaches& core_caches() {
  static const CoreCaches caches = ask();
  return caches;
}

}  // namespace cartwright::mapping
