// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/models/time_text.hpp>
#include <cartwright/plan/selection/multiplying_heuristic.hpp>
#include <cartwright/plan/selection/multiplying_planner.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "factor_table.hpp"

// What is left out, and why the result is the optimum all the same:
// - The order of factors counts only for the first stage (combining the remaining ranks' values)
//   and for the last one (how many groups serve them); those between may be in any order.
// - A pair of first and last factor is dropped once these two stages and the least that any merge
//   adds, 2 a_r, are slower than the best found so far: middle stages and more remaining ranks only
//   add to it, and so does a greater first factor.
// - Eliminations (3-2 and 2-1) can't win: for the same power of two as core, merging costs no more.
//   Where a rank in two groups remains, elimination has the same first stage, and an expansion
//   (a_p + a_r + n β) instead of the at most one a_r that the last stage serves it for. Where there
//   are more, so that some groups have two, merging adds 3 a_r, the elimination a stage before
//   (a_p + a_r), a_r in the first stage, and an expansion; and both combine two values more.
// - Collapsing to a core that merges would pay both prices, and isn't in the notation's uses.

namespace cartwright::plan {

namespace {

enum class Form : std::uint8_t { factors, merge, collapse };

/// One way to do it. What isn't in the core is merged or folded.
struct MultiplyingOption {
  Picoseconds time = 0;
  std::int64_t messages = 0;
  Form form = Form::factors;
  int core = 1;    ///< ranks of the factor stages
  int base = 0;    ///< M of a collapse
  int first = 1;   ///< factor of a merge
  int last = 1;    ///< factor of a merge
  int middle = 1;  ///< one of the factors between, if not the table's choice

  [[nodiscard]] bool better_than(const MultiplyingOption& other) const {
    const auto ascending = [](const MultiplyingOption& o) {
      return std::tuple(o.time, -o.core, o.messages, o.form, o.base);
    };
    const auto descending = [](const MultiplyingOption& o) {
      return std::tuple(o.first, o.last, o.middle);
    };
    if (ascending(*this) != ascending(other)) return ascending(*this) < ascending(other);
    return descending(*this) > descending(other);
  }
};

class MultiplyingSearch {
 public:
  MultiplyingSearch(int ranks, const MultiplyingParameters& parameters, Remainders remainders)
      : ranks_(ranks), parameters_(parameters), remainders_(remainders), table_(ranks, parameters) {
    best_.time = table_.time(ranks);
    best_.messages = std::int64_t{ranks} * table_.sends(ranks);
    best_.core = ranks;
    try_collapses();
    for (int last = 2; last <= (ranks - 1) / 2; ++last)
      for (int first = 2; first <= (ranks - 1) / last && try_merges(first, last); ++first) continue;
  }

  [[nodiscard]] Stages stages() const {
    if (best_.form == Form::factors) return factor_stages(table_.factors(ranks_));
    if (best_.form == Form::collapse)
      return collapsed_stages((ranks_ - best_.core) / (best_.base - 1) * best_.base, best_.base,
                              table_.factors(best_.core));
    std::vector<int> factors{best_.middle};
    const int rest = best_.core / best_.first / best_.last / best_.middle;
    for (const int f : table_.factors(rest)) factors.push_back(f);
    if (best_.middle == 1) factors.erase(factors.begin());
    std::ranges::sort(factors, std::greater());
    factors.insert(factors.begin(), best_.first);
    factors.push_back(best_.last);
    return merged_stages(factors, ranks_ - best_.core);
  }

 private:
  void offer(const MultiplyingOption& option) {
    if (option.better_than(best_)) best_ = option;
  }

  void try_collapses() {
    for (int base = 2; base <= ranks_; ++base) {
      const Picoseconds both =
          stage_time({.kind = StageKind::collapse, .base = base}, parameters_) +
          stage_time({.kind = StageKind::expand, .base = base}, parameters_);
      if (both > best_.time) break;  // it grows with the base
      for (int groups = 1; groups <= ranks_ / base; ++groups) {
        const int core = ranks_ - groups * (base - 1);
        offer({.time = both + table_.time(core),
               .messages =
                   2 * std::int64_t{groups} * (base - 1) + std::int64_t{core} * table_.sends(core),
               .form = Form::collapse,
               .core = core,
               .base = base});
      }
    }
  }

  /// All cores with these factors. False when no greater first factor needs to be tried.
  bool try_merges(int first, int last) {
    const Picoseconds ends = stage_time({.factor = first}, parameters_) +
                             stage_time({.factor = last}, parameters_) +
                             2 * parameters_.required_latency;
    if (ends > best_.time) return false;
    const int both = first * last;
    for (int rest = 1; rest * both < ranks_; ++rest)
      if (ends + table_.time(rest) <= best_.time) try_merge(first, last, rest);
    return true;
  }

