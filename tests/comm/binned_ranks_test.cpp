// SPDX-License-Identifier: Apache-2.0
// Binned sums across ranks: the same bits by every backend, every algorithm, on 1 to 4 (imagined)
// nodes, in every form.
#include <gtest/gtest.h>
#include <mpi.h>

#include <fmt/format.h>

#include <array>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

using plan::Operation;

constexpr std::size_t sums = 5;
using Sums = std::array<BinnedSum, sums>;

/// Numbers of all sizes, among which much cancels; the last sum meets infinities or NaN.
std::vector<double> numbers_of(std::size_t sum) {
  std::mt19937_64 random(sum + 1);
  std::vector<double> values;
  for (int i = 0; i < 997; ++i) {
    const int exponent =
        static_cast<int>(random() % (sum == 1 ? 2000 : 90)) - (sum == 1 ? 1000 : 40);
    values.push_back(std::ldexp(static_cast<double>(random()) - 9e18, exponent - 60));
    if (i % 3 == 0) values.push_back(-values[values.size() / 2]);
  }
  if (sum == 3) values.push_back(HUGE_VAL);
  if (sum == 4) values.push_back(std::nan(""));
  return values;
}

/// Those of one rank among so many, dealt out like cards.
Sums share_of(int rank, int ranks) {
  Sums result{};
  for (std::size_t sum = 0; sum < sums; ++sum) {
    const std::vector<double> values = numbers_of(sum);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (static_cast<int>(i * 7 % 5 + i) % ranks == rank) result[sum].add(values[i]);
  }
  return result;
}

class BinnedRanks : public ::testing::Test {
 protected:
  BinnedRanks()
      : comm_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        ranks_(comm_.size()),
        me_(comm_.rank().value),
        whole_(share_of(0, 1)),
        mine_(share_of(me_, ranks_)) {
    engine_.set_oversubscribed(true);
  }

  /// Calls `body(collectives, text)` for all backends and numbers of nodes.
  template <class Body>
  void for_each_way(const Knowledge& knowledge, const Body& body) {
    for (int nodes = 1; nodes <= std::min(4, ranks_); ++nodes) {
      const int largest = (ranks_ + nodes - 1) / nodes;
      const auto topology =
          mapping::discover(comm_, fmt::format("node:{} core:{}", nodes, largest));
      for (const char* backend : {"native", "p2p", "shared", "rma", "auto"}) {
        Context options{.settings = {.backend = known_backend(backend), .is_resolved = true},
                        .knowledge = std::make_shared<Knowledge>(knowledge)};
        options.nodes = NodeView::of(comm_, topology);
        options.memory = std::make_shared<NodeMemory>(comm_, topology);
        const Collectives collectives(comm_, engine_, std::move(options));
        body(collectives, fmt::format("{} on {} nodes", backend, nodes));
      }
    }
  }

  rt::Communicator comm_;
  rt::ProgressEngine engine_;
  int ranks_;
  int me_;
  Sums whole_;
  Sums mine_;
};

TEST_F(BinnedRanks, EveryFormOfEveryReduction) {
  for_each_way({}, [&](const Collectives& c, const std::string& way) {
    Sums all{};
    c.allreduce(mine_, all, binned_sum);
    EXPECT_EQ(all, whole_) << way;
    EXPECT_EQ(c.allreduce(mine_[0], binned_sum), whole_[0]) << way;
    Sums started = mine_;
    Pending pending = c.start_allreduce(started, binned_sum);
    Sums prepared{};
    Persistent persistent = c.prepare_allreduce(mine_, prepared, binned_sum);
    pending.wait();
    EXPECT_EQ(started, whole_) << way;
    for (int turn = 0; turn < 2; ++turn) {
      prepared = {};
      persistent.start();
      persistent.wait();
      EXPECT_EQ(prepared, whole_) << way;
    }
    const rt::Rank root{ranks_ - 1};
    Sums reduced{};
    c.reduce(mine_, reduced, binned_sum, root);
    EXPECT_TRUE(me_ != root.value || reduced == whole_) << way;

    Sums scanned{}, before{};
    c.scan(mine_, scanned, binned_sum);
    c.exscan(mine_, before, binned_sum);
    for (std::size_t i = 0; i < sums; ++i) {
      BinnedSum both = before[i];
      EXPECT_EQ(both += mine_[i], scanned[i]) << way;
    }
    EXPECT_TRUE(me_ != ranks_ - 1 || scanned == whole_) << way;

    std::vector<BinnedSum> blocks(static_cast<std::size_t>(ranks_));
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = mine_[i % sums];
    std::array<BinnedSum, 1> block{};
    c.reduce_scatter(blocks, block, binned_sum);
    EXPECT_EQ(block[0], whole_[static_cast<std::size_t>(me_) % sums]) << way;
  });
}

/// Two ranks a node.
plan::Machine machine_of(int ranks) {
  plan::Machine machine{.name = "small", .about = "", .source = "", .levels = {}};
  for (const char* const level : {"node", "core"})
    machine.levels.push_back({.name = level,
                              .units = level == std::string("core") ? 2 : (ranks + 1) / 2,
                              .network = plan::log_gp(1e-6, 1e-7, 1e-7, 1e-7, 1e-10),
                              .leaving = {}});
  return machine;
}

TEST_F(BinnedRanks, EveryAlgorithm) {
  for (const Operation operation : {Operation::allreduce, Operation::reduce}) {
    const plan::Problem problem{.operation = operation,
                                .ranks = ranks_,
                                .elements = sums,
                                .element_size = sizeof(BinnedSum)};
    for (const plan::Choice& choice : plan::choices(problem, machine_of(ranks_))) {
      Knowledge knowledge;
      knowledge.wanted[operation] = choice.name();
      for_each_way(knowledge, [&](const Collectives& c, const std::string& way) {
        Sums all{};
        if (operation == Operation::allreduce)
          c.allreduce(mine_, all, binned_sum);
        else
          c.reduce(mine_, all, binned_sum, rt::Rank{0});
        const bool has_result = operation == Operation::allreduce || me_ == 0;
        EXPECT_TRUE(!has_result || all == whole_) << choice.name() << " by " << way;
      });
    }
  }
}

// Rank 0 has the greatest numbers, or the last one, or nobody has any.
TEST_F(BinnedRanks, RanksOfDifferentSizes) {
  for_each_way({}, [&](const Collectives& c, const std::string& way) {
    for (const int direction : {-1, 1}) {
      const auto value = [&](int rank) { return std::ldexp(1.1, direction * 60 * rank); };
      BinnedSum expected, mine;
      for (int rank = 0; rank < ranks_; ++rank) expected.add(value(rank));
      mine.add(value(me_));
      EXPECT_EQ(c.allreduce(mine, binned_sum), expected) << way;
    }
    EXPECT_EQ(c.allreduce(BinnedSum{}, binned_sum), BinnedSum{}) << way;
  });
}

}  // namespace
}  // namespace cartwright::comm
