// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/kernels/across_ranks.hpp>
#include <memory>
#include <utility>

namespace cartwright::grid {

/// A reduction of which this rank's part is done, while the ranks combine theirs: what
/// `start_reduce(…)` returns; move-only. The result is in its place after `wait()`, or once
/// `test()` is true; without either it is never written. Waits when destroyed.
template <class Reduction>
class [[nodiscard]] PendingReduction {
 public:
  PendingReduction(const comm::CartComm& comm, const AcrossRanks<Reduction>& mine,
                   const Reduction& reduction)
      : all_(std::make_unique<AcrossRanks<Reduction>>(mine)),
        result_(reduction.result),
        pending_(start_combining_across_ranks(comm, *all_, reduction.site)) {}

  PendingReduction(PendingReduction&&) noexcept = default;
  PendingReduction& operator=(PendingReduction&&) = delete;
  PendingReduction(const PendingReduction&) = delete;
  PendingReduction& operator=(const PendingReduction&) = delete;
  ~PendingReduction() = default;

  /// Polls once; true when complete.
  bool test() {
    const bool is_complete = pending_.test();
    if (is_complete) *result_ = all_->value();
    return is_complete;
  }
  void wait() {
    pending_.wait();
    *result_ = all_->value();
  }

 private:
  std::unique_ptr<AcrossRanks<Reduction>> all_;  // declared first: what is pending writes it
  typename Reduction::Value* result_;
  comm::Pending pending_;
};

}  // namespace cartwright::grid
