// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <utility>

namespace cartwright::grid {

class StepLoop;

/// Walks through the steps or iterations of a run. Its end is the end of the loop, whichever way
/// the loop was left.
template <class Item>
class LoopIterator {
 public:
  LoopIterator(StepLoop* loop, typename Item::Course* course) : loop_(loop), course_(course) {}
  LoopIterator(LoopIterator&& other) noexcept
      : loop_(std::exchange(other.loop_, nullptr)), course_(other.course_) {}
  LoopIterator& operator=(LoopIterator&&) = delete;
  /// Collective where the loop was left early; throws what writing the last state throws.
  ~LoopIterator() noexcept(false);
  [[nodiscard]] Item operator*() const;
  LoopIterator& operator++();
  [[nodiscard]] friend bool operator==(const LoopIterator& i, std::default_sentinel_t) {
    return i.at_end();
  }

 private:
  [[nodiscard]] bool at_end() const;
  StepLoop* loop_;
  typename Item::Course* course_;
};

}  // namespace cartwright::grid
