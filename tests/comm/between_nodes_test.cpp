// SPDX-License-Identifier: Apache-2.0
// What travels between nodes is the least that the named algorithm allows. Nodes are imagined: two
// ranks each.
#include <gtest/gtest.h>
#include <mpi.h>

#include <fmt/format.h>
#include <array>
#include <bit>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

using plan::Operation;

struct Sent {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

class BetweenNodes : public ::testing::Test {
 protected:
  BetweenNodes()
      : comm_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        ranks_(comm_.size()),
        nodes_((ranks_ + 1) / 2),
        topology_(mapping::discover(comm_, fmt::format("node:{} core:2", nodes_))) {
    engine_.set_oversubscribed(true);
  }

  [[nodiscard]] Collectives by(const std::string& backend, Operation operation,
                               const std::string& algorithm) {
    auto knowledge = std::make_shared<Knowledge>();
    knowledge->wanted[operation] = algorithm;
    Context options{.settings = {.backend = known_backend(backend), .is_resolved = true},
                    .knowledge = std::move(knowledge)};
    options.nodes = NodeView::of(comm_, topology_);
    options.memory = std::make_shared<NodeMemory>(comm_, topology_);
    return {comm_, engine_, std::move(options)};
  }
  /// By all ranks together, between nodes.
  [[nodiscard]] Sent sent_by(const Collectives& collectives) const {
    const Traffic& mine = collectives.backends().traffic();
    std::array<std::int64_t, 2> all{mine.messages_off_node, mine.bytes_off_node};
    MPI_Allreduce(MPI_IN_PLACE, all.data(), 2, MPI_INT64_T, MPI_SUM, comm_.handle());
    return {all[0], all[1]};
  }
  void expect(Operation operation, const std::string& algorithm, Sent least,
              const std::function<void(const Collectives&)>& call) {
    for (const char* backend : {"p2p", "shared", "rma"}) {
      const Collectives collectives = by(backend, operation, algorithm);
      call(collectives);
      const Sent sent = sent_by(collectives);
      EXPECT_EQ(sent.messages, least.messages) << algorithm << " by " << backend;
      EXPECT_EQ(sent.bytes, least.bytes) << algorithm << " by " << backend;
    }
  }

  rt::Communicator comm_;
  rt::ProgressEngine engine_;
  int ranks_;
  std::int64_t nodes_;
  mapping::Topology topology_;
};

TEST_F(BetweenNodes, VectorsCrossOncePerNode) {
  if (ranks_ < 3) GTEST_SKIP() << "no node has two ranks";
  constexpr std::size_t count = 60;
  constexpr std::int64_t bytes = count * sizeof(double);
  const std::int64_t others = nodes_ - 1;
  const double sum = ranks_ * (ranks_ + 1) / 2.0;
  const double mine = comm_.rank().value + 1.0;
  const rt::Rank last{ranks_ - 1};
  expect(Operation::broadcast, "hierarchical(nodes: binomial_low_bit_first | linear)",
         {others, others * bytes}, [&](const Collectives& c) {
           std::vector<double> data(count, mine);
           c.broadcast(data, last);
           EXPECT_EQ(data.back(), ranks_);
         });
  expect(Operation::reduce, "hierarchical(nodes: n_way_binomial(1) | binomial)",
         {others, others * bytes}, [&](const Collectives& c) {
           std::vector<double> data(count, mine);
           c.reduce(data, Operator::sum, last);
           EXPECT_TRUE(comm_.rank() != last || data.back() == sum);
         });
  expect(Operation::allreduce, "hierarchical(nodes: n_way_binomial(1) | ring | linear)",
         {2 * nodes_ * others, 2 * others * bytes}, [&](const Collectives& c) {
           std::vector<double> data(count, mine);
           c.allreduce(data, Operator::sum);
           EXPECT_EQ(data.back(), sum);
         });
}

TEST_F(BetweenNodes, BlocksCrossOncePerNode) {
  if (ranks_ < 3) GTEST_SKIP() << "no node has two ranks";
  const auto blocks = static_cast<std::size_t>(ranks_);
  constexpr std::int64_t bytes = sizeof(double);
  const std::int64_t others = nodes_ - 1;
  const double mine = comm_.rank().value;
  expect(Operation::gather, "hierarchical(nodes: linear | linear)", {others, bytes * (ranks_ - 2)},
         [&](const Collectives& c) {
           std::vector<double> all(blocks);
           c.gather(std::array{mine}, all, rt::Rank{0});
           EXPECT_TRUE(!comm_.is_root() || all.back() == ranks_ - 1);
         });
  expect(Operation::scatter, "hierarchical(nodes: linear | linear)", {others, bytes * (ranks_ - 2)},
         [&](const Collectives& c) {
           std::vector<double> all(blocks);
           for (std::size_t i = 0; i < blocks; ++i) all[i] = static_cast<double>(i);
           std::array<double, 1> one{-1};
           c.scatter(all, one, rt::Rank{0});
           EXPECT_EQ(one[0], mine);
         });
  // Each node's blocks go to every other node.
  expect(Operation::allgather, "hierarchical(nodes: linear | ring | linear)",
         {nodes_ * others, others * ranks_ * bytes}, [&](const Collectives& c) {
           std::vector<double> all(blocks);
           c.allgather(std::array{mine}, all);
           for (std::size_t i = 0; i < blocks; ++i) EXPECT_EQ(all[i], static_cast<double>(i));
         });
  expect(Operation::reduce_scatter, "hierarchical(nodes: n_way_binomial(1) | pairwise | linear)",
         {nodes_ * others, others * ranks_ * bytes}, [&](const Collectives& c) {
           const std::vector<double> all(blocks, mine);
           std::array<double, 1> one{-1};
           c.reduce_scatter(all, one, Operator::sum);
           EXPECT_EQ(one[0], ranks_ * (ranks_ - 1) / 2.0);
         });
}

// All that the ranks of one node have for those of another, in one message.
TEST_F(BetweenNodes, AlltoallCrossesOncePerPairOfNodes) {
  if (ranks_ < 3) GTEST_SKIP() << "no node has two ranks";
  const auto blocks = static_cast<std::size_t>(ranks_);
  std::int64_t within = 0;  // blocks that stay on their node
  for (int node = 0; node < nodes_; ++node) {
    const std::int64_t members = std::min(2, ranks_ - 2 * node);
    within += members * members;
  }
  const std::int64_t bytes = (ranks_ * ranks_ - within) * static_cast<std::int64_t>(sizeof(double));
  expect(Operation::alltoall, "hierarchical(nodes)", {nodes_ * (nodes_ - 1), bytes},
         [&](const Collectives& c) {
           std::vector<double> in(blocks), out(blocks, -1);
           for (std::size_t to = 0; to < blocks; ++to)
             in[to] = 100.0 * comm_.rank().value + static_cast<double>(to);
           c.alltoall(in, out);
           for (std::size_t from = 0; from < blocks; ++from)
             EXPECT_EQ(out[from], 100.0 * static_cast<double>(from) + comm_.rank().value);
         });
}

TEST_F(BetweenNodes, OnlyLeadersMeet) {
  if (ranks_ < 3) GTEST_SKIP() << "no node has two ranks";
  const int rounds = std::bit_width(static_cast<unsigned>(nodes_ - 1));
  expect(Operation::barrier, "hierarchical(nodes: dissemination(1))", {nodes_ * rounds, 0},
         [](const Collectives& c) { c.barrier(); });
}

}  // namespace
}  // namespace cartwright::comm
