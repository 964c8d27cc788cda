// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cartwright/comm/calls/call.hpp>
#include <cartwright/comm/pending.hpp>
#include <chrono>
#include <cstdint>
#include <utility>

namespace cartwright::comm {

class WindowCore;
class WindowSpace;
struct Epoch;

/// What an EpochRequest waits for.
struct RequestState {
  std::atomic<bool> is_complete{false};
  bool is_detached = false;
  std::uint32_t left = 0;        ///< parts of it
  WindowSpace* space = nullptr;  ///< null: that has gone
  WindowCore* core = nullptr;
  const Epoch* epoch = nullptr;
  const char* what = "";
  CallSite site{};
};

/// The caller's handle to a closing or a flush of an epoch. Waits when destroyed, so that the
/// memory that the epoch works on must only outlive this object; while an exception unwinds it
/// doesn't. Polling any of them advances all, and collectives and exchanges too. May outlive its
/// window.
class [[nodiscard]] EpochRequest {
 public:
  EpochRequest() = default;  ///< complete from the start
  explicit EpochRequest(RequestState& state) noexcept : state_(&state) {}
  /// Null: complete.
  explicit EpochRequest(RequestState* state) noexcept : state_(state) {}
  EpochRequest(const EpochRequest&) = delete;
  EpochRequest& operator=(const EpochRequest&) = delete;
  EpochRequest(EpochRequest&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  // NOLINTNEXTLINE(performance-noexcept-move-constructor): waiting may throw
  EpochRequest& operator=(EpochRequest&& other) {
    EpochRequest taken(std::move(other));  // the former one is waited for, at the end of this scope
    std::swap(state_, taken.state_);
    return *this;
  }
  ~EpochRequest() noexcept(false);

  /// Polls once; true when complete.
  bool test();
  /// Without polling.
  [[nodiscard]] bool is_complete() const noexcept {
    return state_ == nullptr || state_->is_complete.load(std::memory_order_acquire);
  }
  /// Throws rt::Error, which says of whom what is missing, after the window's time limit.
  void wait();
  /// What a wait for it is called.
  [[nodiscard]] rt::WaitSite wait_site() const noexcept;
  /// Throws as wait() does if that began then.
  void check_time(std::chrono::steady_clock::time_point begin) const;
  /// Nobody will wait: the memory that the epoch works on must outlive it all the same.
  void detach() &&;
  /// To be taken as it comes from a PendingSet, or to go on with `then`.
  [[nodiscard]] Pending pending() &&;

 private:
  void release() noexcept;

  RequestState* state_ = nullptr;
};

/// Waits for requests of epochs, collectives and whatever else has a `wait`: all advance together.
template <class... Waitable>
void wait_all(Waitable&... all) {
  (all.wait(), ...);
}

}  // namespace cartwright::comm
