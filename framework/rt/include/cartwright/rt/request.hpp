// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/parking.hpp>
#include <cartwright/rt/wait.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace cartwright::rt {

/// Something under way that advances when it is polled: a halo exchange, a collective, an epoch.
/// One virtual call per operation and poll, never per message.
class Operation {
 public:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;
  /// Does what can be done without blocking; true when the operation is complete.
  virtual bool advance() = 0;
  /// From now on its caller does nothing but wait for it: a time limit may count.
  virtual void awaited() {}
  /// Changes when something of it has come or left: who has waited long for a late rank has
  /// patience again, since what comes then comes in pieces.
  [[nodiscard]] virtual std::uint64_t moves() const noexcept { return 0; }
  /// What a wait for it is called.
  [[nodiscard]] virtual WaitSite wait_site() const noexcept { return {"an operation"}; }

 private:
  friend class ProgressEngine;
  std::size_t place_ = 0;  // among what its engine drives
};

/// How a wait passes its time: spins briefly only if every rank has a core of its own; otherwise it
/// yields at once and then sleeps, so that oversubscribed runs stay sane. Between two pauses the
/// caller looks whether what it waits for has come. A rank of the node that has something for this
/// one ends its sleep (see Waker).
class Patience {
 public:
  explicit Patience(bool rank_has_own_core) noexcept : has_own_core_(rank_has_own_core) { renew(); }
  Patience(const Patience&) = delete;
  Patience(Patience&&) = delete;
  Patience& operator=(const Patience&) = delete;
  Patience& operator=(Patience&&) = delete;
  ~Patience() { leave_place(); }
  void pause() noexcept;
  /// Something has come or left: as in the beginning.
  void renew() noexcept {
    spins_left_ = has_own_core_ ? 2000 : 0;
    yields_left_ = has_own_core_ ? 4096 : 64;
    shortest_look_ = std::chrono::nanoseconds::max();
    leave_place();
  }

 private:
  void leave_place() noexcept {
    if (announced_ != nullptr) std::exchange(announced_, nullptr)->leave();
  }
  [[nodiscard]] bool falls_asleep() noexcept;
  void nap() noexcept;
  [[nodiscard]] bool has_moved_something() noexcept;

  bool has_own_core_;
  int spins_left_ = 0;
  int yields_left_ = 0;
  ParkingPlace* announced_ = nullptr;  ///< where others know that this rank is about to sleep
  std::chrono::nanoseconds shortest_look_ = std::chrono::nanoseconds::max();
};

/// Drives all operations that are in flight. Polled from every framework call and between the
/// chunks of an overlapped kernel. An operation may add further ones while it advances. Not
/// thread-safe: belongs to the thread that calls MPI.
class ProgressEngine {
 public:
  void set_oversubscribed(bool oversubscribed) noexcept { oversubscribed_ = oversubscribed; }
  [[nodiscard]] bool oversubscribed() const noexcept { return oversubscribed_; }
  /// The operation must outlive its completion. Does not allocate once warmed up.
  void add(Operation& operation);
  /// Withdraws an operation (for instance when an exception unwinds past it).
  void remove(Operation& operation) noexcept;
  /// Advances every operation once.
  void poll();
  [[nodiscard]] bool is_active(const Operation& operation) const noexcept {
    return operation.place_ < active_.size() && active_[operation.place_] == &operation;
  }
  /// True if `operation` is in flight and nothing else is.
  [[nodiscard]] bool is_alone(const Operation& operation) const noexcept {
    return active_.size() == 1 && active_.front() == &operation;
  }
  /// Advances everything until `operation` is complete.
  void wait(Operation& operation);
  /// … until `is_over()`; `waited_for`: who is named while that lasts.
  void wait_until(const std::function<bool()>& is_over, Operation& waited_for);

 private:
  template <class IsOver>
  void poll_until(const IsOver& is_over, Operation& waited_for);
  void compact() noexcept;

  std::vector<Operation*> active_;  // null: completed or withdrawn during the present poll
  std::uint64_t completed_ = 0;
  bool polling_ = false;
  bool oversubscribed_ = false;
};

/// The caller's handle to an operation in flight. Waits when destroyed, except while an exception
/// unwinds: then the operation is withdrawn.
class Request {
 public:
  Request() = default;
  Request(ProgressEngine& engine, Operation& operation);
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  Request(Request&& other) noexcept;
  Request& operator=(Request&& other) noexcept;
  ~Request();
  /// Polls once; true when complete.
  bool test();
  /// Without polling.
  [[nodiscard]] bool is_complete() const noexcept {
    return operation_ == nullptr || !engine_->is_active(*operation_);
  }
  void wait();
  /// The engine drives the operation no longer: somebody else does.
  void withdraw() noexcept;

 private:
  ProgressEngine* engine_ = nullptr;
  Operation* operation_ = nullptr;
};

}  // namespace cartwright::rt
