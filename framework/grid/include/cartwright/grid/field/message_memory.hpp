// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cartwright::comm {
class CartComm;
}

namespace cartwright::grid {

class App;

/// Where the messages of an exchange of ghosts are packed, and who sends them.
enum class MessageMemory : std::uint8_t {
  host,    ///< by kernels of the host, in its memory
  staged,  ///< in memory of the kernels, from which they are copied to the host's
  direct,  ///< in memory of the kernels, which the MPI library takes by itself
};

/// As `comm.device_memory` and `comm.stage_messages` say, and as can be: epochs put from the host's
/// memory. Where nothing is said, direct if the MPI library says that it takes such memory. The
/// same on all ranks of `comm`.
[[nodiscard]] MessageMemory message_memory_of(const App& app, const comm::CartComm& comm);

}  // namespace cartwright::grid
