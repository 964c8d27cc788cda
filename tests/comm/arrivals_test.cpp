// SPDX-License-Identifier: Apache-2.0
// Ranks that are watched: clocks in step, the same results, and nobody hangs.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/arrival_report.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cstdint>
#include <memory>
#include <random>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "arrivals_fixture.hpp"

namespace cartwright::comm {
namespace {

using Clocks = ArrivalsTest;

TEST_F(Clocks, AgreeWithinTheirError) {
  SynchronisedClock clock(comm_, P2pChannel(comm_), false, own_time(comm_.rank().value * hour));
  for (int round = 0; round < 3; ++round) {
    // All stamp between two barriers, so that each true time lies in everybody's interval.
    MPI_Barrier(comm_.handle());
    const std::int64_t before = clock.now();
    MPI_Barrier(comm_.handle());
    const std::int64_t after = clock.now();
    const std::int64_t doubt = clock.error(after);
    EXPECT_LT(doubt, hour / 60);
    std::int64_t latest_begin = clock.shared(before) - doubt;
    std::int64_t first_end = -(clock.shared(after) + doubt);
    MPI_Allreduce(MPI_IN_PLACE, &latest_begin, 1, MPI_INT64_T, MPI_MAX, comm_.handle());
    MPI_Allreduce(MPI_IN_PLACE, &first_end, 1, MPI_INT64_T, MPI_MAX, comm_.handle());
    EXPECT_LE(latest_begin, -first_end);
    clock.begin_round(engine_);
    clock.finish_round();
  }
  EXPECT_EQ(clock.jumps(), 0);
}

TEST_F(Clocks, ThatJumpAreFoundOutInTheNextRounds) {
  SynchronisedClock clock(comm_, P2pChannel(comm_), true, own_time(0));
  shift_ += comm_.rank().value % 2 == 1 ? hour : 0;
  for (int round = 0; round < 3; ++round) {
    clock.begin_round(engine_);
    clock.finish_round();
  }
  std::int64_t here = clock.shared(clock.now()), there = here;
  MPI_Bcast(&there, 1, MPI_INT64_T, 0, comm_.handle());
  EXPECT_LT(std::abs(here - there), hour / 2);
}

TEST_F(Clocks, AreDroppedInTheMiddleOfARound) {
  SynchronisedClock clock(comm_, P2pChannel(comm_), true);
  clock.begin_round(engine_);
}

TEST_F(ArrivalsTest, WatchedCallsGiveTheSameResults) {
  const auto plain = collectives(ArrivalUse::off);
  const auto watched = collectives(ArrivalUse::watch);
  ASSERT_NE(watched->arrivals(), nullptr);
  EXPECT_EQ(plain->arrivals(), nullptr);
  for (int program = 0; program < 3; ++program) run_random_program(*plain, *watched, program, 200);
  EXPECT_GT(watched->arrivals()->sites().all().size(), 2U);
}

TEST_F(ArrivalsTest, AreNotedForEachPlaceOfALoop) {
  const auto watched = collectives(ArrivalUse::watch);
  const int late = comm_.size() - 1;
  const std::vector<int> numbers(100, 1);
  std::vector<int> sums(100);
  for (int call = 0; call < 12; ++call) {
    watched->barrier();
    if (comm_.rank().value == late) sleep_for(3);
    watched->reduce(numbers, sums, Operator::sum, rt::Rank{0});
  }
  const History& history = site_of_reduce(*watched).history;
  ASSERT_GE(history.calls(), 4U);
  for (std::size_t back = 0; back < 4 && comm_.rank().value == late; ++back)
    EXPECT_GE(history.back(back).busy, 2'900'000);
}

/// More started calls than fit between two agreements, and none that waits.
TEST_F(ArrivalsTest, StartedCallsNeverWaitInTheirStart) {
  const auto watched = collectives(ArrivalUse::watch);
  constexpr std::size_t most = 40;
  std::vector<std::int64_t> numbers(most);
  for (int turn = 0; turn < 8; ++turn) {
    std::vector<Pending> pending;
    for (std::size_t i = 0; i < most; ++i) {
      numbers[i] = comm_.rank().value + static_cast<int>(i);
      pending.push_back(watched->start_allreduce(std::span(&numbers[i], 1), Operator::sum));
    }
    if (turn % 2 == 0) watched->barrier();  // a call that waits, behind those that began
    const int ranks = comm_.size();
    for (std::size_t i = most; i-- > 0;) {
      pending[i].wait();
      EXPECT_EQ(numbers[i], ranks * (ranks - 1) / 2 + ranks * static_cast<int>(i));
    }
  }
}

/// A message that follows a start to a rank that hasn't come so far: legal, and must not hang.
TEST_F(ArrivalsTest, AStartIsLocalEvenWhereRanksAgree) {
  const auto watched = collectives(ArrivalUse::watch);
  for (int begun = 0; begun < 400; ++begun) {
    if (comm_.rank().value > 0 && begun % 40 == 0)
      MPI_Recv(nullptr, 0, MPI_BYTE, 0, 1, comm_.handle(), MPI_STATUS_IGNORE);
    const Pending pending = watched->start_barrier();
    if (comm_.rank().value == 0 && begun % 40 == 0)
      for (int rank = 1; rank < comm_.size(); ++rank)
        MPI_Send(nullptr, 0, MPI_BYTE, rank, 1, comm_.handle());
  }
}

TEST_F(ArrivalsTest, AreSummarizedAlikeOnAllRanks) {
  const auto watched = collectives(ArrivalUse::watch);
  EXPECT_TRUE(summarize_arrivals(*collectives(ArrivalUse::off)).empty());
  const int late = comm_.size() / 2;
  std::vector<std::int64_t> numbers(1000, 1), sums(1000);
  for (int call = 0; call < 30; ++call) {
    watched->barrier();
    if (comm_.rank().value == late) sleep_for(5);
    watched->reduce(numbers, sums, Operator::sum, rt::Rank{0});
  }
  const auto all = summarize_arrivals(*watched);
  const auto site = std::ranges::find_if(
      all, [](const ArrivalSummary& one) { return one.name == "reduce, 8000 B" && one.calls > 9; });
  ASSERT_NE(site, all.end());
  EXPECT_EQ(site->lateness.size(), static_cast<std::size_t>(comm_.size()));
  EXPECT_GE(site->busy[static_cast<std::size_t>(late)], 4.9e-3);
  if (comm_.size() > 1) {
    EXPECT_EQ(site->latest_rank(), late);
    EXPECT_GT(site->imbalance, 3e-3);
    EXPECT_GT(site->gain_of_moving_work(), 1e-3);
  }
  std::vector<double> figures{site->imbalance, site->after_last, site->forecast_error};
  std::vector<double> of_root = figures;
  MPI_Bcast(of_root.data(), 3, MPI_DOUBLE, 0, comm_.handle());
  EXPECT_EQ(figures, of_root);
}

/// Lengths of blocks are the caller's, and gone when the report is made. Reductions are told of
/// even where other calls took longer.
TEST_F(ArrivalsTest, OfUnevenBlocksAndCheapReductionsAreSummarizedToo) {
  const auto watched = collectives(ArrivalUse::watch);
  const auto ranks = static_cast<std::size_t>(comm_.size());
  for (int call = 0; call < 20; ++call) {
    {
      std::vector<std::size_t> counts(ranks);
      for (std::size_t rank = 0; rank < ranks; ++rank) counts[rank] = 1000 * (rank + 1);
      const Blocks blocks(counts);
      const std::vector<std::int64_t> mine(counts[static_cast<std::size_t>(comm_.rank().value)]);
      std::vector<std::int64_t> all(static_cast<std::size_t>(blocks.total()));
      watched->allgather(mine, all, blocks);
    }
    const std::vector<int> one(1);
    std::vector<int> of_all(ranks);
    for (int more = 1; more < 12; ++more) watched->allgather(one, of_all);
    (void)watched->allreduce(1, Operator::sum);
  }
  const auto has = [](const std::vector<ArrivalSummary>& all, std::string_view name) {
    return std::ranges::any_of(all, [&](const auto& one) { return one.name.starts_with(name); });
  };
  EXPECT_TRUE(has(summarize_arrivals(*watched, 1), "allreduce, 4 B"));
  const std::vector<ArrivalSummary> all = summarize_arrivals(*watched, 20);
  EXPECT_TRUE(has(all, "allgather"));
  for (const ArrivalSummary& one : all) {
    const auto bytes = std::stoll(one.name.substr(one.name.find(", ") + 2));
    EXPECT_GE(bytes, 0) << one.name;
    EXPECT_LE(bytes, static_cast<long long>(8000 * (ranks + 1) * ranks)) << one.name;
  }
}

TEST_F(ArrivalsTest, PersistentOnesAreWatched) {
  const auto watched = collectives(ArrivalUse::watch);
  std::vector<std::int64_t> numbers(300);
  auto sum = watched->prepare_allreduce(numbers, Operator::sum);
  for (int turn = 0; turn < 150; ++turn) {
    numbers.assign(300, turn);
    sum.start();
    sum.wait();
    ASSERT_EQ(numbers, std::vector<std::int64_t>(300, turn * comm_.size()));
  }
}

TEST_F(ArrivalsTest, CheckedCallsAreWatched) {
  const auto watched = collectives(ArrivalUse::watch, true);
  const auto plain = collectives(ArrivalUse::off);
  run_random_program(*plain, *watched, 7, 150);
}

TEST_F(ArrivalsTest, LinesShareTheClockOfAll) {
  CartOptions options{.dims = {comm_.size(), 1}};
  options.settings.arrivals = ArrivalUse::watch;
  options.settings.is_resolved = true;
  const CartComm cart(comm_, engine_, options);
  for (int call = 0; call < 200; ++call) {
    EXPECT_EQ(cart.allreduce(1, Operator::sum), comm_.size());
    EXPECT_EQ(cart.along(0).allreduce(1, Operator::sum), comm_.size());
    EXPECT_EQ(cart.along(1).allreduce(1, Operator::sum), 1);
  }
  EXPECT_EQ(&cart.all().arrivals()->clock(), &cart.along(0).arrivals()->clock());
}

}  // namespace
}  // namespace cartwright::comm
