// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/request.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace cartwright::comm {

/// A collective under way and the request that drives it; move-only. Waits when destroyed, so that
/// the memory it works on must only outlive this object. What else it needs it keeps alive: it may
/// outlive the Collectives, or the CartComm, that began it.
class [[nodiscard]] Pending {
 public:
  Pending() = default;  ///< complete from the start
  Pending(rt::ProgressEngine& engine, std::unique_ptr<rt::Operation> operation,
          std::shared_ptr<const void> keep = nullptr)
      : keep_(std::move(keep)),
        operation_(std::move(operation)),
        engine_(&engine),
        request_(engine, *operation_) {}
  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending&& other) noexcept {
    request_ = std::move(other.request_);  // waits for the old one while its operation still lives
    operation_ = std::move(other.operation_);
    keep_ = std::move(other.keep_);
    engine_ = other.engine_;
    return *this;
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() = default;

  /// Polls once; true when complete.
  bool test() { return request_.test(); }
  /// Without polling.
  [[nodiscard]] bool is_complete() const noexcept { return request_.is_complete(); }
  void wait() { request_.wait(); }
  /// The same, and then `continuation()`, once: in whatever call polls last. It may start
  /// collectives and must not wait for any; at once if this is complete already.
  [[nodiscard]] Pending then(std::function<void()> continuation) &&;
  /// For bindings of other languages: waits, and never throws. What went wrong is returned, if
  /// anything did; the collective is given up then, as where an exception unwinds past it.
  [[nodiscard]] std::optional<rt::Error> attempt_wait() noexcept;
  /// The same, polling once; `is_complete()` says whether it is complete.
  [[nodiscard]] std::optional<rt::Error> attempt_test() noexcept;

 private:
  friend class PendingSet;
  std::shared_ptr<const void> keep_;  // declared first: it goes last
  std::unique_ptr<rt::Operation> operation_;
  rt::ProgressEngine* engine_ = nullptr;
  rt::Request request_;
};

}  // namespace cartwright::comm
