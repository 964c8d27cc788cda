// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/execution/near_and_far_messages.hpp>
#include <cartwright/comm/execution/node_messages.hpp>
#include <cartwright/comm/transport/mailboxes.hpp>

namespace cartwright::comm {

/// Through mailboxes on my node.
using SharedChannel = NearAndFarChannel<Mailboxes>;
using SharedMessages = NearAndFarMessages<NodeMessages, Mailboxes>;

static_assert(Messages<SharedMessages>);

}  // namespace cartwright::comm
