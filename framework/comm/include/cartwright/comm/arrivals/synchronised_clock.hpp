// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/arrivals/clock_estimate.hpp>
#include <cartwright/comm/arrivals/time_source.hpp>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <cstdint>
#include <memory>
#include <vector>

namespace cartwright::comm {

/// The time of rank 0 of a communicator, on all its ranks: each asks the next rank of a binomial
/// tree towards rank 0, by messages, and is told that one's estimate and its error. When rounds are
/// begun is up to the owner; a clock that jumps makes forecasts wrong, nothing else.
class SynchronisedClock {
 public:
  /// Collective: the first estimate. `shares_node`: this rank is on the node of its parent in the
  /// tree (`parent_of`).
  SynchronisedClock(const rt::Communicator& comm, P2pChannel channel, bool shares_node,
                    TimeSource time = {});
  ~SynchronisedClock();
  SynchronisedClock(const SynchronisedClock&) = delete;
  SynchronisedClock& operator=(const SynchronisedClock&) = delete;

  /// Whom a rank asks; -1: nobody.
  [[nodiscard]] static int parent_of(int rank) { return rank == 0 ? -1 : rank & (rank - 1); }

  [[nodiscard]] const TimeSource& source() const { return time_; }
  /// Local time, in ns.
  [[nodiscard]] std::int64_t now() const { return time_.now(); }
  /// A local time as rank 0's clock shows it.
  [[nodiscard]] std::int64_t shared(std::int64_t local) const { return estimate_.reference(local); }
  /// How far off that may be.
  [[nodiscard]] std::int64_t error(std::int64_t local) const { return estimate_.error(local); }
  [[nodiscard]] int jumps() const { return estimate_.jumps(); }

  /// One more round trip in the background: all ranks begin it between the same calls. The engine
  /// must outlive it.
  void begin_round(rt::ProgressEngine& engine);
  [[nodiscard]] bool round_is_over() const { return round_request_.is_complete(); }
  void finish_round() { round_request_.wait(); }

 private:
  class Round;
  /// What a parent answers: when the question came and when this left, by rank 0's clock.
  using Answer = std::array<std::int64_t, 3>;

  void ask_in_turn();
  void answer_in_turn(int child);
  [[nodiscard]] Answer answer_to(std::int64_t received) const;
  void learn(std::int64_t left, const Answer& answer, std::int64_t came);

  P2pChannel channel_;
  TimeSource time_;
  int parent_;
  std::vector<int> children_;  // the one with the most ranks behind it first
  ClockEstimate estimate_;
  std::unique_ptr<Round> round_;  // declared first: the request is gone before it
  rt::Request round_request_;
};

}  // namespace cartwright::comm
