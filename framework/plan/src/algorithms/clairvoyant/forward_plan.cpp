// SPDX-License-Identifier: Apache-2.0
// Marendic 2016, algorithm 1: in each round those who are there, or will be within the round, give
// each other segments, the lowest first. Repaired: a segment that is being received isn't sent on
// in the same round, and rounds in which nobody can do anything are counted, not gone through.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "tasks.hpp"

namespace cartwright::plan::clairvoyant {

namespace {

using Word = std::uint64_t;
constexpr int word_bits = 64;

std::size_t words_for(int bits) {
  return static_cast<std::size_t>((bits + word_bits - 1) / word_bits);
}
std::size_t word_of(int bit) {
  return static_cast<std::size_t>(bit) / word_bits;
}
Word mask_of(int bit) {
  return Word{1} << (static_cast<unsigned>(bit) % word_bits);
}

class ForwardPlanner {
 public:
  ForwardPlanner(const ArrivalTask& task, bool is_strict)
      : task_(task),
        is_strict_(is_strict),
        rank_words_(words_for(task.ranks)),
        segment_words_(words_for(task.segments)),
        live_(sorted_arrivals(task)),
        usable_(rank_words_),
        open_(segment_words_),
        holders_(rank_words_ * static_cast<std::size_t>(task.segments)),
        incoming_(holders_.size()),
        held_(segment_words_ * static_cast<std::size_t>(task.ranks)),
        held_count_(static_cast<std::size_t>(task.ranks), task.segments),
        near_(nodes_of(task, rank_words_)) {
    for (int rank = 0; rank < task.ranks; ++rank)
      for (int segment = 0; segment < task.segments; ++segment) {
        holders_[at(segment, rank)] |= mask_of(rank);
        held_[of(rank) + word_of(segment)] |= mask_of(segment);
      }
    plan_ = {.ranks = task.ranks, .root = task.root, .segments = task.segments};
    plan_.transfers.reserve(static_cast<std::size_t>(task.ranks) *
                                static_cast<std::size_t>(task.segments) +
                            static_cast<std::size_t>(2 * task.segments));
  }

