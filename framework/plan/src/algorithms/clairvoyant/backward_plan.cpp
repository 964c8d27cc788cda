// SPDX-License-Identifier: Apache-2.0
// A reduction is a broadcast seen backwards in time: the root hands out segments, and a rank that
// arrives late has to have all of them early. From the end that earliest_end allows, in each round
// those who are nearest to missing theirs choose first, the segment that fewest have.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "tasks.hpp"

namespace cartwright::plan::clairvoyant {

namespace {

using Bits = std::uint64_t;
constexpr int bits_of_word = 64;

/// Ranks stand in the order in which they have to have everything: places.
class BackwardPlanner {
 public:
  BackwardPlanner(const ArrivalTask& task, std::span<const Arrival> arrivals, Nanoseconds end)
      : task_(task),
        words_((arrivals.size() + bits_of_word - 1) / bits_of_word),
        segment_words_(static_cast<std::size_t>(task.segments + bits_of_word - 1) / bits_of_word),
        places_(arrivals.size()),
        has_(arrivals.size() * segment_words_),
        holders_(static_cast<std::size_t>(task.segments) * words_),
        free_(words_),
        last_word_(static_cast<std::size_t>(task.segments)),
        held_by_(static_cast<std::size_t>(task.segments), 1) {
    waiting_.reserve(arrivals.size());
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      const Arrival& arrival = arrivals[arrivals.size() - 1 - i];
      const auto place = static_cast<std::int32_t>(i);
      const auto rounds = static_cast<std::int32_t>(
          std::min<Nanoseconds>((end - arrival.time) / task.round, most_rounds));
      places_[i] = {arrival.rank, rounds, rounds - task.segments, task.segments};
      if (arrival.rank == task.root) {
        root_ = place;
      } else {
        waiting_.push_back(place);
      }
    }
    transfers_.reserve((arrivals.size() - 1) * static_cast<std::size_t>(task.segments));
    for (int segment = 0; segment < task.segments; ++segment)
      set(holders_, static_cast<std::size_t>(segment) * words_, root_);
  }

  /// Nothing where somebody would have to begin before it arrives, unless it may.
  std::optional<TransferPlan> run(bool may_be_early) && {
    for (; !waiting_.empty(); ++round_)
      if (!hand_out(may_be_early) && !may_be_early) return std::nullopt;
    return finished();
  }

 private:
  static constexpr Nanoseconds most_rounds = 1 << 28;

  struct Place {
    std::int32_t rank = 0;
    std::int32_t rounds = 0;  ///< from the end to its arrival
    std::int32_t spare = 0;   ///< rounds that may pass without it, the present one included
    std::int32_t lacks = 0;   ///< segments
  };
  [[nodiscard]] Place& at(std::int32_t place) { return places_[static_cast<std::size_t>(place)]; }

  static void set(std::vector<Bits>& bits, std::size_t begin, std::int32_t bit) {
    bits[begin + static_cast<std::size_t>(bit) / bits_of_word] |=
        Bits{1} << (static_cast<unsigned>(bit) % bits_of_word);
  }

  /// False once somebody won't get all in time.
  bool hand_out(bool may_be_early) {
    const bool in_time = at(waiting_.front()).spare >= round_;
    if (!in_time && !may_be_early) return false;
    begin_round(may_be_early);
    const std::size_t first = transfers_.size();
    const std::int32_t to = round_ < task_.segments ? give_new_one() : -1;
    for (const std::int32_t place : waiting_)
      (place == to || take(place) ? served_ : passed_over_).push_back(place);
    // Where all who have a segment are gone, the end was too early: they have to come sooner.
    all_stay_ = transfers_.size() == first;
    for (std::size_t i = first; i < transfers_.size(); ++i) {
      const Transfer& transfer = transfers_[i];  // of places, and backwards
      set(holders_, static_cast<std::size_t>(transfer.segment) * words_, transfer.to);
      set(has_, static_cast<std::size_t>(transfer.to) * segment_words_, transfer.segment);
      --at(transfer.to).lacks;
      ++at(transfer.to).spare;
      ++held_by_[static_cast<std::size_t>(transfer.segment)];
    }
    line_up();
    return in_time && !all_stay_;
  }

  // Who is gone by now, as it hasn't arrived: places in front. Who still lacks something stays.
  void begin_round(bool may_be_early) {
    while (gone_ < static_cast<std::int32_t>(places_.size()) && at(gone_).rounds <= round_) ++gone_;
    const std::int32_t gone = all_stay_ ? 0 : gone_;
    const auto whole = static_cast<std::size_t>(gone) / bits_of_word;
    std::ranges::fill(free_, ~Bits{0});
    std::fill_n(free_.begin(), std::min(whole, words_), Bits{0});
    if (whole < words_) free_[whole] &= ~Bits{0} << (static_cast<unsigned>(gone) % bits_of_word);
    if (may_be_early)
      for (const std::int32_t place : waiting_) set(free_, 0, place);
    std::ranges::fill(last_word_, static_cast<std::uint32_t>(words_));
    if (round_ < task_.segments) by_rarity_.push_back(round_);  // the root has the others still
    for (std::size_t i = 1; i < by_rarity_.size(); ++i)         // nearly sorted
      for (std::size_t k = i; k > 0 && is_rarer(by_rarity_[k], by_rarity_[k - 1]); --k)
        std::swap(by_rarity_[k], by_rarity_[k - 1]);
    available_ = by_rarity_;
  }

  [[nodiscard]] bool is_rarer(std::int32_t a, std::int32_t b) const {
    const std::int32_t of_a = held_by_[static_cast<std::size_t>(a)];
    const std::int32_t of_b = held_by_[static_cast<std::size_t>(b)];
    return of_a != of_b ? of_a < of_b : a > b;
  }

