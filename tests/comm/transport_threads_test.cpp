// SPDX-License-Identifier: Apache-2.0
// Ranks are threads: random collectives, many in flight, advanced in random
// order, through rings, staging memory and landing areas of all small sizes, against the
// interpreter, bit for bit. Meant for the thread sanitizer too: no MPI in here.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cartwright/comm/execution/landing_messages.hpp>
#include <cartwright/comm/execution/node_messages.hpp>
#include <cartwright/comm/execution/runner.hpp>
#include <cartwright/comm/transport/thread_segment.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "interpreted_collective.hpp"

namespace cartwright::comm {
namespace {

using Element = test::Token<6>;  // 24 bytes: an entry holds two and a bit
using Collective = test::InterpretedCollective<Element>;

struct ByMailboxes {
  using Areas = Mailboxes;
  using Shape = MailboxShape;
  using Messages = NodeMessages;
};
struct ByLandingAreas {
  using Areas = LandingAreas;
  using Shape = LandingShape;
  using Messages = LandingMessages;
};

template <class Way>
struct Setting {
  int ranks = 2;
  typename Way::Shape shape;
  std::size_t in_flight = 1;
  std::uint64_t seed = 1;
};

std::vector<Collective> random_collectives(std::mt19937_64& random, int ranks, int how_many) {
  const plan::Machine machine = test::small_machine();
  std::vector<Collective> result;
  while (static_cast<int>(result.size()) < how_many) {
    const auto operations = plan::operations();
    plan::Problem problem{.operation = operations[random() % operations.size()],
                          .ranks = ranks,
                          .elements = static_cast<plan::Count>(random() % 60),
                          .element_size = sizeof(Element)};
    if (plan::is_rooted(problem.operation))
      problem.root.rank = static_cast<int>(random() % static_cast<std::uint64_t>(ranks));
    const auto choices = plan::choices(problem, machine);
    result.emplace_back(problem, choices[random() % choices.size()], random() % 3 == 0, random());
  }
  return result;
}

/// One rank: starts the collectives in order, each several times, with so many
/// in flight, and advances them in an order of its own.
template <class Way>
std::string run_rank(const Setting<Way>& setting, const std::vector<Collective>& collectives,
                     ThreadSegment& segment, int rank, const std::atomic<bool>& gives_up) {
  using Messages = typename Way::Messages;
  using Run = test::CollectiveRun<Element, Messages, Runner<Messages>>;
  typename Way::Areas areas(segment.view(rank), setting.shape);
  std::vector<std::int32_t> members(static_cast<std::size_t>(setting.ranks));
  std::iota(members.begin(), members.end(), 0);
  std::vector<std::unique_ptr<Run>> runs;
  for (const Collective& collective : collectives)
    runs.push_back(std::make_unique<Run>(collective, rank, [&](const plan::Program& program) {
      return Messages(areas, members, program, sizeof(Element));
    }));
  std::mt19937_64 random(setting.seed * 31 + static_cast<std::uint64_t>(rank));
  const std::size_t total = 3 * runs.size();
  std::vector<Run*> active;
  for (std::uint64_t sequence = 0; sequence < total || !active.empty();) {
    Run* const next = runs[sequence % runs.size()].get();
    const bool may_start = sequence < total && active.size() < setting.in_flight &&
                           std::ranges::find(active, next) == active.end();
    if (may_start && (active.empty() || random() % 2 == 0)) {
      next->start(sequence++);
      active.push_back(next);
      continue;
    }
    const std::size_t chosen = random() % active.size();
    if (active[chosen]->advance()) {
      if (std::string fault = active[chosen]->fault(); !fault.empty()) return fault;
      active.erase(active.begin() + static_cast<std::ptrdiff_t>(chosen));
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(1));  // ranks outnumber cores
    }
    if (gives_up) return "another rank has failed";
  }
  return {};
}

template <class Way>
std::string run(const Setting<Way>& setting, int how_many) {
  std::mt19937_64 random(setting.seed);
  const auto collectives = random_collectives(random, setting.ranks, how_many);
  ThreadSegment segment(setting.ranks, setting.shape.bytes_per_member());
  std::atomic<bool> gives_up = false;
  std::mutex mutex;
  std::string faults;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < setting.ranks; ++rank)
    threads.emplace_back([&, rank] {
      std::string fault;
      try {
        fault = run_rank(setting, collectives, segment, rank, gives_up);
      } catch (const std::exception& error) {
        fault = error.what();
      }
      if (fault.empty()) return;
      gives_up = true;
      const std::lock_guard lock(mutex);
      faults += fault + "\n";
    });
  for (std::thread& thread : threads) thread.join();
  return faults;
}

