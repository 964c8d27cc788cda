// SPDX-License-Identifier: Apache-2.0
// Allreduce on whole values: recursive multiplying, and what it does with ranks that don't fit its
// factors.
#include <cartwright/plan/algorithms/allreduce.hpp>

#include "check_factors.hpp"
#include "powers_of_two.hpp"
#include "rank_layout.hpp"
#include "running_value.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::plan::allreduce {

namespace {

/// What the stages do, one after the other.
struct Course {
  Collapse collapse;
  Merge merge;
  std::span<const int> factors;
  bool last_factor_serves = true;  ///< the merged ranks; else an expansion does

  [[nodiscard]] bool merges() const { return merge.remainders > 0; }
  [[nodiscard]] bool collapses() const { return collapse.threshold > 0; }
  [[nodiscard]] bool expands() const { return collapses() || (merges() && !last_factor_serves); }
  [[nodiscard]] int rounds() const {
    return static_cast<int>(factors.size()) + (collapses() ? 1 : 0) + (expands() ? 1 : 0);
  }
};

/// Writes the schedule of one rank.
class CourseWriter {
 public:
  CourseWriter(Team team, const Course& course)
      : course_(course),
        seat_(course.merge.seat(course.collapse.number(team.me))),
        stands_for_others_(team.me < course.collapse.threshold),
        build_(team, {.blocks = 1, .input = {0, 1}, .output = {0, 1}}),
        value_(build_, changes()) {
    build_.reserve(steps());
  }

  Schedule write() && {
    if (course_.collapse.folds(me())) {
      fold_and_wait();
    } else {
      if (course_.collapses()) collect();
      if (seat_.is_core) {
        run_factors();
      } else {
        ride_along();
      }
      if (course_.expands()) expand();
    }
    if (build_.team().ranks == 1) build_.copy(build_.input(0), build_.output(0));
    return std::move(build_).finish(course_.rounds());
  }

 private:
  [[nodiscard]] int me() const { return build_.team().me; }
  [[nodiscard]] int rank_at(int position) const { return course_.collapse.rank(position); }
  [[nodiscard]] int core_rank(int index) const { return rank_at(course_.merge.core(index)); }

  [[nodiscard]] int changes() const {
    if (course_.collapse.folds(build_.team().me)) return 0;
    const int collected = stands_for_others_ ? 1 : 0;
    if (seat_.is_core) return collected + static_cast<int>(course_.factors.size());
    return collected + (course_.last_factor_serves ? 1 : 0);
  }

  [[nodiscard]] std::size_t steps() const {
    std::size_t steps = 4;
    for (const int factor : course_.factors)
      steps += factor == 2 ? 2 : 3 * static_cast<std::size_t>(factor);
    return steps;
  }

  // The i-th of the values that are combined next, where the one numbered `own` is this rank's.
  Slice operand(int i, int own) {
    if (i == own) return value_.now();
    const auto slot = static_cast<std::size_t>(i < own ? i : i - 1);
    while (slots_.size() <= slot) slots_.push_back(build_.scratch(0));
    return {slots_[slot], 0, 1};
  }

  // From left to right, whatever this rank's own number is: the same expression on all ranks.
  void combine_all(int count, int own) {
    build_.combine(operand(0, own), operand(1, own), value_.next());
    for (int i = 2; i < count; ++i) build_.combine(value_.next(), operand(i, own), value_.next());
    value_.advance();
  }

  void fold_and_wait() {
    const int survivor = course_.collapse.survivor(me());
    build_.send(survivor, value_.now());
    build_.set_round(course_.rounds() - 1);
    build_.receive(survivor, build_.output(0));
  }

  void collect() {
    const int folded = course_.collapse.base - 1;
    if (stands_for_others_ && folded == 1) {
      build_.receive_combine(me() - 1, Side::left, value_.now(), value_.next());
      value_.advance();
    } else if (stands_for_others_) {
      for (int i = 0; i < folded; ++i) build_.receive(me() - folded + i, operand(i, folded));
      combine_all(folded + 1, folded);
    }
    build_.next_round();
  }

  void run_factors() {
    int stride = 1;
    for (std::size_t s = 0; s < course_.factors.size(); ++s) {
      const int factor = course_.factors[s];
      const bool last = s + 1 == course_.factors.size();
      const int digit = seat_.index / stride % factor;
      const int first = seat_.index - digit * stride;
      const auto rank_of = [&](int d) { return core_rank(first + d * stride); };
      for (int k = 1; k < factor; ++k)  // rotated, so that not all send to the same rank at once
        build_.send(rank_of(digit + k < factor ? digit + k : digit + k - factor), value_.now());
      if (last && course_.merges() && course_.last_factor_serves) serve(stride);
      const int riders = s == 0 && course_.merges() ? course_.merge.of_group(seat_.group) : 0;
      receive_and_combine(factor, digit, riders, rank_of);
      build_.next_round();
      stride *= factor;
    }
  }

