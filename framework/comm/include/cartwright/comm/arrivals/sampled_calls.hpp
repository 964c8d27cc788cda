// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cartwright::comm {

/// Calls of a site that tell for a whole run, however long: every stride-th, of a stride that
/// doubles when there are too many. Ranks that make the same calls keep the same ones.
class SampledCalls {
 public:
  static constexpr std::size_t most = 64;
  /// In ns, on the clock that all ranks share.
  struct Sample {
    std::uint64_t number = 0;
    std::int64_t arrival = 0, exit = 0;
  };

  [[nodiscard]] bool wants(std::uint64_t number) const noexcept {
    return (number & (stride_ - 1)) == 0;
  }
  /// Calls may end in another order than they began.
  void add(const Sample& sample);
  /// By number, ascending.
  [[nodiscard]] std::span<const Sample> all() const noexcept { return samples_; }
  [[nodiscard]] std::uint64_t stride() const noexcept { return stride_; }
  /// What is kept of a stride that is as large or larger.
  [[nodiscard]] std::vector<Sample> of_stride(std::uint64_t stride) const;

 private:
  std::vector<Sample> samples_;
  std::uint64_t stride_ = 1;  // a power of two
};

}  // namespace cartwright::comm