template <class Way>
Setting<Way> random_setting(std::mt19937_64& random, std::uint64_t seed) {
  Setting<Way> setting;
  setting.seed = seed;
  setting.ranks = 1 + static_cast<int>(random() % 5);
  setting.in_flight = 1 + random() % 7;
  setting.shape.members = setting.ranks;
  return setting;
}

TEST(TransportThreads, RandomCollectivesInFlight) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    auto setting = random_setting<ByMailboxes>(random, seed);
    MailboxShape& shape = setting.shape;
    shape.lanes = 1 << random() % 3;
    shape.entries = 1U << random() % 3;
    shape.fragment = 64 + random() % 400;
    shape.staging = 64 * (1 + random() % 12);
    shape.slot = 64 * (1 + random() % 4);
    shape.copies.readers_of_staged = 2 + static_cast<int>(random() % 3);
    shape.copies.direct_from = random() % 3 == 0 ? 100 + random() % 500 : CopyThresholds::never;
    shape.copies.moved_direct_from = random() % 2 == 0 ? shape.copies.direct_from : 200;
    ASSERT_EQ(run(setting, 8), "")
        << "seed " << seed << ", " << setting.ranks << " ranks, " << shape.entries << " entries, "
        << shape.staging << " bytes staged";
  }
}

TEST(TransportThreads, RandomCollectivesThatLand) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    auto setting = random_setting<ByLandingAreas>(random, seed);
    LandingShape& shape = setting.shape;
    shape.places = 1U << random() % 4;
    shape.eager = 64 * (1 + random() % 8);
    shape.chunk = 64 * (1 + random() % 8);
    ASSERT_EQ(run(setting, 8), "")
        << "seed " << seed << ", " << setting.ranks << " ranks, " << shape.places << " places of "
        << shape.eager << " bytes, chunks of " << shape.chunk;
  }
}

TEST(TransportThreads, ShapeFitsIntoMemory) {
  for (const int members : {1, 2, 8, 16, 64, 128}) {
    const std::size_t bytes = (64U << 20U) / static_cast<std::size_t>(members);
    const MailboxShape shape = MailboxShape::within(bytes, members);
    EXPECT_LE(shape.bytes_per_member(), bytes);
    EXPECT_GE(shape.fragment, 4096U);
    EXPECT_LE(shape.fragment, shape.staging);
  }
  EXPECT_ANY_THROW((void)MailboxShape::within(16 << 10, 64));
}

TEST(TransportThreads, WrongLengthIsAnError) {
  const MailboxShape shape{.members = 2};
  ThreadSegment segment(2, shape.bytes_per_member());
  Mailboxes sender(segment.view(0), shape);
  Mailboxes receiver(segment.view(1), shape);
  const std::vector<std::int32_t> members{0, 1};
  const auto program = [](int rank, plan::Count count) {
    const plan::Problem problem{
        .operation = plan::Operation::broadcast, .ranks = 2, .elements = count};
    const auto schedule =
        plan::parse_choice(problem.operation, "linear").maker(problem)({.ranks = 2, .me = rank});
    return plan::Program(schedule, plan::layout_of(problem, schedule.blocks()), 8);
  };
  std::vector<double> data(5000);
  plan::Buffers buffers{nullptr, reinterpret_cast<std::byte*>(data.data()), nullptr};
  for (const plan::Count sent : {1, 4, 2000}) {
    const plan::Program from = program(0, sent);
    const plan::Program to = program(1, 3);
    ThreadSegment fresh(2, shape.bytes_per_member());
    Mailboxes out(fresh.view(0), shape);
    Mailboxes in(fresh.view(1), shape);
    Runner<NodeMessages> root(from, 8, NodeMessages(out, members, from, 8));
    Runner<NodeMessages> leaf(to, 8, NodeMessages(in, members, to, 8));
    root.start(0, buffers);
    leaf.start(0, buffers);
    EXPECT_TRUE(root.advance({}));
    EXPECT_ANY_THROW((void)leaf.advance({})) << sent;
  }
}

}  // namespace
}  // namespace cartwright::comm
