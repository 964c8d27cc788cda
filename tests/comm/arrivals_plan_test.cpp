// SPDX-License-Identifier: Apache-2.0
// Reductions that go round ranks that will be late: the same bits, whatever forecasts, ranks and
// clocks do; and nobody hangs.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/arrival_report.hpp>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "arrivals_fixture.hpp"

namespace cartwright::comm {
namespace {

constexpr std::size_t large = 100'000;  // elements: 400 KB

class Planned : public ArrivalsTest {
 protected:
  /// A reduction of integers behind a barrier, with ranks that sleep first.
  void reduce_late(const Collectives& comm, int call, int late, int milliseconds,
                   std::size_t count = large) {
    const int ranks = comm_.size();
    std::vector<std::int32_t> numbers(count, comm_.rank().value + call), sums(count, -1);
    const rt::Rank root{call % 2 == 0 ? 0 : ranks - 1};
    comm.barrier();
    if (comm_.rank().value == late) sleep_for(milliseconds);
    comm.reduce(numbers, sums, Operator::sum, root);
    const int sum = ranks * call + ranks * (ranks - 1) / 2;
    if (comm_.rank() != root) return;
    ASSERT_EQ(sums, std::vector<std::int32_t>(count, sum)) << "call " << call;
  }
  /// In milliseconds: a busy machine may hide who is late, so it becomes twice as much now and
  /// then.
  [[nodiscard]] static int lateness(int milliseconds, int call) {
    return milliseconds << (call / 80);
  }
  /// Of few ranks none need go round one that is late.
  template <class Body>
  void until_forecast(const Collectives& comm, const Body& call, int few = 3) const {
    constexpr int at_least = 40, at_most = 640;
    for (int number = 0; number < at_most; ++number) {
      call(number);
      if (number >= at_least && number % 20 == 0 && (comm_.size() <= few || has_forecast(comm)))
        return;
    }
    ADD_FAILURE() << "nobody expects that a rank is late";
  }
  /// Whether any decision of this communicator rests on a forecast; the same on all ranks?
  [[nodiscard]] bool has_forecast(const Collectives& comm) const {
    const auto notes = comm.backends().decisions();
    int found = std::ranges::any_of(notes, [](const DecisionNote& note) {
      return note.decision.ground == Decision::Ground::forecast;
    });
    int sum = found;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm_.handle());
    EXPECT_EQ(sum, found * comm_.size());
    return found != 0;
  }
};

TEST_F(Planned, GoesRoundARankThatIsLateAgainAndAgain) {
  for (const ArrivalUse use : {ArrivalUse::on, ArrivalUse::frozen}) {
    const auto comm = collectives(use);
    until_forecast(
        *comm, [&](int call) { reduce_late(*comm, call, comm_.size() - 1, lateness(4, call)); });
  }
}

TEST_F(Planned, EveryRankMayBeTheLateOne) {
  for (int late = 0; late < comm_.size(); ++late) {
    const auto comm = collectives(ArrivalUse::on);
    for (int call = 0; call < 30; ++call) reduce_late(*comm, call, late, 2, 20'000);
  }
}

TEST_F(Planned, ForecastsThatAreWrongCostTimeOnly) {
  const auto comm = collectives(ArrivalUse::on);
  std::mt19937_64 dice(8);
  for (int call = 0; call < 60; ++call)  // late is who wasn't
    reduce_late(*comm, call, static_cast<int>(dice() % static_cast<unsigned>(comm_.size())),
                static_cast<int>(dice() % 4), 1 + dice() % 30'000);
}

TEST_F(Planned, ARankIsSuddenlyAHundredTimesLater) {
  const auto comm = collectives(ArrivalUse::on);
  for (int call = 0; call < 60; ++call)
    reduce_late(*comm, call, 0, call == 40 ? 300 : call < 40 ? 3 : 0, 20'000);
}

TEST_F(Planned, ClocksThatJumpCostTimeOnly) {
  Context options = context(ArrivalUse::on);
  options.clock = std::make_shared<SynchronisedClock>(comm_, P2pChannel(comm_), true, own_time(0));
  const Collectives comm(comm_, engine_, options);
  std::mt19937_64 dice(9 + static_cast<std::uint64_t>(comm_.rank().value));
  for (int call = 0; call < 80; ++call) {
    if (call % 7 == comm_.rank().value % 7)  // forth and back, by hours and by microseconds
      shift_ += (dice() % 2 == 0 ? 1 : -1) * static_cast<std::int64_t>(1 + dice() % 1000) *
                (dice() % 2 == 0 ? hour : 1000);
    reduce_late(comm, call, 1, 2, 5'000);
  }
  EXPECT_FALSE(summarize_arrivals(comm).empty());
}

TEST_F(Planned, RandomProgramsKeepTheirBits) {
  const char* const setting = std::getenv("CARTWRIGHT_LONG_TESTS");
  const int programs = setting != nullptr && std::string(setting) == "1" ? 300 : 4;
  for (int program = 0; program < programs; ++program) {
    const auto plain = collectives(ArrivalUse::off);
    const auto other =
        collectives(program % 2 == 0 ? ArrivalUse::on : ArrivalUse::frozen, program % 4 == 3);
    run_random_program(*plain, *other, program, 150);
  }
}

/// Sums that round keep their order, as large as they may be; sums of the framework's don't care.
TEST_F(Planned, SumsOfFloatingPointNumbersKeepTheirBits) {
  const auto plain = collectives(ArrivalUse::off);
  const auto comm = collectives(ArrivalUse::on);
  std::mt19937_64 own(static_cast<std::uint64_t>(comm_.rank().value));
  std::vector<double> numbers(5000), one(5000), two(5000);
  for (int call = 0; call < 40; ++call) {
    for (double& number : numbers)
      number = std::uniform_real_distribution<double>(-1, 1)(own) * (own() % 7 == 0 ? 1e12 : 1);
    BinnedSum mine, all, of_plain;
    mine.add(numbers);
    for (const auto& [c, sums, exact] :
         {std::tuple(plain.get(), &one, &of_plain), std::tuple(comm.get(), &two, &all)}) {
      c->barrier();
      if (comm_.rank().value == 1) sleep_for(2);
      c->reduce(numbers, *sums, Operator::sum, rt::Rank{0});
      c->reduce(std::span<const BinnedSum>(&mine, 1), std::span<BinnedSum>(exact, 1), binned_sum,
                rt::Rank{0});
    }
    if (!comm_.rank().value) {
      EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size() * sizeof(double)), 0);
      EXPECT_EQ(all, of_plain);
    }
  }
}

TEST_F(Planned, OnRequestSumsThatRoundGoRoundLateRanksToo) {
  Context options = context(ArrivalUse::on);
  options.settings.any_order = true;
  const Collectives comm(comm_, engine_, options);
  std::vector<double> numbers(50'000), sums(50'000);
  until_forecast(comm, [&](int call) {
    numbers.assign(numbers.size(), 0.1 * (comm_.rank().value + 1));
    comm.barrier();
    if (comm_.rank().value == comm_.size() - 1) sleep_for(lateness(4, call));
    comm.reduce(numbers, sums, Operator::sum, rt::Rank{0});
    const double sum = 0.05 * comm_.size() * (comm_.size() + 1);
    EXPECT_NEAR(comm_.is_root() ? sums.back() : sum, sum, 1e-12);
  });
}

/// Whole numbers modulo 2^32, two by two: products of these know an order, and don't round.
struct SmallMatrix {
  std::array<std::uint32_t, 4> entries{1, 0, 0, 1};
  friend bool operator==(const SmallMatrix&, const SmallMatrix&) = default;
};
constexpr auto product = [](const SmallMatrix& left, const SmallMatrix& right) {
  const auto& [a, b, c, d] = left.entries;
  const auto& [e, f, g, h] = right.entries;
  return SmallMatrix{{a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h}};
};
SmallMatrix matrix_of(int rank, std::size_t element) {
  const auto number = static_cast<std::uint32_t>(element);
  return {{3 + static_cast<std::uint32_t>(rank), number, 7, number + 1}};
}

TEST_F(Planned, OnRequestOperatorsThatDontCommuteGoRoundLateRanksToo) {
  Context options = context(ArrivalUse::on);
  options.settings.any_order = true;
  const Collectives comm(comm_, engine_, options);
  constexpr std::size_t count = 25'000;  // of 16 bytes
  std::vector<SmallMatrix> mine(count), all(count), expected(count);
  for (std::size_t i = 0; i < count; ++i) {
    mine[i] = matrix_of(comm_.rank().value, i);
    for (int rank = 0; rank < comm_.size(); ++rank)
      expected[i] = product(expected[i], matrix_of(rank, i));
  }
  until_forecast(comm, [&](int call) {
    comm.barrier();
    if (comm_.rank().value == comm_.size() - 1) sleep_for(lateness(4, call));
    comm.reduce(mine, all, associative(product), rt::Rank{0});
    if (comm_.is_root()) {
      ASSERT_EQ(all, expected);
    }
  });
}

TEST_F(Planned, NonblockingAndPersistentOnesToo) {
  const auto comm = collectives(ArrivalUse::on);
  const int ranks = comm_.size();
  std::vector<std::int32_t> numbers(large), sums(large);
  auto again = comm->prepare_reduce(numbers, sums, Operator::sum, rt::Rank{0});
  const auto reduce = [&](int call) {
    numbers.assign(large, call + comm_.rank().value);
    comm->barrier();
    if (comm_.rank().value == ranks - 1) sleep_for(lateness(3, call));
    if (call % 2 == 0) {
      again.start();
      again.wait();
    } else {
      comm->start_reduce(numbers, sums, Operator::sum, rt::Rank{0}).wait();
    }
    if (!comm_.is_root()) return;
    ASSERT_EQ(sums, std::vector<std::int32_t>(large, ranks * call + ranks * (ranks - 1) / 2));
  };
  // These aren't measured: the model decides, and of 4 ranks it prefers what is usual.
  until_forecast(*comm, reduce, 4);
}

/// Without a call that waits: plans are gone over to behind what was started.
TEST_F(Planned, StartedCallsAloneAgreeToo) {
  const auto comm = collectives(ArrivalUse::on);
  constexpr std::size_t most = 12;
  std::vector<std::vector<std::int32_t>> numbers(most), sums(most);
  for (int turn = 0; turn < 20; ++turn) {
    std::vector<Pending> pending;
    for (std::size_t i = 0; i < most; ++i) {
      numbers[i].assign(2000, static_cast<int>(i) + comm_.rank().value);
      sums[i].assign(2000, -1);
      if (i == 3 && comm_.rank().value == 0) sleep_for(2);
      pending.push_back(comm->start_reduce(numbers[i], sums[i], Operator::sum, rt::Rank{0}));
    }
    for (std::size_t i = 0; i < most; ++i) {
      const std::size_t which = turn % 2 == 0 ? i : most - 1 - i;
      pending[which].wait();
      const int expected =
          comm_.size() * static_cast<int>(which) + comm_.size() * (comm_.size() - 1) / 2;
      if (!comm_.is_root()) continue;
      ASSERT_EQ(sums[which], std::vector<std::int32_t>(2000, expected));
    }
  }
}

TEST_F(Planned, AllreducesStayRight) {
  const auto comm = collectives(ArrivalUse::on);
  std::vector<std::int64_t> numbers(20'000);
  for (int call = 0; call < 40; ++call) {
    numbers.assign(numbers.size(), call + comm_.rank().value);
    if (comm_.rank().value == 0) sleep_for(2);
    comm->allreduce(numbers, Operator::sum);
    const int ranks = comm_.size();
    ASSERT_EQ(numbers.back(), ranks * call + ranks * (ranks - 1) / 2);
  }
}

// A plan in which rank 0 of 3 nodes of 2 waits for rank 1, that for 3, and 3 for a message of rank
// 0 that is so long that it leaves only when rank 0 calls MPI.
TEST_F(Planned, LongMessagesMoveWhileANeighbourIsAwaited) {
  const auto comm = collectives(ArrivalUse::off);
  const Selection& selection = comm->backends().selection();
  if (comm_.size() != 6 || !selection.shape().shares_memory) GTEST_SKIP() << "needs 6 ranks";
  auto choice = plan::parse_choice(plan::Operation::reduce, "clairvoyant(4,157786)");
  for (const int rounds : {3, 3, 13, 0, 10, 28}) choice.arrivals.push_back(rounds * 157'786);
  const std::vector<std::int32_t> numbers(1 << 20, comm_.rank().value);
  std::vector<std::int32_t> sums(numbers.size());
  const Call call{.operation = plan::Operation::reduce,
                  .input = reinterpret_cast<const std::byte*>(numbers.data()),
                  .output = reinterpret_cast<std::byte*>(sums.data()),
                  .element = element_of<std::int32_t>(),
                  .count = static_cast<plan::Count>(numbers.size()),
                  .reduction = predefined(Operator::sum, ScalarType::int32)};
  for (int again = 0; again < 10; ++again) {
    comm->backends().find(BackendId::shared).run(call, &choice);
    if (comm_.rank().value != 0) continue;
    ASSERT_EQ(sums, std::vector<std::int32_t>(sums.size(), 15));
  }
}

TEST_F(Planned, ThroughMessagesAlone) {
  Context options = context(ArrivalUse::on);
  options.settings.backend = BackendId::p2p;
  options.memory = nullptr;
  const Collectives comm(comm_, engine_, options);
  for (int call = 0; call < 30; ++call) reduce_late(comm, call, comm_.size() - 1, 3);
}

}  // namespace
}  // namespace cartwright::comm
