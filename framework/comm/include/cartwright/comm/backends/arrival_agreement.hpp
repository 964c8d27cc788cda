// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/arrivals/arrival_use.hpp>
#include <cartwright/comm/arrivals/site_plan.hpp>
#include <cartwright/comm/arrivals/site_table.hpp>
#include <cartwright/comm/backends/backends.hpp>
#include <cartwright/comm/backends/background_collective.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace cartwright::comm {

/// How the ranks of a communicator agree on when they will come to its sites, and which plan suits:
/// each tells all what it expects of itself, in the background; the same reports make the same
/// plans. Reductions whose bits don't depend on the order take part.
class ArrivalAgreement {
 public:
  struct Parts {
    const Backends* backends;
    const SynchronisedClock* clock;
    int ranks;
    ArrivalUse use;
    bool any_order;  ///< what may round otherwise, too: sums, and operators that don't commute
  };
  /// Who carries out the calls of a site, and how.
  struct Route {
    Backend* by = nullptr;  ///< null: the usual way
    const plan::Choice* how = nullptr;
    std::uint64_t number = 0;  ///< of the plan: no two have the same
    std::uint64_t since = 0;   ///< so many calls the site had when it went over to this
  };

  explicit ArrivalAgreement(const Parts& parts) : parts_(parts) {}

  /// All ranks begin it between the same calls, the last of which took `period` ns each.
  void begin(const SiteTable& sites, std::int64_t period);
  [[nodiscard]] bool is_over() const noexcept { return exchange_.is_over(); }
  void wait() { exchange_.wait(); }
  /// All go over to what follows from it; between the same calls. True if that is something new.
  bool conclude(const SiteTable& sites);
  /// How many calls had better lie between two agreements, so that they take little of the time;
  /// the same on all ranks.
  [[nodiscard]] std::uint64_t least_period() const noexcept { return least_period_; }

  /// Sites go ways that weren't measured so far: the sooner they are told of, the better.
  [[nodiscard]] bool is_trying() const noexcept { return is_trying_; }

  [[nodiscard]] const Route& route_of(const Site& site) const noexcept {
    return site.number < routes_.size() ? routes_[site.number] : usual_;
  }
  /// Null where none was ever made.
  [[nodiscard]] const SitePlan* plan_of(const Site& site) const;

 private:
  [[nodiscard]] bool takes_part(const Site& site) const;
  [[nodiscard]] SitePlan& plan_for(const Site& site);
  bool decide(const Site& site, const SiteOutlook& outlook);
  void go_by(const Site& site, const SitePlan& plan);
  void forget_old_plans(SitePlan& plan) const;

  Parts parts_;
  std::vector<std::size_t> sites_;  // that the present agreement is about
  std::vector<bool> tells_;         // by site: all calls that it reports went the same way
  std::vector<SiteReport> mine_, all_;
  BackgroundCollective exchange_;
  std::map<std::size_t, SitePlan> plans_;  // by number of the site
  std::vector<Route> routes_;              // the same
  Route usual_{};
  bool is_trying_ = false;
  std::uint64_t least_period_ = 1;
};

}  // namespace cartwright::comm
