// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/window/open_epoch.hpp>
#include <cartwright/comm/window/window_core.hpp>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cartwright::comm {

/// Ranks that an epoch is for, each once: `{rt::Rank{1}, rt::Rank{2}}`, or a vector.
class Group {
 public:
  Group(std::initializer_list<rt::Rank> ranks) : Group(std::span(ranks.begin(), ranks.size())) {}
  Group(std::span<const rt::Rank> ranks) {  // NOLINT(google-explicit-constructor)
    for (const rt::Rank rank : ranks) ranks_.push_back(rank.value);
  }
  Group(const std::vector<rt::Rank>& ranks)  // NOLINT(google-explicit-constructor)
      : Group(std::span<const rt::Rank>(ranks)) {}
  [[nodiscard]] std::span<const int> ranks() const noexcept { return ranks_; }

 private:
  std::vector<int> ranks_;
};

/// From `start` to `complete`: this rank reaches the memory of its group's ranks, which `post`.
template <class T>
class AccessEpoch : public RemoteAccess<T> {
 public:
  using RemoteAccess<T>::RemoteAccess;
  /// Complete when local memory may be used again and results have come. That targets have the
  /// data is for them to know: by `ExposureEpoch::wait`.
  EpochRequest complete(CallSite site = CallSite::here()) {
    return this->close_it("the complete of an access epoch", site);
  }
};

/// From `post` to `wait`: the group's ranks reach the memory of this one.
class ExposureEpoch : public OpenEpoch {
 public:
  using OpenEpoch::OpenEpoch;
  /// Complete when all of the group have completed, and what they did is here.
  EpochRequest wait(CallSite site = CallSite::here()) {
    return close_it("the wait of an exposure", site);
  }
};

/// From one `fence` to its `close`: all ranks reach all.
template <class T>
class FenceEpoch : public RemoteAccess<T> {
 public:
  using RemoteAccess<T>::RemoteAccess;
  /// Collective. Complete when all ranks have closed it, and what they did here is here.
  EpochRequest close(CallSite site = CallSite::here()) {
    return this->close_it("the close of a fence", site);
  }
};

/// From `lock_all` to `unlock`: this rank shares the memory of any others; each is locked when
/// something is first done there.
template <class T>
class LockAllEpoch : public RemoteAccess<T> {
 public:
  using RemoteAccess<T>::RemoteAccess;
  /// Complete when what was done so far is in place at its targets, or at that one.
  EpochRequest flush(CallSite site = CallSite::here()) {
    return EpochRequest(this->core().flush(this->epoch(), std::nullopt, false, site));
  }
  EpochRequest flush(rt::Rank target, CallSite site = CallSite::here()) {
    return EpochRequest(this->core().flush(this->epoch(), target.value, false, site));
  }
  /// … when local memory may be used again and results have come.
  EpochRequest flush_local(CallSite site = CallSite::here()) {
    return EpochRequest(this->core().flush(this->epoch(), std::nullopt, true, site));
  }
  EpochRequest flush_local(rt::Rank target, CallSite site = CallSite::here()) {
    return EpochRequest(this->core().flush(this->epoch(), target.value, true, site));
  }
  EpochRequest unlock(CallSite site = CallSite::here()) {
    return this->close_it("the unlock of all", site);
  }
};

/// From `lock` to `unlock`: this rank has the memory of one other, alone or with others who share
/// it. Operations are those of RemoteAccess, without the target. When a flush is complete, the lock
/// is held: on a node, and for one's own memory, one may then load and store (`Window::direct`).
template <class T>
class LockEpoch : private RemoteAccess<T> {
 public:
  LockEpoch(WindowCore& core, Epoch& epoch, rt::Rank target)
      : RemoteAccess<T>(core, epoch), target_(target) {}
  using RemoteAccess<T>::is_open;

  template <Buffer Values>
  void put(const Slice& at, Values&& values) {
    RemoteAccess<T>::put(target_, at, std::forward<Values>(values));
  }
  template <Buffer Result>
  void get(const Slice& at, Result&& result) {
    RemoteAccess<T>::get(target_, at, std::forward<Result>(result));
  }
  template <Buffer Values>
  void accumulate(const Slice& at, Values&& values, auto op) {
    RemoteAccess<T>::accumulate(target_, at, std::forward<Values>(values), op);
  }
  template <Buffer Values, Buffer Result>
  void get_accumulate(const Slice& at, Values&& values, Result&& former, Operator op) {
    RemoteAccess<T>::get_accumulate(target_, at, std::forward<Values>(values),
                                    std::forward<Result>(former), op);
  }
  template <Buffer Result>
  void get_atomically(const Slice& at, Result&& result) {
    RemoteAccess<T>::get_atomically(target_, at, std::forward<Result>(result));
  }
  void fetch_and_op(plan::Count at, const T& value, T& former, auto op) {
    RemoteAccess<T>::fetch_and_op(target_, at, value, former, op);
  }
  void compare_and_swap(plan::Count at, const T& expected, const T& desired, T& former) {
    RemoteAccess<T>::compare_and_swap(target_, at, expected, desired, former);
  }
  EpochRequest flush(CallSite site = CallSite::here()) {
    return EpochRequest(this->core().flush(this->epoch(), target_.value, false, site));
  }
  EpochRequest flush_local(CallSite site = CallSite::here()) {
    return EpochRequest(this->core().flush(this->epoch(), target_.value, true, site));
  }
  /// Complete when all is in place at the target and the lock is free: that doesn't wait for this
  /// request to be waited for.
  EpochRequest unlock(CallSite site = CallSite::here()) {
    return this->close_it("the unlock of a rank's memory", site);
  }

