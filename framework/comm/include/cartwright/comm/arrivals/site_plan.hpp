// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/arrivals/site_outlook.hpp>
#include <cartwright/plan/arrivals/arrival_planner.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cartwright::comm {

/// How the calls of a site go, by forecasts: the same on all ranks, which give it the same
/// outlooks. By a plan for the forecast where that is expected to be clearly quicker, unless it has
/// turned out not to be: then the usual way for some time, which doubles each time.
class SitePlan {
 public:
  /// A choice that stays where it is until it is forgotten.
  struct Kept {
    plan::Choice choice;
    std::uint64_t number = 0;  ///< never used again
  };

  /// `always`: the deck wants plans for arrivals, whatever they are expected to gain.
  SitePlan(const plan::Problem& problem, const plan::Machine& machine, bool always);

  /// Goes over to what is best for the outlook. True if that is another plan than before.
  bool decide(const SiteOutlook& outlook);
  /// Null: the usual way.
  [[nodiscard]] const Kept* present() const noexcept { return present_; }
  /// The oldest of many, which nobody goes by; it is to be forgotten by whoever carried it out.
  [[nodiscard]] std::unique_ptr<Kept> drop_oldest();

  /// Of the present forecast; null before the first.
  [[nodiscard]] const plan::ArrivalForecast* forecast() const noexcept {
    return forecast_ ? &*forecast_ : nullptr;
  }
  /// What plans for arrivals are expected to gain of a call, in s.
  [[nodiscard]] double expected_gain() const noexcept { return expected_gain_; }
  /// Of all forecasts so far, in s; 0 before the second.
  [[nodiscard]] double mean_error() const noexcept;
  /// A hash of the present plan.
  [[nodiscard]] std::int64_t hash() const;

 private:
  static constexpr std::size_t most_kept = 32;

  /// From the last arrival to the end: a mean in which older calls count less.
  struct Measured {
    double seconds = 0;
    int times = 0;
    void add(double more);
  };

  void compare(const SiteOutlook& outlook);
  [[nodiscard]] bool is_promising(const SiteOutlook& outlook, const plan::ArrivalChoice& choice);
  [[nodiscard]] const Kept* keep(const plan::Choice& choice);

  plan::ArrivalPlanner planner_;
  bool always_;
  std::optional<plan::ArrivalForecast> forecast_{};
  std::vector<std::unique_ptr<Kept>> kept_;  // the oldest first
  std::uint64_t numbers_ = 0;
  const Kept* present_ = nullptr;
  Measured usual_{}, planned_{};
  int pause_ = 0;       // decisions for which the usual way is gone
  int next_pause_ = 8;  // the next time
  double expected_gain_ = 0;
  double errors_ = 0;
  int forecasts_ = 0;
};

}  // namespace cartwright::comm
