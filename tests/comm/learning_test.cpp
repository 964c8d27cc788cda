// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/comm/selection/learned_table.hpp>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/comm/selection/turns.hpp>
#include <cartwright/rt/error.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::comm {
namespace {

using plan::Operation;

TEST(Turns, GoRoundAndThenTheRanksCompare) {
  Turns turns(3);
  std::vector<std::size_t> order;
  while (!turns.are_taken()) {
    EXPECT_FALSE(turns.must_compare());
    order.push_back(turns.now());
    turns.note(1.0);
  }
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
  EXPECT_TRUE(turns.must_compare());
  for (int call = 0; call < Turns::background; ++call) {
    EXPECT_FALSE(turns.must_decide());
    EXPECT_EQ(turns.now(), 0U);  // the usual way meanwhile
    turns.note(1e-9);            // … whose durations don't count any more
    EXPECT_FALSE(turns.must_compare());
  }
  EXPECT_TRUE(turns.must_decide());
  EXPECT_EQ(turns.least()[0], 1.0);
}

TEST(Turns, TheLeastDurationCounts) {
  Turns turns(2);
  for (const auto& [first, second] : {std::pair(9.0, 1.0), {2.0, 8.0}, {3.0, 8.0}, {7.0, 8.0}}) {
    turns.note(first);
    turns.note(second);
  }
  EXPECT_EQ(turns.least()[0], 2.0);
  EXPECT_EQ(turns.least()[1], 1.0);
  EXPECT_EQ(turns.quickest(), 1U);
}

TEST(Turns, TheUsualWayStaysUnlessAnotherIsClearlyQuicker) {
  Turns turns(3);
  const auto least = turns.least();
  least[0] = 1.0;
  least[1] = 0.97;
  least[2] = 0.98;
  EXPECT_EQ(turns.quickest(), 0U);
  least[1] = 0.90;
  least[2] = 0.80;
  EXPECT_EQ(turns.quickest(), 2U);
}

LearnedTable::Entry entry(Operation operation, plan::Count size, BackendId backend,
                          const char* algorithm, Combining combining = Combining::exact) {
  return {{4, 1}, {operation, size, Waiting::at_once, combining}, backend, algorithm, 1e-6, 2e-6};
}

TEST(LearnedTable, IsWrittenAndReadAgain) {
  LearnedTable table;
  table.add(entry(Operation::allreduce, 8, BackendId::shared, "recursive_doubling"));
  table.add(entry(Operation::allreduce, 8, BackendId::p2p, "ring", Combining::rounded));
  table.add(entry(Operation::barrier, 0, BackendId::native, ""));
  table.add(entry(Operation::allreduce, 8, BackendId::native, ""));  // in place of the first
  const LearnedTable again = LearnedTable::from_json(table.to_json(), "here");
  EXPECT_EQ(again.to_json(), table.to_json());
  ASSERT_EQ(again.entries().size(), 3U);
  EXPECT_EQ(again.find({4, 1}, {Operation::allreduce, 8})->backend, BackendId::native);
  EXPECT_EQ(again.find({4, 1}, {Operation::allreduce, 16}), nullptr);
  EXPECT_EQ(again.find({4, 2}, {Operation::allreduce, 8}), nullptr);
  EXPECT_EQ(again.find({4, 1}, {Operation::allreduce, 8, Waiting::later}), nullptr);
  for (const char* garbage : {"", "7", "{}", R"({"learned": 3})", R"({"learned": [{"ranks": 2}]})"})
    EXPECT_THROW((void)LearnedTable::from_json(garbage, "there"), rt::Error) << garbage;
}

std::shared_ptr<Knowledge> learning() {
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->learns = true;
  return knowledge;
}

TEST(Candidates, AreAskedForOnlyWhereCallsSynchronise) {
  const Selection selection(learning(), {4, 1});
  using enum Operation;
  for (const Operation operation : plan::operations()) {
    const bool synchronises = operation == barrier || operation == allreduce ||
                              operation == allgather || operation == alltoall ||
                              operation == reduce_scatter;
    EXPECT_EQ(selection.candidates({operation, 64}).size() > 1, synchronises)
        << plan::name_of(operation);
    EXPECT_EQ(selection.candidates({operation, 64, Waiting::later}).size(), 1U);
  }
  EXPECT_EQ(Selection(learning(), {1, 1}).candidates({allreduce, 64}).size(), 1U);
  EXPECT_EQ(Selection(std::make_shared<Knowledge>(), {4, 1}).candidates({allreduce, 64}).size(),
            1U);
  auto wanted = learning();
  wanted->wanted[allreduce] = "ring";
  EXPECT_EQ(Selection(wanted, {4, 1}).candidates({allreduce, 64}).size(), 1U);
}

TEST(Candidates, ThatWouldRoundOtherwiseTakeNoPart) {
  for (const int nodes : {1, 2, 4})
    for (const plan::Count size : {8, 1024, 1 << 20})
      for (const Combining combining : {Combining::rounded, Combining::ordered}) {
        const Selection selection(learning(), {4, nodes, nodes < 4});
        const auto all =
            selection.candidates({Operation::allreduce, size, Waiting::at_once, combining});
        for (const Decision& one : all) {
          EXPECT_NE(one.backend, BackendId::native);
          EXPECT_EQ(one.choice.name(), all.front().choice.name());
        }
        EXPECT_EQ(all.size(), nodes < 4 ? 2U : 1U);
      }
}

TEST(Candidates, AreDifferentAndWork) {
  for (const Operation operation : plan::operations())
    for (const int ranks : {2, 3, 6, 8, 31}) {
      const Selection selection(learning(), {ranks, 1});
      const auto all = selection.candidates({operation, 4096});
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(all[i].is_as(all[j])) << all[i].name();
        if (all[i].choice.algorithm == nullptr) continue;
        EXPECT_TRUE(
            plan::may_solve(*all[i].choice.algorithm, CallKey{operation, 4096}.problem(ranks)));
      }
    }
}

