// SPDX-License-Identifier: Apache-2.0
// A reduction is a broadcast seen backwards in time: the root hands out segments, and a rank that
// arrives late has to have all of them early. From the end that earliest_end allows, in each round
// those who are nearest to missing theirs choose first, the segment that fewest have.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "end_search.hpp"
#include "rank_set.hpp"
#include "tasks.hpp"

namespace cartwright::plan::clairvoyant {

namespace {

/// A message of the broadcast, between places.
struct Move {
  std::int32_t from = 0, to = 0, segment = 0;
};

/// A broadcast: its messages, and for each round how many there are up to its end.
struct Moves {
  explicit Moves(std::size_t most) : moves(std::make_unique_for_overwrite<Move[]>(most)) {}
  std::unique_ptr<Move[]> moves;
  std::vector<std::size_t> ends;
};

/// Ranks stand in the order in which they arrive: places. The last ones have to have everything
/// first.
template <std::size_t known_words, std::size_t known_segment_words>
class BackwardPlanner {
 public:
  BackwardPlanner(const ArrivalTask& task, std::span<const Arrival> arrivals)
      : task_(task),
        arrivals_(arrivals),
        words_(words_for(task.ranks)),
        segment_words_(words_for(task.segments)),
        places_(arrivals.size()),
        has_(arrivals.size() * segment_words_.count()),
        holders_(static_cast<std::size_t>(task.segments) * words_.count()),
        free_(words_.count()),
        first_word_(static_cast<std::size_t>(task.segments)),
        held_by_(static_cast<std::size_t>(task.segments)),
        wanted_(segment_words_.count()),
        lines_(arrivals.size()),
        next_lines_(arrivals.size()),
        found_((arrivals.size() - 1) * held_by_.size()),
        best_((arrivals.size() - 1) * held_by_.size()) {
    while (arrivals[static_cast<std::size_t>(root_)].rank != task.root) ++root_;
    by_rarity_.reserve(held_by_.size());
    available_.reserve(held_by_.size());
  }

  /// Looks for a plan with that end. None where somebody would have to begin before it arrives,
  /// unless it may.
  bool try_end(Nanoseconds end, bool may_be_early = false) {
    begin(end);
    for (; lines_.waiting > 0; ++round_)
      if (!hand_out(may_be_early) && !may_be_early) return false;
    std::swap(found_, best_);
    return true;
  }

  /// In which the last one ended, or failed; counted from the end.
  [[nodiscard]] std::int32_t round() const { return round_; }

  /// The last that was found.
  [[nodiscard]] TransferPlan plan() const {
    const auto rounds = static_cast<std::int32_t>(best_.ends.size());
    TransferPlan plan{.ranks = task_.ranks,
                      .root = task_.root,
                      .segments = task_.segments,
                      .rounds = rounds,
                      .length = rounds};
    plan.transfers.reserve(arrivals_.size() * held_by_.size());
    for (std::int32_t round = 0; round < rounds; ++round) {
      const auto backwards = static_cast<std::size_t>(rounds - 1 - round);
      const std::size_t first = backwards == 0 ? 0 : best_.ends[backwards - 1];
      for (std::size_t i = best_.ends[backwards]; i-- > first;) {
        const Move& move = best_.moves[i];
        plan.transfers.push_back({.round = round,
                                  .from = arrivals_[static_cast<std::size_t>(move.to)].rank,
                                  .to = arrivals_[static_cast<std::size_t>(move.from)].rank,
                                  .segment = task_.segments - 1 - move.segment});
      }
    }
    return plan;
  }

 private:
  static constexpr Nanoseconds most_rounds = 1 << 28;

  struct Place {
    std::int32_t rounds = 0;  ///< from the end to its arrival
    std::int32_t lacks = 0;   ///< segments
  };
  [[nodiscard]] Place& at(std::int32_t place) { return places_[static_cast<std::size_t>(place)]; }

