// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/window/epoch.hpp>
#include <chrono>
#include <optional>
#include <string>

namespace cartwright::comm {

struct WindowOptions {
  std::string name = "a window";  ///< in messages
  Reorder reorder{};
  /// Of a wait: then it ends the run and says what is missing. Nothing: comm.time_limit.
  std::optional<std::chrono::duration<double>> time_limit{};
  /// A thread advances epochs, too, while this rank computes and polls nothing.
  bool thread = false;
  /// Long puts and gets of ranks that share no memory go by a window of MPI's once their target is
  /// known to be ready, and then without its processor: where the network works like that, which
  /// the first such window tries (70 ms); elsewhere, and of devices, as ever. On all ranks alike.
  bool mpi_window = false;
};

}  // namespace cartwright::comm
