// SPDX-License-Identifier: Apache-2.0
// Runs backwards: how long from where ranks stand to the end, message by message from the last.
#include <cartwright/plan/arrivals/message_runs.hpp>

#include <algorithm>
#include <array>
#include <ranges>

namespace cartwright::plan {

namespace {

/// What is left behind a rank, and behind its last message that is on its way.
struct Left {
  double rank = 0.0, port = 0.0;
};

class LeftOfRanks {
 public:
  LeftOfRanks(std::size_t ranks, AfterSend after_send) : left_(ranks), after_send_(after_send) {}

  /// Behind a message, counted from where it begins: then both ends are ready.
  double receive(std::int32_t from, std::int32_t to, double port, double until_combined) {
    Left& sender = left_[static_cast<std::size_t>(from)];
    Left& receiver = left_[static_cast<std::size_t>(to)];
    const double left = std::max(sender.port + port, receiver.rank + until_combined);
    sender.port = receiver.rank = left;
    return left;
  }
  /// A rank comes to a message that it sends, behind which that much is left.
  void send(std::int32_t from, double left) {
    Left& sender = left_[static_cast<std::size_t>(from)];
    sender.rank = std::max(sender.rank, left);
    if (after_send_ == AfterSend::when_sent) sender.port = std::max(sender.port, sender.rank);
  }

  [[nodiscard]] TimesToEnd finished() const {
    std::vector<double> of_rank;
    of_rank.reserve(left_.size());
    for (const Left& left : left_) of_rank.push_back(std::max(left.rank, left.port));
    return TimesToEnd(std::move(of_rank));
  }

 private:
  std::vector<Left> left_;
  AfterSend after_send_;
};

/// What messages of one plan cost: [near][combines].
struct PlanCosts {
  std::array<double, 2> port{};
  std::array<std::array<double, 2>, 2> until_combined{};
  PlanCosts(const PairCosts& costs, Count bytes) {
    for (const bool near : {false, true}) {
      const MessageTimes times = costs.times(near, bytes);
      port[near ? 1 : 0] = times.port;
      until_combined[near ? 1 : 0] = {times.transfer, times.transfer + costs.combine(bytes)};
    }
  }
};

}  // namespace

TimesToEnd::TimesToEnd(const TransferPlan& plan, const PairCosts& costs, Count bytes,
                       AfterSend after_send) {
  const PlanCosts of_plan(costs, bytes);
  LeftOfRanks ranks(static_cast<std::size_t>(plan.ranks), after_send);
  std::vector<double> left(static_cast<std::size_t>(plan.ranks));  // of the messages of a round
  for (std::size_t end = plan.transfers.size(), begin = end; end > 0; end = begin) {
    for (; begin > 0 && plan.transfers[begin - 1].round == plan.transfers[end - 1].round; --begin) {
      const Transfer& transfer = plan.transfers[begin - 1];
      const std::size_t near = costs.near(transfer.from, transfer.to) ? 1 : 0;
      left[end - begin] = ranks.receive(transfer.from, transfer.to, of_plan.port[near],
                                        of_plan.until_combined[near][transfer.combines ? 1 : 0]);
    }
    for (std::size_t i = begin; i < end; ++i) ranks.send(plan.transfers[i].from, left[end - 1 - i]);
  }
  *this = ranks.finished();
}

TimesToEnd MessageRuns::times_to_end(int ranks, AfterSend after_send) const {
  LeftOfRanks of_ranks(static_cast<std::size_t>(ranks), after_send);
  std::vector<double> left(slots_);
  for (const auto event : std::views::reverse(events_)) {
    const Message& message = messages_[static_cast<std::size_t>(event < 0 ? ~event : event)];
    double& left_behind_it = left[static_cast<std::size_t>(message.slot)];
    if (event < 0) {
      of_ranks.send(message.from, left_behind_it);
    } else {
      left_behind_it = of_ranks.receive(message.from, message.to, message.port,
                                        message.transfer + message.combine);
    }
  }
  return of_ranks.finished();
}

Samples TimesToEnd::finish(std::span<const Samples> arrivals) const {
  Samples last{};
  for (std::size_t rank = 0; rank < of_rank_.size(); ++rank)
    for (std::size_t run = 0; run < Samples::count; ++run) {
      const double time = arrivals[rank].of_run[run] + of_rank_[rank];
      double& latest = last.of_run[run];
      latest = rank == 0 || time > latest ? time : latest;
    }
  return last;
}

double TimesToEnd::finish_of_one(std::span<const Samples> arrivals) const {
  double latest = arrivals.front().of_run.front() + of_rank_.front();
  for (std::size_t rank = 1; rank < of_rank_.size(); ++rank)
    latest = std::max(latest, arrivals[rank].of_run.front() + of_rank_[rank]);
  return latest;
}

}  // namespace cartwright::plan
