// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/arrival_report.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/run/app.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/wait.hpp>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace cartwright::grid {
namespace {

constexpr std::size_t chunks = 8;  // parts of the time that are compared
constexpr std::size_t most_steps = 32 * chunks;

rt::Ticks::duration waited_so_far() noexcept {
  const rt::WaitRecord* const record = rt::WaitRecord::of_this_thread();
  return record == nullptr ? rt::Ticks::duration{} : record->waited();
}

double seconds(rt::Ticks::duration time) {
  return std::chrono::duration<double>(time).count();
}

double sum_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

}  // namespace

/// What a rank tells the others, in s: how long its run took to begin, and the parts of the time.
struct WorkBalance::Account {
  double setup = 0.0;
  std::array<double, chunks> busy{}, whole{};
};

/// `made`: steps in each part.
WorkBalance::Learned WorkBalance::learned_from(std::span<const Account> accounts,
                                               std::span<const double> made) {
  const auto ranks = static_cast<double>(accounts.size());
  Learned learned{.steps = sum_of(made)};
  const Account* latest = &accounts.front();
  std::array<double, chunks> busy{}, whole{};  // of all ranks in the mean; of the slowest
  for (const Account& account : accounts) {
    learned.setup = std::max(learned.setup, account.setup);
    learned.whole = std::max(learned.whole, sum_of(account.whole) / learned.steps);
    if (sum_of(account.busy) > sum_of(latest->busy)) latest = &account;
    for (std::size_t part = 0; part < made.size(); ++part) {
      busy[part] += account.busy[part] / ranks;
      whole[part] = std::max(whole[part], account.whole[part]);
    }
  }
  learned.quick = learned.whole;
  for (std::size_t part = 0; part < made.size(); ++part)
    learned.quick = std::min(learned.quick, whole[part] / made[part]);
  learned.most = sum_of(latest->busy) / learned.steps;
  learned.mean = sum_of(busy) / learned.steps;
  learned.excess = learned.most - learned.mean;
  const auto count = static_cast<double>(made.size());
  double squares = 0.0;
  for (std::size_t part = 0; part < made.size(); ++part) {
    const double excess = (latest->busy[part] - busy[part]) * count / learned.steps;
    squares += (excess - learned.excess) * (excess - learned.excess);
  }
  learned.uncertainty =
      made.size() < 2 ? learned.excess : std::sqrt(squares / (count * (count - 1)));
  return learned;
}

WorkBalance::Use WorkBalance::use_named(const std::string& name) {
  return name == "arrivals" ? Use::move : name == "watch" ? Use::watch : Use::none;
}

WorkBalance::WorkBalance(Use use) : use_(use) {
  if (!is_wanted()) return;
  if (rt::WaitRecord* const record = rt::WaitRecord::of_this_thread()) record->count_waits();
}

Cuts WorkBalance::begin_grid(const std::vector<long long>& extent, const PlaneWeights& guess,
                             const std::vector<double>& densities, const Cuts& cuts,
                             long long least) {
  least_ = least;
  if (map_.is_empty()) {
    map_ = WorkMap(extent, guess);
    has_learned_ = !densities.empty() && !goes_back_ && map_.restore(densities);
  }
  if (goes_back_)
    cuts_ = former_->cuts;
  else
    cuts_ = has_learned_ && use_ == Use::move ? map_.balanced_cuts(ranks_of(cuts), least_) : cuts;
  steps_of_cuts_ = 0.0;
  return cuts_;
}

void WorkBalance::begin_step() noexcept {
  if (!is_wanted()) return;
  step_began_ = rt::now();
  waited_ = waited_so_far();
  if (!setup_) setup_ = rt::seconds_between(run_began_, step_began_);
}

/// Neighbouring steps are added up where there are too many.
void WorkBalance::end_step() {
  if (!is_wanted()) return;
  const rt::Ticks::duration whole = rt::now() - step_began_;
  const double busy = seconds(whole - (waited_so_far() - waited_));
  if (steps_.empty() || in_last_ == stride_) {
    if (steps_.size() == most_steps) {
      for (std::size_t i = 0; i < most_steps / 2; ++i) {
        const Steps &first = steps_[2 * i], &second = steps_[2 * i + 1];
        steps_[i] = {first.busy + second.busy, first.whole + second.whole};
      }
      steps_.resize(most_steps / 2);
      stride_ *= 2;
    }
    steps_.emplace_back();
    in_last_ = 0;
  }
  steps_.back().busy += busy;
  steps_.back().whole += seconds(whole);
  ++in_last_;
}

void WorkBalance::count_by(const void* owner, Amounts amounts) {
  if (is_wanted()) amounts_.emplace_back(owner, std::move(amounts));
}

void WorkBalance::forget(const void* owner) noexcept {
  std::erase_if(amounts_, [owner](const auto& each) { return each.first == owner; });
}

void WorkBalance::suppose_amounts(const comm::CartComm& comm) {
  if (amounts_.empty()) return;
  std::vector<double> bins(map_.densities().size(), 0.0);
  for (const auto& [owner, count] : amounts_) count(map_, bins);
  comm.all().allreduce(bins, comm::Operator::sum);  // of whole numbers: exact
  map_.suppose(bins);
}

