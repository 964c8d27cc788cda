// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/transport/segment.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/lease.hpp>

namespace cartwright::comm {

/// Memory that was leased for the ranks of `group`, by rank. Collective: the ranks find out whether
/// they can read each other's own memory, too; all of them, or none. The view must not outlive the
/// lease.
[[nodiscard]] SegmentView view_of(const rt::Lease& lease, const rt::Communicator& group);
/// The same without each other's own memory. Local.
[[nodiscard]] SegmentView view_of(const rt::Lease& lease);

}  // namespace cartwright::comm
