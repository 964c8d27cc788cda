// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/call.hpp>
#include <cartwright/rt/communicator.hpp>

namespace cartwright::comm {

/// What one rank can find wrong with a call that isn't made by the typed forms, but put together at
/// run time: by bindings of other languages. Throws internal_failure that names operation and line:
/// negative counts, a root that doesn't exist, no operator, no memory, offsets that don't ascend
/// from 0, input and output that overlap.
void require_valid(const Call& call, const rt::Communicator& comm);

}  // namespace cartwright::comm
