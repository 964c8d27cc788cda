// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace matmul {

/// Memory for panels: not set to zeros first, unlike that of a vector.
class PanelMemory {
 public:
  PanelMemory() = default;
  explicit PanelMemory(std::size_t size)
      : size_(size), values_(std::make_unique_for_overwrite<double[]>(size)) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] double* data() noexcept { return values_.get(); }
  [[nodiscard]] std::span<double> first(std::size_t count) noexcept {
    return {values_.get(), count};
  }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<double[]> values_;
};

}  // namespace matmul
