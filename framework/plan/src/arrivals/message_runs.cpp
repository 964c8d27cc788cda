// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/arrivals/message_runs.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace cartwright::plan {

namespace {

double nanoseconds(double seconds) {
  return std::round(seconds * 1e9);
}

template <std::size_t runs>
using Runs = std::array<double, runs>;

template <std::size_t runs>
Runs<runs> later(const Runs<runs>& a, const Runs<runs>& b) {
  Runs<runs> result;
  for (std::size_t i = 0; i < runs; ++i) result[i] = a[i] > b[i] ? a[i] : b[i];
  return result;
}

template <std::size_t runs>
Runs<runs> after(const Runs<runs>& a, double time) {
  Runs<runs> result;
  for (std::size_t i = 0; i < runs; ++i) result[i] = a[i] + time;
  return result;
}

/// An event of a schedule: in a round all send before they receive.
struct ListedEvent {
  std::int32_t round = 0;
  bool receives = false;
  std::int32_t event = 0;
};

}  // namespace

PairCosts::PairCosts(const Problem& problem, const Machine& machine)
    : inside_(machine.levels.back().network),
      between_(machine.levels.front().network),
      combine_byte_time_(machine.reduce_byte_time),
      node_of_(static_cast<std::size_t>(problem.ranks), 0) {
  const int unit = machine.ranks_in_unit(0);
  for (int rank = 0; rank < problem.ranks; ++rank) {
    const int node = problem.nodes != nullptr
                         ? problem.nodes->member_at(0, problem.nodes->place_of(rank))
                         : (machine.levels.size() > 1 ? rank / unit : 0);
    node_of_[static_cast<std::size_t>(rank)] = node;
    nodes_ = std::max(nodes_, node + 1);
  }
  // On one node all are as far from each other as a node's ranks.
  if (nodes_ == 1) between_ = inside_;
}

MessageTimes PairCosts::times(bool is_near, Count bytes) const {
  const Network& network = is_near ? inside_ : between_;
  const Count paid = network.first_byte_is_free ? std::max<Count>(0, bytes - 1) : bytes;
  const double on_way = network.byte_time.at(bytes) * static_cast<double>(paid);
  const double transfer = network.send_overhead.at(bytes) + network.latency.at(bytes) + on_way +
                          network.receive_overhead.at(bytes);
  const double port = std::max(network.send_overhead.at(bytes),
                               network.gap.at(bytes) + (network.bytes_hold_port ? on_way : 0.0));
  return {nanoseconds(transfer), std::min(nanoseconds(transfer), nanoseconds(port))};
}

double PairCosts::combine(Count bytes) const {
  return nanoseconds(combine_byte_time_ * static_cast<double>(bytes));
}

Nanoseconds PairCosts::round(Count bytes) const {
  return std::max<Nanoseconds>(1, std::llround(times(false, bytes).transfer + combine(bytes)));
}

MessageRuns::MessageRuns(const TransferPlan& plan, const PairCosts& costs, Count bytes) {
  const MessageTimes near = costs.times(true, bytes), far = costs.times(false, bytes);
  const double combine = costs.combine(bytes);
  const std::size_t count = plan.transfers.size();
  messages_.reserve(count);
  events_.reserve(2 * count);
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    for (; end < count && plan.transfers[end].round == plan.transfers[begin].round; ++end) {
      const Transfer& transfer = plan.transfers[end];
      const MessageTimes& times = costs.near(transfer.from, transfer.to) ? near : far;
      messages_.push_back({.from = transfer.from,
                           .to = transfer.to,
                           .slot = static_cast<std::int32_t>(end - begin),
                           .transfer = times.transfer,
                           .port = times.port,
                           .combine = transfer.combines ? combine : 0.0});
      events_.push_back(~static_cast<std::int32_t>(end));
    }
    for (std::size_t i = begin; i < end; ++i) events_.push_back(static_cast<std::int32_t>(i));
    slots_ = std::max(slots_, end - begin);
  }
}

MessageRuns::MessageRuns(const Problem& problem, const PairCosts& costs, const Choice& choice) {
  const Maker make = choice.maker(problem);
  std::map<std::tuple<int, int, int>, std::int32_t> known;  // from, to, number
  std::vector<ListedEvent> events;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    const Schedule schedule = make({.ranks = problem.ranks, .me = rank});
    const Layout layout = layout_of(problem, schedule.blocks());
    for (const Step& step : schedule.steps()) {
      if (!step.sends() && !step.receives()) continue;
      const int from = step.sends() ? rank : step.peer;
      const int to = step.sends() ? step.peer : rank;
      const auto [place, is_new] = known.try_emplace(std::tuple(from, to, step.number),
                                                     static_cast<std::int32_t>(messages_.size()));
      const std::int32_t number = place->second;
      events.push_back({step.round, step.receives(), step.sends() ? ~number : number});
      if (is_new) messages_.push_back({.from = from, .to = to, .slot = number});
      Message& message = messages_[static_cast<std::size_t>(number)];
      const Count bytes =
          length(layout, step.sends() ? step.source() : step.target()) * problem.element_size;
      const MessageTimes times = costs.times(costs.near(from, to), bytes);
      message.transfer = times.transfer;
      message.port = times.port;
      if (step.kind == StepKind::receive_combine) message.combine = costs.combine(bytes);
    }
  }
  slots_ = messages_.size();
  std::ranges::stable_sort(
      events, {}, [](const ListedEvent& one) { return std::pair(one.round, one.receives); });
  for (const ListedEvent& one : events) events_.push_back(one.event);
}

template <std::size_t runs>
void MessageRuns::run(std::span<const Samples> arrivals, AfterSend after_send,
                      Samples& last) const {
  std::vector<Runs<runs>> ready(arrivals.size());
  for (std::size_t rank = 0; rank < ready.size(); ++rank)
    std::copy_n(arrivals[rank].of_run.begin(), runs, ready[rank].begin());
  std::vector<Runs<runs>> port = ready;
  std::vector<Runs<runs>> noted(slots_);
  for (const std::int32_t event : events_) {
    const Message& message = messages_[static_cast<std::size_t>(event < 0 ? ~event : event)];
    const auto from = static_cast<std::size_t>(message.from);
    const auto slot = static_cast<std::size_t>(message.slot);
    if (event < 0) {
      if (after_send == AfterSend::when_sent) ready[from] = later(ready[from], port[from]);
      noted[slot] = ready[from];
      continue;
    }
    const auto to = static_cast<std::size_t>(message.to);
    const Runs<runs> begin = later(later(noted[slot], port[from]), ready[to]);
    port[from] = after(begin, message.port);
    ready[to] = after(begin, message.transfer + message.combine);
  }
  Runs<runs> latest = ready.front();
  for (std::size_t rank = 0; rank < ready.size(); ++rank)
    latest = later(later(latest, ready[rank]), port[rank]);
  std::ranges::copy(latest, last.of_run.begin());
}

Samples MessageRuns::finish(std::span<const Samples> arrivals, AfterSend after_send) const {
  Samples last;
  run<Samples::count>(arrivals, after_send, last);
  return last;
}

double MessageRuns::finish_of_one(std::span<const Samples> arrivals, AfterSend after_send) const {
  Samples last;
  run<1>(arrivals, after_send, last);
  return last.of_run.front();
}

}  // namespace cartwright::plan
