// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/backends/arrival_agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <span>
#include <utility>

namespace cartwright::comm {

namespace {

constexpr std::size_t most_sites = 64;  // in one agreement

/// What an agreement takes of a rank's time, about: an exchange and some plans, in ns.
std::int64_t cost_of_agreement(int ranks) {
  return 100'000 + std::int64_t{2'000} * ranks;
}

bool is_clairvoyant(std::string_view algorithm) {
  return algorithm.starts_with("clairvoyant");
}

}  // namespace

bool ArrivalAgreement::takes_part(const Site& site) const {
  using enum plan::Operation;
  const CallKey& key = site.key.call;
  const bool is_reduction = key.operation == reduce || key.operation == allreduce;
  // Plans combine in another order than usual, or in the same with other brackets.
  const bool keeps_bits = key.combining == Combining::exact || parts_.any_order;
  if (parts_.use < ArrivalUse::frozen || parts_.ranks < 2 || !is_reduction || !keeps_bits ||
      SiteTable::is_mixed(site) || site.history.calls() < SiteReport::calls + 1)
    return false;
  const SitePlan* const plan = plan_of(site);
  if (parts_.use == ArrivalUse::frozen && plan != nullptr && plan->is_settled()) return false;
  const auto& wanted = parts_.backends->selection().knowledge().wanted;
  const auto named = wanted.find(key.operation);
  return named == wanted.end() || is_clairvoyant(named->second);
}

void ArrivalAgreement::begin(const SiteTable& sites, std::int64_t period) {
  sites_.clear();
  tells_.clear();
  mine_.clear();
  for (const Site& site : sites.all()) {
    if (sites_.size() == most_sites || !takes_part(site)) continue;
    sites_.push_back(site.number);
    tells_.push_back(site.history.calls() - route_of(site).since >= SiteReport::calls);
    SiteReport& report = mine_.emplace_back(SiteReport::of(site.history, *parts_.clock));
    report.period = period;
    if (const SitePlan* const plan = plan_of(site)) report.plan = plan->hash();
  }
  all_.resize(mine_.size() * static_cast<std::size_t>(parts_.ranks));
  if (sites_.empty()) return;
  exchange_.begin(parts_.backends->find(BackendId::p2p), parts_.backends->engine(),
                  {.operation = plan::Operation::allgather,
                   .input = reinterpret_cast<const std::byte*>(mine_.data()),
                   .output = reinterpret_cast<std::byte*>(all_.data()),
                   .element = element_of<std::int64_t>(),
                   .count = static_cast<plan::Count>(mine_.size() * words_of_report),
                   .waiting = Waiting::later});
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Site& site = sites.all()[sites_[i]];
    const auto plan = plans_.find(site.number);
    if (tells_[i] && plan != plans_.end() && plan->second.try_next()) go_by(site, plan->second);
  }
}

bool ArrivalAgreement::conclude(const SiteTable& sites) {
  exchange_.wait();
  bool is_new = false;
  is_trying_ = false;
  std::int64_t period = 1;
  std::vector<SiteReport> of_site(static_cast<std::size_t>(parts_.ranks));
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    for (std::size_t rank = 0; rank < of_site.size(); ++rank)
      of_site[rank] = all_[rank * sites_.size() + i];
    const Site& site = sites.all()[sites_[i]];
    const SitePlan* const plan = plan_of(site);
    auto outlook = SiteOutlook::of(of_site, plan == nullptr ? nullptr : plan->forecast());
    outlook.is_complete = outlook.is_complete && tells_[i];  // else calls went another way before
    if (!outlook.plans_agree)
      throw rt::internal_failure("ranks go by different plans for the same collective",
                                 "Set comm.arrivals: off, and report this.", rt::Reach::all_ranks);
    period = std::max(period, outlook.period);
    is_new = decide(site, outlook) || is_new;
  }
  if (sites_.empty()) return false;   // how long calls take is not known yet
  constexpr std::int64_t share = 50;  // of the time: 2 %
  least_period_ = static_cast<std::uint64_t>(share * cost_of_agreement(parts_.ranks) / period + 1);
  return is_new;
}

bool ArrivalAgreement::decide(const Site& site, const SiteOutlook& outlook) {
  SitePlan& plan = plan_for(site);
  const bool is_new = plan.decide(outlook);
  if (is_new) go_by(site, plan);
  forget_old_plans(plan);
  is_trying_ = is_trying_ || plan.is_trying();
  return is_new;
}

const SitePlan* ArrivalAgreement::plan_of(const Site& site) const {
  const auto known = plans_.find(site.number);
  return known == plans_.end() ? nullptr : &known->second;
}

SitePlan& ArrivalAgreement::plan_for(const Site& site) {
  if (const auto known = plans_.find(site.number); known != plans_.end()) return known->second;
  const Selection& selection = parts_.backends->selection();
  plan::Problem problem = problem_of(site.last, parts_.ranks);
  problem.nodes = selection.nodes();
  return plans_
      .try_emplace(site.number, problem, selection.machine(),
                   site.key.call.waiting == Waiting::at_once)
      .first->second;
}

void ArrivalAgreement::go_by(const Site& site, const SitePlan& plan) {
  routes_.resize(std::max(routes_.size(), site.number + 1));
  Route& route = routes_[site.number];
  route = {.since = site.history.calls()};
  const SitePlan::Kept* const kept = plan.present();
  if (kept == nullptr) return;
  const Decision decision = parts_.backends->selection().decide(site.key.call, kept->choice);
  if (decision.ground != Decision::Ground::forecast) return;
  route.by = &parts_.backends->find(decision.backend);
  route.how = &kept->choice;
  route.number = kept->number;
  parts_.backends->note(site.key.call, decision);
}

void ArrivalAgreement::forget_old_plans(SitePlan& plan) const {
  const auto old = plan.drop_oldest();
  if (old == nullptr) return;
  for (const BackendId backend : parts_.backends->scheduled())
    parts_.backends->find(backend).forget(old->choice);
}

}  // namespace cartwright::comm
