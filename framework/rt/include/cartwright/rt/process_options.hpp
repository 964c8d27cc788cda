// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/log.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <optional>
#include <string>

namespace cartwright::rt {

/// The keys of a deck that belong to the process itself: `log.level`, `stop.wall_time`, `trace`.
struct ProcessOptions {
  std::string log_level = "normal";
  std::optional<std::string> wall_time;
  std::optional<std::string> trace;

  /// Adds the keys, bound to this object, which must outlive the use of `root`.
  void bind(SectionNode& root);
  [[nodiscard]] LogLevel level() const;
  /// Seconds. Throws input_error (Reach::all_ranks) when `wall_time` is not a duration.
  [[nodiscard]] std::optional<double> wall_time_seconds() const;
};

}  // namespace cartwright::rt
