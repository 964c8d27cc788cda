// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/pending.hpp>
#include <memory>
#include <utility>

namespace cartwright::comm {

/// A collective under way that makes the memory for its result by itself, and hands it over in the
/// end; move-only. Waits when destroyed.
template <class Result>
class [[nodiscard]] PendingResult {
 public:
  /// `pending` writes to `result`.
  PendingResult(Pending pending, std::unique_ptr<Result> result)
      : result_(std::move(result)), pending_(std::move(pending)) {}
  PendingResult(PendingResult&&) noexcept = default;
  PendingResult& operator=(PendingResult&& other) noexcept {
    pending_ = std::move(other.pending_);  // waits for the old one while its result still lives
    result_ = std::move(other.result_);
    return *this;
  }
  PendingResult(const PendingResult&) = delete;
  PendingResult& operator=(const PendingResult&) = delete;
  ~PendingResult() = default;

  /// Polls once; true when complete.
  bool test() { return pending_.test(); }
  /// Once: the result leaves this object.
  [[nodiscard]] Result wait() {
    pending_.wait();
    return std::move(*result_);
  }

 private:
  std::unique_ptr<Result> result_;  // declared first: the collective is gone before it
  Pending pending_;
};

}  // namespace cartwright::comm
