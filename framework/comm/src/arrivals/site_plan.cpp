// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/arrivals/site_plan.hpp>
#include <string>
#include <utility>

namespace cartwright::comm {

namespace {

double to_seconds(std::int64_t nanoseconds) {
  return 1e-9 * static_cast<double>(nanoseconds);
}

bool is_same(const plan::Choice& a, const plan::Choice& b) {
  return a.algorithm == b.algorithm && a.tuning == b.tuning && a.order == b.order &&
         a.arrivals == b.arrivals;
}

}  // namespace

SitePlan::SitePlan(const plan::Problem& problem, const plan::Machine& machine, bool always)
    : planner_(problem, machine), always_(always) {}

void SitePlan::Measured::add(double more) {
  constexpr double share = 0.3;
  seconds = times == 0 ? more : seconds + share * (more - seconds);
  ++times;
}

double SitePlan::mean_error() const noexcept {
  return forecasts_ == 0 ? 0 : errors_ / forecasts_;
}

/// What was gone by lately has taken so long.
void SitePlan::compare(const SiteOutlook& outlook) {
  constexpr int enough = 2;
  constexpr double worse = 1.1;
  constexpr int longest_pause = 1 << 12;
  if (outlook.error) {
    errors_ += to_seconds(*outlook.error);
    ++forecasts_;
  }
  if (!outlook.is_complete) return;
  (present_ != nullptr ? planned_ : usual_).add(to_seconds(outlook.after_last));
  const bool are_known = usual_.times >= enough && planned_.times >= enough;
  if (present_ == nullptr || !are_known || planned_.seconds <= worse * usual_.seconds) return;
  pause_ = next_pause_;
  next_pause_ = std::min(2 * next_pause_, longest_pause);
  planned_ = {};
}

bool SitePlan::is_promising(const SiteOutlook& outlook, const plan::ArrivalChoice& choice) {
  constexpr double clearly = 0.9;
  constexpr double least_gain = 1e-6;  // s
  expected_gain_ = choice.balanced_seconds_after_last - choice.seconds_after_last;
  const auto latest = std::ranges::max_element(outlook.next.lateness);
  const auto who = static_cast<std::size_t>(latest - outlook.next.lateness.begin());
  return expected_gain_ > least_gain && *latest > 2 * outlook.next.deviation[who] &&
         choice.seconds_after_last < clearly * choice.balanced_seconds_after_last;
}

bool SitePlan::decide(const SiteOutlook& outlook) {
  compare(outlook);
  forecast_ = outlook.next;
  const plan::ArrivalChoice& best = planner_.choose(outlook.next);
  const bool is_better = is_promising(outlook, best);
  const bool is_paused = pause_ > 0 && pause_-- > 0;
  const Kept* const former =
      std::exchange(present_, always_ || (is_better && !is_paused) ? keep(best.choice) : nullptr);
  return present_ != former;
}

const SitePlan::Kept* SitePlan::keep(const plan::Choice& choice) {
  const auto known =
      std::ranges::find_if(kept_, [&](const auto& kept) { return is_same(kept->choice, choice); });
  if (known != kept_.end()) {
    std::rotate(known, known + 1, kept_.end());  // the last one that was used comes last
    return kept_.back().get();
  }
  return kept_.emplace_back(std::make_unique<Kept>(Kept{choice, ++numbers_})).get();
}

std::unique_ptr<SitePlan::Kept> SitePlan::drop_oldest() {
  if (kept_.size() <= most_kept || kept_.front().get() == present_) return nullptr;
  std::unique_ptr<Kept> oldest = std::move(kept_.front());
  kept_.erase(kept_.begin());
  return oldest;
}

std::int64_t SitePlan::hash() const {
  if (present_ == nullptr) return 0;
  std::uint64_t hash = 0xCBF29CE484222325U;  // Fowler, Noll and Vo's
  for (const char letter : present_->choice.name())
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;
  return static_cast<std::int64_t>(hash);
}

}  // namespace cartwright::comm
