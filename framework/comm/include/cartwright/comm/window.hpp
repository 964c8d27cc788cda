// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/window/epochs.hpp>
#include <cartwright/comm/window/window_core.hpp>
#include <memory>
#include <span>
#include <typeinfo>
#include <utility>

namespace cartwright::comm {

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
        core_(make_core(cart, {bytes_of(memory.data(), count_)}, count_, std::move(options))) {}
  /// … on a device: what epochs do there goes by way of the host, once both sides are in theirs, by
  /// `memory.copies`. Only epochs reach it: `local()` is an address there, and `direct` is empty.
  /// Throws rt::Error where the elements don't lie one behind the other.
  Window(const CartComm& cart, OnDevice<T> memory, WindowOptions options = {})
      : count_(elements_of_memory(memory.strides)),
        core_(make_core(cart, {bytes_of(memory.first, count_), memory.copies}, count_,
                        std::move(options))) {}
  /// Collective. `count` elements (ranks may differ), zero, in memory that the ranks of the node
  /// share where they can (`comm.backend` auto, shared or rma).
  [[nodiscard]] static Window allocate(const CartComm& cart, plan::Count count,
                                       WindowOptions options = {}) {
    return {make_core(cart, {}, count, std::move(options)), count};
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
  /// Whether long operations go by a window of MPI's (WindowOptions::mpi_window).
  [[nodiscard]] bool has_mpi_window() const noexcept { return core_->has_mpi_window(); }
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
  static std::unique_ptr<WindowCore> make_core(const CartComm& cart, WindowMemory memory,
                                               plan::Count count, WindowOptions options) {
    return std::make_unique<WindowCore>(cart, memory, count, typeid(T), sizeof(T),
                                        std::move(options));
  }
  /// Never null: without memory a window would make its own.
  static std::byte* bytes_of(T* first, plan::Count count) noexcept {
    alignas(T) static std::byte nothing[sizeof(T)];
    return count == 0 ? nothing : reinterpret_cast<std::byte*>(first);
  }
  static std::span<T> span_of(std::byte* memory, plan::Count count) noexcept {
    return {reinterpret_cast<T*>(memory), static_cast<std::size_t>(count)};
  }

  plan::Count count_;
  std::unique_ptr<WindowCore> core_;
};

}  // namespace cartwright::comm
