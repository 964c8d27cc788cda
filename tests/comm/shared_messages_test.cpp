// SPDX-License-Identifier: Apache-2.0
// Every schedule of the catalogue through shared memory, between processes,
// against the interpreter, bit for bit.
#include <gtest/gtest.h>

#include <cartwright/comm/execution/runner.hpp>
#include <cartwright/comm/execution/shared_messages.hpp>
#include <cartwright/comm/transport/node_segment.hpp>
#include <cartwright/rt/request.hpp>
#include <memory>

#include "interpreted_collective.hpp"

namespace cartwright::comm {
namespace {

/// All ranks of the job on one node, or on virtual ones of so many ranks.
struct Node {
  Node(const MailboxShape& wanted, int node_size)
      : world(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        first(world.rank().value / node_size * node_size),
        here(world.split(first, 0)),
        shape(wanted),
        segment(here, shape.bytes_per_member()),
        mailboxes(segment.view(), shape),
        remote(world),
        channel{mailboxes, {}, remote} {
    for (int rank = 0; rank < world.size(); ++rank) {
      const int member = rank - first;
      channel.members.push_back(member >= 0 && member < here.size() ? member : -1);
    }
  }

  rt::Communicator world;
  int first;
  rt::Communicator here;
  MailboxShape shape;
  NodeSegment segment;
  Mailboxes mailboxes;
  P2pChannel remote;
  SharedChannel channel;
  std::uint64_t sequence = 0;
};

template <class T>
using Run = test::CollectiveRun<T, SharedMessages, Runner<SharedMessages>>;

template <class T>
std::string run_once(Node& node, const test::InterpretedCollective<T>& collective) {
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
                      std::size_t direct_from = MailboxShape::never) {
  MailboxShape shape;
  shape.members = 16;
  shape.staging = staging;
  shape.fragment = fragment;
  shape.entries = entries;
  shape.direct_from = direct_from;
  return shape;
}

template <class T>
void try_all(Node& node, std::initializer_list<plan::Count> counts) {
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
  Node node(shape_of(16 << 10, 4 << 10, 16), 100);
  try_all<test::Token<2>>(node, {0, 1, 5, 33});
}

TEST(SharedMessages, WholeCatalogueInManyPieces) {
  Node node(shape_of(2048, 512, 4), 100);
  try_all<test::Token<2>>(node, {700});
}

TEST(SharedMessages, ElementsOfAnySize) {
  Node node(shape_of(1024, 256, 2), 100);
  try_all<test::Token<3, std::uint8_t>>(node, {200});
  try_all<test::Token<18>>(node, {23});  // 72 bytes: more than an entry holds
  try_all<test::Token<100>>(node, {7});  // 400 bytes: more than a fragment
}

TEST(SharedMessages, SingleCopies) {
  Node node(shape_of(1024, 256, 4, 512), 100);
  try_all<test::Token<2>>(node, {700});
  try_all<test::Token<18>>(node, {99});
}

TEST(SharedMessages, PeersOnOtherNodes) {
  Node node(shape_of(4096, 512, 8), 2);
  try_all<test::Token<2>>(node, {3, 400});
}

}  // namespace
}  // namespace cartwright::comm
