// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/execution/landing_messages.hpp>
#include <cartwright/comm/execution/near_and_far_messages.hpp>
#include <cartwright/comm/transport/landing_areas.hpp>

namespace cartwright::comm {

/// One-sided on my node: senders put what they have into the receiver's landing area.
using RmaChannel = NearAndFarChannel<LandingAreas>;
using RmaMessages = NearAndFarMessages<LandingMessages, LandingAreas>;

static_assert(Messages<RmaMessages>);

}  // namespace cartwright::comm
