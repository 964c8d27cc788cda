// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
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
  return {operation, bytes, *backend_named(backend), algorithm, 1e-6, 2e-6};
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
  EXPECT_EQ(table.find(four, Operation::barrier, 7)->backend, BackendId::native);
  EXPECT_EQ(table.find(four, Operation::broadcast, 8), nullptr);
  EXPECT_EQ(table.find({4, 4}, Operation::allreduce, 8), nullptr);
  EXPECT_EQ(table.find({3, 1}, Operation::allreduce, 8), nullptr);
}

// What was measured at one size says nothing of sizes far from it.
TEST(TuningTable, CountsNearWhatWasMeasuredAndBetween) {
  const CommunicatorShape four{4, 1};
  const auto bytes_near = [&](const TuningTable& table, plan::Count bytes) {
    const TunedWinner* const found = table.find_near(four, Operation::allreduce, bytes);
    return found == nullptr ? -1 : found->bytes;
  };
  TuningTable one;
  one.add(four, winner(Operation::allreduce, 64, "shared", "ring"));
  one.add(four, winner(Operation::barrier, 0, "native", ""));
  for (const auto& [bytes, measured] :
       {std::pair{16, -1}, {31, -1}, {32, 64}, {64, 64}, {128, 64}, {129, -1}, {524288, -1}})
    EXPECT_EQ(bytes_near(one, bytes), measured) << bytes;
  EXPECT_NE(one.find_near(four, Operation::barrier, 0), nullptr);
  EXPECT_EQ(one.find_near(four, Operation::broadcast, 64), nullptr);

  TuningTable all;  // as all sizes leave it: from a word to megabytes
  all.add(four, winner(Operation::allreduce, 8, "shared", "ring"));
  all.add(four, winner(Operation::allreduce, 1 << 24, "p2p", "ring"));
  for (const auto& [bytes, measured] : {std::pair{plan::Count{0}, 8},
                                        {1, 8},
                                        {4096, 8},
                                        {1 << 20, 1 << 24},
                                        {plan::Count{1} << 40, 1 << 24}})
    EXPECT_EQ(bytes_near(all, bytes), measured) << bytes;
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
  TuningTable table;
  table.add({2, true}, winner(Operation::allreduce, 8, "shared", "ring"));
  const std::string good = table.to_json();
  for (const auto& [old, bad] : {std::pair("ring", "recursive_multip|ying(a2)"),
                                 {"ring", "chain(x)"},
                                 {"shared", "shar3d"}}) {
    std::string text = good;
    text.replace(text.find(old), std::string(old).size(), bad);
    try {
      (void)TuningTable::from_json(text, "here");
      ADD_FAILURE() << bad;
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
  EXPECT_EQ(old.find({4, 1}, Operation::allreduce, 64)->backend, BackendId::native);
  EXPECT_EQ(old.find({4, 1}, Operation::barrier, 0)->backend, BackendId::native);
}

plan::Problem problem(Operation operation, int ranks, plan::Count elements) {
  return {.operation = operation, .ranks = ranks, .elements = elements};
}

CallKey key_of(const plan::Problem& problem, Waiting waiting) {
  return {
      .operation = problem.operation,
      .size = static_cast<plan::Count>(std::bit_floor(static_cast<std::uint64_t>(problem.bytes()))),
      .waiting = waiting,
      .combining = problem.commutative ? Combining::rounded : Combining::ordered};
}
BackendId backend_of(const Selection& selection, const plan::Problem& problem,
                     Waiting waiting = Waiting::at_once) {
  return selection.decide(key_of(problem, waiting)).backend;
}
plan::Choice choice_by(const Selection& selection, BackendId backend, const plan::Problem& problem,
                       Waiting waiting = Waiting::at_once) {
  return selection.decide_for(backend, problem, waiting).choice;
}
std::string reasons(const Selection& selection, BackendId backend, const plan::Problem& problem) {
  return selection.explain(selection.decide_for(backend, problem), problem);
}

TEST(Selection, DoesWhatTheDeckWants) {
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->wanted[Operation::allreduce] = "ring";
  const Selection selection(knowledge, {6, 1});
  EXPECT_EQ(choice_by(selection, BackendId::p2p, problem(Operation::allreduce, 6, 1)).name(),
            "ring");
  EXPECT_EQ(backend_of(selection, problem(Operation::allreduce, 6, 1)), BackendId::shared);
  plan::Problem in_order = problem(Operation::allreduce, 6, 1);
  in_order.commutative = false;
  EXPECT_THROW((void)choice_by(selection, BackendId::p2p, in_order), rt::Error);
  EXPECT_NE(reasons(selection, BackendId::p2p, problem(Operation::allreduce, 6, 1)).find("deck"),
            std::string::npos);
}

TEST(Selection, OneRankTakesWhateverIsMeantForMore) {
  auto knowledge = std::make_shared<Knowledge>();
  for (const char* name :
       {"recursive_multiplying(a3)", "hierarchical(2)", "split_multiplying(3)"}) {
    knowledge->wanted[Operation::allreduce] = name;
    const Selection alone(knowledge, {1, true});
    for (const BackendId backend : {BackendId::p2p, BackendId::shared})
      EXPECT_NO_THROW((void)choice_by(alone, backend, problem(Operation::allreduce, 1, 1)));
    EXPECT_EQ(reasons(alone, BackendId::p2p, problem(Operation::allreduce, 1, 1)).find("deck"),
              std::string::npos);
  }
  const Selection four(knowledge, {4, true});
  EXPECT_THROW((void)choice_by(four, BackendId::p2p, problem(Operation::allreduce, 4, 1)),
               rt::Error);
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
  EXPECT_EQ(backend_of(selection, problem(Operation::broadcast, 4, 1)), BackendId::native);
  EXPECT_EQ(backend_of(selection, problem(Operation::broadcast, 4, 1 << 17)), BackendId::p2p);
  EXPECT_EQ(choice_by(selection, BackendId::p2p, problem(Operation::broadcast, 4, 1 << 17)).name(),
            "chain(8)");
  EXPECT_EQ(backend_of(selection, problem(Operation::barrier, 4, 0)), BackendId::shared);
  EXPECT_NE(reasons(selection, BackendId::p2p, problem(Operation::broadcast, 4, 1 << 17))
                .find("measured"),
            std::string::npos);
}

TEST(Selection, SaysAtWhichSizeItWasMeasured) {
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->tuned.add({2, 1}, winner(Operation::allreduce, 8, "shared", "recursive_doubling"));
  const Selection selection(knowledge, {2, 1});
  const auto said = [&](plan::Count elements) {
    return reasons(selection, BackendId::shared, problem(Operation::allreduce, 2, elements));
  };
  EXPECT_EQ(said(1),
            "shared: recursive_doubling, measured as the quickest: 1.000 us (native 2.000 us)");
  EXPECT_EQ(
      said(2),
      "shared: recursive_doubling, measured as the quickest at 8 B: 1.000 us (native 2.000 us)");
  EXPECT_EQ(said(1 << 16).find("measured"), std::string::npos);
}

TEST(Selection, PassesOverWhatWasTunedForOtherNumbersOfRanks) {
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->tuned.add({2, true},
                       winner(Operation::allreduce, 8, "shared", "recursive_multiplying(a3)"));
  const Selection selection(knowledge, {2, true});
  EXPECT_NE(choice_by(selection, BackendId::shared, problem(Operation::allreduce, 2, 1)).name(),
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
          for (const BackendId backend : {BackendId::p2p, BackendId::shared})
            EXPECT_FALSE(goes_in_pieces(
                choice_by(selection, backend, problem(operation, ranks, elements), later)));
        }
  const plan::Problem four = problem(Operation::broadcast, 4, 1 << 17);
  const plan::Problem eight = problem(Operation::broadcast, 8, 1 << 17);
  const auto named = [](const char* name) {
    return plan::parse_choice(Operation::broadcast, name);
  };
  const auto in_whole_messages = [](const auto&... of_call) {
    return DefaultTuning::of_library()->in_whole_messages(of_call...);
  };
  EXPECT_EQ(in_whole_messages(four, named("chain(8)"), BackendId::p2p).name(), "linear");
  EXPECT_EQ(in_whole_messages(eight, named("scatter_allgather"), BackendId::p2p).name(),
            "binomial_low_bit_first");
  EXPECT_EQ(in_whole_messages(four, named("linear"), BackendId::shared).name(), "k_ary(2)");
  const plan::Problem small = problem(Operation::broadcast, 8, 1 << 10);
  EXPECT_EQ(in_whole_messages(small, named("k_nomial(3)"), BackendId::shared).name(),
            "k_nomial(3)");
  // On one node messages serve large broadcasts; small ones stay where they were.
  const Selection node(nothing, {8, 1});
  EXPECT_EQ(backend_of(node, eight, later), BackendId::p2p);
  EXPECT_EQ(backend_of(node, eight, at_once), BackendId::shared);
  EXPECT_EQ(backend_of(node, small, later), BackendId::shared);
}

TEST(Selection, FollowsMeasurementsOfWholeMessagesOnlyForWhatIsWaitedForLater) {
  using enum Waiting;
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->tuned.add({4, 1}, winner(Operation::broadcast, 1 << 20, "p2p", "chain(8)"));
  knowledge->tuned.add({4, 1}, winner(Operation::reduce, 1 << 20, "p2p", "butterfly"));
  knowledge->wanted[Operation::allreduce] = "ring";
  const Selection selection(knowledge, {4, 1});
  const plan::Problem broadcast = problem(Operation::broadcast, 4, 1 << 17);
  EXPECT_EQ(choice_by(selection, BackendId::p2p, broadcast, later).name(), "linear");
  EXPECT_FALSE(goes_in_pieces(choice_by(selection, BackendId::p2p, broadcast, later)));
  EXPECT_EQ(backend_of(selection, broadcast, at_once), BackendId::p2p);
  const plan::Problem reduce = problem(Operation::reduce, 4, 1 << 17);
  EXPECT_EQ(backend_of(selection, reduce, later), BackendId::p2p);
  EXPECT_EQ(choice_by(selection, BackendId::p2p, reduce, later).name(), "butterfly");
  const plan::Problem allreduce = problem(Operation::allreduce, 4, 1 << 17);
  EXPECT_EQ(choice_by(selection, BackendId::p2p, allreduce, later).name(), "ring");
}

std::shared_ptr<const plan::Hierarchy> nodes_of(const std::vector<int>& node_of_each) {
  return std::make_shared<const plan::Hierarchy>(plan::Hierarchy::named({node_of_each}));
}

TEST(Selection, RunsSchedulesBetweenNodes) {
  const auto nothing = std::make_shared<Knowledge>();
  const plan::Problem barrier = problem(Operation::barrier, 4, 0);
  EXPECT_EQ(backend_of(Selection(nothing, {4, 4, false}), barrier), BackendId::p2p);
  EXPECT_EQ(backend_of(Selection(nothing, {4, 2, true}, nodes_of({0, 0, 1, 1})), barrier),
            BackendId::shared);
  EXPECT_EQ(backend_of(Selection(nothing, {1, 1, false}), problem(Operation::barrier, 1, 0)),
            BackendId::p2p);
}

TEST(Selection, GoesByNodesWhereThatPays) {
  const auto nothing = std::make_shared<Knowledge>();
  for (const auto& nodes :
       {nodes_of({0, 1, 0, 1, 0, 1, 0, 1}), nodes_of({0, 0, 0, 0, 0, 1, 2, 2})}) {
    const Selection selection(nothing, {8, nodes->members(0), true}, nodes);
    for (const Operation operation :
         {Operation::barrier, Operation::broadcast, Operation::reduce, Operation::allreduce}) {
      const plan::Problem asked = problem(operation, 8, operation == Operation::barrier ? 0 : 1);
      const std::string name = choice_by(selection, BackendId::shared, asked).name();
      EXPECT_TRUE(name.starts_with("hierarchical(nodes: ")) << name;
      EXPECT_EQ(plan::parse_choice(operation, name).name(), name);
      EXPECT_NE(reasons(selection, BackendId::shared, asked).find("predicted"), std::string::npos);
    }
  }
}

TEST(Selection, LetsAllRanksSpeakBetweenNodesWhereThatIsQuicker) {
  // A leader would have to pass everything on to three others, which takes longer than the way
  // between the nodes.
  const auto nothing = std::make_shared<Knowledge>();
  const Selection selection(nothing, {8, 2, true}, nodes_of({0, 0, 0, 0, 1, 1, 1, 1}));
  const plan::Problem asked = problem(Operation::allgather, 8, 1 << 17);
  EXPECT_FALSE(choice_by(selection, BackendId::shared, asked).name().starts_with("hierarchical"));
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
            const auto choice = choice_by(selection, BackendId::shared, asked);
            ASSERT_NE(choice.algorithm, nullptr);
            EXPECT_TRUE(plan::may_solve(*choice.algorithm, asked)) << choice.name();
            EXPECT_FALSE(reasons(selection, BackendId::shared, asked).empty());
          }
        }
}

