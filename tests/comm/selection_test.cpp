// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/rt/error.hpp>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

using plan::Operation;

TunedWinner winner(Operation operation, plan::Count bytes, const char* backend,
                   const char* algorithm) {
  return {operation, bytes, backend, algorithm, 1e-6, 2e-6};
}

TEST(TuningTable, FindsTheNearestSize) {
  TuningTable table;
  const CommunicatorShape four{4, 1};
  table.add(four, winner(Operation::allreduce, 4096, "p2p", "ring"));
  table.add(four, winner(Operation::allreduce, 8, "shared", "recursive_doubling"));
  table.add(four, winner(Operation::barrier, 0, "native", ""));
  EXPECT_EQ(table.find(four, Operation::allreduce, 0)->bytes, 8);
  EXPECT_EQ(table.find(four, Operation::allreduce, 100)->bytes, 8);
  EXPECT_EQ(table.find(four, Operation::allreduce, 300)->bytes, 4096);
  EXPECT_EQ(table.find(four, Operation::allreduce, 1LL << 40)->bytes, 4096);
  EXPECT_EQ(table.find(four, Operation::barrier, 7)->backend, "native");
  EXPECT_EQ(table.find(four, Operation::broadcast, 8), nullptr);
  EXPECT_EQ(table.find({4, 4}, Operation::allreduce, 8), nullptr);
  EXPECT_EQ(table.find({3, 1}, Operation::allreduce, 8), nullptr);
}

TEST(TuningTable, IsWrittenAndReadAgain) {
  TuningTable table;
  table.add({4, 1}, winner(Operation::allreduce, 8, "shared", "recursive_multiplying(a4)"));
  table.add({2, 2}, winner(Operation::gather, 512, "native", ""));
  const TuningTable again = TuningTable::from_json(table.to_json(), "here");
  EXPECT_EQ(again.to_json(), table.to_json());
  EXPECT_EQ(again.find({4, 1}, Operation::allreduce, 8)->algorithm, "recursive_multiplying(a4)");
  EXPECT_EQ(again.find({2, 2}, Operation::gather, 8)->native_seconds, 2e-6);
  for (const char* garbage : {"", "7", "{}", R"({"tuned": 3})", R"({"tuned": [{"ranks": 2}]})"})
    EXPECT_THROW((void)TuningTable::from_json(garbage, "there"), rt::Error) << garbage;
}

TEST(TuningTable, RefusesAlgorithmsAndBackendsThatThereAreNot) {
  for (const auto& [backend, algorithm] : std::vector<std::pair<const char*, const char*>>{
           {"shared", "recursive_multip|ying(a2)"}, {"shared", "chain(x)"}, {"shar3d", "ring"}}) {
    TuningTable table;
    table.add({2, true}, winner(Operation::allreduce, 8, backend, algorithm));
    try {
      (void)TuningTable::from_json(table.to_json(), "here");
      ADD_FAILURE() << backend << ' ' << algorithm;
    } catch (const rt::Error& error) {
      EXPECT_EQ(error.code(), rt::ExitCode::input_error);
      EXPECT_NE(std::string(error.what()).find("here"), std::string::npos);
    }
  }
}

TEST(TuningTable, NewMeasurementsReplaceOldOnesOfTheSameOperation) {
  TuningTable old;
  old.add({4, 1}, winner(Operation::allreduce, 8, "p2p", "ring"));
  old.add({4, 1}, winner(Operation::allreduce, 64, "p2p", "ring"));
  old.add({4, 1}, winner(Operation::barrier, 0, "native", ""));
  TuningTable newer;
  newer.add({4, 1}, winner(Operation::allreduce, 8, "native", ""));
  old.replace_by(newer);
  EXPECT_EQ(old.find({4, 1}, Operation::allreduce, 64)->backend, "native");
  EXPECT_EQ(old.find({4, 1}, Operation::barrier, 0)->backend, "native");
}

plan::Problem problem(Operation operation, int ranks, plan::Count elements) {
  return {.operation = operation, .ranks = ranks, .elements = elements};
}

TEST(Selection, DoesWhatTheDeckWants) {
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->wanted[Operation::allreduce] = "ring";
  const Selection selection(knowledge, {6, 1});
  EXPECT_EQ(selection.algorithm_for("p2p", problem(Operation::allreduce, 6, 1)).name(), "ring");
  EXPECT_EQ(selection.backend_for(problem(Operation::allreduce, 6, 1)), "shared");
  plan::Problem in_order = problem(Operation::allreduce, 6, 1);
  in_order.commutative = false;
  EXPECT_THROW((void)selection.algorithm_for("p2p", in_order), rt::Error);
  EXPECT_NE(selection.explain("p2p", problem(Operation::allreduce, 6, 1)).find("deck"),
            std::string::npos);
}

