// SPDX-License-Identifier: Apache-2.0
// Nodes with more ranks than this machine has cores: what each pair of them needs of memory that
// the node shares, and all that goes through it.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/transport/landing_shape.hpp>
#include <cartwright/comm/window.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <numeric>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

/// Of grids in up to three dimensions, and of eight orders for the compositing of a picture.
TEST(LargeNodes, HaveEnoughMemoryAsUsual) {
  for (int members = 1; members <= 1024; members += 1 + members / 16)
    for (const std::size_t communicators : {1, 2, 3, 4, 8}) {
      const std::size_t bytes =
          NodeMemory::usual_bytes(members) / communicators / static_cast<std::size_t>(members);
      EXPECT_GE(MailboxShape::within(bytes, members).staging, 16U << 10U) << members;
      EXPECT_LE(LandingShape::within(bytes, members).bytes_per_member(), bytes) << members;
    }
  EXPECT_EQ(NodeMemory::usual_bytes(1), 64U << 20U);
  EXPECT_EQ(NodeMemory::usual_bytes(16), 64U << 20U);
  EXPECT_EQ(NodeMemory::usual_bytes(128), 512U << 20U);
}

class LargeNode : public ::testing::TestWithParam<std::string> {
 protected:
  LargeNode()
      : world_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        cart_(world_, engine_,
              {.dims =
                   mapping::choose_process_grid({.ranks = world_.size(), .extents = {64, 64, 64}}),
               .settings = {.backend = known_backend(GetParam()), .is_resolved = true}}) {}

  rt::Communicator world_;
  rt::ProgressEngine engine_;
  CartComm cart_;
};

/// Short and long, from all to all, and along the axes.
void expect_right(const Collectives& all) {
  const int ranks = all.communicator().size(), me = all.communicator().rank().value;
  for (const int count : {1, 3000}) {
    const auto length = static_cast<std::size_t>(count);
    std::vector<long long> sums(length, me + 1);
    all.allreduce(sums, Operator::sum);
    EXPECT_EQ(sums, std::vector<long long>(length, ranks * (ranks + 1LL) / 2));

    std::vector<int> data(length, me == ranks - 1 ? 42 : 0);
    all.broadcast(data, rt::Rank{ranks - 1});
    EXPECT_EQ(data, std::vector<int>(length, 42));

    std::vector<int> sent(length * static_cast<std::size_t>(ranks)), got(sent.size());
    std::iota(sent.begin(), sent.end(), me * 1000);
    all.alltoall(sent, got);
    for (int from = 0; from < ranks; ++from)
      EXPECT_EQ(got[static_cast<std::size_t>(from) * length], from * 1000 + me * count);
  }
}

TEST_P(LargeNode, Collectives) {
  expect_right(cart_.all());
  for (int axis = 0; axis < cart_.dimensions(); ++axis) expect_right(cart_.along(axis));
}

TEST_P(LargeNode, Epochs) {
  auto window = Window<long long>::allocate(cart_, cart_.size());
  {
    auto all = window.lock_all();
    const std::vector<long long> mine{cart_.rank().value + 1LL};
    for (int rank = 0; rank < cart_.size(); ++rank)
      all.put(rt::Rank{rank}, cart_.rank().value, mine);
    all.unlock().wait();
  }
  cart_.start_barrier().wait();
  for (int rank = 0; rank < cart_.size(); ++rank)
    EXPECT_EQ(window.local()[static_cast<std::size_t>(rank)], rank + 1LL);
}

INSTANTIATE_TEST_SUITE_P(Backends, LargeNode, ::testing::Values("auto", "shared", "rma", "p2p"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace cartwright::comm