  void try_merge(int first, int last, int rest) {
    const int core = first * last * rest;
    const int remainders = ranks_ - core;
    const Stage merge{.kind = StageKind::merge,
                      .factor = first,
                      .remainders = remainders,
                      .groups = core / first};
    const Stage inverse{.kind = StageKind::inverse_merge,
                        .factor = last,
                        .remainders = remainders,
                        .groups = core / last};
    const Picoseconds ends = stage_time(merge, parameters_) + stage_time(inverse, parameters_);
    if (ends + table_.time(rest) > best_.time) return;
    const auto middle = middle_factor(first, last, rest);
    if (!middle) return;
    const int others = rest / *middle;
    const std::int64_t sends =
        first - 1 + last - 1 + (*middle - 1) + std::int64_t{table_.sends(others)};
    offer({.time = ends + stage_time_of_middle(*middle) + table_.time(others),
           .messages = core * sends + std::int64_t{remainders} * (first + last),
           .form = Form::merge,
           .core = core,
           .first = first,
           .last = last,
           .middle = *middle});
  }

  [[nodiscard]] Picoseconds stage_time_of_middle(int factor) const {
    return factor == 1 ? 0 : stage_time({.factor = factor}, parameters_);
  }

  /// A factor that the stages between must have so that one is greater than the number of
  /// remaining ranks; 1 when the table may choose.
  [[nodiscard]] std::optional<int> middle_factor(int first, int last, int rest) const {
    const int remainders = ranks_ - first * last * rest;
    if (remainders_ == Remainders::any || remainders < std::max(first, last)) return 1;
    std::optional<int> best;
    const auto cost = [&](int f) {
      return std::pair(stage_time_of_middle(f) + table_.time(rest / f),
                       f - 1 + table_.sends(rest / f));
    };
    for (int f = rest; f > remainders; --f)
      if (rest % f == 0 && (!best || cost(f) < cost(*best))) best = f;
    return best;
  }

  int ranks_;
  MultiplyingParameters parameters_;
  Remainders remainders_;
  FactorTable table_;
  MultiplyingOption best_;
};

/// `5 x 5 x 4`
std::string product_text(const Stages& stages) {
  std::string text;
  for (const Stage& stage : stages)
    if (stage.factor > 0) text += (text.empty() ? "" : " x ") + std::to_string(stage.factor);
  return text;
}

/// `with 22 ranks riding along, 5 x 5 x 4 take`
std::string multiplying_reason_text(const Stages& stages) {
  const std::string product = product_text(stages);
  const Stage& first = stages.front();
  if (first.kind == StageKind::merge)
    return "with " + std::to_string(first.remainders) + " riding along, " + product + " take";
  if (first.kind == StageKind::collapse)
    return "with " + std::to_string(first.threshold) + " folded by " + std::to_string(first.base) +
           ", " + (product.empty() ? "one" : product) + " take";
  return product + (stages.size() == 1 ? " takes" : " take");
}

std::string explain_multiplying(const MultiplyingPlan& plan, Count bytes, Remainders remainders) {
  std::string text = "allreduce of " + std::to_string(bytes) + " B on " +
                     std::to_string(plan.ranks) + (plan.ranks == 1 ? " rank: " : " ranks: ");
  if (plan.stages.empty()) return text + "no stages, because there is nobody to exchange with";
  text += to_string(plan.stages) + ", because " + multiplying_reason_text(plan.stages) + ' ' +
          time_text(plan.time) + " (" + std::to_string(plan.messages) +
          " messages), the least of all";
  if (remainders == Remainders::below_largest_factor) text += " within the bound on remainders";
  if (plan.heuristic == plan.stages) return text + "; the heuristic agrees";
  text += "; the heuristic's " + to_string(plan.heuristic);
  if (plan.heuristic_time == plan.time) return text + " takes as long";
  return text + " takes " + time_text(plan.heuristic_time);
}

}  // namespace

MultiplyingPlan plan_multiplying(int ranks, const MultiplyingParameters& parameters,
                                 Remainders remainders) {
  if (ranks < 1) throw std::invalid_argument("recursive multiplying needs at least one rank");
  require_physical(parameters);
  MultiplyingPlan plan;
  plan.ranks = ranks;
  plan.stages = MultiplyingSearch(ranks, parameters, remainders).stages();
  plan.time = stages_time(plan.stages, parameters);
  plan.heuristic = heuristic_stages(ranks, parameters);
  plan.heuristic_time = stages_time(plan.heuristic, parameters);
  // The heuristic is only quicker with remainders restricted: its merges have no such bound.
  if (plan.heuristic_time < plan.time) {
    plan.stages = plan.heuristic;
    plan.time = plan.heuristic_time;
  }
  plan.messages = stages_messages(plan.stages, ranks);
  plan.explanation = explain_multiplying(plan, parameters.bytes, remainders);
  return plan;
}

}  // namespace cartwright::plan
