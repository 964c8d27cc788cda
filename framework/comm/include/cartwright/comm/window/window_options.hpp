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
};

}  // namespace cartwright::comm
