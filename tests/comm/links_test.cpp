// SPDX-License-Identifier: Apache-2.0
// An imagined network between imagined nodes: messages between them take as long as it says,
// results are what they are without it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/error.hpp>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

class Links : public ::testing::Test {
 protected:
  Links()
      : comm_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        topology_(mapping::discover(comm_, fmt::format("node:{} core:2", (comm_.size() + 1) / 2))) {
  }

  /// Between hosts there is a network: none can be imagined.
  void SetUp() override {
    if (rt::Arena(comm_).nodes().count() == 1) return;
    EXPECT_THROW((void)cart("auto", 1e-4), rt::Error);
    GTEST_SKIP() << "ranks are on several hosts";
  }
  [[nodiscard]] CartComm cart(const std::string& backend, double latency, double bandwidth = 0) {
    Settings settings{.backend = known_backend(backend), .is_resolved = true};
    settings.links = {.latency = std::chrono::duration<double>(latency), .bandwidth = bandwidth};
    return {comm_, engine_, {.dims = {comm_.size()}, .settings = settings}, topology_};
  }

  rt::Communicator comm_;
  rt::ProgressEngine engine_;
  mapping::Topology topology_;
};

TEST_F(Links, ResultsAreTheSame) {
  const int ranks = comm_.size();
  const double all = ranks * (ranks + 1) / 2.0;
  for (const char* backend : {"auto", "shared"})
    for (const std::size_t count : {1U, 100U, 50'000U}) {
      const CartComm cart = this->cart(backend, 50e-6, 1);
      const double mine = cart.rank().value + 1.0;
      std::vector<double> sums(count, mine), first(count, mine), late(count, mine);
      Pending pending = cart.start_allreduce(late, Operator::sum);
      cart.allreduce(sums, Operator::sum);
      cart.broadcast(first, rt::Rank{0});
      cart.barrier();
      std::vector<double> gathered(static_cast<std::size_t>(ranks));
      cart.all().allgather(std::array{mine}, gathered);
      pending.wait();
      EXPECT_EQ(sums, std::vector<double>(count, all)) << backend;
      EXPECT_EQ(late, sums) << backend;
      EXPECT_EQ(first, std::vector<double>(count, 1.0)) << backend;
      EXPECT_EQ(std::accumulate(gathered.begin(), gathered.end(), 0.0), all) << backend;
    }
}

// Only lower bounds: how long it takes beyond them is a matter of the machine.
TEST_F(Links, MessagesTakeTheirTime) {
  if (comm_.size() < 3) GTEST_SKIP() << "there is one node only";
  constexpr double latency = 5e-3;
  const CartComm cart = this->cart("auto", latency, 0.1);
  const auto seconds = [&](auto&& call) {
    cart.barrier();
    const double begin = MPI_Wtime();
    call();
    return cart.allreduce(MPI_Wtime() - begin, Operator::maximum);
  };
  EXPECT_GE(seconds([&] { cart.barrier(); }), 0.9 * latency);
  std::vector<std::byte> data(1'000'000);
  EXPECT_GE(seconds([&] { cart.broadcast(data, rt::Rank{0}); }), latency + 0.9e6 / 0.1e9);
}

TEST_F(Links, TheModelKnowsThem) {
  if (comm_.size() < 3) GTEST_SKIP() << "there is one node only";
  const auto latency_in_model = [&](double latency) {
    const CartComm cart = this->cart("auto", latency, 1);
    return cart.all().backends().selection().machine().levels.front().network.latency.at(8);
  };
  EXPECT_DOUBLE_EQ(latency_in_model(1e-3), 1e-3);
  EXPECT_DOUBLE_EQ(latency_in_model(1e-4), 1e-4);
}

TEST_F(Links, MessagesOfMpiAreRefused) {
  for (const char* backend : {"p2p", "native"}) EXPECT_ANY_THROW((void)cart(backend, 1e-4));
}

}  // namespace
}  // namespace cartwright::comm