TEST(Selection, OneRankTakesWhateverIsMeantForMore) {
  auto knowledge = std::make_shared<Knowledge>();
  for (const char* name :
       {"recursive_multiplying(a3)", "hierarchical(2)", "split_multiplying(3)"}) {
    knowledge->wanted[Operation::allreduce] = name;
    const Selection alone(knowledge, {1, true});
    for (const char* backend : {"p2p", "shared"})
      EXPECT_NO_THROW((void)alone.algorithm_for(backend, problem(Operation::allreduce, 1, 1)));
    EXPECT_EQ(alone.explain("p2p", problem(Operation::allreduce, 1, 1)).find("deck"),
              std::string::npos);
  }
  const Selection four(knowledge, {4, true});
  EXPECT_THROW((void)four.algorithm_for("p2p", problem(Operation::allreduce, 4, 1)), rt::Error);
}

TEST(Selection, RefusesAlgorithmsThatNobodyKnows) {
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->wanted[Operation::reduce] = "rings";
  try {
    const Selection selection(knowledge, {6, 1});
    ADD_FAILURE();
  } catch (const rt::Error& error) {
    EXPECT_NE(std::string(error.what()).find("comm.reduce.algorithm"), std::string::npos);
    EXPECT_EQ(error.code(), rt::ExitCode::input_error);
  }
}

TEST(Selection, FollowsMeasurements) {
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->tuned.add({4, 1}, winner(Operation::broadcast, 8, "native", ""));
  knowledge->tuned.add({4, 1}, winner(Operation::broadcast, 1 << 20, "p2p", "chain(8)"));
  const Selection selection(knowledge, {4, 1});
  EXPECT_EQ(selection.backend_for(problem(Operation::broadcast, 4, 1)), "native");
  EXPECT_EQ(selection.backend_for(problem(Operation::broadcast, 4, 1 << 17)), "p2p");
  EXPECT_EQ(selection.algorithm_for("p2p", problem(Operation::broadcast, 4, 1 << 17)).name(),
            "chain(8)");
  EXPECT_EQ(selection.backend_for(problem(Operation::barrier, 4, 0)), "shared");
  EXPECT_NE(selection.explain("p2p", problem(Operation::broadcast, 4, 1 << 17)).find("measured"),
            std::string::npos);
}

TEST(Selection, PassesOverWhatWasTunedForOtherNumbersOfRanks) {
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->tuned.add({2, true},
                       winner(Operation::allreduce, 8, "shared", "recursive_multiplying(a3)"));
  const Selection selection(knowledge, {2, true});
  EXPECT_NE(selection.algorithm_for("shared", problem(Operation::allreduce, 2, 1)).name(),
            "recursive_multiplying(a3)");
}

TEST(Selection, WhatIsWaitedForLaterGoesInWholeMessages) {
  using enum Waiting;
  const auto nothing = std::make_shared<Knowledge>();
  for (const int ranks : {2, 3, 4, 5, 8, 64})
    for (const int nodes : {1, ranks})
      for (const Operation operation : {Operation::broadcast, Operation::reduce})
        for (const plan::Count elements : {1 << 14, 1 << 17, 1 << 24}) {
          const Selection selection(nothing, {ranks, nodes, nodes == 1});
          for (const char* backend : {"p2p", "shared"})
            EXPECT_FALSE(goes_in_pieces(
                selection.algorithm_for(backend, problem(operation, ranks, elements), later)));
        }
  const plan::Problem four = problem(Operation::broadcast, 4, 1 << 17);
  const plan::Problem eight = problem(Operation::broadcast, 8, 1 << 17);
  const auto named = [](const char* name) {
    return plan::parse_choice(Operation::broadcast, name);
  };
  EXPECT_EQ(in_whole_messages(four, named("chain(8)"), "p2p").name(), "linear");
  EXPECT_EQ(in_whole_messages(eight, named("scatter_allgather"), "p2p").name(),
            "binomial_low_bit_first");
  EXPECT_EQ(in_whole_messages(four, named("linear"), "shared").name(), "k_ary(2)");
  const plan::Problem small = problem(Operation::broadcast, 8, 1 << 10);
  EXPECT_EQ(in_whole_messages(small, named("k_nomial(3)"), "shared").name(), "k_nomial(3)");
  // On one node messages serve large broadcasts; small ones stay where they were.
  const Selection node(nothing, {8, 1});
  EXPECT_EQ(node.backend_for(eight, later), "p2p");
  EXPECT_EQ(node.backend_for(eight, at_once), "shared");
  EXPECT_EQ(node.backend_for(small, later), "shared");
}

