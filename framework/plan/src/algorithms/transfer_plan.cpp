// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/transfer_plan.hpp>
#include <cartwright/plan/builder.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace cartwright::plan {

namespace {

/// FNV-1a over whole numbers.
class NumberHash {
 public:
  void add(std::uint64_t number) {
    hash_ ^= number;
    hash_ *= 0x100000001b3U;
    hash_ ^= hash_ >> 29;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

std::uint64_t two(std::int32_t high, std::int32_t low) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32U |
         static_cast<std::uint32_t>(low);
}

}  // namespace

std::uint64_t TransferPlan::hash() const {
  NumberHash hash;
  hash.add(two(ranks, root));
  hash.add(two(segments, rounds));
  for (const Transfer& transfer : transfers) {
    hash.add(two(transfer.round, transfer.segment));
    hash.add(two(transfer.from, transfer.to));
    hash.add((transfer.combines ? 2U : 0U) + (transfer.received == Side::left ? 1U : 0U));
  }
  return hash.value();
}

void close_up(TransferPlan& plan) {
  // The round before which a rank can't send, or receive, again; nor send what it has just got: its
  // messages stay in their order.
  const auto ranks = static_cast<std::size_t>(plan.ranks);
  std::vector<std::int32_t> sends(ranks, 0), receives(ranks, 0), last_round(ranks, -1),
      last_named(ranks, -1);
  std::int32_t rounds = 0;
  for (Transfer& transfer : plan.transfers) {
    const auto from = static_cast<std::size_t>(transfer.from);
    const auto to = static_cast<std::size_t>(transfer.to);
    // Of one round stay of one round; what was in an earlier one comes before.
    const auto earliest = [&](std::size_t rank) {
      return last_named[rank] == transfer.round ? last_round[rank] : last_round[rank] + 1;
    };
    const std::int32_t round =
        std::max({earliest(from), earliest(to), sends[from], receives[to], std::int32_t{0}});
    for (const std::size_t rank : {from, to}) {
      last_named[rank] = transfer.round;
      last_round[rank] = std::max(last_round[rank], round);
    }
    sends[from] = receives[to] = round + 1;
    transfer.round = round;
    rounds = std::max(rounds, round + 1);
  }
  std::ranges::stable_sort(plan.transfers, {}, &Transfer::round);
  plan.rounds = rounds;
}

SharedPlan::SharedPlan(TransferPlan plan)
    : plan_(std::move(plan)), first_(static_cast<std::size_t>(plan_.ranks) + 1, 0) {
  for (const Transfer& transfer : plan_.transfers)
    for (const std::int32_t rank : {transfer.from, transfer.to})
      ++first_[static_cast<std::size_t>(rank) + 1];
  for (std::size_t rank = 0; rank + 1 < first_.size(); ++rank) first_[rank + 1] += first_[rank];
  transfers_.resize(first_.back());
  std::vector<std::size_t> next = first_;
  const std::size_t count = plan_.transfers.size();
  // In a round a rank sends before it receives.
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && plan_.transfers[end].round == plan_.transfers[begin].round) ++end;
    for (const bool sends : {true, false})
      for (std::size_t i = begin; i < end; ++i) {
        const Transfer& transfer = plan_.transfers[i];
        const auto rank = static_cast<std::size_t>(sends ? transfer.from : transfer.to);
        transfers_[next[rank]++] = static_cast<std::int32_t>(i);
      }
  }
}

std::span<const std::int32_t> SharedPlan::of(int rank) const {
  const auto r = static_cast<std::size_t>(rank);
  return std::span(transfers_).subspan(first_[r], first_[r + 1] - first_[r]);
}

namespace reduce {

Schedule planned(Team team, const SharedPlan& shared) {
  const TransferPlan& plan = shared.plan();
  if (team.ranks != plan.ranks)
    throw std::invalid_argument("a plan for " + std::to_string(plan.ranks) + " ranks, and " +
                                std::to_string(team.ranks) + " ranks");
  const bool is_root = team.me == plan.root;
  Builder build(team, {.blocks = plan.segments,
                       .input = {0, plan.segments},
                       .output = {0, is_root ? plan.segments : 0}});
  const auto mine = shared.of(team.me);
  build.reserve(mine.size() + 1);
  const bool receives = std::ranges::any_of(mine, [&](std::int32_t i) {
    return plan.transfers[static_cast<std::size_t>(i)].to == team.me;
  });
  const Buffer sums = receives && !is_root ? build.scratch(0, plan.segments) : Buffer::output;
  std::vector<bool> is_summed(static_cast<std::size_t>(plan.segments), false);
  for (const std::int32_t i : mine) {
    const Transfer& transfer = plan.transfers[static_cast<std::size_t>(i)];
    const Slice sum{sums, transfer.segment, 1};
    const bool known = is_summed[static_cast<std::size_t>(transfer.segment)];
    const Slice so_far = known ? sum : build.input(transfer.segment);
    build.set_round(transfer.round);
    if (transfer.from == team.me) {
      build.send(transfer.to, so_far);
      continue;
    }
    if (transfer.combines) {
      build.receive_combine(transfer.from, transfer.received, so_far, sum);
    } else {
      build.receive(transfer.from, sum);
    }
    is_summed[static_cast<std::size_t>(transfer.segment)] = true;
  }
  if (plan.ranks == 1) build.copy(build.input(0, plan.segments), build.output(0, plan.segments));
  return std::move(build).finish(plan.rounds);
}

}  // namespace reduce

}  // namespace cartwright::plan