  TransferPlan run() && {
    while (live_.size() > 1) {
      const std::size_t group = group_size();
      if (group == 1) {
        wait_for_next();
        continue;
      }
      const std::size_t before = plan_.transfers.size();
      transfer_within(group);
      ++plan_.length;
      if (plan_.transfers.size() > before) ++plan_.rounds;
      advance(group);
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::size_t at(int segment, int rank) const {
    return static_cast<std::size_t>(segment) * rank_words_ + word_of(rank);
  }
  [[nodiscard]] std::size_t of(int rank) const {
    return static_cast<std::size_t>(rank) * segment_words_;
  }

  [[nodiscard]] std::size_t group_size() const {
    const Nanoseconds end = live_.front().time + task_.round - (is_strict_ ? 1 : 0);
    std::size_t size = 1;
    while (size < live_.size() && live_[size].time <= end) ++size;
    return size;
  }

  // One alone waits whole rounds, until the next one is there within a round.
  void wait_for_next() {
    const Nanoseconds gap = live_[1].time - live_[0].time;
    const Nanoseconds rounds = std::max<Nanoseconds>(1, (gap + task_.round - 1) / task_.round - 1);
    live_[0].time += rounds * task_.round;
    plan_.length += static_cast<int>(std::min<Nanoseconds>(rounds, 1 << 24));
    std::size_t i = 0;
    for (; i + 1 < live_.size() && live_[i + 1] < live_[i]; ++i) std::swap(live_[i], live_[i + 1]);
  }

  void transfer_within(std::size_t group) {
    std::ranges::fill(usable_, 0);
    std::ranges::fill(open_, ~Word{0});
    std::size_t sink = 0;
    for (std::size_t i = 0; i < group; ++i) {
      usable_[word_of(live_[i].rank)] |= mask_of(live_[i].rank);
      if (live_[i].rank == task_.root) sink = i;
    }
    arrived_.clear();
    receive_as_sink(live_[sink].rank);
    for (std::size_t i = 0; i < group; ++i)
      if (i != sink) receive_own(live_[i].rank);
    for (const std::size_t place : arrived_) incoming_[place] = 0;
  }

  // Only one rank may take what it has given away: so all goes to one place.
  void receive_as_sink(int rank) {
    for (int segment = 0; segment < task_.segments; ++segment)
      if (receive(rank, segment)) return;
  }

  void receive_own(int rank) {
    for (std::size_t word = 0; word < segment_words_; ++word)
      for (Word left = held_[of(rank) + word] & open_[word]; left != 0; left &= left - 1)
        if (receive(rank, static_cast<int>(word) * word_bits + std::countr_zero(left))) return;
  }

  /// By node, its ranks; nothing where nodes don't count.
  [[nodiscard]] static std::vector<Word> nodes_of(const ArrivalTask& task, std::size_t words) {
    if (task.nodes.empty()) return {};
    const auto nodes = static_cast<std::size_t>(*std::ranges::max_element(task.nodes)) + 1;
    std::vector<Word> near(nodes * words);
    for (int rank = 0; rank < task.ranks; ++rank)
      near[static_cast<std::size_t>(task.nodes[static_cast<std::size_t>(rank)]) * words +
           word_of(rank)] |= mask_of(rank);
    return near;
  }

  /// From a rank of the same node, if one may give it.
  bool receive_near(int rank, int segment) {
    const std::size_t first = at(segment, 0);
    const std::size_t node =
        static_cast<std::size_t>(task_.nodes[static_cast<std::size_t>(rank)]) * rank_words_;
    for (std::size_t word = 0; word < rank_words_; ++word) {
      Word candidates =
          holders_[first + word] & usable_[word] & ~incoming_[first + word] & near_[node + word];
      if (word == word_of(rank)) candidates &= ~mask_of(rank);
      if (candidates == 0) continue;
      move(static_cast<int>(word) * word_bits + std::countr_zero(candidates), rank, segment);
      return true;
    }
    return false;
  }

  bool receive(int rank, int segment) {
    if (!near_.empty() && receive_near(rank, segment)) return true;
    const std::size_t first = at(segment, 0);
    bool is_open = false;
    for (std::size_t word = 0; word < rank_words_; ++word) {
      Word candidates = holders_[first + word] & usable_[word] & ~incoming_[first + word];
      is_open = is_open || candidates != 0;
      if (word == word_of(rank)) candidates &= ~mask_of(rank);
      if (candidates == 0) continue;
      move(static_cast<int>(word) * word_bits + std::countr_zero(candidates), rank, segment);
      return true;
    }
    if (!is_open) open_[word_of(segment)] &= ~mask_of(segment);
    return false;
  }

  void move(int from, int to, int segment) {
    Word& holders = holders_[at(segment, to)];
    const bool combines = (holders & mask_of(to)) != 0;
    plan_.transfers.push_back(
        {.round = plan_.rounds, .from = from, .to = to, .segment = segment, .combines = combines});
    if (!combines) {
      holders |= mask_of(to);
      held_[of(to) + word_of(segment)] |= mask_of(segment);
      ++held_count_[static_cast<std::size_t>(to)];
    }
    holders_[at(segment, from)] &= ~mask_of(from);
    held_[of(from) + word_of(segment)] &= ~mask_of(segment);
    --held_count_[static_cast<std::size_t>(from)];
    usable_[word_of(from)] &= ~mask_of(from);
    incoming_[at(segment, to)] |= mask_of(to);
    arrived_.push_back(at(segment, to));
  }

  // Those who took part are later by a round; who has nothing left is done.
  void advance(std::size_t group) {
    const auto end = live_.begin() + static_cast<std::ptrdiff_t>(group);
    for (auto rank = live_.begin(); rank != end; ++rank) rank->time += task_.round;
    const auto kept = std::remove_if(live_.begin(), end, [&](const Arrival& one) {
      return held_count_[static_cast<std::size_t>(one.rank)] == 0;
    });
    const auto merged_from = live_.erase(kept, end);
    if (merged_from != live_.begin() && merged_from != live_.end() &&
        *merged_from < *(merged_from - 1))
      std::inplace_merge(live_.begin(), merged_from, live_.end());
  }

  const ArrivalTask& task_;
  bool is_strict_;
  std::size_t rank_words_, segment_words_;
  std::vector<Arrival> live_;             // who still has something, by time and rank
  std::vector<Word> usable_;              // [rank]: in the group, and hasn't sent yet
  std::vector<Word> open_;                // [segment]: somebody may give it in this round
  std::vector<Word> holders_;             // [segment][rank]
  std::vector<Word> incoming_;            // [segment][rank]: received in this round
  std::vector<Word> held_;                // [rank][segment]
  std::vector<std::int32_t> held_count_;  // [rank]
  std::vector<Word> near_;                // [node][rank]
  std::vector<std::size_t> arrived_;      // words of incoming_ that aren't zero
  TransferPlan plan_;
};

}  // namespace

TransferPlan forward_plan(const ArrivalTask& task, bool is_strict) {
  return ForwardPlanner(task, is_strict).run();
}

}  // namespace cartwright::plan::clairvoyant
