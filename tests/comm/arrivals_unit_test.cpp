// SPDX-License-Identifier: Apache-2.0
// When ranks come to calls: what needs no ranks.
#include <gtest/gtest.h>

#include <cartwright/comm/arrivals/clock_estimate.hpp>
#include <cartwright/comm/arrivals/history.hpp>
#include <cartwright/comm/arrivals/sampled_calls.hpp>
#include <cartwright/comm/arrivals/site_outlook.hpp>
#include <cartwright/comm/arrivals/site_plan.hpp>
#include <cartwright/comm/arrivals/site_table.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::comm {
namespace {

constexpr std::int64_t microsecond = 1000, millisecond = 1'000'000, second = 1'000'000'000;

/// A clock that is ahead and runs fast, as its owner reads it at a time of the reference.
struct Skewed {
  std::int64_t ahead = 0;
  std::int64_t parts_per_billion = 0;
  [[nodiscard]] std::int64_t at(std::int64_t time) const {
    return time + ahead + time / second * parts_per_billion;
  }
};

/// A round trip that begins at a time of the reference, with messages that take so long.
ClockSample round_trip(const Skewed& clock, std::int64_t time, std::int64_t there,
                       std::int64_t back) {
  const RoundTrip trip{clock.at(time), time + there, time + there + 300,
                       clock.at(time + there + 300 + back), 0};
  const auto sample = trip.sample();
  EXPECT_TRUE(sample.has_value());
  return *sample;
}

TEST(ClockEstimate, KnowsNothingAndSaysTheLocalTime) {
  const ClockEstimate estimate;
  EXPECT_EQ(estimate.reference(1234), 1234);
  EXPECT_EQ(estimate.error(1234), 0);
}

TEST(ClockEstimate, TheTruthLiesWithinItsError) {
  std::mt19937_64 dice(3);
  for (const std::int64_t ahead : {0L, 17L, -5 * second, 3600 * second}) {
    const Skewed clock{ahead, 0};
    ClockEstimate estimate;
    for (int trip = 0; trip < 40; ++trip) {
      const std::int64_t time = trip * 10 * millisecond;
      const auto delay = [&] { return static_cast<std::int64_t>(dice() % (200 * microsecond)); };
      estimate.add(round_trip(clock, time, delay(), delay()));
      const std::int64_t off = estimate.reference(clock.at(time)) - time;
      EXPECT_LE(std::abs(off), estimate.error(clock.at(time)) + 2);
    }
    EXPECT_LT(estimate.error(clock.at(400 * millisecond)), 150 * microsecond);
    EXPECT_EQ(estimate.jumps(), 0);
  }
}

TEST(ClockEstimate, FindsTheDrift) {
  const Skewed clock{second, 20'000};  // 20 µs a second
  ClockEstimate estimate;
  for (int trip = 0; trip < 12; ++trip)
    estimate.add(round_trip(clock, trip * 10 * second, 5 * microsecond, 6 * microsecond));
  EXPECT_NEAR(static_cast<double>(estimate.drift()), -20'000, 500);
  const std::int64_t later = 200 * second;
  const std::int64_t off = estimate.reference(clock.at(later)) - later;
  EXPECT_LT(std::abs(off), 200 * microsecond);  // 1.8 ms without
  EXPECT_LE(std::abs(off), estimate.error(clock.at(later)));
}

TEST(ClockEstimate, ForgetsWhatWasBeforeAJump) {
  for (const std::int64_t jump : {-3600 * second, -millisecond, millisecond, 3600 * second}) {
    Skewed clock{second, 0};
    ClockEstimate estimate(true);
    for (int trip = 0; trip < 5; ++trip)
      estimate.add(round_trip(clock, trip * millisecond, 5 * microsecond, 5 * microsecond));
    clock.ahead += jump;
    estimate.add(round_trip(clock, second, 5 * microsecond, 5 * microsecond));
    EXPECT_EQ(estimate.jumps(), 1) << jump;
    EXPECT_NEAR(static_cast<double>(estimate.reference(clock.at(second))), 1e9, 1e4) << jump;
  }
}

TEST(ClockEstimate, OneClockOfANodeIsOneClock) {
  ClockEstimate estimate(true);
  const Skewed same{};
  estimate.add(round_trip(same, 0, 900 * microsecond, 3 * microsecond));
  EXPECT_EQ(estimate.reference(777), 777);
  EXPECT_EQ(estimate.error(777), 0);
  estimate.add(round_trip({5 * millisecond, 0}, second, microsecond, microsecond));
  EXPECT_NE(estimate.reference(777), 777);  // it isn't after all
}

TEST(RoundTrip, ThatMakesNoSenseTellsNothing) {
  EXPECT_FALSE((RoundTrip{100, 0, 0, 50, 0}).sample());   // came before it left
  EXPECT_FALSE((RoundTrip{0, 50, 10, 100, 0}).sample());  // answered before it was received
  EXPECT_FALSE((RoundTrip{0, 0, 500, 100, 0}).sample());  // took longer there than here
  EXPECT_FALSE((RoundTrip{0, 1, 2, 3, -1}).sample());
}

TEST(History, KeepsTheLastCalls) {
  History history;
  for (int call = 0; call < 100; ++call) {
    const auto number = history.arrive(1000 * call, call);
    EXPECT_EQ(history.back().duration, History::unknown);
    history.leave(number, 1000 * call + 7);
  }
  EXPECT_EQ(history.calls(), 100U);
  EXPECT_EQ(history.back().arrival, 99000);
  EXPECT_EQ(history.back(2).busy, 97);
  EXPECT_EQ(history.back(2).duration, 7);
  const auto busy = history.busy();
  ASSERT_EQ(busy.size(), History::recent);
  EXPECT_EQ(busy.front(), 68);
  EXPECT_EQ(busy.back(), 99);
  history.leave(3, 1);  // long overwritten
  EXPECT_EQ(history.back().duration, 7);
}

TEST(SampledCalls, AreTheSameWhateverTheOrderOfTheirEnds) {
  std::mt19937_64 dice(4);
  for (const std::uint64_t calls : {1U, 64U, 65U, 1000U, 12345U}) {
    SampledCalls in_order, shuffled;
    std::vector<std::uint64_t> numbers(calls);
    for (std::uint64_t i = 0; i < calls; ++i) numbers[i] = i;
    for (const auto number : numbers)
      if (in_order.wants(number)) in_order.add({number, 1, 2});
    for (std::size_t i = 0; i + 4 < numbers.size(); ++i)  // some are under way at a time
      std::swap(numbers[i], numbers[i + dice() % 4]);
    for (const auto number : numbers) shuffled.add({number, 1, 2});
    const auto stride = std::max(in_order.stride(), shuffled.stride());
    const auto one = in_order.of_stride(stride), other = shuffled.of_stride(stride);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].number, other[i].number);
    EXPECT_LE(one.size(), SampledCalls::most);
    EXPECT_GE(one.size(), std::min<std::uint64_t>(calls, SampledCalls::most / 2));
  }
}

Call call_of(plan::Operation operation, plan::Count count, int root = 0) {
  return {.operation = operation, .element = element_of<double>(), .count = count, .root = {root}};
}

TEST(SiteTable, TellsPlacesOfALoopApart) {
  SiteTable table(4);
  const auto a = call_of(plan::Operation::allreduce, 1), b = call_of(plan::Operation::reduce, 5000);
  std::map<int, std::set<std::size_t>> sites;
  for (int turn = 0; turn < 20; ++turn) {
    int place = 0;
    for (const Call* call : {&a, &b, &a, &a})
      if (const auto number = table.next(*call).number; turn > 2) sites[place++].insert(number);
  }
  ASSERT_EQ(sites.size(), 4U);
  std::set<std::size_t> all;
  for (const auto& [place, numbers] : sites) {
    EXPECT_EQ(numbers.size(), 1U) << "place " << place;
    all.insert(numbers.begin(), numbers.end());
  }
  EXPECT_EQ(all.size(), 4U);  // the three small ones, too
}

TEST(SiteTable, GoesByOperationSizeAndRoot) {
  SiteTable table(4);
  const auto settled = [&](const Call& call) {
    for (int i = 0; i < 5; ++i) (void)table.next(call);
    return table.next(call).number;
  };
  const auto one = settled(call_of(plan::Operation::reduce, 100));
  EXPECT_NE(settled(call_of(plan::Operation::reduce, 100, 1)), one);
  EXPECT_NE(settled(call_of(plan::Operation::reduce, 1000)), one);
  EXPECT_NE(settled(call_of(plan::Operation::allreduce, 100)), one);
  EXPECT_EQ(settled(call_of(plan::Operation::reduce, 100)), one);
  EXPECT_EQ(settled(call_of(plan::Operation::reduce, 101)), one);  // of one class of sizes
}

TEST(SiteTable, IsTheSameForTheSameCalls) {
  std::mt19937_64 dice(5);
  SiteTable one(4), other(4);
  for (int i = 0; i < 20000; ++i) {
    const Call call = call_of(dice() % 2 == 0 ? plan::Operation::reduce : plan::Operation::scan,
                              1 << dice() % 4, static_cast<int>(dice() % 3));
    EXPECT_EQ(one.next(call).number, other.next(call).number);
  }
  EXPECT_LE(one.all().size(), SiteTable::most + 2);
}

TEST(SiteTable, IsUsefulAgainAfterTooMany) {
  SiteTable table(4);
  const auto loop = [&] {
    Site* site = nullptr;
    for (int i = 0; i < 8; ++i) site = &table.next(call_of(plan::Operation::reduce, 64));
    return site->number;
  };
  const auto known = loop();
  std::mt19937_64 dice(6);
  for (int i = 0; i < 5000; ++i)
    (void)table.next(
        call_of(plan::Operation::scan, 1 << dice() % 20, static_cast<int>(dice() % 4)));
  EXPECT_TRUE(SiteTable::is_mixed(table.all().back()));
  EXPECT_EQ(loop(), known);
}

/// Reports of ranks that came to three calls so late, each after so much work.
std::vector<SiteReport> reports_of(const std::vector<std::int64_t>& busy) {
  std::vector<SiteReport> ranks;
  for (const std::int64_t time : busy) {
    SiteReport& rank =
        ranks.emplace_back(SiteReport{.busy = time, .deviation = 10, .period = 5000});
    for (std::size_t call = 0; call < rank.last.size(); ++call) {
      const auto begin = static_cast<std::int64_t>(call) * 1'000'000;
      rank.last[call] = {begin, begin + time, begin + 300'000};
    }
  }
  return ranks;
}

TEST(SiteOutlook, SaysWhoWillComeWhenAndHowLongItTook) {
  const auto outlook = SiteOutlook::of(reports_of({1000, 200'000, 3000}), nullptr);
  EXPECT_EQ(outlook.next.lateness, (std::vector<std::int64_t>{0, 199'000, 2000}));
  EXPECT_EQ(outlook.next.deviation, (std::vector<std::int64_t>{10, 10, 10}));
  EXPECT_EQ(outlook.imbalance, 199'000);
  EXPECT_EQ(outlook.after_last, 100'000);
  EXPECT_EQ(outlook.period, 5000);
  EXPECT_TRUE(outlook.is_complete);
  EXPECT_TRUE(outlook.plans_agree);
  EXPECT_FALSE(outlook.error);
  const auto again = SiteOutlook::of(reports_of({1000, 260'000, 3000}), &outlook.next);
  EXPECT_EQ(again.error, 20'000);
}

TEST(SiteOutlook, TakesExitsIntoAccount) {
  auto ranks = reports_of({1000, 1000});
  for (auto& call : ranks[0].last) call.begin += 70'000;  // a plan lets the other go early
  EXPECT_EQ(SiteOutlook::of(ranks, nullptr).next.lateness, (std::vector<std::int64_t>{70'000, 0}));
}

TEST(SiteOutlook, SeesWhatDoesNotFit) {
  auto ranks = reports_of({1000, 1000, 1000});
  ranks[1].plan = 7;
  ranks[2].last[0].exit = ranks[2].last[0].arrival;
  const auto outlook = SiteOutlook::of(ranks, nullptr);
  EXPECT_FALSE(outlook.plans_agree);
  EXPECT_FALSE(outlook.is_complete);
}

TEST(SiteOutlook, TakesAnythingFromClocks) {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  std::mt19937_64 dice(10);
  for (int round = 0; round < 200; ++round) {
    std::vector<SiteReport> ranks(1 + dice() % 5);
    const auto any = [&]() -> std::int64_t {
      const auto number = static_cast<std::int64_t>(dice());
      return dice() % 3 == 0 ? huge : dice() % 3 == 0 ? -huge : number;
    };
    for (SiteReport& rank : ranks) {
      rank = {.busy = any(), .deviation = any(), .clock_error = any(), .period = any()};
      for (auto& call : rank.last) call = {any(), any(), any()};
    }
    const auto outlook = SiteOutlook::of(ranks, nullptr);
    for (const std::int64_t late : outlook.next.lateness) {
      EXPECT_GE(late, 0);
      EXPECT_LE(late, 20 * second);
    }
  }
}

SiteOutlook outlook_of(std::vector<std::int64_t> lateness, double after_last) {
  SiteOutlook outlook;
  outlook.next.deviation.assign(lateness.size(), 1000);
  outlook.next.lateness = std::move(lateness);
  outlook.after_last = std::llround(1e9 * after_last);
  return outlook;
}

class SitePlans : public testing::Test {
 protected:
  /// What takes how long, by the way that is gone; as many decisions as it takes.
  void go(int decisions, const std::vector<std::int64_t>& lateness, double usual, double planned) {
    for (int i = 0; i < decisions; ++i)
      (void)plan_.decide(outlook_of(lateness, plan_.present() == nullptr ? usual : planned));
  }

  plan::Problem problem_{.operation = plan::Operation::reduce, .ranks = 8, .elements = 100'000};
  SitePlan plan_{problem_, plan::typical_machine(8), true};
};

TEST_F(SitePlans, GoesTheUsualWayWhereNobodyIsLateAndCallsAreShort) {
  go(20, {0, 10, 20, 30, 0, 10, 20, 30}, 50e-6, 1e-6);
  EXPECT_EQ(plan_.present(), nullptr);
}

TEST_F(SitePlans, TriesWaysAndKeepsTheQuickest) {
  const std::vector<std::int64_t> late{0, 0, 0, 5'000'000, 0, 0, 0, 0};
  EXPECT_FALSE(plan_.is_settled());
  go(6, late, 1e-3, 1e-4);
  ASSERT_NE(plan_.present(), nullptr);
  EXPECT_TRUE(plan_.is_settled());
  EXPECT_NE(plan_.hash(), 0);
  EXPECT_NEAR(plan_.gain(), 9e-4, 1e-5);
  const auto* const kept = plan_.present();
  auto moved = late;
  moved[3] += 1500;  // as good as the same
  EXPECT_FALSE(plan_.decide(outlook_of(moved, 1e-4)));
  EXPECT_EQ(plan_.present(), kept);
}

/// Where all others have long been ready, it doesn't matter how much later one comes.
TEST_F(SitePlans, KeepsAPlanForWhoComesEverLater) {
  const auto by = [](std::int64_t late) {
    return std::vector<std::int64_t>{0, 0, 0, late * millisecond, 0, 0, 0, 0};
  };
  go(6, by(5), 1e-3, 1e-4);
  const auto* const kept = plan_.present();
  ASSERT_NE(kept, nullptr);
  for (const std::int64_t late : {9, 30, 80, 400}) {
    go(1, by(late), 1e-3, 1e-4);
    EXPECT_TRUE(plan_.is_settled()) << late << " ms";
    EXPECT_EQ(plan_.present(), kept) << late << " ms";
  }
}

/// What transfers follow from: where any of it differed between ranks, these would wait for ever.
TEST_F(SitePlans, HashTellsPlansApart) {
  const auto nodes = plan::Hierarchy::named({{0, 0, 1, 1, 2, 2, 3, 3}});
  const auto others = plan::Hierarchy::named({{0, 1, 0, 1, 2, 2, 3, 3}});
  const auto hash = [](const plan::Problem& problem, std::int64_t late) {
    SitePlan plan(problem, plan::typical_machine(8), false);
    (void)plan.decide(outlook_of({0, 0, 0, late, 0, 0, 0, 0}, 1e-4));
    return plan.hash();
  };
  EXPECT_NE(hash(problem_, 5 * millisecond), 0);
  EXPECT_EQ(hash(problem_, 5 * millisecond), hash(problem_, 5 * millisecond));
  EXPECT_EQ(hash(problem_, 5 * millisecond), hash(problem_, 9 * millisecond))
      << "as late as can be";
  std::set<std::int64_t> hashes{hash(problem_, 5 * millisecond), hash(problem_, 100'000)};
  auto add = [&](auto change) {
    plan::Problem problem = problem_;
    change(problem);
    hashes.insert(hash(problem, 5 * millisecond));
  };
  add([](plan::Problem& problem) { problem.root.rank = 1; });
  add([](plan::Problem& problem) { ++problem.elements; });
  add([](plan::Problem& problem) { problem.element_size = 4; });
  add([&](plan::Problem& problem) { problem.nodes = &nodes; });
  add([&](plan::Problem& problem) { problem.nodes = &others; });
  EXPECT_EQ(hashes.size(), 7U);
  EXPECT_FALSE(hashes.contains(0));
}

TEST_F(SitePlans, ComesBackToTheUsualWayWhereItIsQuicker) {
  const std::vector<std::int64_t> late{0, 0, 0, 5'000'000, 0, 0, 0, 0};
  int usual = 0;
  for (int i = 0; i < 60; ++i) {
    go(1, late, 1e-4, 1e-3);
    usual += plan_.present() == nullptr ? 1 : 0;
  }
  EXPECT_GE(usual, 40);
}

/// Between nodes those who keep to them are tried, too, and win where they are quicker.
TEST_F(SitePlans, TriesToGoNodeByNode) {
  const auto nodes = plan::Hierarchy::named({{0, 0, 1, 1, 2, 2}});
  plan::Problem problem{.operation = plan::Operation::reduce, .ranks = 6, .elements = 100'000};
  problem.nodes = &nodes;
  SitePlan plan(problem, plan::typical_machine(6), true);
  const auto goes_by_nodes = [&] {
    return plan.present() != nullptr && plan.present()->choice.algorithm->name == "hierarchical";
  };
  const std::vector<std::int64_t> late{0, 0, 0, 5'000'000, 0, 0};
  std::set<std::string> tried;
  for (int i = 0; i < 40; ++i) {
    (void)plan.decide(outlook_of(late, goes_by_nodes() ? 1e-4 : 1e-3));
    if (goes_by_nodes()) tried.insert(plan.present()->choice.name());
  }
  EXPECT_GE(tried.size(), 2U);
  EXPECT_TRUE(plan.is_settled());
  int by_nodes = 0;
  for (int i = 0; i < 20; ++i) {
    (void)plan.decide(outlook_of(late, goes_by_nodes() ? 1e-4 : 1e-3));
    by_nodes += goes_by_nodes() ? 1 : 0;
  }
  EXPECT_GE(by_nodes, 15);
}

/// Trials don't wait for agreements: calls go the next way while the former is told of.
TEST_F(SitePlans, TriesTheNextWayWhileTheFormerIsToldOf) {
  const std::vector<std::int64_t> late{0, 0, 0, 5'000'000, 0, 0, 0, 0};
  const auto* quick = plan_.present();
  for (int i = 0; i < 10; ++i) {
    const auto* const told = plan_.present();
    if (i > 0 && quick == nullptr) quick = told;  // the first that isn't the usual way
    const bool is_trying = plan_.is_trying();
    const bool is_new = plan_.try_next();
    EXPECT_EQ(is_new, plan_.present() != told);
    EXPECT_TRUE(is_trying || !is_new);
    auto outlook = outlook_of(late, told == nullptr ? 1e-3 : told == quick ? 1e-4 : 5e-4);
    if (i == 3) outlook.is_complete = false;  // says nothing of the way: it is tried again
    (void)plan_.decide(outlook);
  }
  ASSERT_NE(quick, nullptr);
  EXPECT_FALSE(plan_.is_trying());
  EXPECT_TRUE(plan_.is_settled());
  EXPECT_EQ(plan_.present(), quick);
}

/// Whose plan changes has nothing to tell at first. Arrivals that change from call to call don't
/// keep calls on ways that are slow.
TEST_F(SitePlans, TrialsEndWhereverArrivalsGo) {
  std::mt19937_64 dice(17);
  const auto jitter = [&] { return static_cast<std::int64_t>(dice() % 1'500'000); };
  bool is_complete = true;
  int usual = 0;
  for (int i = 0; i < 60; ++i) {
    std::vector<std::int64_t> late(8, 0);
    for (std::int64_t& time : late) time = jitter();
    late[3] += 5 * millisecond;
    const bool is_usual = plan_.present() == nullptr;
    usual += i >= 30 && is_usual ? 1 : 0;
    const bool goes_on = is_complete && plan_.try_next();
    auto outlook = outlook_of(late, is_usual ? 4e-3 : 8e-3);
    outlook.is_complete = is_complete;
    is_complete = !plan_.decide(outlook) || goes_on;
  }
  EXPECT_TRUE(plan_.is_settled());
  EXPECT_GE(usual, 20);
}

TEST_F(SitePlans, KeepsNoMoreThanItNeeds) {
  std::mt19937_64 dice(11);
  int dropped = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<std::int64_t> late(8, 0);
    for (int k = 0; k < 3; ++k)
      late[dice() % 8] = 5 * millisecond + static_cast<std::int64_t>(dice() % 300) * 1000;
    (void)plan_.decide(outlook_of(late, 1e-3));
    while (const auto old = plan_.drop_oldest()) {
      EXPECT_NE(old.get(), plan_.present());
      ++dropped;
    }
  }
  EXPECT_GT(dropped, 100);
}

}  // namespace
}  // namespace cartwright::comm
