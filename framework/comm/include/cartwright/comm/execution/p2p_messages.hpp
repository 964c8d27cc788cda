// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/execution/messages.hpp>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/comm/execution/p2p_receives.hpp>
#include <cartwright/plan/program.hpp>
#include <cartwright/rt/byte_type.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cartwright::comm {

struct P2pOptions {
  std::size_t open_receives = 32;  ///< posted at the same time, at most
  /// Memory for operands that are received, in bytes; for two of them always.
  std::size_t landing_bytes = std::size_t{1} << 20;
  /// MPI counts bytes with an int; longer messages are one element of a larger type.
  std::size_t largest_count = rt::ByteType::largest_count;
};

/// The messages of a program as MPI's nonblocking sends and receives.
///
/// Receives are posted in the program's order, each as soon as nothing that isn't done touches its
/// target; operands of combinations land there or in memory of this object. Waiting means testing
/// one request: the receive or the send that is due; MPI moves all others meanwhile.
class P2pMessages {
 public:
  using Options = P2pOptions;
  /// Which ranks' messages are carried; asked in the constructor only. Null: all.
  using Serves = std::function<bool(int peer)>;

  /// `channel` and `program` must outlive this.
  P2pMessages(P2pChannel& channel, const plan::Program& program, std::size_t element_size,
              const Serves& serves = {}, const Options& options = {});
  P2pMessages(P2pMessages&&) noexcept = default;
  P2pMessages& operator=(P2pMessages&&) = delete;
  P2pMessages(const P2pMessages&) = delete;
  P2pMessages& operator=(const P2pMessages&) = delete;
  /// A run that isn't complete (when an exception unwinds) is given up; the memory into which its
  /// operands may still come is never freed then.
  ~P2pMessages();

  /// True if no message of the program is one of ours.
  [[nodiscard]] bool serves_nobody() const noexcept { return receives_.empty() && sends_.empty(); }

  [[nodiscard]] bool begin(std::uint64_t sequence, const plan::Buffers& buffers);
  void reached(std::size_t index) {
    if (posted_ < receives_.size() && receives_[posted_].from_step <= index) post_ahead(index);
  }
  void send(const plan::BoundStep& step);
  [[nodiscard]] bool receive(const plan::BoundStep& /*step*/) { return has_come(); }
  [[nodiscard]] bool receive_combine(const plan::BoundStep& step, const Reduction& reduction) {
    if (!has_come()) return false;
    std::byte* const target = step.target.out(buffers_);
    const bool has_landing = receives_[received_ - 1].has_landing();
    const std::byte* const landed = has_landing ? landing_.at(combined_++) : target;
    const std::byte* const source = step.source.in(buffers_);
    const bool is_left = step.received == plan::Side::left;
    reduction(is_left ? landed : source, is_left ? source : landed, target,
              static_cast<std::size_t>(step.count));
    return true;
  }
  [[nodiscard]] bool sends_are_complete(std::int32_t sends) {
    const auto first = own_sends_.empty() ? static_cast<std::size_t>(sends)
                                          : own_sends_[static_cast<std::size_t>(sends)];
    if (!sends_reach(first) && !sends_reach(first)) return false;  // twice: see has_come
    if (complete_ == sends_.size() && received_ == receives_.size()) stay_.reset();
    return true;
  }
  /// Nothing to do: whoever waits tests a request, and MPI moves them all then.
  void progress() {}
  [[nodiscard]] std::uint64_t moves() const noexcept { return complete_ + received_; }
  /// For who waits for somebody else's messages: long ones of ours leave only when MPI is called.
  void keep_moving() {
    if (complete_ < sent_)
      (void)sends_reach(complete_ + 1);
    else if (received_ < posted_)
      (void)test(open_[received_ & open_mask_]);
  }

 private:
  [[nodiscard]] std::size_t bytes_of(const plan::BoundStep& step) const {
    return static_cast<std::size_t>(step.count) * element_size_;
  }
  void post_ahead(std::size_t index);
  void post_next();
  /// Whether the next receive in the program's order is complete.
  bool has_come() {
    if (posted_ == received_) post_next();
    // A test that fails may have given the core to another rank, and not have looked again since.
    if (!test(open_[received_ & open_mask_]) && !test(open_[received_ & open_mask_])) return false;
    ++received_;
    return true;
  }
  bool sends_reach(std::size_t first) {
    while (complete_ < first) {
      if (!test(sends_[complete_])) return false;
      ++complete_;
    }
    return true;
  }
  static bool test(MPI_Request& request) {
    int is_complete = 0;
    rt::mpi_check(MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
    return is_complete != 0;
  }

  P2pChannel* channel_;
  std::span<const plan::BoundStep> steps_;
  std::size_t element_size_;
  std::size_t largest_count_;
  std::vector<P2pReceive> receives_;    // in the program's order
  std::vector<std::size_t> own_sends_;  // ours among the program's first n; empty: all are
  P2pLanding landing_;
  std::vector<MPI_Request> open_;  // of receives: the r-th at r modulo their number
  std::size_t open_mask_ = 0;
  std::vector<MPI_Request> sends_;

  // The present run.
  P2pChannel::Stay stay_;
  plan::Buffers buffers_{};
  int tag_ = 0;
  std::size_t posted_ = 0;    // receives
  std::size_t received_ = 0;  // of these
  std::size_t combined_ = 0;  // of these, with a landing
  std::size_t sent_ = 0;
  std::size_t complete_ = 0;  // sends, from the first one on
};

static_assert(Messages<P2pMessages>);

}  // namespace cartwright::comm
