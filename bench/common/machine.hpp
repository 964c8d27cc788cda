// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <string>

namespace cartwright::bench {

/// Processor, cores in sight of this process, and operating system: one line.
[[nodiscard]] std::string machine_name();

/// "2 ranks x 1 thread".
[[nodiscard]] std::string layout_name(const rt::Communicator& comm);

/// Threads that kernels of this rank run on.
[[nodiscard]] int threads();

/// Collective. Empty if all threads of all ranks can have a core of their own; otherwise why the
/// numbers of this run say little.
[[nodiscard]] std::string crowding(const rt::Communicator& comm);

}  // namespace cartwright::bench