void WorkBalance::learn(const comm::CartComm& comm) {
  if (!is_wanted() || cuts_.empty() || steps_.empty()) return;
  const std::size_t parts = std::min(chunks, steps_.size());
  Account mine{.setup = setup_.value_or(0.0)};
  std::array<double, chunks> made{};  // steps in each part
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::size_t part = i * parts / steps_.size();
    mine.busy[part] += steps_[i].busy;
    mine.whole[part] += steps_[i].whole;
    made[part] += static_cast<double>(i + 1 < steps_.size() ? stride_ : in_last_);
  }
  steps_.clear();
  stride_ = 1;
  std::vector<Account> all(static_cast<std::size_t>(comm.size()));
  comm.all().allgather(std::span<const Account>(&mine, 1), std::span<Account>(all));
  last_ = learned_from(all, std::span(made).first(parts));

  suppose_amounts(comm);
  std::vector<double> busy(all.size());  // by rank, which is by block: x fastest
  std::ranges::transform(all, busy.begin(),
                         [](const Account& account) { return sum_of(account.busy); });
  if (!goes_back_) map_.learn(cuts_, busy);
  has_learned_ = true;
  steps_of_cuts_ += last_.steps;
  steps_made_ += last_.steps;
  busy_ += last_.steps * last_.mean;
  lost_ += last_.steps * last_.excess;
  if (!first_) first_ = last_;
}

/// Whether steps with the former cuts took so much less that it pays to begin anew: the quickest,
/// which other programs have slowed down least. What all ranks are busy longer now isn't the fault
/// of the cuts.
bool WorkBalance::is_better_undone() const {
  constexpr double clearly = 1.05;
  if (!former_) return false;
  const double alike = std::max(1.0, last_.mean / former_->mean);
  const double longer = last_.quick - clearly * alike * former_->quick;
  return longer * steps_of_cuts_ > price();
}

bool WorkBalance::is_worth_moving() {
  constexpr double least_gain = 0.03;  // of the time
  if (goes_back_) return false;
  why_not_.clear();
  if (use_ != Use::move || !has_learned_ || !(last_.mean > 0.0)) return false;
  if (is_better_undone()) {
    why_not_ = fmt::format("steps took {:.3g} s with other cuts, and {:.3g} s before", last_.quick,
                           former_->quick);
    return goes_back_ = true;
  }
  next_cuts_ = map_.balanced_cuts(ranks_of(cuts_), least_);
  const double gain = last_.most - last_.mean * map_.imbalance(next_cuts_);
  const double gained = gain * steps_of_cuts_;
  if (next_cuts_ == cuts_ || !(gain > least_gain * last_.mean))
    why_not_ = "other cuts would gain next to nothing";
  else if (!(last_.excess > 2.0 * last_.uncertainty))
    why_not_ = "it wasn't always the same rank that was late";
  else if (!(gained > price()))
    why_not_ = fmt::format("to begin anew takes {:.3g} s, {:.3g} s would have been gained", price(),
                           gained);
  return why_not_.empty();
}

void WorkBalance::begin_run(App& run) {
  run_began_ = rt::now();
  setup_.reset();
  run.halo_statistics() = halos_;
  for (const InnerLoopRecord& record : inner_loops_) run.inner_loop(record.name) = record;
}

void WorkBalance::move(App& run) {
  ++moves_;
  if (goes_back_)
    map_ = {};  // a restart begins as this run did
  else
    former_ = {cuts_, last_.quick, last_.mean};
  halos_ = run.halo_statistics();
  inner_loops_ = run.inner_loops();
}

void WorkBalance::report(rt::Report& report, const comm::CartComm& comm) {
  if (!is_wanted()) return;
  learn(comm);
  if (!(busy_ > 0.0)) return;
  auto& section = report.section("balance");
  section.add("busy time of a rank in a step, mean", busy_ / steps_made_, "s");
  const auto say = [&](const char* when, const Learned& learned) {
    section.add(fmt::format("of the busiest rank, {}", when),
                fmt::format("{:.2f} times the mean; a step took {:.3g} s",
                            learned.mean > 0.0 ? learned.most / learned.mean : 1.0, learned.whole));
  };
  say("at first", *first_);
  say("at last", last_);
  section.add("work has moved", fmt::format("{} time{}{}{}", moves_, moves_ == 1 ? "" : "s",
                                            why_not_.empty() ? "" : "; stays: ", why_not_));
  section.add("lost to uneven work", lost_, "s");
  const double steps = last_.steps;
  section.add("moving work would gain", last_.excess * steps, "s");
  double messages = 0.0;
  const auto sites = comm::summarize_arrivals(comm.all());
  for (const comm::ArrivalSummary& site : sites)
    messages += site.after_last * static_cast<double>(site.calls);
  section.add("another order of messages would gain",
              sites.empty() ? std::string("not known: comm.arrivals is off")
                            : fmt::format("{:.3g} s at most", messages));
}

}  // namespace cartwright::grid
