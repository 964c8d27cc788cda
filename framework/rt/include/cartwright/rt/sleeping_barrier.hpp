// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <chrono>

namespace cartwright::rt {

/// Collective. Returns when all ranks have come; who waits sleeps, and looks every `nap`: for those
/// that leave the cores to somebody who measures, which MPI's own barrier doesn't.
void sleeping_barrier(const Communicator& comm, std::chrono::microseconds nap);

}  // namespace cartwright::rt
