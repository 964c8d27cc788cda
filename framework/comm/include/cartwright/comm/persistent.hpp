// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/backend.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/request.hpp>
#include <memory>
#include <optional>

namespace cartwright::comm {

/// A collective that has been made ready once and is started many times, on the same memory;
/// move-only. All ranks start the collectives of a communicator in the same order. Waits when
/// destroyed.
class [[nodiscard]] Persistent {
 public:
  Persistent() = default;  ///< nothing to do
  Persistent(rt::ProgressEngine& engine, std::unique_ptr<Prepared> prepared,
             std::shared_ptr<const void> keep = nullptr)
      : engine_(&engine), keep_(std::move(keep)), prepared_(std::move(prepared)) {}
  Persistent(Persistent&&) noexcept = default;
  Persistent& operator=(Persistent&& other) noexcept;
  Persistent(const Persistent&) = delete;
  Persistent& operator=(const Persistent&) = delete;
  ~Persistent() = default;

  /// Throws internal_failure when the former start is still under way.
  void start(CallSite site = CallSite::here());
  /// Polls once; true when complete, and before the first start.
  bool test() { return request_.test(); }
  /// Without polling; true before the first start, too.
  [[nodiscard]] bool is_complete() const noexcept { return request_.is_complete(); }
  void wait();
  /// For bindings of other languages (Collectives::attempt_prepare): never throws. What is wrong is
  /// returned, nothing else.
  [[nodiscard]] std::optional<rt::Error> attempt_start(CallSite site = CallSite::here()) noexcept;
  /// As Pending::attempt_wait.
  [[nodiscard]] std::optional<rt::Error> attempt_wait() noexcept;

 private:
  rt::ProgressEngine* engine_ = nullptr;
  std::shared_ptr<const void> keep_;    // what it needs: goes last
  std::unique_ptr<Prepared> prepared_;  // declared first: the request is gone before it
  rt::Request request_;
};

}  // namespace cartwright::comm
