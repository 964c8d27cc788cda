// SPDX-License-Identifier: Apache-2.0
// As forward_plan, for operators that don't commute: parts that combine are of neighbouring ranks.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "tasks.hpp"

namespace cartwright::plan::clairvoyant {

namespace {

constexpr int nobody = -1;

/// Who holds parts of one segment, from left to right.
class Holders {
 public:
  explicit Holders(int ranks)
      : left_(static_cast<std::size_t>(ranks)), right_(left_.size()), holds_(left_.size(), true) {
    for (int rank = 0; rank < ranks; ++rank) {
      left_[place(rank)] = rank - 1;
      right_[place(rank)] = rank + 1 < ranks ? rank + 1 : nobody;
    }
  }

  [[nodiscard]] bool holds(int rank) const { return holds_[place(rank)]; }
  [[nodiscard]] int left(int rank) const { return left_[place(rank)]; }
  [[nodiscard]] int right(int rank) const { return right_[place(rank)]; }

  /// A neighbour's part becomes part of `to`'s.
  void join(int from, int to) {
    const bool from_left = left(to) == from;
    const int beyond = from_left ? left(from) : right(from);
    (from_left ? left_ : right_)[place(to)] = beyond;
    if (beyond != nobody) (from_left ? right_ : left_)[place(beyond)] = to;
    holds_[place(from)] = false;
  }
  /// One who holds nothing takes another's place.
  void hand_over(int from, int to) {
    left_[place(to)] = left(from);
    right_[place(to)] = right(from);
    if (left(to) != nobody) right_[place(left(to))] = to;
    if (right(to) != nobody) left_[place(right(to))] = to;
    holds_[place(from)] = false;
    holds_[place(to)] = true;
  }

 private:
  static std::size_t place(int rank) { return static_cast<std::size_t>(rank); }

  std::vector<int> left_, right_;
  std::vector<bool> holds_;
};

class OrderedPlanner {
 public:
  explicit OrderedPlanner(const ArrivalTask& task)
      : task_(task),
        live_(sorted_arrivals(task)),
        segments_(static_cast<std::size_t>(task.segments), Holders(task.ranks)),
        may_send_(static_cast<std::size_t>(task.ranks), false),
        receiving_(static_cast<std::size_t>(task.ranks), nobody),
        held_count_(static_cast<std::size_t>(task.ranks), task.segments) {
    plan_ = {.ranks = task.ranks, .root = task.root, .segments = task.segments};
  }

  TransferPlan run() && {
    while (live_.size() > 1) {
      std::size_t group = 1;
      while (group < live_.size() && live_[group].time <= live_[0].time + task_.round) ++group;
      const std::size_t before = plan_.transfers.size();
      transfer_within(group);
      const bool idle = plan_.transfers.size() == before;
      if (!idle) ++plan_.rounds;
      advance(group, idle);
    }
    return std::move(plan_);
  }

 private:
  void transfer_within(std::size_t group) {
    may_send_.assign(may_send_.size(), false);
    std::ranges::fill(receiving_, nobody);
    std::size_t sink = 0;
    for (std::size_t i = 0; i < group; ++i) {
      may_send_[static_cast<std::size_t>(live_[i].rank)] = true;
      if (live_[i].rank == task_.root) sink = i;
    }
    receive(live_[sink].rank, group);
    for (std::size_t i = 0; i < group; ++i)
      if (i != sink) receive(live_[i].rank, 0);
  }

  // What the rank has given away it may take only of the first so many of those who are there.
  void receive(int rank, std::size_t of_group) {
    for (int segment = 0; segment < task_.segments; ++segment) {
      const Holders& holders = segments_[static_cast<std::size_t>(segment)];
      if (holders.holds(rank)) {
        for (const int from : {holders.left(rank), holders.right(rank)})
          if (from != nobody && may_give(from, segment)) return move(from, rank, segment);
        continue;
      }
      for (std::size_t i = 0; i < of_group; ++i)
        if (holders.holds(live_[i].rank) && may_give(live_[i].rank, segment))
          return move(live_[i].rank, rank, segment);
    }
  }

  [[nodiscard]] bool may_give(int rank, int segment) const {
    return may_send_[static_cast<std::size_t>(rank)] &&
           receiving_[static_cast<std::size_t>(rank)] != segment;
  }

  void move(int from, int to, int segment) {
    Holders& holders = segments_[static_cast<std::size_t>(segment)];
    const bool combines = holders.holds(to);
    const Side side = combines && holders.left(to) == from ? Side::left : Side::right;
    plan_.transfers.push_back({.round = plan_.rounds,
                               .from = from,
                               .to = to,
                               .segment = segment,
                               .combines = combines,
                               .received = side});
    if (combines) {
      holders.join(from, to);
    } else {
      holders.hand_over(from, to);
      ++held_count_[static_cast<std::size_t>(to)];
    }
    --held_count_[static_cast<std::size_t>(from)];
    may_send_[static_cast<std::size_t>(from)] = false;
    receiving_[static_cast<std::size_t>(to)] = segment;
  }

  void advance(std::size_t group, bool idle) {
    Nanoseconds rounds = 1;
    if (idle && group < live_.size())  // until another one is there
      rounds = std::max<Nanoseconds>(
          1, (live_[group].time - live_[0].time) / task_.round - (group > 1 ? 1 : 0));
    plan_.length += static_cast<int>(std::min<Nanoseconds>(rounds, 1 << 24));
    for (std::size_t i = 0; i < group; ++i) live_[i].time += rounds * task_.round;
    std::erase_if(live_, [&](const Arrival& one) {
      return held_count_[static_cast<std::size_t>(one.rank)] == 0;
    });
    std::ranges::sort(live_);
  }

  const ArrivalTask& task_;
  std::vector<Arrival> live_;  // who still has something, by time and rank
  std::vector<Holders> segments_;
  std::vector<bool> may_send_;            // [rank]: in the group, and hasn't sent yet
  std::vector<std::int32_t> receiving_;   // [rank]: which segment, in this round
  std::vector<std::int32_t> held_count_;  // [rank]
  TransferPlan plan_;
};

}  // namespace

TransferPlan ordered_plan(const ArrivalTask& task) {
  return OrderedPlanner(task).run();
}

}  // namespace cartwright::plan::clairvoyant
