// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/rt/communicator.hpp>

namespace cartwright::mapping {

/// Collective over `some` of the ranks that `of_all` was discovered for: the same machine, real or
/// imagined, as these ranks know it.
[[nodiscard]] Topology among(const rt::Communicator& some, const Topology& of_all);

}  // namespace cartwright::mapping