TEST(Selection, DoesWhatWasLearned) {
  auto knowledge = learning();
  knowledge->learned.add(entry(Operation::allreduce, 1024, BackendId::p2p, "ring"));
  const Selection selection(knowledge, {4, 1});
  const Decision exact = selection.decide({Operation::allreduce, 1024});
  EXPECT_EQ(exact.name(), "p2p: ring");
  EXPECT_EQ(exact.ground, Decision::Ground::learned);
  EXPECT_EQ(selection.candidates({Operation::allreduce, 1024}).size(), 1U);  // nothing to learn
  EXPECT_NE(
      selection.explain(exact, CallKey{Operation::allreduce, 1024}.problem(4)).find("learned"),
      std::string::npos);
  knowledge->learns = false;
  EXPECT_NE(Selection(knowledge, {4, 1}).decide({Operation::allreduce, 1024}).ground,
            Decision::Ground::learned);
}

TEST(Selection, NeverChangesBitsByWhatWasLearned) {
  auto knowledge = learning();
  const CallKey rounded{Operation::allreduce, 1024, Waiting::at_once, Combining::rounded};
  const Decision usual = Selection(knowledge, {4, 1}).decide(rounded);
  knowledge->learned.add(entry(Operation::allreduce, 1024, BackendId::p2p,
                               usual.choice.name() == "ring" ? "butterfly" : "ring",
                               Combining::rounded));
  EXPECT_TRUE(Selection(knowledge, {4, 1}).decide(rounded).is_as(usual));
  knowledge->learned.add(entry(Operation::allreduce, 1024, BackendId::p2p,
                               usual.choice.name().c_str(), Combining::rounded));
  const Decision learned = Selection(knowledge, {4, 1}).decide(rounded);
  EXPECT_EQ(learned.backend, BackendId::p2p);
  EXPECT_EQ(learned.choice.name(), usual.choice.name());
}

TEST(CallKey, StandsForACallOfItsClass) {
  const plan::Problem word = CallKey{Operation::allreduce, 8}.problem(4);
  EXPECT_EQ(word.elements, 1);
  EXPECT_EQ(word.bytes(), 8);
  EXPECT_EQ((CallKey{Operation::allreduce, 4}.problem(4).bytes()), 4);
  EXPECT_EQ((CallKey{Operation::barrier, 0}.problem(4).bytes()), 0);
  Call call{.operation = Operation::allreduce, .element = element_of<double>(), .count = 3};
  call.reduction = predefined(Operator::sum, ScalarType::float64);
  EXPECT_EQ(CallKey::of(call, 4),
            (CallKey{Operation::allreduce, 16, Waiting::at_once, Combining::rounded}));
  call.reduction = predefined(Operator::sum, ScalarType::int64);
  EXPECT_EQ(CallKey::of(call, 4).combining, Combining::exact);
  call.reduction.predefined.reset();
  call.reduction.exact = call.reduction.commutes = false;
  EXPECT_EQ(CallKey::of(call, 4).combining, Combining::ordered);
}

}  // namespace
}  // namespace cartwright::comm
