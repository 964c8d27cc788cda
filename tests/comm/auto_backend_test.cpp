// SPDX-License-Identifier: Apache-2.0
// `auto` learns while a program runs: all ranks decide alike, and no bit of a result changes.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cartwright/comm/collective_report.hpp>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/selection/turns.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/rt/report.hpp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::comm {
namespace {

constexpr int enough =
    8 * Turns::of_each + Turns::background;  // calls, for any number of candidates

class Learning : public testing::TestWithParam<const char*> {
 protected:
  Learning() { engine_.set_oversubscribed(true); }

  /// On nodes as the parameter says.
  [[nodiscard]] std::unique_ptr<Collectives> collectives(std::shared_ptr<const Knowledge> knowledge,
                                                         bool supervised = false) {
    Context options{.settings = {.checked = supervised, .is_resolved = true},
                    .knowledge = std::move(knowledge)};
    options.nodes = NodeView::of(comm_, topology_);
    options.memory = std::make_shared<NodeMemory>(comm_, topology_);
    return std::make_unique<Collectives>(comm_, engine_, std::move(options));
  }
  /// One object on all ranks but for who keeps.
  [[nodiscard]] std::shared_ptr<Knowledge> learning() {
    auto knowledge = std::make_shared<Knowledge>();
    knowledge->learns = true;
    knowledge->keep_learned = [this](const LearnedTable& more) { kept_.add(more); };
    return knowledge;
  }
  /// The same text everywhere?
  [[nodiscard]] bool is_alike(const std::string& text) const {
    long long mine = static_cast<long long>(std::hash<std::string>{}(text) >> 2U);
    std::array<long long, 2> range{mine, -mine};
    MPI_Allreduce(MPI_IN_PLACE, range.data(), 2, MPI_LONG_LONG, MPI_MAX, comm_.handle());
    return range[0] == -range[1];
  }

  rt::Communicator comm_ = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine_;
  mapping::Topology topology_ = mapping::discover(comm_, GetParam());
  LearnedTable kept_;
};

TEST_P(Learning, DecidesAlikeOnAllRanksAndKeepsIt) {
  for (const bool supervised : {false, true}) {
    kept_ = {};
    {
      const auto c = collectives(learning(), supervised);
      std::vector<std::int64_t> numbers(200);
      for (int call = 0; call < enough; ++call) {
        numbers.assign(200, call + comm_.rank().value);
        c->allreduce(numbers, Operator::sum);
        const int sum = comm_.size() * call + comm_.size() * (comm_.size() - 1) / 2;
        ASSERT_EQ(numbers, std::vector<std::int64_t>(200, sum)) << "call " << call;
        c->barrier();
      }
    }
    if (comm_.size() == 1) {
      EXPECT_TRUE(kept_.empty());
      continue;
    }
    EXPECT_EQ(kept_.entries().size(), 2U);
    EXPECT_TRUE(is_alike(kept_.to_json()));
    // The next run: decided from the first call on.
    auto knowledge = learning();
    knowledge->learned = kept_;
    kept_ = {};
    {
      const auto c = collectives(knowledge);
      for (int call = 0; call < enough; ++call) c->barrier();
      EXPECT_NE(c->backends().decisions().front().explanation.find("learned"), std::string::npos);
    }
    EXPECT_TRUE(kept_.empty());
  }
}

// The block of one rank is as long as those of all ranks in the next call, which goes another way
// than the call before it did.
TEST_P(Learning, UnevenBlocksDontDecideForEvenOnes) {
  constexpr std::size_t block = 1000;
  const auto c = collectives(std::make_shared<Knowledge>());
  const auto ranks = static_cast<std::size_t>(comm_.size());
  std::vector<int> counts(ranks, 1);
  counts[0] = block;
  const Blocks uneven(counts);
  for (int turn = 0; turn < 3; ++turn) {
    const std::vector<double> some(block + ranks - 1, 1.0), all(block * ranks, turn);
    std::vector<double> mine(static_cast<std::size_t>(uneven.count(comm_.rank().value)));
    c->reduce_scatter(some, mine, Operator::sum, uneven);
    EXPECT_EQ(mine, std::vector<double>(mine.size(), comm_.size()));
    std::vector<double> even(block);
    c->reduce_scatter(all, even, Operator::sum);
    EXPECT_EQ(even, std::vector<double>(block, turn * comm_.size()));
  }
}

/// Numbers whose sum depends on the order of the additions.
template <class T>
std::vector<T> rounding_numbers(std::size_t count, std::mt19937_64& dice) {
  std::vector<T> numbers(count);
  for (T& number : numbers)
    number = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(dice) *
                            (dice() % 5 == 0 ? 1e9 : 1.0));
  return numbers;
}

/// One call of a random program, by both: the same bits?
template <class T>
void compare_call(std::mt19937_64& dice, std::mt19937_64& own, const Collectives& plain,
                  const Collectives& learns) {
  const int ranks = plain.communicator().size();
  const auto count = std::array<std::size_t, 4>{1, 40, 700, 9000}[dice() % 4];
  const auto op =
      std::array{Operator::sum, Operator::sum, Operator::product, Operator::minimum}[dice() % 4];
  const rt::Rank root{static_cast<int>(dice() % static_cast<unsigned>(ranks))};
  const auto kind = dice() % 6;
  const auto input =
      rounding_numbers<T>(kind == 1 ? count * static_cast<std::size_t>(ranks) : count, own);
  std::vector<T> one(kind == 5 ? count * static_cast<std::size_t>(ranks) : count);
  std::vector<T> other(one);
  for (const auto& [c, output] : {std::pair(&plain, &one), std::pair(&learns, &other)}) {
    if (kind == 0 || kind == 4) c->allreduce(input, *output, op);
    if (kind == 1) c->reduce_scatter(input, *output, op);
    if (kind == 2) c->scan(input, *output, op);
    if (kind == 3) c->reduce(input, *output, op, root);
    if (kind == 5) c->allgather(input, *output);
  }
  EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(T)), 0)
      << "kind " << kind << ", " << count << " elements, " << name(op);
}

