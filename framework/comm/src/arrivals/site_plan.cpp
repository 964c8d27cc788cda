// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/arrivals/site_plan.hpp>
#include <cartwright/comm/selection/default_tuning.hpp>
#include <cartwright/plan/selection/by_nodes.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cstdlib>
#include <string>
#include <utility>

namespace cartwright::comm {

namespace {

double to_seconds(std::int64_t nanoseconds) {
  return 1e-9 * static_cast<double>(nanoseconds);
}

/// To send so many bytes to another rank, and combine them there, in ns.
std::int64_t round_of(const plan::Problem& problem, const plan::Machine& machine, int parts) {
  plan::Problem pair{.operation = plan::Operation::reduce,
                     .ranks = 2,
                     .elements = (problem.elements + parts - 1) / parts,
                     .element_size = problem.element_size};
  const auto time =
      plan::formula_time(pair, machine, plan::parse_choice(plan::Operation::reduce, "binomial"));
  return std::max<std::int64_t>(1, time / 1000);
}

/// Which ranks are near each other.
std::string text_of(const plan::Hierarchy& nodes) {
  std::string text;
  for (int level = 0; level + 1 < nodes.levels(); ++level)
    for (int rank = 0; rank < nodes.ranks(); ++rank)
      text += fmt::format(" {}", nodes.member_at(level, nodes.place_of(rank)));
  return text;
}

/// Of all that the transfers of a plan follow from, by whole numbers alone: the choice, whose name
/// holds arrivals and the order of ranks, and the problem.
std::int64_t hash_of(const plan::Problem& problem, const plan::Choice& choice) {
  const std::string text = fmt::format(
      "{} {} {} {} {} {} {} {}{}", choice.name(), static_cast<int>(problem.operation),
      problem.ranks, problem.root.rank, problem.elements, problem.element_size, problem.commutative,
      problem.even_blocks, problem.nodes == nullptr ? "" : text_of(*problem.nodes));
  std::uint64_t hash = 0xCBF29CE484222325U;  // Fowler, Noll and Vo's
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;
  return static_cast<std::int64_t>(hash);
}

}  // namespace

SitePlan::SitePlan(const plan::Problem& problem, plan::Machine machine, bool is_measured)
    : problem_(problem),
      machine_(std::move(machine)),
      planner_(problem, machine_),
      is_measured_(is_measured) {
  ways_[usual].is_open = true;
}

void SitePlan::Candidate::add(const SiteOutlook& outlook, int decision) {
  constexpr double share = 0.3;
  const double new_share = times == 0 || measured != kept ? 1 : share;
  seconds += new_share * (to_seconds(outlook.after_last) - seconds);
  doubt += new_share * (to_seconds(outlook.doubt) - doubt);
  measured = kept;
  last_time = decision;
  ++times;
}

double SitePlan::mean_error() const noexcept {
  return forecasts_ == 0 ? 0 : errors_ / forecasts_;
}

double SitePlan::gain() const noexcept {
  const Candidate& present = ways_[present_];
  return present.times == 0 || ways_[usual].times == 0 ? 0 : ways_[usual].seconds - present.seconds;
}

bool SitePlan::is_settled() const noexcept {
  constexpr int enough = 64;  // so often nobody was late
  return planned_for_.empty() ? decisions_ >= enough : !unknown_way();
}

void SitePlan::measure(const SiteOutlook& outlook) {
  if (outlook.error) {
    errors_ += to_seconds(*outlook.error);
    ++forecasts_;
  }
  const std::size_t way = std::exchange(told_, std::nullopt).value_or(present_);
  if (outlook.is_complete) ways_[way].add(outlook, decisions_);
}

/// Somebody is late beyond what forecasts are off by, or calls take so long that clocks tell who is
/// quicker.
bool SitePlan::is_worth_trying(const SiteOutlook& outlook) const {
  constexpr double long_enough = 2e-4;  // s
  if (is_measured_ && ways_[usual].seconds > long_enough) return true;
  const auto latest = std::ranges::max_element(outlook.next.lateness);
  const auto who = static_cast<std::size_t>(latest - outlook.next.lateness.begin());
  return *latest > 2 * outlook.next.deviation[who] &&
         2 * to_seconds(*latest) > ways_[usual].seconds;
}

/// What was planned is as good for ranks that come about as late: a plan loses no more than ranks
/// are off, so what is little beside a call's time isn't worth another.
bool SitePlan::still_fits(const std::vector<std::int64_t>& lateness) const {
  const auto little = static_cast<std::int64_t>(1e9 * ways_[usual].seconds / 16);
  const std::int64_t round = std::max(little, round_of(problem_, machine_, segments));
  for (std::size_t rank = 0; rank < planned_for_.size(); ++rank) {
    const std::int64_t moved = std::abs(lateness[rank] - planned_for_[rank]);
    if (moved > std::max({2 * forecast_->deviation[rank], round, planned_for_[rank] / 8}))
      return false;
  }
  return !planned_for_.empty();
}

/// A clairvoyant plan, Marendic 2016, of so many segments. Arrivals within one round are the same.
void SitePlan::open(Way way, int parts) {
  if (problem_.operation != plan::Operation::reduce || problem_.elements < parts) return;
  const std::int64_t round = round_of(problem_, machine_, parts);
  plan::Choice choice{plan::algorithm_for_arrivals(problem_), fmt::format("{},{}", parts, round)};
  for (const std::int64_t late : planned_for_) choice.arrivals.push_back(late / round * round);
  ways_[way].kept = keep(choice);
  ways_[way].is_open = true;
}

void SitePlan::plan_for(std::vector<std::int64_t> lateness) {
  constexpr double clearly = 0.9;
  planned_for_ = std::move(lateness);
  for (const Way way : {advised, whole, in_segments}) ways_[way].is_open = false;
  const plan::ArrivalChoice& best = planner_.choose(*forecast_);
  if (!best.choice.arrivals.empty() &&
      best.seconds_after_last < clearly * best.balanced_seconds_after_last) {
    ways_[advised].kept = keep(best.choice);
    ways_[advised].is_open = true;
    // What is waited for later is passed on when somebody polls: in whole messages.
    if (!is_measured_ && goes_in_pieces(best.choice)) open(advised, 1);
  }
  if (!is_measured_) return;
  open(whole, 1);
  open(in_segments, segments);
  if (!ways_[by_nodes].is_open) open_by_nodes();
}

/// Where ranks lie on several nodes: who waits for all of a node, and doesn't care who is late.
void SitePlan::open_by_nodes() {
  std::size_t way = by_nodes;
  for (const plan::Choice& choice : plan::likely_by_nodes(problem_, machine_, likely)) {
    ways_[way].kept = keep(choice);
    ways_[way++].is_open = true;
  }
}

template <class Figure>
std::size_t SitePlan::least_way(Figure Candidate::*figure) const {
  std::size_t least = usual;
  for (std::size_t way = 0; way < ways; ++way)
    if (ways_[way].is_open && ways_[way].*figure < ways_[least].*figure) least = way;
  return least;
}

/// A few measurements of each have to do.
bool SitePlan::may_be_quickest(std::size_t way) const noexcept {
  constexpr int few = 4;
  if (ways_[way].times >= few) return false;
  const Candidate& quickest = ways_[least_way(&Candidate::seconds)];
  const auto overlaps = [&](const Candidate& other) {
    return other.is_open && other.seconds - other.doubt < quickest.seconds + quickest.doubt;
  };
  return overlaps(ways_[way]) &&
         (&ways_[way] != &quickest || std::ranges::count_if(ways_, overlaps) > 1);
}

/// Who was measured least often comes first.
std::optional<std::size_t> SitePlan::unknown_way(std::optional<std::size_t> but) const noexcept {
  std::optional<std::size_t> least;
  for (std::size_t way = 0; way < ways; ++way)
    if (way != but && (!least || ways_[way].times < ways_[*least].times) &&
        (ways_[way].is_unknown() || may_be_quickest(way)))
      least = way;
  return least;
}

/// Who isn't known; now and then who wasn't measured for the longest; else who is the quickest.
std::size_t SitePlan::best_way() {
  constexpr double clearly = 0.95;
  constexpr int longest_between = 64;
  if (!is_measured_) return ways_[advised].is_open ? advised : usual;
  if (const auto unknown = unknown_way()) {
    next_trial_ = decisions_ + between_trials_;
    return ways_[present_].is_unknown() ? present_ : *unknown;
  }
  const std::size_t quickest = least_way(&Candidate::seconds);
  if (!ways_[chosen_].is_open || ways_[quickest].seconds < clearly * ways_[chosen_].seconds)
    chosen_ = quickest;
  if (decisions_ < next_trial_) return chosen_;
  next_trial_ = decisions_ + between_trials_;
  between_trials_ = std::min(2 * between_trials_, longest_between);
  return least_way(&Candidate::last_time);
}

bool SitePlan::is_trying() const noexcept {
  return is_measured_ && is_worth_it_ && (present_ != chosen_ || unknown_way());
}

bool SitePlan::try_next() {
  told_ = present_;
  if (!is_trying()) return false;
  const Kept* const former = present();
  if (ways_[chosen_].is_open) present_ = chosen_;  // an old measurement has been taken anew
  present_ = unknown_way(told_).value_or(present_);
  return present() != former;
}

bool SitePlan::decide(const SiteOutlook& outlook) {
  ++decisions_;
  measure(outlook);
  forecast_ = outlook.next;
  const Kept* const former = present();
  is_worth_it_ = is_worth_trying(outlook);
  // A way that is being tried stays until it is known, or arrivals that change would keep calls on
  // trials for ever.
  const bool may_plan = planned_for_.empty() || outlook.is_complete || !is_measured_;
  if (is_worth_it_) {
    if (std::vector<std::int64_t> lateness = planner_.rounded(outlook.next);
        may_plan && !still_fits(lateness))
      plan_for(std::move(lateness));
    if (next_trial_ == 0) next_trial_ = decisions_ + between_trials_;
    present_ = best_way();
  } else {
    present_ = usual;
  }
  return present() != former;
}

const SitePlan::Kept* SitePlan::keep(const plan::Choice& choice) {
  const auto known =
      std::ranges::find_if(kept_, [&](const auto& kept) { return kept->choice == choice; });
  if (known != kept_.end()) {
    std::rotate(known, known + 1, kept_.end());  // the last one that was used comes last
    return kept_.back().get();
  }
  return kept_
      .emplace_back(std::make_unique<Kept>(Kept{choice, ++numbers_, hash_of(problem_, choice)}))
      .get();
}

std::unique_ptr<SitePlan::Kept> SitePlan::drop_oldest() {
  const auto is_in_use = [&](const Kept* kept) {
    return std::ranges::find(ways_, kept, &Candidate::kept) != ways_.end();
  };
  if (kept_.size() <= most_kept || is_in_use(kept_.front().get())) return nullptr;
  std::unique_ptr<Kept> oldest = std::move(kept_.front());
  kept_.erase(kept_.begin());
  return oldest;
}

std::int64_t SitePlan::hash() const noexcept {
  return present() == nullptr ? 0 : present()->hash;
}

}  // namespace cartwright::comm