  // A remaining rank is served by one group of the last stage, with their values before it.
  void serve(int groups) {
    for (int k = seat_.index % groups; k < course_.merge.remainders; k += groups)
      build_.send(rank_at(course_.merge.remainder(k)), value_.now());
  }

  template <class RankOf>
  void receive_and_combine(int factor, int digit, int riders, const RankOf& rank_of) {
    if (factor == 2 && riders == 0) {
      build_.receive_combine(rank_of(1 - digit), digit == 0 ? Side::right : Side::left,
                             value_.now(), value_.next());
      value_.advance();
      return;
    }
    const int own = riders + digit;
    for (int k = 1; k < factor; ++k) {
      const int d = digit >= k ? digit - k : digit - k + factor;
      build_.receive(rank_of(d), operand(riders + d, own));
    }
    for (int i = 0; i < riders; ++i)
      build_.receive(rank_at(course_.merge.remainder(seat_.group, i)), operand(i, own));
    combine_all(riders + factor, own);
  }

  void ride_along() {
    const int first = course_.factors.front();
    // In order: the first of them serve most in the last stage, and so begin it first.
    for (int k = 0; k < first; ++k) build_.send(core_rank(seat_.group * first + k), value_.now());
    build_.set_round(build_.round() + static_cast<int>(course_.factors.size()) - 1);
    if (course_.last_factor_serves) be_served();
    build_.next_round();
  }

  void be_served() {
    const int last = course_.factors.back();
    const int groups = course_.merge.groups * course_.merge.factor / last;
    const int group = seat_.index % groups;
    // It has no value of its own here: what it contributed comes back in the others' values.
    for (int d = 0; d < last; ++d) build_.receive(core_rank(group + d * groups), operand(d, last));
    combine_all(last, last);
  }

  void expand() {
    const Merge& merge = course_.merge;
    if (!course_.last_factor_serves && !seat_.is_core) {
      build_.receive(core_rank((seat_.group + 1) * merge.factor - 1), build_.output(0));
    } else {
      if (stands_for_others_)
        for (int i = 1; i < course_.collapse.base; ++i)
          build_.send(me() - course_.collapse.base + i, value_.now());
      if (!course_.last_factor_serves && seat_.index % merge.factor == merge.factor - 1)
        for (int i = 0; i < merge.of_group(seat_.group); ++i)
          build_.send(rank_at(merge.remainder(seat_.group, i)), value_.now());
    }
    build_.next_round();
  }

  const Course& course_;
  Merge::Seat seat_;
  bool stands_for_others_;
  Builder build_;
  RunningValue value_;
  std::vector<Buffer> slots_;
};

}  // namespace

Schedule recursive_doubling(Team team) {
  const int core = largest_power_of_two(team.ranks);
  const Course course{.collapse = {2 * (team.ranks - core), 2}, .merge = {}, .factors = twos(core)};
  return CourseWriter(team, course).write();
}

Schedule recursive_multiplying(Team team, std::span<const int> factors) {
  check_factors(team, factors);
  return CourseWriter(team, {.collapse = {}, .merge = {}, .factors = factors}).write();
}

Schedule staged(Team team, const Stages& stages) {
  if (ranks_of(stages) != team.ranks)
    throw std::invalid_argument("`" + to_string(stages) + "` is for " +
                                std::to_string(ranks_of(stages)) + " ranks, not " +
                                std::to_string(team.ranks));
  Course course;
  std::vector<int> factors;
  for (const Stage& stage : stages) {
    if (stage.factor > 0) factors.push_back(stage.factor);
    if (stage.kind == StageKind::collapse) course.collapse = {stage.threshold, stage.base};
    if (stage.kind == StageKind::merge)
      course.merge = {stage.remainders, stage.groups, stage.factor};
  }
  course.factors = factors;
  return CourseWriter(team, course).write();
}

Schedule elimination(Team team) {
  const int core = largest_power_of_two(team.ranks);
  const int threes = std::min(team.ranks - core, 2 * core - team.ranks);
  const int pairs = team.ranks - core - threes;
  Course course{.collapse = {2 * pairs, 2}, .merge = {}, .factors = twos(core)};
  // Behind the pairs: no rank that stands for another one rides along itself.
  if (threes > 0) course.merge = {threes, core / 2, 2, core / 2 - threes};
  course.last_factor_serves = false;
  return CourseWriter(team, course).write();
}

}  // namespace cartwright::plan::allreduce
