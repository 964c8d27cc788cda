// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/request.hpp>
#include <memory>
#include <utility>

namespace cartwright::comm {

/// A collective under way and the request that drives it; move-only. Waits when destroyed, so that
/// the memory it works on must only outlive this object.
class [[nodiscard]] Pending {
 public:
  Pending() = default;  ///< complete from the start
  Pending(rt::ProgressEngine& engine, std::unique_ptr<rt::Operation> operation)
      : operation_(std::move(operation)), request_(engine, *operation_) {}
  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending&& other) noexcept {
    request_ = std::move(other.request_);  // waits for the old one while its operation still lives
    operation_ = std::move(other.operation_);
    return *this;
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() = default;

  /// Polls once; true when complete.
  bool test() { return request_.test(); }
  void wait() { request_.wait(); }

 private:
  std::unique_ptr<rt::Operation> operation_;  // declared first: the request is gone before it
  rt::Request request_;
};

}  // namespace cartwright::comm
