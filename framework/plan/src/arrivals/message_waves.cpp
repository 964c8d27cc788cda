// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/arrivals/message_waves.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace cartwright::plan {

namespace {

double nanoseconds(double seconds) {
  return std::round(seconds * 1e9);
}

Samples later(const Samples& a, const Samples& b) {
  Samples result;
  for (std::size_t i = 0; i < Samples::count; ++i)
    result.of_run[i] = a.of_run[i] > b.of_run[i] ? a.of_run[i] : b.of_run[i];
  return result;
}

Samples after(const Samples& a, double time) {
  Samples result;
  for (std::size_t i = 0; i < Samples::count; ++i) result.of_run[i] = a.of_run[i] + time;
  return result;
}

/// A message of a schedule at one of its ends.
struct End {
  std::size_t message = 0;
  bool sends = false;
};

/// The messages of all schedules, and in which order each rank comes to them.
struct Programs {
  std::vector<std::vector<End>> ends;  ///< by rank
  std::vector<int> waves;              ///< by message
};

/// Raises waves until every rank's order is kept: a send comes behind what was received before it,
/// and a receive not before what was sent before it.
void find_waves(Programs& programs, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<int> waiting;
  std::vector<bool> is_waiting(programs.ends.size(), true);
  for (int rank = static_cast<int>(programs.ends.size()) - 1; rank >= 0; --rank)
    waiting.push_back(rank);
  while (!waiting.empty()) {
    const int rank = waiting.back();
    waiting.pop_back();
    is_waiting[static_cast<std::size_t>(rank)] = false;
    int sent = -1, received = -1;
    for (const End& end : programs.ends[static_cast<std::size_t>(rank)]) {
      int& wave = programs.waves[end.message];
      const int least = end.sends ? std::max(received, sent) + 1 : std::max(received + 1, sent);
      if (wave < least) {
        wave = least;
        const int other = end.sends ? pairs[end.message].second : pairs[end.message].first;
        if (!is_waiting[static_cast<std::size_t>(other)]) waiting.push_back(other);
        is_waiting[static_cast<std::size_t>(other)] = true;
      }
      (end.sends ? sent : received) = wave;
    }
  }
}

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

MessageWaves::MessageWaves(const TransferPlan& plan, const PairCosts& costs, Count bytes)
    : ranks_(plan.ranks) {
  const MessageTimes near = costs.times(true, bytes), far = costs.times(false, bytes);
  const double combine = costs.combine(bytes);
  messages_.reserve(plan.transfers.size());
  for (const Transfer& transfer : plan.transfers) {
    if (!messages_.empty() && transfer.round != plan.transfers[messages_.size() - 1].round)
      wave_ends_.push_back(messages_.size());
    const MessageTimes& times = costs.near(transfer.from, transfer.to) ? near : far;
    messages_.push_back({.from = transfer.from,
                         .to = transfer.to,
                         .transfer = times.transfer,
                         .port = times.port,
                         .combine = transfer.combines ? combine : 0.0});
  }
  wave_ends_.push_back(messages_.size());
}

MessageWaves::MessageWaves(const Problem& problem, const PairCosts& costs, const Choice& choice)
    : ranks_(problem.ranks) {
  const Maker make = choice.maker(problem);
  std::map<std::tuple<int, int, int>, std::size_t> known;  // from, to, number
  Programs programs{.ends = std::vector<std::vector<End>>(static_cast<std::size_t>(ranks_)),
                    .waves = {}};
  for (int rank = 0; rank < ranks_; ++rank) {
    const Schedule schedule = make({.ranks = ranks_, .me = rank});
    const Layout layout = layout_of(problem, schedule.blocks());
    for (const Step& step : schedule.steps()) {
      if (!step.sends() && !step.receives()) continue;
      const int from = step.sends() ? rank : step.peer;
      const int to = step.sends() ? step.peer : rank;
      const auto [place, is_new] =
          known.try_emplace(std::tuple(from, to, step.number), messages_.size());
      if (is_new) messages_.push_back({.from = from, .to = to});
      Message& message = messages_[place->second];
      const Count bytes =
          length(layout, step.sends() ? step.source() : step.target()) * problem.element_size;
      const MessageTimes times = costs.times(costs.near(from, to), bytes);
      message.transfer = times.transfer;
      message.port = times.port;
      if (step.kind == StepKind::receive_combine) message.combine = costs.combine(bytes);
      programs.ends[static_cast<std::size_t>(rank)].push_back({place->second, step.sends()});
    }
  }
  std::vector<std::pair<int, int>> pairs;
  for (const Message& message : messages_) pairs.emplace_back(message.from, message.to);
  programs.waves.assign(messages_.size(), 0);
  find_waves(programs, pairs);
  std::vector<std::pair<int, std::size_t>> order;
  for (std::size_t i = 0; i < messages_.size(); ++i) order.emplace_back(programs.waves[i], i);
  std::ranges::sort(order);
  std::vector<Message> sorted;
  for (const auto& [wave, i] : order) {
    if (!sorted.empty() && wave != order[sorted.size() - 1].first)
      wave_ends_.push_back(sorted.size());
    sorted.push_back(messages_[i]);
  }
  messages_ = std::move(sorted);
  wave_ends_.push_back(messages_.size());
}

Samples MessageWaves::finish(std::span<const Samples> arrivals, AfterSend after_send) const {
  std::vector<Samples> ready(arrivals.begin(), arrivals.end());
  std::vector<Samples> port = ready;
  std::vector<Samples> ends;
  std::size_t begin = 0;
  for (const std::size_t wave_end : wave_ends_) {
    const std::size_t size = wave_end - begin;
    if (ends.size() < size) ends.resize(size);
    const std::span<const Message> wave(messages_.data() + begin, size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto from = static_cast<std::size_t>(wave[i].from);
      const auto to = static_cast<std::size_t>(wave[i].to);
      ends[i] = after(later(later(ready[from], port[from]), ready[to]), wave[i].transfer);
    }
    for (std::size_t i = 0; i < size; ++i) {
      const auto from = static_cast<std::size_t>(wave[i].from);
      const auto to = static_cast<std::size_t>(wave[i].to);
      port[from] = after(ends[i], wave[i].port - wave[i].transfer);
      ready[to] = later(ready[to], after(ends[i], wave[i].combine));
      if (after_send == AfterSend::when_sent) ready[from] = later(ready[from], ends[i]);
    }
    begin = wave_end;
  }
  Samples last = ready.front();
  for (std::size_t rank = 0; rank < ready.size(); ++rank)
    last = later(later(last, ready[rank]), port[rank]);
  return last;
}

}  // namespace cartwright::plan