  /// One that waits for segments: what decides whose turn comes first, as one number. Above, the
  /// rounds that may pass without it (the present one and those of all segments included); below,
  /// its place, counted from the last.
  using Waiting = std::uint64_t;
  static constexpr Waiting one_round = Waiting{1} << 32U;
  static constexpr Waiting nobody = std::numeric_limits<Waiting>::max();
  [[nodiscard]] std::int32_t place_of(Waiting one) const {
    return task_.ranks - 1 - static_cast<std::int32_t>(one & (one_round - 1));
  }

  /// Those who wait, in two lines in the order of their turns: who was served in the last round,
  /// and who was passed over. `nobody` ends both.
  struct Lines {
    explicit Lines(std::size_t places) : served(places + 1), passed_over(places + 1) {}
    std::vector<Waiting> served, passed_over;
    std::size_t waiting = 0;
  };

  void begin(Nanoseconds end) {
    lines_.waiting = 0;
    lines_.served[0] = nobody;
    for (auto place = task_.ranks - 1; place >= 0; --place) {
      const Nanoseconds time = arrivals_[static_cast<std::size_t>(place)].time;
      const auto rounds =
          static_cast<std::int32_t>(std::min((end - time) / task_.round, most_rounds));
      at(place) = {rounds, task_.segments};
      if (place != root_)
        lines_.passed_over[lines_.waiting++] = static_cast<Waiting>(rounds) * one_round +
                                               static_cast<Waiting>(task_.ranks - 1 - place);
    }
    lines_.passed_over[lines_.waiting] = nobody;
    at(root_).lacks = 0;
    std::ranges::fill(has_, Word{0});
    std::ranges::fill(holders_, Word{0});
    std::ranges::fill(held_by_, 0);
    by_rarity_.clear();
    found_.ends.clear();
    moved_ = 0;
    neediest_ = 0;
    most_lacking_ = task_.segments;
    present_ = task_.ranks;
    all_stay_ = false;
    round_ = 0;
  }

  /// False once somebody won't get all in time.
  bool hand_out(bool may_be_early) {
    const Waiting next = std::min(lines_.served[0], lines_.passed_over[0]);
    const auto spare = static_cast<std::int32_t>(next / one_round) - task_.segments;
    const bool in_time = spare >= round_;
    if (!in_time && !may_be_early) return false;
    begin_round(may_be_early);
    const std::size_t before = moved_;
    now_holders_ = holders_;  // who gets a segment doesn't send it on in the same round
    const std::int32_t to =
        round_ < task_.segments ? give_new_one(spare <= round_ ? place_of(next) : neediest()) : -1;
    serve(to);
    // Where all who have a segment are gone, the end was too early: they have to come sooner.
    all_stay_ = moved_ == before;
    found_.ends.push_back(moved_);
    return in_time && !all_stay_;
  }

  // Who is gone by now, as it hasn't arrived: the last places. Who still lacks something stays.
  void begin_round(bool may_be_early) {
    while (present_ > 0 && at(present_ - 1).rounds <= round_) --present_;
    const std::int32_t present = all_stay_ ? task_.ranks : present_;
    free_.set_first(present);
    if (may_be_early)
      for (const auto* line : {&lines_.served, &lines_.passed_over})
        for (auto one = line->begin(); *one != nobody; ++one) free_.add(place_of(*one));
    free_.remove(root_);
    root_is_free_ = root_ < present;
    if constexpr (known_words == 0) std::ranges::fill(first_word_, 0U);
    if (round_ < task_.segments) by_rarity_.push_back(round_);  // the root has the others still
    for (std::size_t i = 1; i < by_rarity_.size(); ++i)         // nearly sorted
      for (std::size_t k = i; k > 0 && is_rarer(by_rarity_[k], by_rarity_[k - 1]); --k)
        std::swap(by_rarity_[k], by_rarity_[k - 1]);
    available_ = by_rarity_;
    for (std::size_t word = 0; word < segment_words_.count(); ++word)
      wanted_[word] = first_bits(std::min(round_ + 1, task_.segments), word);
  }

