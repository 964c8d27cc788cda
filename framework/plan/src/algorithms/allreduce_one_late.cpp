// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/algorithms/clairvoyant.hpp>
#include <cartwright/plan/builder.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::plan::allreduce {

namespace {

/// A rank's number among all but one.
int without(int rank, int left_out) {
  return rank < left_out ? rank : rank - 1;
}
int among_all(int number, int left_out) {
  return number < left_out ? number : number + 1;
}

/// A reduction to the late rank, backwards: how it hands out segments. Who has one already isn't
/// sent it again.
std::vector<Transfer> handed_out(int others, int late, int segments) {
  TransferPlan plan =
      clairvoyant_plan({.ranks = others, .root = late, .segments = segments}, PlanRule::grouped);
  std::ranges::reverse(plan.transfers);
  std::vector<bool> has(static_cast<std::size_t>(others) * static_cast<std::size_t>(segments));
  const auto place = [&](int rank, int segment) {
    return static_cast<std::size_t>(rank) * static_cast<std::size_t>(segments) +
           static_cast<std::size_t>(segment);
  };
  for (int segment = 0; segment < segments; ++segment) has[place(late, segment)] = true;
  std::vector<Transfer> handed;
  for (const Transfer& transfer : plan.transfers) {
    if (has[place(transfer.from, transfer.segment)]) continue;
    has[place(transfer.from, transfer.segment)] = true;
    handed.push_back({.round = plan.rounds - 1 - transfer.round,
                      .from = transfer.to,
                      .to = transfer.from,
                      .segment = transfer.segment});
  }
  return handed;
}

/// The collector gets segments from ranks that have nothing else to send. `fed`: in which order the
/// late rank gets them, one in the round before each round.
void serve(int collector, int late, const std::vector<int>& fed, std::vector<Transfer>& handed) {
  std::vector<Transfer> served;
  std::vector<std::vector<int>> holders(fed.size());  // by segment
  std::vector<int> wanted = fed;
  std::vector<int> busy;
  std::size_t next = 0;
  for (std::size_t round = 0; !wanted.empty(); ++round) {
    if (round < fed.size()) holders[static_cast<std::size_t>(fed[round])].push_back(late);
    const std::size_t first = next;
    busy.clear();
    for (; next < handed.size() && handed[next].round == static_cast<int>(round); ++next)
      busy.push_back(handed[next].from);
    const auto idle_holder = [&](int segment) {
      for (const int holder : holders[static_cast<std::size_t>(segment)])
        if (std::ranges::find(busy, holder) == busy.end()) return holder;
      return -1;
    };
    const auto found =
        std::ranges::find_if(wanted, [&](int segment) { return idle_holder(segment) >= 0; });
    if (found != wanted.end()) {
      served.push_back({.round = static_cast<int>(round),
                        .from = idle_holder(*found),
                        .to = collector,
                        .segment = *found});
      wanted.erase(found);
    }
    for (std::size_t i = first; i < next; ++i)
      holders[static_cast<std::size_t>(handed[i].segment)].push_back(handed[i].to);
  }
  handed.insert(handed.end(), served.begin(), served.end());
  std::ranges::stable_sort(handed, {}, &Transfer::round);
}

}  // namespace

OneLatePlan::OneLatePlan(int ranks, int late, int segments) : late_(late) {
  if (ranks < 2) throw std::invalid_argument("one is late, and who waits for it?");
  if (late < 0 || late >= ranks)
    throw std::invalid_argument("there is no rank " + std::to_string(late) + " that could be late");
  collector_ = late == 0 ? 1 : 0;
  reduction_ = std::make_shared<const SharedPlan>(clairvoyant_plan(
      {.ranks = ranks - 1, .root = without(collector_, late), .segments = segments},
      PlanRule::grouped));
  // Among all but the collector, which is busy with sending.
  handed_ = ranks == 2 ? std::vector<Transfer>{}
                       : handed_out(ranks - 1, without(late, collector_), segments);
  std::vector<bool> is_fed(static_cast<std::size_t>(segments), false);
  for (Transfer& transfer : handed_) {
    transfer.from = among_all(transfer.from, collector_);
    transfer.to = among_all(transfer.to, collector_);
    const auto segment = static_cast<std::size_t>(transfer.segment);
    if (!is_fed[segment]) fed_.push_back(transfer.segment);
    is_fed[segment] = true;
  }
  for (int segment = 0; segment < segments; ++segment)
    if (!is_fed[static_cast<std::size_t>(segment)]) fed_.push_back(segment);
  serve(collector_, late, fed_, handed_);
}

Schedule one_late(Team team, const OneLatePlan& plan) {
  const SharedPlan& reduction = *plan.reduction_;
  const int segments = reduction.plan().segments;
  if (team.ranks != reduction.plan().ranks + 1)
    throw std::invalid_argument("a plan for " + std::to_string(reduction.plan().ranks + 1) +
                                " ranks, and " + std::to_string(team.ranks) + " ranks");
  Builder build(team, {.blocks = segments, .input = {0, segments}, .output = {0, segments}});
  std::vector<bool> is_summed(static_cast<std::size_t>(segments), false);
  const auto so_far = [&](int segment) {
    return is_summed[static_cast<std::size_t>(segment)] ? build.output(segment)
                                                        : build.input(segment);
  };
  if (team.me != plan.late_)
    for (const std::int32_t i : reduction.of(without(team.me, plan.late_))) {
      const Transfer& transfer = reduction.plan().transfers[static_cast<std::size_t>(i)];
      const int from = among_all(transfer.from, plan.late_);
      const int to = among_all(transfer.to, plan.late_);
      build.set_round(transfer.round);
      if (from == team.me) {
        build.send(to, so_far(transfer.segment));
        continue;
      }
      const Slice sum = build.output(transfer.segment);
      if (transfer.combines)
        build.receive_combine(from, Side::right, so_far(transfer.segment), sum);
      else
        build.receive(from, sum);
      is_summed[static_cast<std::size_t>(transfer.segment)] = true;
    }
  const int begin = reduction.plan().rounds;
  // In a round a rank sends before it receives.
  for (std::size_t i = 0; i < plan.fed_.size(); ++i) {
    build.set_round(begin + static_cast<int>(i));
    if (team.me == plan.collector_) build.send(plan.late_, so_far(plan.fed_[i]));
  }
  for (const Transfer& transfer : plan.handed_) {
    build.set_round(begin + 1 + transfer.round);
    if (transfer.from == team.me) build.send(transfer.to, build.output(transfer.segment));
  }
  for (std::size_t i = 0; i < plan.fed_.size(); ++i) {
    build.set_round(begin + static_cast<int>(i));
    if (team.me == plan.late_)
      build.receive_combine(plan.collector_, Side::right, build.input(plan.fed_[i]),
                            build.output(plan.fed_[i]));
  }
  for (const Transfer& transfer : plan.handed_) {
    build.set_round(begin + 1 + transfer.round);
    if (transfer.to == team.me) build.receive(transfer.from, build.output(transfer.segment));
  }
  const int rounds = plan.handed_.empty() ? segments : plan.handed_.back().round + 2;
  return std::move(build).finish(begin + std::max(segments, rounds));
}

}  // namespace cartwright::plan::allreduce