TEST(Selection, FollowsMeasurementsOfWholeMessagesOnlyForWhatIsWaitedForLater) {
  using enum Waiting;
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->tuned.add({4, 1}, winner(Operation::broadcast, 1 << 20, "p2p", "chain(8)"));
  knowledge->tuned.add({4, 1}, winner(Operation::reduce, 1 << 20, "p2p", "butterfly"));
  knowledge->wanted[Operation::allreduce] = "ring";
  const Selection selection(knowledge, {4, 1});
  const plan::Problem broadcast = problem(Operation::broadcast, 4, 1 << 17);
  EXPECT_EQ(selection.algorithm_for("p2p", broadcast, later).name(), "linear");
  EXPECT_FALSE(goes_in_pieces(selection.algorithm_for("p2p", broadcast, later)));
  EXPECT_EQ(selection.backend_for(broadcast, at_once), "p2p");
  const plan::Problem reduce = problem(Operation::reduce, 4, 1 << 17);
  EXPECT_EQ(selection.backend_for(reduce, later), "p2p");
  EXPECT_EQ(selection.algorithm_for("p2p", reduce, later).name(), "butterfly");
  const plan::Problem allreduce = problem(Operation::allreduce, 4, 1 << 17);
  EXPECT_EQ(selection.algorithm_for("p2p", allreduce, later).name(), "ring");
}

std::shared_ptr<const plan::Hierarchy> nodes_of(const std::vector<int>& node_of_each) {
  return std::make_shared<const plan::Hierarchy>(plan::Hierarchy::named({node_of_each}));
}

TEST(Selection, RunsSchedulesBetweenNodes) {
  const auto nothing = std::make_shared<Knowledge>();
  const plan::Problem barrier = problem(Operation::barrier, 4, 0);
  EXPECT_EQ(Selection(nothing, {4, 4, false}).backend_for(barrier), "p2p");
  EXPECT_EQ(Selection(nothing, {4, 2, true}, nodes_of({0, 0, 1, 1})).backend_for(barrier),
            "shared");
  EXPECT_EQ(Selection(nothing, {1, 1, false}).backend_for(problem(Operation::barrier, 1, 0)),
            "p2p");
}

TEST(Selection, GoesByNodesWhereThatPays) {
  const auto nothing = std::make_shared<Knowledge>();
  for (const auto& nodes :
       {nodes_of({0, 1, 0, 1, 0, 1, 0, 1}), nodes_of({0, 0, 0, 0, 0, 1, 2, 2})}) {
    const Selection selection(nothing, {8, nodes->members(0), true}, nodes);
    for (const Operation operation :
         {Operation::barrier, Operation::broadcast, Operation::reduce, Operation::allreduce}) {
      const plan::Problem asked = problem(operation, 8, operation == Operation::barrier ? 0 : 1);
      const std::string name = selection.algorithm_for("shared", asked).name();
      EXPECT_TRUE(name.starts_with("hierarchical(nodes: ")) << name;
      EXPECT_EQ(plan::parse_choice(operation, name).name(), name);
      EXPECT_NE(selection.explain("shared", asked).find("predicted"), std::string::npos);
    }
  }
}

TEST(Selection, LetsAllRanksSpeakBetweenNodesWhereThatIsQuicker) {
  // A leader would have to pass everything on to three others, which takes longer than the way
  // between the nodes.
  const auto nothing = std::make_shared<Knowledge>();
  const Selection selection(nothing, {8, 2, true}, nodes_of({0, 0, 0, 0, 1, 1, 1, 1}));
  const plan::Problem asked = problem(Operation::allgather, 8, 1 << 17);
  EXPECT_FALSE(selection.algorithm_for("shared", asked).name().starts_with("hierarchical"));
}

TEST(Selection, HasARuleForEveryProblem) {
  const auto nothing = std::make_shared<Knowledge>();
  for (const Operation operation : plan::operations())
    for (const int ranks : {1, 2, 3, 7, 8, 16, 17, 31, 64, 97, 128})
      for (const plan::Count elements : {0, 1, 100, 10'000, 1'000'000})
        for (const bool commutes : {true, false}) {
          plan::Problem asked = problem(operation, ranks, elements);
          asked.commutative = commutes;
          for (const int nodes : {1, ranks}) {
            const Selection selection(nothing, {ranks, nodes, nodes == 1});
            const auto choice = selection.algorithm_for("shared", asked);
            ASSERT_NE(choice.algorithm, nullptr);
            EXPECT_TRUE(plan::may_solve(*choice.algorithm, asked)) << choice.name();
            EXPECT_FALSE(selection.explain("shared", asked).empty());
          }
        }
}

TEST(Selection, SmallPiecesAreForCoresThatAreNear) {
  const auto nothing = std::make_shared<const Knowledge>();
  const Selection near(nothing, {.ranks = 2});
  const Selection far(nothing, {.ranks = 2, .far_cores = true});
  for (const Operation operation : {Operation::broadcast, Operation::reduce}) {
    plan::Problem asked = problem(operation, 2, 1 << 16);
    asked.element_size = 1;
    EXPECT_EQ(near.algorithm_for("shared", asked).algorithm->tuning, "segments");
    EXPECT_NE(far.algorithm_for("shared", asked).algorithm->tuning, "segments");
    EXPECT_EQ(near.algorithm_for("shared", problem(operation, 2, 8)).name(),
              far.algorithm_for("shared", problem(operation, 2, 8)).name());
  }
}

}  // namespace
}  // namespace cartwright::comm
