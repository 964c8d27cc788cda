// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/window/epoch.hpp>

namespace cartwright::comm {

namespace {

bool is_alone(EpochKind kind) {
  return kind == EpochKind::fence || kind == EpochKind::lock_all;
}

bool is_target(const Epoch& epoch, int rank) {
  return std::ranges::any_of(epoch.sides, [=](const Side& side) { return side.rank == rank; });
}

bool flag_allows(const Epoch& later, const Epoch& active, const Reorder& reorder) {
  if (later.kind == EpochKind::exposure)
    return active.kind == EpochKind::exposure ? reorder.exposure_after_exposure
                                              : reorder.exposure_after_access;
  return active.kind == EpochKind::exposure ? reorder.access_after_exposure
                                            : reorder.access_after_access;
}

}  // namespace

bool may_join(const Epoch& later, const Epoch& active, const Reorder& reorder, bool is_locked) {
  if (is_alone(later.kind) || is_alone(active.kind)) return false;
  if (active.closed_at > later.opened_at) {  // the program holds or held both open
    if ((active.kind == EpochKind::exposure) != (later.kind == EpochKind::exposure)) return true;
    if (active.kind == EpochKind::lock && later.kind == EpochKind::lock)
      return !is_target(active, later.sides.front().rank);
  }
  // What is said to one rank is said in order, so there locks don't overtake each other.
  if (active.kind == EpochKind::lock && later.kind == EpochKind::lock &&
      is_target(active, later.sides.front().rank))
    return true;
  if (!flag_allows(later, active, reorder)) return false;
  // Behind an access epoch, the rank's memory may be exposed.
  if (later.kind == EpochKind::lock && active.kind == EpochKind::access)
    return !is_target(active, later.sides.front().rank);
  return !(later.kind == EpochKind::exposure && is_locked);
}

}  // namespace cartwright::comm
