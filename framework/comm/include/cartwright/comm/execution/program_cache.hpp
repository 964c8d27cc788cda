// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/comm/execution/bound_collective.hpp>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace cartwright::comm {

/// The bound collectives of one communicator, found again by what was called. Those in use are
/// lent: a second call of the same kind meanwhile gets another one.
template <Messages M>
class ProgramCache {
 public:
  using Bound = BoundCollective<M>;

  /// Gives it back when destroyed. What was left in the middle of a run (an exception passed) is
  /// never lent again.
  class Loan {
   public:
    Loan() = default;
    explicit Loan(Bound& bound) : bound_(&bound) { bound.in_use = true; }
    Loan(Loan&& other) noexcept : bound_(std::exchange(other.bound_, nullptr)) {}
    Loan& operator=(Loan&& other) noexcept {
      std::swap(bound_, other.bound_);
      return *this;
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { give_back(); }
    /// After a run that has ended.
    void give_back() {
      if (bound_ != nullptr && !running) bound_->in_use = false;
      bound_ = nullptr;
    }
    Bound* operator->() const { return bound_; }

    bool running = false;

   private:
    Bound* bound_ = nullptr;
  };

  /// `make()` gives a std::unique_ptr<Bound> when there is none that is free.
  template <class Make>
  [[nodiscard]] Loan borrow(const CollectiveKey& key, const Make& make) {
    Bound*& recent = recent_[key.hash() % recent_.size()];
    if (recent != nullptr && !recent->in_use && recent->key() == key) return Loan(*recent);
    recent = &find(key, make);
    return Loan(*recent);
  }

  /// What was made for a choice that will be gone is lent no more.
  void forget(const plan::Choice& how) noexcept {
    recent_.fill(nullptr);
    for (const auto& bound : all_)
      if (bound->key().how == &how) bound->retire();
    std::erase_if(all_, [](const auto& bound) { return bound->is_retired() && !bound->in_use; });
  }

 private:
  static constexpr std::size_t most_idle = 256;
  static constexpr std::size_t most_idle_scratch = std::size_t{256} << 20;  // bytes

  template <class Make>
  Bound& find(const CollectiveKey& key, const Make& make) {
    for (const auto& bound : all_)
      if (!bound->in_use && bound->key() == key) return *bound;
    if (all_.size() >= limit_ || scratch_ > most_idle_scratch) drop_idle();
    Bound& made = *all_.emplace_back(make());
    scratch_ += made.scratch_bytes();
    return made;
  }
  void drop_idle() {
    recent_.fill(nullptr);
    std::erase_if(all_, [](const auto& bound) { return !bound->in_use; });
    scratch_ = 0;
    for (const auto& bound : all_) scratch_ += bound->scratch_bytes();
    limit_ = std::max(most_idle, 2 * all_.size());
  }

  std::array<Bound*, 64> recent_{};
  std::vector<std::unique_ptr<Bound>> all_;
  std::size_t limit_ = most_idle;
  std::size_t scratch_ = 0;  // bytes of all
};

}  // namespace cartwright::comm
