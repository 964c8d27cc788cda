// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/reduction.hpp>
#include <cartwright/comm/execution/incoming.hpp>
#include <cartwright/comm/transport/landing_areas.hpp>
#include <cartwright/plan/program.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cartwright::comm {

/// The messages of a program between members of one node, each put by its sender into the
/// receiver's landing area. See `Messages`; knows no MPI. Messages to and from other ranks are
/// somebody else's.
class LandingMessages {
 public:
  /// `areas`, `members` and `program` must outlive this. `members`: by rank, its number among the
  /// members; negative if it isn't one.
  LandingMessages(LandingAreas& areas, std::span<const std::int32_t> members,
                  const plan::Program& program, std::size_t element_size);

  [[nodiscard]] bool serves(int rank) const { return member(rank) >= 0; }

  [[nodiscard]] bool begin(std::uint64_t sequence, const plan::Buffers& buffers);
  void reached(std::size_t /*step*/) {}
  /// False if the peer isn't a member: then the send counts as complete here.
  bool send(const plan::BoundStep& step);
  [[nodiscard]] bool receive(const plan::BoundStep& step) {
    return take(step, Landing{step.target.out(buffers_), bytes_of(step)});
  }
  [[nodiscard]] bool receive_combine(const plan::BoundStep& step, const Reduction& reduction) {
    return take(step, Landing{step.target.out(buffers_), bytes_of(step), step.source.in(buffers_),
                              &reduction, step.received == plan::Side::left});
  }
  [[nodiscard]] bool sends_are_complete(std::int32_t sends);
  void progress();
  [[nodiscard]] std::uint64_t moves() const noexcept { return put_ + incoming_.moves(); }

 private:
  /// A message that hasn't left, or not all of it.
  struct Outgoing {
    std::int32_t number = 0;  // among the program's sends
    int to = 0;
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::uint64_t message = 0;  // long ones: number in its pair; 0: it is short
    std::uint64_t put = 0;      // chunks
  };

  [[nodiscard]] int member(int rank) const { return members_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::size_t bytes_of(const plan::BoundStep& step) const {
    return static_cast<std::size_t>(step.count) * element_size_;
  }
  [[nodiscard]] LandingPair& pair(int other) const {
    return set_->pairs[static_cast<std::size_t>(other)];
  }
  [[nodiscard]] bool put(Outgoing& message);
  [[nodiscard]] bool put_short(const Outgoing& message);
  [[nodiscard]] bool put_chunks(Outgoing& message);
  [[nodiscard]] bool take(const plan::BoundStep& step, const Landing& landing);
  [[nodiscard]] bool take_short(int from, const Landing& landing);
  [[nodiscard]] bool take_chunks(int from, const Landing& landing);
  void grant(int from, std::size_t bytes);
  [[nodiscard]] std::uint64_t chunks_of(std::size_t bytes) const {
    return (bytes + chunk_ - 1) / chunk_;
  }

  LandingAreas* areas_;
  std::span<const std::int32_t> members_;
  std::size_t element_size_;
  std::size_t chunk_;  // of whole elements, where one fits
  Incoming incoming_;
  std::int32_t sends_;         // of the program
  std::int32_t receives_ = 0;  // of the program, that are ours
  std::vector<Outgoing> waiting_;

  // The present run.
  LandingSet* set_ = nullptr;
  plan::Buffers buffers_{};
  std::optional<std::uint64_t> ticket_;
  std::int32_t sent_ = 0;
  std::uint64_t put_ = 0;  // short messages and chunks, in all runs
  std::int32_t left_to_receive_ = 0;
  // The long message that is received.
  std::uint64_t first_ = 0;  // of its chunks
  std::uint64_t taken_ = 0;
  bool is_granted_ = false;
};

}  // namespace cartwright::comm
