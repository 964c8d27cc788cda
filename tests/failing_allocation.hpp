// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cartwright::test {

/// While it lives, one allocation of this thread fails: that after `count` others. For programs
/// with failing_allocation.cpp among their sources.
class FailingAllocation {
 public:
  explicit FailingAllocation(long count) noexcept;
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  ~FailingAllocation();
  [[nodiscard]] bool has_failed() const noexcept;
};

/// While it lives, allocations of this thread are counted.
class CountedAllocations {
 public:
  CountedAllocations() noexcept;
  CountedAllocations(const CountedAllocations&) = delete;
  CountedAllocations& operator=(const CountedAllocations&) = delete;
  ~CountedAllocations();
  [[nodiscard]] long count() const noexcept;
};

}  // namespace cartwright::test
