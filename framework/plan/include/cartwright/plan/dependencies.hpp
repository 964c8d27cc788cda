// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace cartwright::plan {

/// What must be complete before each step of a schedule may run, when it isn't run in order. It
/// follows from the slices: a step comes after those that write what it reads, and after those that
/// read or write what it writes. A send on which a later step depends has to be complete, not
/// only started: its source is about to be overwritten.
class Dependencies {
 public:
  explicit Dependencies(const Schedule& schedule);

  /// Earlier steps, ascending, each once.
  [[nodiscard]] std::span<const std::int32_t> before(std::size_t step) const {
    return std::span(before_).subspan(first_[step], first_[step + 1] - first_[step]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> before_;
};

/// For each step, how many sends of the schedule, counted from its beginning, must be complete
/// before it may run in order: all up to the last one whose source it overwrites.
std::vector<std::int32_t> sends_before(const Schedule& schedule);

}  // namespace cartwright::plan
