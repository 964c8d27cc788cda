// SPDX-License-Identifier: Apache-2.0
// The schedule type itself: a small allreduce, and what the validator and the interpreter say of
// broken ones.
#include "collective_check.hpp"

#include <cartwright/plan/builder.hpp>
#include <cartwright/plan/dependencies.hpp>
#include <cartwright/plan/describe.hpp>
#include <cartwright/plan/interpret.hpp>
#include <cartwright/plan/program.hpp>
#include <cartwright/plan/simulation/placement.hpp>

#include <gtest/gtest.h>

namespace cartwright::plan {
namespace {

Schedule doubling(Team team) {
  Builder build(team, {.blocks = 1, .input = {0, 1}, .output = {0, 1}});
  const Buffer received = build.scratch(0);
  build.copy(build.input(0), build.output(0));
  for (int distance = 1; distance < team.ranks; distance *= 2) {
    const int peer = team.me ^ distance;
    build.send(peer, build.output(0));
    build.receive(peer, {received, 0, 1});
    if (peer < team.me) build.combine({received, 0, 1}, build.output(0), build.output(0));
    if (peer > team.me) build.combine(build.output(0), {received, 0, 1}, build.output(0));
    build.next_round();
  }
  return std::move(build).finish();
}

TEST(Schedule, RunsInTheInterpreter) {
  for (const int ranks : {1, 2, 4, 8, 64})
    for (const Place place : {Place::separate, Place::in_place})
      for (const Count elements : {0, 1, 5})
        EXPECT_EQ(
            test::check_allreduce({ranks, place, doubling}, elements, test::Order::any_operator),
            "");
}

TEST(Schedule, IsPrinted) {
  EXPECT_EQ(describe(doubling({2, 1})),
            "rank 1 of 2, 1 blocks, 1 rounds\n"
            "  round 0\n"
            "    output[0] = input[0]\n"
            "    send output[0] to 0\n"
            "    scratch0[0] = received from 0\n"
            "    output[0] = scratch0[0] ∘ output[0]\n");
}

TEST(Schedule, DependenciesFollowFromTheSlices) {
  const Schedule schedule = doubling({4, 0});
  const Dependencies dependencies(schedule);
  using Steps = std::vector<std::int32_t>;
  const auto before = [&](std::size_t step) {
    const auto found = dependencies.before(step);
    return Steps(found.begin(), found.end());
  };
  EXPECT_EQ(before(0), Steps{});           // copy
  EXPECT_EQ(before(1), Steps{0});          // send
  EXPECT_EQ(before(2), Steps{});           // receive: may be posted at once
  EXPECT_EQ(before(3), (Steps{0, 1, 2}));  // combine: overwrites what is being sent
  EXPECT_EQ(before(4), Steps{3});          // send of the next round
  EXPECT_EQ(before(5), (Steps{2, 3}));     // receive into scratch, which has to be read before
  EXPECT_EQ(sends_before(schedule), (Steps{0, 0, 0, 1, 0, 0, 2}));
}

/// What a runner that goes through the steps in order does, and when it has to wait for sends.
std::vector<std::string> in_order(const Program& program) {
  std::vector<std::string> calls;
  std::int32_t complete = 0;
  for (const BoundStep& step : program.steps()) {
    if (step.sends_before > complete) {
      complete = step.sends_before;
      calls.push_back("wait " + std::to_string(complete));
    }
    switch (step.kind) {
      case StepKind::send:
        calls.push_back("send " + std::to_string(step.peer));
        break;
      case StepKind::receive:
        calls.push_back("receive " + std::to_string(step.peer));
        break;
      case StepKind::receive_combine:
        calls.emplace_back("receive_combine");
        break;
      case StepKind::combine:
        calls.push_back("combine " + std::to_string(step.count));
        break;
      case StepKind::copy:
        calls.emplace_back("copy");
        break;
    }
  }
  return calls;
}

TEST(Program, HasTheStepsInOrderAndWaitsBeforeOverwriting) {
  const Schedule schedule = doubling({4, 0});
  const Program program(schedule, Cuts::balanced(1, 3), sizeof(double));
  EXPECT_EQ(in_order(program),
            (std::vector<std::string>{"copy", "send 1", "receive 1", "wait 1", "combine 3",
                                      "send 2", "receive 2", "wait 2", "combine 3"}));
  std::vector<double> memory(64);
  auto* bytes = reinterpret_cast<std::byte*>(memory.data());
  const Buffers buffers{bytes, bytes + 64, bytes + 128};
  EXPECT_EQ(program.steps()[0].source.in(buffers), bytes);
  EXPECT_EQ(program.steps()[2].target.out(buffers), bytes + 128);
  EXPECT_EQ(program.steps()[3].target.out(buffers), bytes + 64);
}

TEST(Program, LeavesOutWhatHasNoElement) {
  Program program(doubling({4, 0}), Cuts::balanced(1, 0), sizeof(double));
  EXPECT_TRUE(program.steps().empty());
  EXPECT_EQ(program.sends(), 0);
}

/// What a rank says to the other, of two: so many blocks; 0: nothing.
Schedule half_of_a_talk(int me, int sends, int receives) {
  Builder build({2, me}, {.blocks = 2, .input = {0, 2}, .output = {0, 2}});
  if (me == 0 && sends > 0) build.send(1, build.input(0, sends));
  if (me == 1 && receives > 0) build.receive(0, build.output(0, receives));
  return std::move(build).finish();
}

std::string complaint(int sends, int receives) {
  const std::vector<Schedule> schedules{half_of_a_talk(0, sends, receives),
                                        half_of_a_talk(1, sends, receives)};
  const std::vector<Layout> layouts(2, Cuts::balanced(2, 6));
  std::vector<Memory<int>> memories(2, {std::vector<int>(6, 1), std::vector<int>(6)});
  try {
    interpret<int>(schedules, layouts, memories, std::plus<>());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(Interpreter, SaysWhatIsWrongWithMessages) {
  EXPECT_EQ(complaint(2, 2), "");
  EXPECT_EQ(complaint(0, 0), "");
  EXPECT_EQ(complaint(0, 1), "rank 1 waits forever at `output[0] = received from 0`");
  EXPECT_EQ(complaint(1, 0), "message 0 from rank 0 to rank 1 was sent and never received");
  EXPECT_EQ(complaint(1, 2),
            "rank 1 at `output[0, +2] = received from 0` expects 6 elements, but 3 were sent");
  MessageStore<int> messages;
  messages.put({0, 1, 0}, {});
  EXPECT_THROW(messages.put({0, 1, 0}, {}), std::runtime_error);
}

TEST(Placement, GivesEachRankACoreOfItsOwn) {
  EXPECT_TRUE(Placement().in_order());
  EXPECT_EQ(Placement({2, 0}).core(0), 2);
  EXPECT_THROW((void)Placement({2, -1}), std::invalid_argument);
  EXPECT_THROW((void)Placement({2, 0, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace cartwright::plan
