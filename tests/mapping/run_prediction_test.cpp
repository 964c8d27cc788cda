// SPDX-License-Identifier: Apache-2.0
// The model of a whole run: what must hold of it whatever the numbers are, and a few that are
// computed by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/predict/predict.hpp>
#include <cartwright/mapping/predict/run_prediction.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/mapping/search/tile.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <ctime>
#include <numeric>

namespace cartwright::mapping {
namespace {

plan::Machine frontier() {
  return read_machine(CARTWRIGHT_INPUTS "/machines/frontier.yaml");
}

/// A node of two cores and nothing else to know.
plan::Machine two_cores() {
  return parse_machine(R"(
name: pair
source: test
levels:
  node:
    hockney: {latency: 2 us, bandwidth: 1 GB/s}
  core:
    units: 2
    hockney: {latency: 1 us, bandwidth: 2 GB/s}
)",
                       "pair.yaml");
}

/// 1 ns a cell and 1 us to begin; two exchanges, one of them beside a kernel; one sum.
StepProfile profile(std::vector<long long> extents) {
  StepProfile made;
  made.solver = "heat";
  made.deck = "heat.yaml";
  made.measured = "by hand";
  made.periodic.assign(extents.size(), false);
  made.sampled = extents;
  made.extents = std::move(extents);
  made.steps = 100;
  made.halo = 1;
  made.cell_bytes = 16;
  for (const double cells : {100.0, 10'000.0, 1'000'000.0})
    made.kernels.push_back({cells, 1e-6 + 1e-9 * cells, 1e-10 * cells, 1e-6});
  made.exchanges = {{0, 8.0, false, 2.0, 1.0}};
  made.collectives = {{plan::Operation::allreduce, 64, 1.0}};
  made.outputs = {{"output", 2.0, 8e6, 0.01, 0.0}};
  return made;
}

PredictedRun predicted(const StepProfile& of, int ranks, PredictionRequest how = {}) {
  how.ranks = ranks;
  return predict_run(of, frontier(), how);
}

TEST(RunPrediction, PartsSumUp) {
  for (const int ranks : {1, 2, 3, 7, 64, 97, 1024, 65'536}) {
    const PredictedRun run = predicted(profile({4096, 4096}), ranks);
    double sum = 0.0;
    for (std::size_t part = 0; part < run_parts; ++part) {
      EXPECT_GE(run.seconds[part], 0.0) << ranks;
      sum += run.of(static_cast<RunPart>(part));
    }
    EXPECT_DOUBLE_EQ(run.step(), sum);
    EXPECT_EQ(
        std::accumulate(run.process_grid.begin(), run.process_grid.end(), 1, std::multiplies<>{}),
        ranks);
  }
}

TEST(RunPrediction, OneRankTalksToNobody) {
  const PredictedRun run = predicted(profile({1000, 1000}), 1);
  EXPECT_DOUBLE_EQ(run.of(RunPart::kernels), 1e-6 + 1e-3);
  EXPECT_DOUBLE_EQ(run.of(RunPart::boundary), 1e-4);
  EXPECT_EQ(run.of(RunPart::halo), 0.0);
  EXPECT_EQ(run.of(RunPart::reductions), 0.0);
  // 2 files in 100 steps, each 10 ms and 8 MB at 2 GB/s.
  EXPECT_NEAR(run.of(RunPart::output), 2 * (0.010 + 0.004) / 100, 1e-12);
}

TEST(RunPrediction, NothingIsDueInARunOfNoSteps) {
  StepProfile none = profile({64, 64});
  none.steps = 0;
  EXPECT_EQ(predicted(none, 4).of(RunPart::output), 0.0);
}

TEST(RunPrediction, MoreRanksComputeLessAndReduceLonger) {
  PredictedRun before = predicted(profile({4096, 4096}), 1);
  for (int ranks = 2; ranks <= 1 << 20; ranks *= 2) {
    const PredictedRun run = predicted(profile({4096, 4096}), ranks);
    EXPECT_LE(run.of(RunPart::kernels), 1.000001 * before.of(RunPart::kernels)) << ranks;
    EXPECT_GE(run.of(RunPart::reductions), before.of(RunPart::reductions)) << ranks;
    before = run;
  }
}

TEST(RunPrediction, MoreBytesTakeLonger) {
  StepProfile thick = profile({4096, 4096});
  thick.exchanges.front().overlapped = 0.0;
  const double thin_seconds = predicted(thick, 1024).of(RunPart::halo);
  thick.exchanges.front().layer_bytes *= 10;
  EXPECT_GT(predicted(thick, 1024).of(RunPart::halo), thin_seconds);
  thick.outputs.front().bytes *= 10;
  EXPECT_GT(predicted(thick, 1024).of(RunPart::output),
            predicted(profile({4096, 4096}), 1024).of(RunPart::output));
}

TEST(RunPrediction, KernelsHideMessages) {
  StepProfile hidden = profile({4096, 4096});
  hidden.exchanges.front().overlapped = 2.0;
  StepProfile bare = hidden;
  bare.exchanges.front().overlapped = 0.0;
  const PredictedRun a = predicted(hidden, 256), b = predicted(bare, 256);
  EXPECT_DOUBLE_EQ(a.flight, b.flight);
  EXPECT_NEAR(b.of(RunPart::halo) - a.of(RunPart::halo), a.flight, 1e-12);
  hidden.overlap = false;
  EXPECT_DOUBLE_EQ(predicted(hidden, 256).of(RunPart::halo), b.of(RunPart::halo));
}

// Four ranks on two cores take turns.
TEST(RunPrediction, RanksThatShareCoresTakeTurns) {
  const StepProfile of = profile({1000, 1000});
  const PredictedRun two = predict_run(of, two_cores(), {.ranks = 2, .node_size = 4});
  const PredictedRun four = predict_run(of, two_cores(), {.ranks = 4, .node_size = 4});
  EXPECT_EQ(four.nodes, 1);
  EXPECT_EQ(four.turns, 2.0);
  EXPECT_NEAR(four.of(RunPart::kernels), two.of(RunPart::kernels), 1.1e-6);  // one begin more
  EXPECT_EQ(four.remarks.size(), 1U);
}

TEST(RunPrediction, WaitsOnSharedCoresTakeWhatWasMeasured) {
  StepProfile of = profile({1000, 1000});
  const PredictionRequest how{.ranks = 4, .node_size = 4};
  const PredictionRequest two{.ranks = 2, .node_size = 2};
  // All ranks do what a file takes: it takes turns.
  const auto files = [&of](const PredictionRequest& request) {
    return predict_run(of, two_cores(), request).of(RunPart::output);
  };
  EXPECT_NEAR(files(how) - files(two), 2.0 * 0.01 / 100, 1e-12);
  of.outputs.push_back({"pictures", 2.0, 0.0, 0.01, 0.0});
  const StepProfile cheap = of;
  const PredictedRun free = predict_run(of, two_cores(), how);
  of.turn_seconds = 1e-4;
  of.beside_waiting = 1.5;
  const PredictedRun dear = predict_run(of, two_cores(), how);
  // Two exchanges, a sum, and the question whether to stop.
  EXPECT_NEAR(dear.of(RunPart::loop) - free.of(RunPart::loop), 4e-4, 1e-12);
  EXPECT_NEAR(dear.of(RunPart::output) - free.of(RunPart::output), 2.0 * 0.5 * 0.01 / 100, 1e-12);
  EXPECT_EQ(predict_run(of, two_cores(), two).step(), predict_run(cheap, two_cores(), two).step());
}

// Two that were measured at the same time slowed each other down: one alone is quicker, here; on
// another machine each core is taken to be as quick as one alone.
TEST(RunPrediction, CoresSlowEachOther) {
  StepProfile of = profile({1000, 1000});
  of.together = 2;
  of.core_speeds = {1.0, 0.5};
  const auto kernels = [&](int ranks, bool is_here) {
    return predict_run(of, two_cores(), {.ranks = ranks, .node_size = 2, .is_here = is_here})
        .of(RunPart::kernels);
  };
  EXPECT_DOUBLE_EQ(kernels(1, true), 0.5 * (1e-6 + 1e-3));
  EXPECT_DOUBLE_EQ(kernels(2, true), 1e-6 + 0.5e-3);
  EXPECT_DOUBLE_EQ(kernels(2, false), 0.5 * kernels(2, true));
}

// Each rank finds what all do to its own: half of all pairs on two ranks, and with twice as many
// particles four times as many pairs.
TEST(RunPrediction, PairsOfParticles) {
  StepProfile of = profile({32, 32, 32});
  of.pair_seconds = 8e-3;
  EXPECT_DOUBLE_EQ(predicted(of, 1).of(RunPart::kernels), 8e-3);
  EXPECT_DOUBLE_EQ(predicted(of, 4).of(RunPart::kernels), 2e-3);
  EXPECT_DOUBLE_EQ(predicted(of, 4, {.extents = {64, 32, 32}}).of(RunPart::kernels), 8e-3);
}

/// Bytes take time, nothing else does; a node has one rank.
plan::Machine bytes_alone() {
  return parse_machine(R"(
name: bytes
source: test
levels:
  node:
    hockney: {latency: 1 ns, bandwidth: 1 GB/s}
)",
                       "bytes.yaml");
}

// N particles on P = p q ranks: a rank gets N/P (P - 1) positions, or N/P (p - 1) of the longer of
// two axes, and q - 1 times as many sums as it has particles. What goes round is hidden by kernels.
TEST(RunPrediction, TrafficOfPairs) {
  StepProfile of = profile({32, 32, 32});
  of.exchanges.clear();
  of.collectives.clear();
  of.pair_seconds = 1e-9;
  const auto seconds = [&](PairWay way, int ranks, std::vector<long long> extents = {}) {
    of.pairs = PairTraffic{way, 12'000, 24, 32};
    return predict_run(of, bytes_alone(),
                       {.ranks = ranks,
                        .extents = std::move(extents),
                        .node_size = 1,
                        .transport = Transport::messages})
        .of(RunPart::reductions);
  };
  const double position = 24e-9, sum = 32e-9;
  EXPECT_EQ(seconds(PairWay::allgather, 1), 0.0);
  EXPECT_NEAR(seconds(PairWay::allgather, 12), 11'000 * position, 1e-7);
  EXPECT_NEAR(seconds(PairWay::ring, 12), 11'000 * position, 1e-7);
  EXPECT_NEAR(seconds(PairWay::rows_and_columns, 12), 3'000 * position + 2'000 * sum, 1e-7);
  EXPECT_NEAR(seconds(PairWay::rows_and_columns, 5), 4 * 2'400 * position, 1e-7);
  EXPECT_NEAR(seconds(PairWay::ring, 12, {64, 32, 32}), 22'000 * position, 1e-7);
  of.pair_seconds = 1.0;
  EXPECT_EQ(seconds(PairWay::ring, 12), 0.0);
  EXPECT_NEAR(seconds(PairWay::allgather, 12), 11'000 * position, 1e-7);
}

// Of each message on its way round: both processors and the way.
TEST(RunPrediction, PairsThatGoRoundKeepProcessors) {
  const plan::Machine machine = parse_machine(R"(
name: processors
source: test
levels:
  node:
    loggp: {latency: 1 us, send_overhead: 2 us, receive_overhead: 3 us, gap: 0.1 us, bandwidth: 1 TB/s}
)",
                                              "processors.yaml");
  StepProfile of = profile({32, 32, 32});
  of.exchanges.clear();
  of.collectives.clear();
  of.pair_seconds = 1e-12;
  of.pairs = PairTraffic{PairWay::ring, 12, 24, 32};
  EXPECT_NEAR(
      predict_run(of, machine, {.ranks = 12, .node_size = 1, .transport = Transport::messages})
          .of(RunPart::reductions),
      11 * 6e-6, 1e-9);
}

TEST(RunPrediction, UnknownTrafficOfPairsIsSaid) {
  StepProfile of = profile({32, 32, 32});
  of.pair_seconds = 1e-3;
  EXPECT_EQ(predicted(of, 4).remarks.size(), 1U);
  of.pairs = PairTraffic{PairWay::ring, 1000, 24, 0};
  EXPECT_TRUE(predicted(of, 4).remarks.empty());
  const StepProfile again = parse_profile(profile_text(of), "p.json");
  ASSERT_TRUE(again.pairs);
  EXPECT_EQ(again.pairs->way, PairWay::ring);
  EXPECT_EQ(again.pairs->particles, 1000);
}

// Memory of a node that is full of ranks gives each of them an eighth of what one core alone gets.
/// Large blocks make several steps at once, where that is quicker; smaller ones have no room for
/// it, and neither had the run.
TEST(RunPrediction, RanksChooseHowManyStepsAtOnce) {
  StepProfile of = profile({512, 512, 512});
  EXPECT_EQ(predicted(of, 8).steps_at_once, 1);
  for (const int steps : {1, 2, 4}) {
    of.at_once.push_back({steps, of.kernels, of.exchanges});
    StepsAtOnce& turns = of.at_once.back();
    for (KernelSample& sample : turns.kernels) sample.kernels /= std::sqrt(steps);
    for (ExchangeKind& kind : turns.exchanges) {
      kind.layer_bytes *= steps;
      kind.times /= steps;
      kind.overlapped /= steps;
    }
  }
  int before = 4;
  for (int ranks = 1; ranks <= 1 << 21; ranks *= 8) {
    const PredictedRun run = predicted(of, ranks);
    const auto least = *std::ranges::min_element(run.block);
    EXPECT_LE(run.steps_at_once, most_steps_at_once({least, least, least}, of.halo));
    EXPECT_LE(run.steps_at_once, before) << ranks;
    before = run.steps_at_once;
  }
  EXPECT_EQ(predicted(of, 8).steps_at_once, 4);
  EXPECT_EQ(before, 1);
  // One rank computes nothing twice; others do, the less the larger their blocks are.
  const auto kernels = [&of](int ranks) {
    StepProfile alone = of;
    alone.at_once.clear();
    return predicted(of, ranks).of(RunPart::kernels) / predicted(alone, ranks).of(RunPart::kernels);
  };
  EXPECT_NEAR(kernels(1), 0.5, 1e-9);
  EXPECT_GT(kernels(512), 1.1 * kernels(8));
  EXPECT_GT(kernels(8), kernels(1));
  EXPECT_EQ(profile_text(parse_profile(profile_text(of), "p.json")), profile_text(of));
  StepProfile wrong = of;
  std::swap(wrong.at_once[0], wrong.at_once[1]);
  EXPECT_THROW((void)parse_profile(profile_text(wrong), "p.json"), rt::Error);
  of.at_once.back().kernels.clear();
  EXPECT_THROW((void)parse_profile(profile_text(of), "p.json"), rt::Error);
}

TEST(RunPrediction, CoresShareMemory) {
  StepProfile of = profile({8192, 8192});
  of.memory_bandwidth = 20e9;
  of.kernels = {{1e4, 1e-5, 0, 0}, {1e6, 2e-3, 0, 0}};  // twice as long for each cell from memory
  const PredictedRun one = predicted(of, 1), full = predicted(of, 64);
  EXPECT_NEAR(one.of(RunPart::kernels), 64 * 1.048576e6 * 2e-9, 1e-9);
  EXPECT_TRUE(full.by_memory);
  EXPECT_NEAR(full.of(RunPart::kernels), 1.048576e6 * 2e-9 * 20.0 / (164.0 / 64), 1e-6);
}

TEST(RunPrediction, RefusesAsTheRunDoes) {
  try {
    (void)predicted(profile({8, 8}), 65);
    FAIL() << "65 ranks share 64 cells";
  } catch (const rt::Error& error) {
    std::string of_run;
    try {
      (void)choose_process_grid({.ranks = 65, .extents = {8, 8}, .node_size = 64});
    } catch (const rt::Error& same) {
      of_run = same.what();
    }
    EXPECT_EQ(error.what(), of_run);
    EXPECT_EQ(error.code(), rt::ExitCode::input_error);
  }
  StepProfile wide = profile({8, 8});
  wide.halo = 2;
  EXPECT_THROW((void)predicted(wide, 64), rt::Error);
}

TEST(RunPrediction, PrimesAndUnevenExtents) {
  const PredictedRun run = predicted(profile({101, 7}), 97);
  EXPECT_EQ(run.process_grid, (std::vector<int>{97, 1}));
  EXPECT_EQ(run.block, (std::vector<long long>{2, 7}));
  EXPECT_EQ(run.nodes, 2);
}

TEST(RunPrediction, TilesLeaveFewerFaces) {
  const StepProfile of = profile({1024, 1024, 1024});
  const PredictedRun usual = predicted(of, 4096, {.remapped = false});
  const PredictedRun dealt = predicted(of, 4096);
  const auto out = [](const PredictedRun& run) {
    return std::accumulate(run.around.node_out.begin(), run.around.node_out.end(), 0LL);
  };
  EXPECT_EQ(usual.around.mapping, "ranks in their order");
  EXPECT_EQ(dealt.around.mapping, "tiles of 4 x 4 x 4");
  EXPECT_EQ(out(dealt), 6 * 16);
  EXPECT_GT(out(usual), out(dealt));
  EXPECT_LE(dealt.flight, usual.flight);
}

// The busiest of all nodes and ranks, counted one by one.
TEST(RunPrediction, RepresentativesAreTheBusiest) {
  for (const std::vector<int>& dims :
       {std::vector<int>{8, 12}, {32, 3}, {4, 4, 6}, {96, 1}, {2, 48}})
    for (const bool periodic : {false, true}) {
      const GridShape shape{dims, std::vector<bool>(dims.size(), periodic)};
      const NodeMap map = fill_in_order(shape, std::vector<int>(8, 12));
      const FaceTable faces(shape);
      std::vector<long long> out(8, 0);
      for (int at = 0; at < 96; ++at)
        for (std::size_t way = 0; way < faces.directions(); ++way) {
          const int other = faces.of(at)[way];
          if (other < 96 &&
              map.nodes[static_cast<std::size_t>(other)] != map.nodes[static_cast<std::size_t>(at)])
            ++out[static_cast<std::size_t>(map.nodes[static_cast<std::size_t>(at)])];
        }
      const Surroundings most = surroundings(shape, 12, false, {});
      EXPECT_EQ(std::accumulate(most.node_out.begin(), most.node_out.end(), 0LL),
                *std::ranges::max_element(out))
          << to_text(dims);
    }
}

// A halo exchange without kernels beside it is what `map` predicts, but that there one message of a
// rank is on its way only after the other.
TEST(RunPrediction, AgreesWithTheMapOnHalos) {
  StepProfile of = profile({4096, 4096});
  of.exchanges = {{0, 800.0, false, 1.0, 0.0}};
  const PredictedRun run =
      predicted(of, 1024, {.remapped = false, .transport = Transport::messages});
  const GridShape shape{run.process_grid, {false, false}};
  const double by_map = halo_time(
      fill_in_order(shape, std::vector<int>(16, 64)), node_channels(frontier()),
      {800.0 * static_cast<double>(run.block[1]), 800.0 * static_cast<double>(run.block[0])});
  EXPECT_NEAR(run.flight, by_map, 0.25 * by_map);
}

TEST(RunPrediction, AMillionRanksAreQuick) {
  const std::clock_t begin = std::clock();  // of this process alone
  const PredictedRun run = predicted(profile({16'384, 16'384, 16'384}), 1 << 20);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 60.0);
  EXPECT_EQ(run.nodes, 16'384);
  EXPECT_FALSE(run.remarks.empty()) << "frontier has 9472 nodes";
}

TEST(RunPrediction, BackendsDiffer) {
  const StepProfile of = profile({4096, 4096});
  const PredictedRun memory = predicted(of, 4096),
                     native = predicted(of, 4096, {.transport = Transport::native});
  EXPECT_LT(memory.of(RunPart::reductions), native.of(RunPart::reductions));
  EXPECT_EQ(transport_of("shared"), Transport::memory);
  EXPECT_THROW((void)transport_of("psychic"), rt::Error);
}

TEST(RunPrediction, KernelsBetweenSamples) {
  const StepProfile of = profile({64, 64});
  EXPECT_NEAR(kernels_of(of.kernels, 5000).kernels, 6e-6, 1e-12);
  EXPECT_NEAR(kernels_of(of.kernels, 10).kernels, 1.01e-6, 1e-9);    // to begin takes what it takes
  EXPECT_NEAR(kernels_of(of.kernels, 2e6).kernels, 2.002e-3, 1e-9);  // in proportion
  EXPECT_EQ(kernels_of(of.kernels, 2e6).loop, 1e-6);
}

TEST(RunPrediction, WeakScalingKeepsTheBlock) {
  const StepProfile of = profile({100, 60});
  for (const int ranks : {1, 2, 6, 64, 97, 1000}) {
    const PredictedRun run = predict_run(of, frontier(), scaled(of, Scaling::weak, ranks, 1));
    EXPECT_EQ(run.block, of.extents) << ranks;
  }
}

TEST(RunPrediction, SaysWhereItBends) {
  std::vector<PredictedRun> runs;
  for (int ranks = 1; ranks <= 1 << 14; ranks *= 2)
    runs.push_back(predicted(profile({1024, 1024}), ranks));
  const std::vector<Bend> found = bends(runs, Scaling::strong);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.front().why.find(name_of(found.front().part)), std::string::npos);
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_GT(found[i].ranks, found[i - 1].ranks);
    EXPECT_NE(found[i].part, found[i - 1].part);
  }
  EXPECT_TRUE(bends({runs.data(), 1}, Scaling::strong).empty());
  EXPECT_TRUE(bends({}, Scaling::weak).empty());
  EXPECT_DOUBLE_EQ(efficiency(runs.front(), runs.front(), Scaling::weak), 1.0);
}

TEST(StepProfileFile, ComesBack) {
  const StepProfile of = profile({640, 480});
  const std::string text = profile_text(of);
  EXPECT_EQ(profile_text(parse_profile(text, "p.json")), text);
}

TEST(StepProfileFile, RefusesGarbage) {
  const std::string good = profile_text(profile({640, 480}));
  const auto without = [&good](const std::string& part, const std::string& instead) {
    std::string bad = good;
    bad.replace(bad.find(part), part.size(), instead);
    return bad;
  };
  for (const std::string& bad :
       {std::string(), std::string("{}"), std::string("[1, 2]"), good.substr(0, good.size() / 2),
        without("profile 2", "profile 9"), without("allreduce", "allseduce"),
        without("\"steps\": 100.0", "\"steps\": -1"), without("640", "0"),
        without("\"halo\"", "\"salo\""), without("\"cells\": 100.0", "\"cells\": 1e9")})
    EXPECT_THROW((void)parse_profile(bad, "p.json"), rt::Error) << bad;
}

}  // namespace
}  // namespace cartwright::mapping