  [[nodiscard]] bool is_rarer(std::int32_t a, std::int32_t b) const {
    const std::int32_t of_a = held_by_[static_cast<std::size_t>(a)];
    const std::int32_t of_b = held_by_[static_cast<std::size_t>(b)];
    return of_a != of_b ? of_a < of_b : a > b;
  }

  // Of those who have fewest segments, the one that arrives first.
  std::int32_t neediest() {
    while (at(neediest_).lacks != most_lacking_)
      if (++neediest_ == task_.ranks) {
        neediest_ = 0;
        --most_lacking_;
      }
    return neediest_;
  }

  // The root hands out its next segment.
  std::int32_t give_new_one(std::int32_t to) {
    root_is_free_ = false;
    give(root_, to, round_);
    return to;
  }

  // All, in the order of their turns.
  void serve(std::int32_t served_already) {
    const Waiting* of_served = lines_.served.data();
    const Waiting* of_passed_over = lines_.passed_over.data();
    Waiting* served = next_lines_.served.data();
    Waiting* passed_over = next_lines_.passed_over.data();
    for (std::size_t left = lines_.waiting; left > 0; --left) {
      const bool is_of_served = *of_served < *of_passed_over;
      const Waiting one = is_of_served ? *of_served : *of_passed_over;
      of_served += is_of_served ? 1 : 0;
      of_passed_over += is_of_served ? 0 : 1;
      const std::int32_t place = place_of(one);
      if (place == served_already || take(place)) {
        *served = one + one_round;
        served += at(place).lacks > 0 ? 1 : 0;
      } else {
        *passed_over++ = one;
      }
    }
    *served = *passed_over = nobody;
    next_lines_.waiting = static_cast<std::size_t>(served - next_lines_.served.data()) +
                          static_cast<std::size_t>(passed_over - next_lines_.passed_over.data());
    std::swap(lines_, next_lines_);
  }

  /// Whether it lacks what somebody may send still.
  [[nodiscard]] bool wants(std::size_t has) const {
    Word wanted = 0;
    for (std::size_t word = 0; word < segment_words_.count(); ++word)
      wanted |= wanted_[word] & ~has_[has + word];
    return wanted != 0;
  }

  bool take(std::int32_t place) {
    const std::size_t has = static_cast<std::size_t>(place) * segment_words_.count();
    if (!wants(has)) return false;
    for (std::size_t i = 0; i < available_.size();) {
      const std::int32_t segment = available_[i];
      if ((has_[has + word_of(segment)] & mask_of(segment)) != 0) {
        ++i;
      } else if (const std::int32_t from = sender_of(segment); from >= 0) {
        give(from, place, segment);
        return true;
      } else {
        available_.erase(available_.begin() + static_cast<std::ptrdiff_t>(i));
        wanted_[word_of(segment)] &= ~mask_of(segment);
      }
    }
    return false;
  }

  // The free one that stays longest, which isn't free any more; the root only where there is no
  // other.
  std::int32_t sender_of(std::int32_t segment) {
    std::int32_t from = -1;
    if constexpr (known_words == 0) {
      from = sender_of_many(segment);
      if (from >= 0) free_.remove(from);
    } else {
      from = sender_of_few(segment);
    }
    if (from >= 0) return from;
    return std::exchange(root_is_free_, false) ? root_ : -1;
  }

  // Without branches, as nobody foretells who that is; taken as a bit, not by its number.
  std::int32_t sender_of_few(std::int32_t segment) {
    const Word* holders = &now_holders_[static_cast<std::size_t>(segment) * known_words];
    std::int32_t from = -1;
    Word nobody_yet = ~Word{0};
    std::array<Word, known_words> taken;
    for (std::size_t word = 0; word < known_words; ++word) {
      const Word candidates = holders[word] & free_[word] & nobody_yet;
      taken[word] = candidates & (~candidates + 1);
      const int first = static_cast<int>(word) * word_bits + std::countr_zero(candidates);
      from = candidates != 0 ? first : from;
      nobody_yet = candidates != 0 ? 0 : nobody_yet;
    }
    free_.remove(taken);
    return from;
  }