std::string with(std::string text, const std::string& old, const std::string& now) {
  return text.replace(text.find(old), old.size(), now);
}

TEST(DefaultTuning, IsDataThatASiteReplaces) {
  const std::string text(DefaultTuning::text_of_library());
  EXPECT_NO_THROW((void)DefaultTuning::from_json(text, "the library's own"));
  const std::string own =
      with(text, R"({"operation": "scan", "algorithms": ["recursive_doubling"]})",
           R"({"operation": "scan", "ranks": [4, 4], "algorithms": ["linear"]},
                                  {"operation": "scan", "algorithms": ["recursive_doubling"]})");
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->defaults =
      std::make_shared<const DefaultTuning>(DefaultTuning::from_json(own, "here"));
  for (const int ranks : {4, 5})
    EXPECT_EQ(choice_by(Selection(knowledge, {ranks, 1}), BackendId::shared,
                        problem(Operation::scan, ranks, 1))
                  .name(),
              ranks == 4 ? "linear" : "recursive_doubling");
  const DefaultTuning other = DefaultTuning::from_json(
      with(text, R"("moved_direct_from": 32768)", R"("moved_direct_from": 40000)"), "here");
  EXPECT_EQ(other.copies(false).moved_direct_from, 40000U);
  EXPECT_EQ(other.copies(true).direct_from, DefaultTuning::of_library()->copies(true).direct_from);
}