 private:
  rt::Rank target_;
};

/// Memory of each rank that other ranks reach by epochs, one-sided. Nothing waits: opening returns
/// at once, closing gives a request, and what can't be done yet is recorded and done later. Epochs
/// of a window are done in the order in which they were opened, unless WindowOptions::reorder says
/// otherwise; those that are open at the same time, side by side. Ranks of a node write into each
/// other's memory where the window has made it (`allocate`); all else goes by messages, at once,
/// and waits at the target. Docs: docs/epochs. Errors are rt::Error. T must be trivially copyable.
///
/// Who polls (`cart.engine().poll()`, any wait or test of comm's) serves others; who sits in a
/// blocking call of MPI's doesn't.
template <Transferable T>
class Window {
  static_assert(sizeof(T) <= 1024, "cartwright: elements of a window have at most 1024 bytes");

 public:
  /// Collective. The caller's memory, which must outlive the window, as must `cart`. Ranks may give
  /// different lengths.
  Window(const CartComm& cart, std::span<T> memory, WindowOptions options = {})
      : count_(static_cast<plan::Count>(memory.size())),
        core_(std::make_unique<WindowCore>(
            cart, memory.empty() ? no_memory() : reinterpret_cast<std::byte*>(memory.data()),
            count_, sizeof(T), std::move(options))) {}
  /// Collective. `count` elements (ranks may differ), zero, in memory that the ranks of the node
  /// share where they can (`comm.backend` auto, shared or rma).
  [[nodiscard]] static Window allocate(const CartComm& cart, plan::Count count,
                                       WindowOptions options = {}) {
    return {std::make_unique<WindowCore>(cart, nullptr, count, sizeof(T), std::move(options)),
            count};
  }
  Window(Window&&) noexcept = default;
  Window& operator=(Window&&) noexcept = default;
  /// Collective, as `free`; not while an exception unwinds.
  ~Window() noexcept(false) {
    if (core_ != nullptr && !rt::unwinding()) core_->free();
  }
  /// Collective. Throws rt::Error with a list of the epochs that aren't complete on this rank.
  void free() { core_->free(); }

  /// This rank's memory.
  [[nodiscard]] std::span<T> local() const noexcept { return span_of(core_->memory(), count_); }
  /// That of a rank whose memory this one can load from and store to; empty: only epochs reach it.
  [[nodiscard]] std::span<T> direct(rt::Rank rank) const {
    std::byte* const memory = core_->direct(rank.value);
    return span_of(memory, memory == nullptr ? 0 : count(rank));
  }
  /// Elements of a rank.
  [[nodiscard]] plan::Count count(rt::Rank rank) const { return core_->elements_of(rank.value); }

  // Local, and never waiting.
  [[nodiscard]] AccessEpoch<T> start(const Group& targets, CallSite site = CallSite::here()) {
    return {*core_, core_->open(EpochKind::access, targets.ranks(), Lock::shared, site)};
  }
  [[nodiscard]] ExposureEpoch post(const Group& origins, CallSite site = CallSite::here()) {
    return {*core_, core_->open(EpochKind::exposure, origins.ranks(), Lock::shared, site)};
  }
  [[nodiscard]] FenceEpoch<T> fence(CallSite site = CallSite::here()) {
    return {*core_, core_->open(EpochKind::fence, {}, Lock::shared, site)};
  }
  [[nodiscard]] LockEpoch<T> lock(rt::Rank target, Lock kind = Lock::exclusive,
                                  CallSite site = CallSite::here()) {
    return {*core_, core_->open(EpochKind::lock, std::span(&target.value, 1), kind, site), target};
  }
  [[nodiscard]] LockAllEpoch<T> lock_all(CallSite site = CallSite::here()) {
    return {*core_, core_->open(EpochKind::lock_all, {}, Lock::shared, site)};
  }

 private:
  Window(std::unique_ptr<WindowCore> core, plan::Count count)
      : count_(count), core_(std::move(core)) {}
  static std::byte* no_memory() noexcept {
    alignas(T) static std::byte nothing[sizeof(T)];
    return nothing;
  }
  static std::span<T> span_of(std::byte* memory, plan::Count count) noexcept {
    return {reinterpret_cast<T*>(memory), static_cast<std::size_t>(count)};
  }

  plan::Count count_;
  std::unique_ptr<WindowCore> core_;
};

}  // namespace cartwright::comm
