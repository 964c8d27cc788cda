// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/operation.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cartwright::bench {

/// How much of the MPI library's time ours may take: so many times as much, or so much more.
struct Limit {
  double ratio = 1.0;
  double seconds = 0.0;  ///< above the peer's time; 0: the ratio decides

  [[nodiscard]] double of(double peer) const { return seconds > 0 ? peer + seconds : peer * ratio; }
  [[nodiscard]] std::string text() const;
};

/// What is asked of a backend; nothing where nothing was promised. `same`: the same algorithm runs
/// on both sides.
[[nodiscard]] std::optional<Limit> limit_of(std::string_view backend, plan::Operation operation,
                                            std::size_t bytes, int ranks, bool same);

}  // namespace cartwright::bench