// 1,000 programs with CARTWRIGHT_LONG_TESTS=1.
TEST_P(Learning, ChangesNoBitInRandomPrograms) {
  const char* const setting = std::getenv("CARTWRIGHT_LONG_TESTS");
  const int programs = setting != nullptr && std::string(setting) == "1" ? 1000 : 4;
  for (int program = 0; program < programs; ++program) {
    std::mt19937_64 dice(static_cast<std::uint64_t>(program));
    std::mt19937_64 own(1000 * static_cast<std::uint64_t>(program) +
                        static_cast<std::uint64_t>(comm_.rank().value));
    const auto plain = collectives(std::make_shared<Knowledge>());
    const auto learns = collectives(learning());
    for (int call = 0; call < 4 * enough; ++call)
      if (dice() % 3 == 0)
        compare_call<float>(dice, own, *plain, *learns);
      else
        compare_call<double>(dice, own, *plain, *learns);
  }
}

TEST_P(Learning, ChangesNoBitOfWhatTakesNoPart) {
  const auto plain = collectives(std::make_shared<Knowledge>());
  const auto learns = collectives(learning());
  std::mt19937_64 own(5 + static_cast<std::uint64_t>(comm_.rank().value));
  std::vector<plan::Count> lengths(static_cast<std::size_t>(comm_.size()), 90);
  lengths.back() = 170;  // blocks of different length, of one class of sizes with even ones
  const Blocks blocks(lengths);
  for (int call = 0; call < enough; ++call) {
    const auto mine = static_cast<std::size_t>(blocks.count(comm_.rank().value));
    const auto input = rounding_numbers<double>(static_cast<std::size_t>(blocks.total()), own);
    std::vector<double> one(mine);
    std::vector<double> other(mine);
    plain->reduce_scatter(input, one, Operator::sum, blocks);
    learns->reduce_scatter(input, other, Operator::sum, blocks);
    EXPECT_EQ(one, other) << "blocks, call " << call;
    const auto stateful =
        commutative([none = 0.0 * call](double a, double b) { return a + (b + none); });
    std::vector<double> two(input.begin(), input.begin() + 50);
    std::vector<double> three = two;
    plain->allreduce(two, stateful);
    learns->allreduce(three, stateful);
    EXPECT_EQ(two, three) << "an operator with a state, call " << call;
    if (call % 3 == 0) learns->allreduce(three, Operator::sum);  // a turn in between
  }
}

TEST_P(Learning, GoesOnBesideOtherCollectives) {
  const auto c = collectives(learning());
  std::mt19937_64 whims(3 + static_cast<std::uint64_t>(comm_.rank().value));
  for (int call = 0; call < enough; ++call) {
    std::vector<int> started(50, 1);
    Pending pending = c->start_allreduce(started, Operator::sum);
    const auto stateful = commutative([add = call](long a, long b) { return a + b + add - add; });
    EXPECT_EQ(c->allreduce(long{2}, stateful), 2 * comm_.size());
    EXPECT_EQ(c->allreduce(1U, Operator::sum), static_cast<unsigned>(comm_.size()));
    std::vector<int> all(static_cast<std::size_t>(comm_.size()));
    c->allgather(std::vector{comm_.rank().value}, all);
    for (int rank = 0; rank < comm_.size(); ++rank)
      EXPECT_EQ(all[static_cast<std::size_t>(rank)], rank);
    if (whims() % 2 == 0) pending.test();
    pending.wait();
    EXPECT_EQ(started, std::vector<int>(50, comm_.size()));
  }
}

TEST_P(Learning, EndsEarly) {
  for (const int calls : {1, Turns::of_each + 1, enough - Turns::background + 1}) {
    const auto c = collectives(learning());
    for (int call = 0; call < calls; ++call) c->barrier();
  }
}

TEST_P(Learning, PersistentOnesAskAgainInANewEpoch) {
  const auto c = collectives(std::make_shared<Knowledge>());
  std::vector<double> numbers(64, 1.0);
  auto persistent = c->prepare_allreduce(numbers, Operator::sum);
  const auto run = [&] {
    numbers.assign(64, 1.0);
    persistent.start();
    persistent.wait();
    EXPECT_EQ(numbers, std::vector<double>(64, comm_.size()));
  };
  run();
  auto wants = std::make_shared<Knowledge>();
  wants->wanted[plan::Operation::allreduce] = "ring";
  const std::uint32_t before = c->backend().epoch();
  c->backends().decide_anew(wants);
  EXPECT_EQ(c->backend().epoch(), before + 1);
  run();
  ASSERT_EQ(c->backends().decisions().size(), 1U);
  EXPECT_NE(c->backends().decisions().front().explanation.find("ring"), std::string::npos);
}

TEST_P(Learning, AReportSaysWhoCarriesOutWhatAndWhy) {
  const auto c = collectives(std::make_shared<Knowledge>());
  std::vector<double> numbers(64, 1.0);
  c->allreduce(numbers, Operator::sum);
  rt::Report report;
  report_collectives(report, *c);
  const std::string text = report.text();
  EXPECT_NE(text.find("backend"), std::string::npos) << text;
  EXPECT_EQ(text.find("allreduce, 512 B") != std::string::npos, comm_.size() > 1) << text;
}

INSTANTIATE_TEST_SUITE_P(AutoBackend, Learning, testing::Values("", "node:4 core:2"));

}  // namespace
}  // namespace cartwright::comm
