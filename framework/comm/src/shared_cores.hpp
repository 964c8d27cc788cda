// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>

namespace cartwright::comm {

/// Collective. Ranks of another communicator that this engine serves may be what shares cores: what
/// one of these ranks knows of it, all know afterwards, and their engines wait accordingly.
[[nodiscard]] mapping::Topology agreed_on_cores(const rt::Communicator& comm,
                                                rt::ProgressEngine& engine,
                                                mapping::Topology topology);

}  // namespace cartwright::comm
