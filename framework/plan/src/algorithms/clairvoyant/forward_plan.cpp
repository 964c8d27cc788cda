// SPDX-License-Identifier: Apache-2.0
// Marendic 2016, algorithm 1: in each round those who are there, or will be within the round, give
// each other segments, the lowest first. Repaired: a segment that is being received isn't sent on
// in the same round, and rounds in which nobody can do anything are counted, not gone through.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>

#include "rank_set.hpp"
#include "tasks.hpp"

namespace cartwright::plan::clairvoyant {

namespace {

template <std::size_t known_rank_words, std::size_t known_segment_words>
class ForwardPlanner {
 public:
  ForwardPlanner(const ArrivalTask& task, bool is_strict)
      : task_(task),
        is_strict_(is_strict),
        rank_words_(words_for(task.ranks)),
        segment_words_(words_for(task.segments)),
        live_(sorted_arrivals(task)),
        alive_(rank_words_.count()),
        open_(segment_words_.count()),
        givable_(rank_words_.count() * static_cast<std::size_t>(task.segments)),
        first_word_(static_cast<std::size_t>(task.segments)),
        held_(segment_words_.count() * static_cast<std::size_t>(task.ranks)),
        near_(nodes_of(task, rank_words_.count())) {
    for (std::size_t i = 0; i < givable_.size(); ++i)
      givable_[i] = first_bits(task.ranks, i % rank_words_.count());
    for (std::size_t i = 0; i < held_.size(); ++i)
      held_[i] = first_bits(task.segments, i % segment_words_.count());
    alive_.set_first(task.ranks);
    moved_on_.reserve(live_.size());
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
  [[nodiscard]] std::size_t at(int segment) const {
    return static_cast<std::size_t>(segment) * rank_words_.count();
  }
  [[nodiscard]] std::size_t of(int rank) const {
    return static_cast<std::size_t>(rank) * segment_words_.count();
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

  [[nodiscard]] RankSet<known_rank_words> ranks_of(std::size_t group) const {
    if (group == live_.size()) return alive_;
    RankSet<known_rank_words> ranks(rank_words_.count());
    for (std::size_t i = 0; i < group; ++i) ranks.add(live_[i].rank);
    return ranks;
  }

  // The first who receives is the sink: it alone may take what it has given away, so that all goes
  // to one place.
  void transfer_within(std::size_t group) {
    RankSet<known_rank_words> usable = ranks_of(group);  // are there, and haven't sent yet
    std::ranges::fill(open_, ~Word{0});
    if constexpr (known_rank_words == 0) std::ranges::fill(first_word_, 0);
    const int sink = usable.has(task_.root) ? task_.root : live_.front().rank;
    const std::size_t first = plan_.transfers.size();
    receive(sink, true, usable);
    for (std::size_t i = 0; i < group; ++i)
      if (live_[i].rank != sink) receive(live_[i].rank, false, usable);
    for (std::size_t i = first; i < plan_.transfers.size(); ++i) {
      const auto& [round, from, to, segment, combines, side] = plan_.transfers[i];
      givable_[at(segment) + word_of(to)] |= mask_of(to);
      held_[of(from) + word_of(segment)] &= ~mask_of(segment);
      held_[of(to) + word_of(segment)] |= mask_of(segment);
    }
  }

  // What it held when the round began, but for what it has given away since then. (What is held is
  // noted when the round is over: so nobody's turn waits for what the one before has written.)
  void receive(int rank, bool is_sink, RankSet<known_rank_words>& usable) {
    for (std::size_t word = 0; word < segment_words_.count(); ++word) {
      const Word held = held_[of(rank) + word];
      Word left = is_sink ? first_bits(task_.segments, word) : held & open_[word];
      for (; left != 0; left &= left - 1) {
        const int segment = static_cast<int>(word) * word_bits + std::countr_zero(left);
        if (!is_sink && (givable_[at(segment) + word_of(rank)] & mask_of(rank)) == 0) continue;
        const int from = taken_from(rank, segment, usable);
        if (from < 0) continue;
        plan_.transfers.push_back({.round = plan_.rounds,
                                   .from = from,
                                   .to = rank,
                                   .segment = segment,
                                   .combines = (held & mask_of(segment)) != 0});
        return;
      }
    }
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

  /// Who gives the segment to the rank, and can't give more in this round; -1: nobody.
  int taken_from(int rank, int segment, RankSet<known_rank_words>& usable) {
    int from = near_.empty() ? -1 : sender_near(rank, segment, usable);
    if constexpr (known_rank_words == 0) {
      if (from < 0) from = sender_of_many(rank, segment, usable);
    } else {
      if (from < 0) return taken_from_few(rank, segment, usable);
    }
    if (from < 0) return -1;
    usable.remove(from);
    for (const int one : {from, rank}) givable_[at(segment) + word_of(one)] &= ~mask_of(one);
    return from;
  }

  [[nodiscard]] int sender_near(int rank, int segment,
                                const RankSet<known_rank_words>& usable) const {
    const std::size_t node =
        static_cast<std::size_t>(task_.nodes[static_cast<std::size_t>(rank)]) * rank_words_.count();
    for (std::size_t word = 0; word < rank_words_.count(); ++word) {
      Word candidates = givable_[at(segment) + word] & usable[word] & near_[node + word];
      if (word == word_of(rank)) candidates &= ~mask_of(rank);
      if (candidates != 0) return static_cast<int>(word) * word_bits + std::countr_zero(candidates);
    }
    return -1;
  }

  // The first who may give it. Without branches, as nobody foretells who that is; as a bit, not by
  // its number, as the next rank's turn waits for it.
  int taken_from_few(int rank, int segment, RankSet<known_rank_words>& usable) {
    Word* const givable = &givable_[at(segment)];
    int from = -1;
    Word all = 0, nobody_yet = ~Word{0};
    std::array<Word, known_rank_words> taken;
    for (std::size_t word = 0; word < known_rank_words; ++word) {
      Word candidates = givable[word] & usable[word];
      all |= candidates;
      candidates &= nobody_yet & ~mask_in(word, rank);
      taken[word] = candidates & (~candidates + 1);
      const int first = static_cast<int>(word) * word_bits + std::countr_zero(candidates);
      from = candidates != 0 ? first : from;
      nobody_yet = candidates != 0 ? 0 : nobody_yet;
    }
    if (all == 0) close(segment);
    if (from < 0) return -1;
    usable.remove(taken);
    for (std::size_t word = 0; word < known_rank_words; ++word)
      givable[word] &= ~(taken[word] | mask_in(word, rank));
    return from;
  }

  // In a round there are fewer and fewer: words without one are not looked at again.
  int sender_of_many(int rank, int segment, const RankSet<known_rank_words>& usable) {
    std::uint32_t& begin = first_word_[static_cast<std::size_t>(segment)];
    bool is_open = false;
    for (std::size_t word = begin; word < rank_words_.count(); ++word) {
      Word candidates = givable_[at(segment) + word] & usable[word];
      if (candidates != 0 && !is_open) begin = static_cast<std::uint32_t>(word);
      is_open = is_open || candidates != 0;
      if (word == word_of(rank)) candidates &= ~mask_of(rank);
      if (candidates != 0) return static_cast<int>(word) * word_bits + std::countr_zero(candidates);
    }
    if (!is_open) close(segment);
    return -1;
  }

  /// In this round.
  void close(int segment) { open_[word_of(segment)] &= ~mask_of(segment); }

  [[nodiscard]] bool has_nothing(int rank) const {
    Word any = 0;
    for (std::size_t word = 0; word < segment_words_.count(); ++word) any |= held_[of(rank) + word];
    return any == 0;
  }

  // Those who took part are later by a round; who has nothing left is done. Mostly the others come
  // later still.
  void advance(std::size_t group) {
    auto moved = live_.begin();
    for (std::size_t i = 0; i < group; ++i)
      if (has_nothing(live_[i].rank)) {
        alive_.remove(live_[i].rank);
      } else {
        *moved++ = {live_[i].time + task_.round, live_[i].rank};
      }
    const auto others = live_.begin() + static_cast<std::ptrdiff_t>(group);
    if (moved == live_.begin() || others == live_.end() || !(*others < *std::prev(moved))) {
      live_.erase(moved, others);
      return;
    }
    moved_on_.assign(live_.begin(), moved);
    // From the front on: what is written never comes up with what is still to be read.
    live_.erase(std::merge(moved_on_.begin(), moved_on_.end(), others, live_.end(), live_.begin()),
                live_.end());
  }

  const ArrivalTask& task_;
  bool is_strict_;
  Words<known_rank_words> rank_words_;
  Words<known_segment_words> segment_words_;
  std::vector<Arrival> live_;              // who still has something, by time and rank
  RankSet<known_rank_words> alive_;        // the same
  std::vector<Arrival> moved_on_;          // see advance
  std::vector<Word> open_;                 // [segment]: somebody may give it in this round
  std::vector<Word> givable_;              // [segment][rank]: holds it, and doesn't receive it
  std::vector<std::uint32_t> first_word_;  // [segment]: none in the words before that may give it
  std::vector<Word> held_;                 // [rank][segment]
  std::vector<Word> near_;                 // [node][rank]
  TransferPlan plan_;
};

}  // namespace

TransferPlan forward_plan(const ArrivalTask& task, bool is_strict) {
  if (task.segments <= word_bits && task.ranks <= word_bits)
    return ForwardPlanner<1, 1>(task, is_strict).run();
  if (task.segments <= word_bits && task.ranks <= 2 * word_bits)
    return ForwardPlanner<2, 1>(task, is_strict).run();
  return ForwardPlanner<0, 0>(task, is_strict).run();
}

}  // namespace cartwright::plan::clairvoyant
