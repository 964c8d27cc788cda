// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/window/epoch.hpp>
#include <cstddef>

namespace cartwright::comm {

/// The epochs of a window in the order of their opening, linked through them: first those that are
/// active, then those that wait for that.
class EpochList {
 public:
  [[nodiscard]] Epoch* first() const noexcept { return first_; }
  [[nodiscard]] Epoch* last_active() const noexcept {
    return waiting_ == nullptr ? last_ : waiting_->before;
  }
  [[nodiscard]] Epoch* first_waiting() const noexcept { return waiting_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t active() const noexcept { return active_; }
  [[nodiscard]] bool is_empty() const noexcept { return size_ == 0; }

  void append(Epoch& epoch) noexcept {
    epoch.before = last_;
    epoch.after = nullptr;
    (last_ == nullptr ? first_ : last_->after) = &epoch;
    last_ = &epoch;
    if (waiting_ == nullptr) waiting_ = &epoch;
    ++size_;
  }
  /// The first that waits is active from now on.
  void step() noexcept {
    waiting_ = waiting_->after;
    ++active_;
  }
  void remove_active(Epoch& epoch) noexcept {
    (epoch.before == nullptr ? first_ : epoch.before->after) = epoch.after;
    (epoch.after == nullptr ? last_ : epoch.after->before) = epoch.before;
    --size_;
    --active_;
  }

 private:
  Epoch* first_ = nullptr;
  Epoch* last_ = nullptr;
  Epoch* waiting_ = nullptr;
  std::size_t size_ = 0;
  std::size_t active_ = 0;
};

}  // namespace cartwright::comm