  // Those who wait, by the rounds that may pass without them, then by place: both halves are in
  // that order.
  void line_up() {
    const auto before = [&](std::int32_t a, std::int32_t b) {
      const std::int32_t of_a = at(a).spare, of_b = at(b).spare;
      return of_a != of_b ? of_a < of_b : a < b;
    };
    waiting_.clear();
    auto other = passed_over_.begin();
    for (const std::int32_t place : served_) {
      if (at(place).lacks == 0) continue;
      while (other != passed_over_.end() && before(*other, place)) waiting_.push_back(*other++);
      waiting_.push_back(place);
    }
    waiting_.insert(waiting_.end(), other, passed_over_.end());
    served_.clear();
    passed_over_.clear();
  }

  // The root hands out its next segment: to one that can't wait, or to the last that has fewest.
  std::int32_t give_new_one() {
    std::int32_t to = waiting_.front();
    if (at(to).spare > round_)
      for (const std::int32_t place : waiting_)
        if (at(place).lacks >= at(to).lacks) to = place;
    give(root_, to, round_);
    return to;
  }

  bool take(std::int32_t place) {
    const std::size_t words = static_cast<std::size_t>(place) * segment_words_;
    for (std::size_t i = 0; i < available_.size();) {
      const std::int32_t segment = available_[i];
      const Bits has = has_[words + static_cast<std::size_t>(segment) / bits_of_word];
      if ((has >> (static_cast<unsigned>(segment) % bits_of_word) & 1U) != 0) {
        ++i;
      } else if (const std::int32_t from = sender_of(segment); from >= 0) {
        give(from, place, segment);
        return true;
      } else {
        available_.erase(available_.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    return false;
  }

  // The free one that stays longest; the root only where there is no other.
  std::int32_t sender_of(std::int32_t segment) {
    const std::size_t begin = static_cast<std::size_t>(segment) * words_;
    const auto root_word = static_cast<std::size_t>(root_) / bits_of_word;
    const Bits root_bit = Bits{1} << (static_cast<unsigned>(root_) % bits_of_word);
    for (std::uint32_t& end = last_word_[static_cast<std::size_t>(segment)]; end > 0; --end) {
      const std::size_t word = end - 1;
      Bits candidates = holders_[begin + word] & free_[word];
      if (word == root_word) candidates &= ~root_bit;
      if (candidates != 0)
        return static_cast<std::int32_t>(word * bits_of_word) + bits_of_word - 1 -
               std::countl_zero(candidates);
    }
    return (free_[root_word] & root_bit) != 0 ? root_ : -1;
  }

  void give(std::int32_t from, std::int32_t to, std::int32_t segment) {
    transfers_.push_back({.round = round_, .from = from, .to = to, .segment = segment});
    free_[static_cast<std::size_t>(from) / bits_of_word] &=
        ~(Bits{1} << (static_cast<unsigned>(from) % bits_of_word));
  }

  TransferPlan finished() {
    TransferPlan plan{.ranks = task_.ranks,
                      .root = task_.root,
                      .segments = task_.segments,
                      .rounds = round_,
                      .length = round_};
    std::ranges::reverse(transfers_);
    for (Transfer& transfer : transfers_)
      transfer = {.round = round_ - 1 - transfer.round,
                  .from = at(transfer.to).rank,
                  .to = at(transfer.from).rank,
                  .segment = task_.segments - 1 - transfer.segment};
    plan.transfers = std::move(transfers_);
    return plan;
  }

  const ArrivalTask& task_;
  std::size_t words_, segment_words_;
  std::vector<Place> places_;
  std::vector<Bits> has_;                 // [place][segment]
  std::vector<Bits> holders_;             // [segment][place]
  std::vector<Bits> free_;                // [place]: may send in this round
  std::vector<std::uint32_t> last_word_;  // [segment]: behind the last with a free holder
  std::vector<std::int32_t> held_by_;     // [segment]: so many
  std::vector<std::int32_t> by_rarity_;   // segments that the root has handed out
  std::vector<std::int32_t> available_;   // of these, those that somebody may send in this round
  std::vector<std::int32_t> waiting_;     // places that lack something, see line_up
  std::vector<std::int32_t> served_;      // of these, in this round
  std::vector<std::int32_t> passed_over_;
  std::int32_t root_ = 0;
  std::int32_t gone_ = 0;
  bool all_stay_ = false;
  std::int32_t round_ = 0;
  std::vector<Transfer> transfers_;
};

}  // namespace

// From the earliest end on in half rounds, in ever longer steps; then between the last end that was
// too early and the first that was not.
TransferPlan backward_plan(const ArrivalTask& task) {
  const std::vector<Arrival> arrivals = sorted_arrivals(task);
  const Nanoseconds earliest = earliest_end(task);
  const Nanoseconds step = std::max<Nanoseconds>(1, task.round / 2);
  const auto try_end = [&](int steps) {
    return BackwardPlanner(task, arrivals, earliest + steps * step).run(false);
  };
  int too_early = -1, late = 0;
  std::optional<TransferPlan> best;
  for (constexpr int most_steps = 64; late < most_steps; late = 2 * late + 1) {
    best = try_end(late);
    if (best) break;
    too_early = late;
  }
  if (!best) return *BackwardPlanner(task, arrivals, earliest + late * step).run(true);
  while (late - too_early > 1) {
    const int between = (late + too_early) / 2;
    if (auto plan = try_end(between)) {
      best = std::move(plan);
      late = between;
    } else {
      too_early = between;
    }
  }
  return *std::move(best);
}

}  // namespace cartwright::plan::clairvoyant
