// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/window/epoch.hpp>

namespace cartwright::comm {

/// Sides that have to do with one rank, first come, first served: linked through them, so that each
/// is in one queue at a time.
class SideQueue {
 public:
  [[nodiscard]] bool is_empty() const noexcept { return first_ == nullptr; }
  /// Null: it is empty.
  [[nodiscard]] Side* first() const noexcept { return first_; }
  void push(Side& side) noexcept {
    side.behind = nullptr;
    (first_ == nullptr ? first_ : last_->behind) = &side;
    last_ = &side;
  }
  void pop() noexcept { first_ = first_->behind; }

 private:
  Side* first_ = nullptr;
  Side* last_ = nullptr;
};

}  // namespace cartwright::comm
