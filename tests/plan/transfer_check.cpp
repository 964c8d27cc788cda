// SPDX-License-Identifier: Apache-2.0
#include "transfer_check.hpp"

#include <algorithm>
#include <cmath>

namespace cartwright::plan::test {

namespace {

/// Whose contributions a rank holds of a segment.
struct Part {
  std::vector<std::uint64_t> bits;
  int count = 0;
  int first = 0, last = 0;  ///< of those in it
};

std::string text_of(const Transfer& transfer) {
  return "round " + std::to_string(transfer.round) + ": " + std::to_string(transfer.from) +
         " gives segment " + std::to_string(transfer.segment) + " to " +
         std::to_string(transfer.to);
}

class PlanCheck {
 public:
  PlanCheck(const TransferPlan& plan, bool is_ordered)
      : plan_(plan),
        is_ordered_(is_ordered),
        parts_(index(plan.ranks, 0)),
        sent_(index(plan.ranks, 0), -1),
        received_(sent_.size(), -1) {
    const auto words = static_cast<std::size_t>(plan.ranks / 64 + 1);
    for (int rank = 0; rank < plan.ranks; ++rank)
      for (int segment = 0; segment < plan.segments; ++segment) {
        Part& part = parts_[index(rank, segment)];
        part = {std::vector<std::uint64_t>(words), 1, rank, rank};
        part.bits[static_cast<std::size_t>(rank) / 64] |= std::uint64_t{1} << (rank % 64);
      }
    sent_rounds_.assign(static_cast<std::size_t>(plan.ranks), -1);
    received_rounds_ = sent_rounds_;
  }

  std::string run() {
    int combined = 0, round = 0;
    for (const Transfer& transfer : plan_.transfers) {
      if (transfer.round < round || transfer.round >= plan_.rounds) return "rounds are in disorder";
      round = transfer.round;
      combined += transfer.combines ? 1 : 0;
      if (const char* wrong = fault(transfer)) return text_of(transfer) + ": " + wrong;
    }
    if (combined != (plan_.ranks - 1) * plan_.segments) return "not everything is combined once";
    for (int rank = 0; rank < plan_.ranks; ++rank)
      for (int segment = 0; segment < plan_.segments; ++segment)
        if (parts_[index(rank, segment)].count != (rank == plan_.root ? plan_.ranks : 0))
          return "rank " + std::to_string(rank) + " ends with a part of segment " +
                 std::to_string(segment);
    return "";
  }

 private:
  [[nodiscard]] std::size_t index(int rank, int segment) const {
    return static_cast<std::size_t>(rank) * static_cast<std::size_t>(plan_.segments) +
           static_cast<std::size_t>(segment);
  }

  const char* fault(const Transfer& transfer) {
    if (transfer.from == transfer.to) return "to itself";
    auto& sent = sent_rounds_[static_cast<std::size_t>(transfer.from)];
    auto& received = received_rounds_[static_cast<std::size_t>(transfer.to)];
    if (sent == transfer.round || received == transfer.round) return "twice in a round";
    sent = received = transfer.round;
    const std::size_t from = index(transfer.from, transfer.segment);
    const std::size_t to = index(transfer.to, transfer.segment);
    if (received_[from] == transfer.round || sent_[to] == transfer.round)
      return "in the round in which it is received";
    sent_[from] = received_[to] = transfer.round;
    Part& given = parts_[from];
    Part& own = parts_[to];
    if (given.count == 0) return "it hasn't any";
    if (transfer.combines != (own.count > 0)) return "the receiver should keep, or combine";
    if (is_ordered_ && own.count > 0 &&
        (transfer.received == Side::left ? given.last + 1 != own.first
                                         : own.last + 1 != given.first))
      return "the parts aren't neighbours";
    own.first = own.count == 0 ? given.first : std::min(own.first, given.first);
    own.last = own.count == 0 ? given.last : std::max(own.last, given.last);
    for (std::size_t i = 0; i < own.bits.size(); ++i) {
      if ((own.bits[i] & given.bits[i]) != 0) return "combined twice";
      own.bits[i] |= given.bits[i];
      given.bits[i] = 0;
    }
    own.count += given.count;
    given.count = 0;
    return nullptr;
  }

  const TransferPlan& plan_;
  bool is_ordered_;
  std::vector<Part> parts_;  // [rank][segment]
  std::vector<int> sent_;    // [rank][segment]: last round in which it was
  std::vector<int> received_;
  std::vector<int> sent_rounds_, received_rounds_;  // [rank]
};

Nanoseconds drawn(std::mt19937_64& random, Nanoseconds most) {
  return static_cast<Nanoseconds>(random() % static_cast<std::uint64_t>(most + 1));
}

Nanoseconds exponential(std::mt19937_64& random, Nanoseconds mean) {
  const double part = (static_cast<double>(random() >> 11) + 1.0) * 0x1p-53;
  return std::llround(-std::log(part) * static_cast<double>(mean));
}

}  // namespace

std::string fault_of(const TransferPlan& plan, bool is_ordered) {
  return PlanCheck(plan, is_ordered).run();
}

Nanoseconds executed(const TransferPlan& plan, const std::vector<Nanoseconds>& arrivals,
                     Nanoseconds round) {
  std::vector<Nanoseconds> ready = arrivals;
  std::vector<Nanoseconds> ends;
  const auto& transfers = plan.transfers;
  for (std::size_t begin = 0, end = 0; begin < transfers.size(); begin = end) {
    ends.clear();
    for (; end < transfers.size() && transfers[end].round == transfers[begin].round; ++end)
      ends.push_back(std::max(ready[static_cast<std::size_t>(transfers[end].from)],
                              ready[static_cast<std::size_t>(transfers[end].to)]) +
                     round);
    for (std::size_t i = begin; i < end; ++i)
      for (const int rank : {transfers[i].from, transfers[i].to}) {
        Nanoseconds& time = ready[static_cast<std::size_t>(rank)];
        time = std::max(time, ends[i - begin]);
      }
  }
  return *std::ranges::max_element(ready);
}

int doublings(int ranks) {
  int count = 0;
  while ((1 << count) < ranks) ++count;
  return count;
}

std::string_view name_of(Pattern pattern) {
  constexpr std::string_view names[] = {"together",  "last late", "root late", "alternating",
                                        "bernoulli", "uniform",   "spread",    "gamma"};
  return names[static_cast<std::size_t>(pattern)];
}

std::vector<Nanoseconds> arrivals_of(Pattern pattern, int ranks, int root, Nanoseconds unit,
                                     std::mt19937_64& random) {
  std::vector<Nanoseconds> arrivals(static_cast<std::size_t>(ranks), 0);
  if (pattern == Pattern::last_late) arrivals.back() = drawn(random, 2 * unit);
  if (pattern == Pattern::root_late)
    arrivals[static_cast<std::size_t>(root)] = drawn(random, 2 * unit);
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
    Nanoseconds& time = arrivals[rank];
    if (pattern == Pattern::alternating) time = rank % 2 == 0 ? 0 : unit / 2;
    if (pattern == Pattern::bernoulli) time = random() % 100 < 15 ? unit : 0;
    if (pattern == Pattern::uniform) time = drawn(random, unit);
    if (pattern == Pattern::spread) time = drawn(random, 3 * unit);
    if (pattern == Pattern::gamma)
      time = exponential(random, unit / 2) + exponential(random, unit / 2);
  }
  const Nanoseconds first = *std::ranges::min_element(arrivals);
  for (Nanoseconds& time : arrivals) time -= first;
  return arrivals;
}

}  // namespace cartwright::plan::test
