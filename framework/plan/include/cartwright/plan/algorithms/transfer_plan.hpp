// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/time.hpp>
#include <cartwright/plan/schedule.hpp>
#include <cartwright/plan/team.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace cartwright::plan {

/// One message of a reduction: a segment goes from a rank, which gives it away, to another one.
struct Transfer {
  std::int32_t round = 0;  ///< ranks send one and receive one in a round
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::int32_t segment = 0;
  bool combines = true;  ///< false: the receiver has given its own away, and keeps what comes
  Side received = Side::right;  ///< of the operator
  friend bool operator==(const Transfer&, const Transfer&) = default;
};

/// A reduction of data in segments to a root, as the messages of all ranks, by round.
struct TransferPlan {
  int ranks = 1;
  int root = 0;
  int segments = 1;
  int rounds = 0;  ///< in which something is sent
  int length = 0;  ///< with those in which ranks wait for others (R of Marendic 2016)
  std::vector<Transfer> transfers{};

  /// The same for equal plans on all machines: a check that ranks have the same one.
  [[nodiscard]] std::uint64_t hash() const;
  friend bool operator==(const TransferPlan&, const TransferPlan&) = default;
};

/// Numbers rounds anew, each message as early as messages of its two ranks before it allow.
void close_up(TransferPlan& plan);

/// A plan with the messages of each rank at hand: made once, for the schedules of all ranks.
class SharedPlan {
 public:
  explicit SharedPlan(TransferPlan plan);

  [[nodiscard]] const TransferPlan& plan() const { return plan_; }
  /// Numbers of the transfers that a rank sends or receives, by round, sent ones first.
  [[nodiscard]] std::span<const std::int32_t> of(int rank) const;

 private:
  TransferPlan plan_;
  std::vector<std::int32_t> transfers_;
  std::vector<std::size_t> first_;
};

namespace reduce {

/// What one rank does in a plan. A block for each segment; scratch memory of a vector on ranks that
/// receive, but for the root, whose output it is. A rank's own data are sent from the input, and
/// combined from there with what comes first. Throws std::invalid_argument for another number of
/// ranks.
Schedule planned(Team team, const SharedPlan& shared);

}  // namespace reduce

}  // namespace cartwright::plan
