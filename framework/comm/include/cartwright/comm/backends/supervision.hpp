// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

namespace cartwright::comm {

/// How closely collectives are watched. Off, it costs nothing. The same on all ranks.
struct Supervision {
  /// Compare each call across the ranks before it begins; the ranks wait for each other then.
  bool checked = false;
  /// A rank that has waited so long for a collective ends the run and says for whom.
  std::optional<std::chrono::duration<double>> time_limit{};

  [[nodiscard]] bool is_on() const { return checked || time_limit.has_value(); }
};

}  // namespace cartwright::comm