TEST(DefaultTuning, RefusesWhatItCantUnderstand) {
  const std::string text(DefaultTuning::text_of_library());
  for (const std::string& bad :
       {std::string(), std::string("[]"), std::string("{}"), with(text, "\"scan\"", "\"scam\""),
        with(text, "pairwise", "pearwise"), with(text, "\"near\"", "\"here\""),
        with(text, "[16384, null]", "[16384]"), with(text, "\"ranks\"", "\"rank\""),
        with(text, "({others})", "({mothers})"), with(text, "{pieces:4096}", "{pieces}"),
        with(text, "{pieces:4096}", "{pieces:4096"), with(text, ": 32768", ": -1"),
        with(text, "shared_cores", "cores"), with(text, "far_cores_from\"", "far\""),
        with(text, R"(    {"operation": "gather", "algorithms": ["linear"]},)", "")}) {
    try {
      (void)DefaultTuning::from_json(bad, "here");
      ADD_FAILURE() << bad.substr(0, 900);
    } catch (const rt::Error& error) {
      EXPECT_EQ(error.code(), rt::ExitCode::input_error);
      EXPECT_NE(std::string(error.what()).find("here"), std::string::npos);
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
    EXPECT_EQ(choice_by(near, BackendId::shared, asked).algorithm->tuning, "segments");
    EXPECT_NE(choice_by(far, BackendId::shared, asked).algorithm->tuning, "segments");
    EXPECT_EQ(choice_by(near, BackendId::shared, problem(operation, 2, 8)).name(),
              choice_by(far, BackendId::shared, problem(operation, 2, 8)).name());
  }
}

TEST(Selection, FindsTheSegmentsOfWhatPlansForArrivals) {
  auto knowledge = std::make_shared<Knowledge>();
  knowledge->wanted[plan::Operation::reduce] = "clairvoyant";
  const Selection selection(knowledge, {8, 1});
  const CallKey small{plan::Operation::reduce, 8}, large{plan::Operation::reduce, 1 << 24};
  EXPECT_TRUE(selection.decide(small).choice.name().starts_with("clairvoyant("));
  EXPECT_EQ(selection.decide(small).ground, Decision::Ground::wanted);
  EXPECT_NE(selection.decide(large).choice.tuning, selection.decide(small).choice.tuning);
  knowledge->wanted[plan::Operation::reduce] = "clairvoyant(3)";
  EXPECT_EQ(Selection(knowledge, {8, 1}).decide(large).choice.name(), "clairvoyant(3)");
}

TEST(Selection, KnowsWhichPlansForArrivalsGoInPieces) {
  const auto goes = [](const char* name) {
    return goes_in_pieces(plan::parse_choice(plan::Operation::reduce, name));
  };
  EXPECT_TRUE(goes("clairvoyant(4)"));
  EXPECT_TRUE(goes("clairvoyant(16,3600,strict) for arrivals 0*3,60000"));
  EXPECT_TRUE(goes("hierarchical(nodes: binomial | clairvoyant(4,100,strict) for arrivals 0,500)"));
  EXPECT_FALSE(goes("clairvoyant(1)"));
  EXPECT_FALSE(goes("clairvoyant(1,3600) for arrivals 0*3,60000"));
  EXPECT_FALSE(goes("hierarchical(nodes: binomial | clairvoyant(1,100) for arrivals 0,500)"));
}

TEST(Selection, DecidesByTheForecastWhereThereIsOne) {
  const Selection selection(std::make_shared<Knowledge>(), {8, 1});
  const CallKey key{plan::Operation::reduce, 1 << 16};
  const auto plan = plan::parse_choice(plan::Operation::reduce,
                                       "clairvoyant(4,3600,strict) for arrivals 0*7,60000");
  const Decision decision = selection.decide(key, plan);
  EXPECT_EQ(decision.ground, Decision::Ground::forecast);
  EXPECT_EQ(decision.choice, plan);
  // One for other ranks isn't heeded.
  const auto wrong = plan::parse_choice(plan::Operation::reduce,
                                        "clairvoyant(4,3600,strict) for arrivals 0*3,60000");
  EXPECT_EQ(selection.decide(key, wrong).ground, selection.decide(key).ground);
}

}  // namespace
}  // namespace cartwright::comm
