// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace cartwright::mapping {

/// The logical processors on which a thread, or all threads of a rank, may run.
class CpuSet {
 public:
  CpuSet() = default;
  /// Numbers as the operating system counts them; sorted and made unique here.
  explicit CpuSet(std::vector<int> numbers);
  /// Where the calling thread may run. An OpenMP runtime may have pinned it to one place already: a
  /// program with threads passes the union of the sets of its threads to `discover` instead.
  [[nodiscard]] static CpuSet of_this_thread();

  /// Adds the processors of another thread of the same rank.
  CpuSet& merge(const CpuSet& other);
  [[nodiscard]] const std::vector<int>& numbers() const noexcept { return numbers_; }
  [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }
  friend bool operator==(const CpuSet&, const CpuSet&) = default;

 private:
  std::vector<int> numbers_;
};

}  // namespace cartwright::mapping