  // In a round there are fewer and fewer: words without one are not looked at again.
  std::int32_t sender_of_many(std::int32_t segment) {
    const std::size_t begin = static_cast<std::size_t>(segment) * words_.count();
    std::uint32_t& word = first_word_[static_cast<std::size_t>(segment)];
    for (; word < words_.count(); ++word)
      if (const Word candidates = now_holders_[begin + word] & free_[word]; candidates != 0)
        return static_cast<int>(word) * word_bits + std::countr_zero(candidates);
    return -1;
  }

  void give(std::int32_t from, std::int32_t to, std::int32_t segment) {
    found_.moves[moved_++] = {from, to, segment};
    holders_[static_cast<std::size_t>(segment) * words_.count() + word_of(to)] |= mask_of(to);
    has_[static_cast<std::size_t>(to) * segment_words_.count() + word_of(segment)] |=
        mask_of(segment);
    --at(to).lacks;
    ++held_by_[static_cast<std::size_t>(segment)];
  }

  const ArrivalTask& task_;
  std::span<const Arrival> arrivals_;
  Words<known_words> words_;
  Words<known_segment_words> segment_words_;
  std::vector<Place> places_;
  std::vector<Word> has_;                  // [place][segment]
  std::vector<Word> holders_;              // [segment][place], the root left out
  std::vector<Word> now_holders_;          // the same when the round began
  RankSet<known_words> free_;              // places that may send in this round, but for the root
  std::vector<std::uint32_t> first_word_;  // [segment]: no free holder in the words before
  std::vector<std::int32_t> held_by_;      // [segment]: so many, the root left out
  std::vector<std::int32_t> by_rarity_;    // segments that the root has handed out
  std::vector<std::int32_t> available_;    // of these, those that somebody may send in this round
  std::vector<Word> wanted_;               // the same, as bits
  Lines lines_, next_lines_;
  Moves found_, best_;
  std::size_t moved_ = 0;
  std::int32_t root_ = 0;
  bool root_is_free_ = true;
  std::int32_t neediest_ = 0, most_lacking_ = 0;
  std::int32_t present_ = 0;  // places
  bool all_stay_ = false;
  std::int32_t round_ = 0;
};

template <std::size_t known_words, std::size_t known_segment_words>
std::optional<TransferPlan> planned(const ArrivalTask& task, Nanoseconds latest) {
  const std::vector<Arrival> arrivals = sorted_arrivals(task);
  const Nanoseconds earliest =
      earliest_merge(arrivals, task.round) + (task.segments - 1) * task.round;
  if (earliest > latest) return std::nullopt;
  const Nanoseconds step = std::max<Nanoseconds>(1, task.round / 2);
  BackwardPlanner<known_words, known_segment_words> planner(task, arrivals);
  EndSearch search(task, (latest - earliest) / step);
  while (!search.is_over())
    if (planner.try_end(earliest + search.next() * step)) {
      search.found();
    } else {
      search.failed_in(planner.round());
    }
  if (search.is_useless()) return std::nullopt;
  if (!search.has_found()) planner.try_end(earliest + search.next() * step, true);
  return planner.plan();
}

}  // namespace

std::optional<TransferPlan> backward_plan(const ArrivalTask& task, Nanoseconds latest) {
  if (task.segments <= word_bits && task.ranks <= word_bits) return planned<1, 1>(task, latest);
  if (task.segments <= word_bits && task.ranks <= 2 * word_bits) return planned<2, 1>(task, latest);
  return planned<0, 0>(task, latest);
}

}  // namespace cartwright::plan::clairvoyant
