// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/arrivals/site_outlook.hpp>
#include <cartwright/plan/arrivals/arrival_planner.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cartwright::comm {

/// How the calls of a site go, by forecasts: the same on all ranks, which give it the same
/// outlooks. Where a rank will be clearly late, or calls take long, some ways are tried, each for
/// the calls between two agreements, and the quickest of those that were measured stays: a model
/// knows little of ranks that share cores. Now and then the one that wasn't measured for the
/// longest is tried again.
class SitePlan {
 public:
  /// A choice that stays where it is until it is forgotten.
  struct Kept {
    plan::Choice choice;
    std::uint64_t number = 0;  ///< never used again
    std::int64_t hash = 0;     ///< of what its transfers follow from
  };

  /// `is_measured`: calls end when they are done, not when somebody looks; else the model decides.
  SitePlan(const plan::Problem& problem, plan::Machine machine, bool is_measured);

  /// The calls so far are about to be told to the others: the next outlook is about the way that
  /// they went. Meanwhile calls go the next way that wasn't tried, so that trials don't wait for
  /// agreements. True if that is another plan than before.
  bool try_next();
  /// Goes over to what is best for the outlook. True if that is another plan than before.
  bool decide(const SiteOutlook& outlook);
  /// Null: the usual way.
  [[nodiscard]] const Kept* present() const noexcept { return ways_[present_].kept; }
  /// Nothing is left to be tried.
  [[nodiscard]] bool is_settled() const noexcept;
  /// Calls go a way that is to be measured, not the one that was the quickest.
  [[nodiscard]] bool is_trying() const noexcept;
  /// The oldest of many, which nobody goes by; it is to be forgotten by whoever carried it out.
  [[nodiscard]] std::unique_ptr<Kept> drop_oldest();

  /// Of the next calls; null before the first.
  [[nodiscard]] const plan::ArrivalForecast* forecast() const noexcept {
    return forecast_ ? &*forecast_ : nullptr;
  }
  /// What the present way takes less than the usual one after the last arrival, in s, as measured.
  [[nodiscard]] double gain() const noexcept;
  /// Of all forecasts so far, in s; 0 before the second.
  [[nodiscard]] double mean_error() const noexcept;
  /// Of the present plan; 0: the usual way. Equal on all ranks, or they would send what nobody
  /// receives.
  [[nodiscard]] std::int64_t hash() const noexcept;

 private:
  /// The ways to go: as everybody does; as the portfolio of plan advises; whole vectors from rank
  /// to rank, in the order of arrivals; vectors in a few segments; node by node, in as many ways as
  /// are likely.
  static constexpr std::size_t likely = 2;  // between nodes, each with as many inside of them
  enum Way : std::size_t {
    usual,
    advised,
    whole,
    in_segments,
    by_nodes,
    ways = by_nodes + likely * likely
  };
  static constexpr int segments = 4;
  static constexpr std::size_t most_kept = 32;

  struct Candidate {
    const Kept* kept = nullptr;  ///< null: the usual way, or none
    bool is_open = false;
    double seconds = 0;  ///< after the last arrival: a mean in which older calls count less
    double doubt = 0;    ///< how far measurements of that may be off, in s
    int times = 0;
    int last_time = 0;               ///< the decision before which it was measured
    const Kept* measured = nullptr;  ///< what `seconds` are of: plans for others say little
    void add(const SiteOutlook& outlook, int decision);
    [[nodiscard]] bool is_unknown() const noexcept { return is_open && times == 0; }
  };

  void measure(const SiteOutlook& outlook);
  [[nodiscard]] bool is_worth_trying(const SiteOutlook& outlook) const;
  [[nodiscard]] bool still_fits(const std::vector<std::int64_t>& lateness) const;
  void plan_for(std::vector<std::int64_t> lateness);
  void open(Way way, int parts);
  void open_by_nodes();
  [[nodiscard]] std::size_t best_way();
  /// The open way whose figure (seconds, or when it was measured) is least.
  template <class Figure>
  [[nodiscard]] std::size_t least_way(Figure Candidate::*figure) const;
  /// An open way that was never measured, or may be the quickest for all that was measured so far;
  /// but for one.
  [[nodiscard]] std::optional<std::size_t> unknown_way(
      std::optional<std::size_t> but = std::nullopt) const noexcept;
  [[nodiscard]] bool may_be_quickest(std::size_t way) const noexcept;
  [[nodiscard]] const Kept* keep(const plan::Choice& choice);

  plan::Problem problem_;
  plan::Machine machine_;
  plan::ArrivalPlanner planner_;
  bool is_measured_;
  std::optional<plan::ArrivalForecast> forecast_{};
  std::vector<std::int64_t> planned_for_;    // lateness by rank, see ArrivalPlanner::rounded
  std::vector<std::unique_ptr<Kept>> kept_;  // the oldest first
  std::uint64_t numbers_ = 0;
  std::array<Candidate, ways> ways_{};
  std::size_t present_ = usual;        // as it is, or as it is tried
  std::size_t chosen_ = usual;         // the quickest when that was looked for
  std::optional<std::size_t> told_{};  // the way that the next outlook is about; else the present
  bool is_worth_it_ = false;           // to try
  int decisions_ = 0;
  int next_trial_ = 0;  // the decision at which an old measurement is taken anew
  int between_trials_ = 8;
  double errors_ = 0;
  int forecasts_ = 0;
};

}  // namespace cartwright::comm
