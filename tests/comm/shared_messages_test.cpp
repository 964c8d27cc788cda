// SPDX-License-Identifier: Apache-2.0
// Every schedule of the catalogue through shared memory, between processes,
// against the interpreter, bit for bit.
#include <gtest/gtest.h>

#include <cartwright/comm/execution/runner.hpp>
#include <cartwright/comm/transport/core_distance.hpp>
#include <cartwright/rt/request.hpp>
#include <memory>

#include "interpreted_collective.hpp"
#include "shared_node.hpp"

namespace cartwright::comm {
namespace {

using test::SharedNode;

template <class T>
using Run = test::CollectiveRun<T, SharedMessages, Runner<SharedMessages>>;

template <class T>
std::string run_once(SharedNode& node, const test::InterpretedCollective<T>& collective) {
  Run<T> run(collective, node.world.rank().value, [&](const plan::Program& program) {
    return SharedMessages(node.channel, program, sizeof(T));
  });
  for (int again = 0; again < 2; ++again) {
    run.start(node.sequence++);
    rt::Patience patience(false);
    while (!run.advance()) patience.pause();
    if (std::string fault = run.fault(); !fault.empty()) return fault;
  }
  return {};
}

MailboxShape shape_of(std::size_t staging, std::size_t fragment, std::uint32_t entries,
                      std::size_t direct_from = CopyThresholds::never) {
  MailboxShape shape;
  shape.members = 16;
  shape.staging = staging;
  shape.fragment = fragment;
  shape.entries = entries;
  shape.copies.direct_from = shape.copies.moved_direct_from = direct_from;
  return shape;
}

template <class T>
void try_all(SharedNode& node, std::initializer_list<plan::Count> counts) {
  const plan::Machine machine = test::small_machine();
  std::uint64_t seed = 1;
  for (const plan::Operation operation : plan::operations())
    for (const plan::Count count : counts) {
      plan::Problem problem{.operation = operation,
                            .ranks = node.world.size(),
                            .elements = count,
                            .element_size = sizeof(T)};
      if (plan::is_rooted(operation)) problem.root.rank = static_cast<int>(seed) % problem.ranks;
      for (const plan::Choice& choice : plan::choices(problem, machine)) {
        ++seed;
        const test::InterpretedCollective<T> collective(problem, choice, seed % 3 == 0, seed);
        ASSERT_EQ(run_once(node, collective), "");
      }
    }
}

TEST(SharedMessages, WholeCatalogueOfSmallMessages) {
  SharedNode node(shape_of(16 << 10, 4 << 10, 16), 100);
  try_all<test::Token<2>>(node, {0, 1, 5, 33});
}

TEST(SharedMessages, WholeCatalogueInManyPieces) {
  SharedNode node(shape_of(2048, 512, 4), 100);
  try_all<test::Token<2>>(node, {700});
}

TEST(SharedMessages, ElementsOfAnySize) {
  SharedNode node(shape_of(1024, 256, 2), 100);
  try_all<test::Token<3, std::uint8_t>>(node, {200});
  try_all<test::Token<18>>(node, {23});  // 72 bytes: more than an entry holds
  try_all<test::Token<100>>(node, {7});  // 400 bytes: more than a fragment
}

TEST(SharedMessages, SingleCopies) {
  SharedNode node(shape_of(1024, 256, 4, 512), 100);
  try_all<test::Token<2>>(node, {700});
  try_all<test::Token<18>>(node, {99});
}

// Operands longer than what is read at once, of elements that don't divide it.
TEST(SharedMessages, SingleCopiesOfLongOperands) {
  using Element = test::Token<18>;
  SharedNode node(shape_of(1024, 256, 4, 512), 100);
  const plan::Problem problem{.operation = plan::Operation::allreduce,
                              .ranks = node.world.size(),
                              .elements = 9001,
                              .element_size = sizeof(Element)};
  for (const char* const name : {"recursive_doubling", "ring"}) {
    const auto choice = plan::parse_choice(problem.operation, name);
    const test::InterpretedCollective<Element> collective(problem, choice, true, 7);
    ASSERT_EQ(run_once(node, collective), "");
  }
}

TEST(SharedMessages, PeersOnOtherNodes) {
  SharedNode node(shape_of(4096, 512, 8), 2);
  try_all<test::Token<2>>(node, {3, 400});
}

TEST(CoreDistance, IsMeasuredBetweenPairsOfRanks) {
  const rt::Communicator world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  constexpr std::size_t offset = 128;
  const auto lease = rt::Arena(world).lease(world, offset + cache_line);
  ASSERT_TRUE(lease);
  const SegmentView segment = view_of(*lease, world);
  for (int again = 0; again < 2; ++again) {
    const double distance = core_distance(world, segment, offset);
    const int last_paired = world.size() / 2 * 2 - 1;
    EXPECT_EQ(distance > 0.0, world.rank().value <= last_paired);
    EXPECT_LT(distance, 1.0);
    for (const std::byte byte : segment.parts[0]) EXPECT_EQ(byte, std::byte{0});
    world.barrier();
  }
}

}  // namespace
}  // namespace cartwright::comm
