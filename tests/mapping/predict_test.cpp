// SPDX-License-Identifier: Apache-2.0
// Predicted times of halo exchanges and axis broadcasts, and the choice of mapping and schedule.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/predict/scheduled_mapping.hpp>
#include <cartwright/mapping/predict/simulate_axes.hpp>
#include <cartwright/mapping/search/tile.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <validation/formulas/channel_cost.hpp>

#include "imagined_machine.hpp"

namespace cartwright::mapping {
namespace {

constexpr double mega = 1e6;
constexpr double mebi = 1024.0 * 1024.0;

std::vector<int> equal_nodes(const GridShape& shape, int each) {
  std::vector<int> sizes(static_cast<std::size_t>(shape.size() / each), each);
  return sizes;
}

NodeMap in_order(const GridShape& shape, int each) {
  return fill_in_order(shape, equal_nodes(shape, each));
}

NodeMap tiled(const GridShape& shape, const std::vector<int>& tile) {
  const TileOrder order(shape, tile);
  const int each = static_cast<int>(GridShape{tile, shape.periodic}.size());
  NodeMap map{shape, {}, static_cast<int>(shape.size()) / each};
  for (int rank = 0; rank < shape.size(); ++rank)
    map.nodes.push_back(order.slot(shape.coordinates_of(rank)) / each);
  return map;
}

/// B(j) = min(j, c) / β.
plan::Concurrency of_channels(double byte_time, double channels) {
  plan::Concurrency curve;
  const auto most = static_cast<int>(std::ceil(std::max(channels, 1.0)));
  for (int messages = 1; messages <= most; ++messages) {
    curve.bandwidth.push_back(std::min<double>(messages, channels) / byte_time);
  }
  return curve;
}

NodeChannels channels_of(const validation::formulas::ChannelCosts& costs) {
  return {
      .between = {plan::hockney(costs.latency, costs.between_byte_time),
                  of_channels(costs.between_byte_time, costs.between_channels)},
      .inside = {plan::hockney(costs.latency, costs.inside_byte_time),
                 of_channels(costs.inside_byte_time, costs.inside_channels)},
  };
}

// The bandwidths of whole nodes that sum up the measurements: c_E and c_I channels.
validation::formulas::ChannelCosts ra_costs() {
  validation::formulas::ChannelCosts ra;
  ra.between_byte_time = 1.0 / (1021.3 * mega);
  ra.between_channels = 2.66;
  ra.inside_byte_time = 1.0 / (1271.0 * mega);
  ra.inside_channels = 1.20;
  return ra;
}

validation::formulas::ChannelCosts jaguar_costs() {
  validation::formulas::ChannelCosts jaguar;
  jaguar.between_byte_time = 1.0 / (1627.5 * mega);
  jaguar.between_channels = 1.62;
  jaguar.inside_byte_time = 1.0 / (2218.8 * mega);
  jaguar.inside_channels = (1385.0 + 724.0 * 6) / 2218.8;
  return jaguar;
}

/// ms, with segments so short that filling the chains takes no time.
double overlapped_ms(const NodeMap& map, const validation::formulas::ChannelCosts& costs,
                     double bytes) {
  const AxisSchedule schedule{.tree = LineTree::chain, .overlapped = true, .segment = bytes / 1e6};
  return 1e3 * axis_time(map, channels_of(costs), schedule, bytes).seconds;
}

// Karlsson's RA: ranks in their order win when axes overlap, tiles on Jaguar.
TEST(AxisTime, OverlappedAxesOnRaAndJaguar) {
  const auto ra = testing::bounded({8, 6});
  EXPECT_NEAR(overlapped_ms(in_order(ra, 8), ra_costs(), 16 * mebi), 77.0, 0.1);
  EXPECT_NEAR(overlapped_ms(tiled(ra, {4, 2}), ra_costs(), 16 * mebi), 110.0, 0.1);
  const auto jaguar = testing::bounded({12, 12});
  EXPECT_NEAR(overlapped_ms(in_order(jaguar, 12), jaguar_costs(), 64 * mebi), 305.0, 0.6);
  EXPECT_NEAR(overlapped_ms(tiled(jaguar, {3, 4}), jaguar_costs(), 64 * mebi), 199.0, 0.6);
}

// Where interior nodes exist and all latencies are equal, the formula of the thesis' balance.
TEST(AxisTime, AgreesWithTheFormulaOfChannelBalance) {
  auto costs = jaguar_costs();
  costs.latency = 5e-6;
  const double bytes = 64 * mebi;
  const double segment = mebi;
  const auto shape = testing::bounded({24, 24});
  for (const auto& tile : std::vector<std::vector<int>>{{3, 4}, {12, 1}, {2, 6}, {1, 12}}) {
    const validation::formulas::ChannelGrid grid{shape.dims, tile};
    const AxisSchedule schedule{.segment = segment};
    EXPECT_NEAR(axis_time(tiled(shape, tile), channels_of(costs), schedule, bytes).seconds,
                balanced_pipeline_time(grid, costs, bytes, segment), 1e-9);
  }
}

// The busiest step of every round of low-bit binomial trees, one channel, all inside free.
TEST(AxisTime, BinomialTreesLikeTheRepairedFormula) {
  validation::formulas::ChannelCosts costs;
  costs.between_byte_time = 1.0;
  costs.inside_byte_time = 1e-12;
  costs.inside_channels = 1e6;
  const auto steps = [&](const NodeMap& map) {
    return axis_time(map, channels_of(costs), {.tree = LineTree::low_binomial}, 1.0).seconds;
  };
  const auto four = testing::bounded({4, 4});
  EXPECT_NEAR(steps(in_order(four, 4)), 8.0, 1e-6);
  EXPECT_NEAR(steps(tiled(four, {2, 2})), 4.0, 1e-6);
  const auto eight = testing::bounded({8, 8});
  EXPECT_NEAR(steps(in_order(eight, 8)), 24.0, 1e-6);
  EXPECT_NEAR(steps(tiled(eight, {2, 4})), 10.0, 1e-6);
  EXPECT_NEAR(steps(tiled(testing::bounded({4, 4, 4}), {2, 2, 2})), 12.0, 1e-6);
}

// A tree's rounds, and that a two-level tree sends less between nodes.
TEST(AxisTime, OtherTrees) {
  validation::formulas::ChannelCosts costs;
  costs.latency = 1.0;
  const auto line = testing::bounded({16});
  const auto seconds = [&](LineTree tree) {
    return axis_time(in_order(line, 4), channels_of(costs), {.tree = tree}, 1.0).seconds;
  };
  EXPECT_NEAR(seconds(LineTree::low_binomial), 4.0, 1e-9);
  EXPECT_NEAR(seconds(LineTree::high_binomial), 4.0, 1e-9);
  EXPECT_NEAR(seconds(LineTree::hierarchical), 4.0, 1e-9);
}

TEST(AxisTime, ShortAxesAndOneRank) {
  const auto channels = channels_of(jaguar_costs());
  EXPECT_EQ(axis_time(in_order(testing::bounded({1, 1}), 1), channels, {}, 1e6).seconds, 0.0);
  const auto line = in_order(testing::bounded({1, 12}), 12);
  EXPECT_EQ(axis_time(line, channels, {}, 1e6, 0).seconds, 0.0);
  EXPECT_GT(axis_time(line, channels, {}, 1e6, 1).seconds, 0.0);
  const auto all = axis_times(line, channels, 1e6);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_DOUBLE_EQ(all[0].seconds, all[1].seconds);  // one axis has nothing to overlap
}

// The best segment is at least as good as any other.
TEST(AxisTime, ChoosesSegments) {
  auto costs = jaguar_costs();
  costs.latency = 2e-6;
  const auto map = tiled(testing::bounded({12, 12}), {3, 4});
  const double bytes = 4 * mebi;
  const double best = axis_time(map, channels_of(costs), {}, bytes).seconds;
  for (double segment = 512; segment <= bytes; segment *= 2)
    EXPECT_LE(best, axis_time(map, channels_of(costs), {.segment = segment}, bytes).seconds);
}

ScheduledMapping chosen(const GridShape& shape, int each,
                        const validation::formulas::ChannelCosts& costs, double bytes) {
  const std::vector<MappingCandidate> two{{"ranks in their order", in_order(shape, each)},
                                          {"tiles", tiled(shape, *choose_tile(shape, each))}};
  return choose_mapping_and_schedule(two, channels_of(costs),
                                     {.line_bytes = bytes, .broadcasts = 1.0});
}

TEST(Choice, MappingAndScheduleTogether) {
  const auto ra = chosen(testing::bounded({8, 6}), 8, ra_costs(), 16 * mebi);
  EXPECT_EQ(ra.mapping.name, "ranks in their order");
  EXPECT_TRUE(ra.broadcast.schedule.overlapped);
  EXPECT_EQ(ra.broadcast.limit, Limit::inside_nodes);
  const auto jaguar = chosen(testing::bounded({12, 12}), 12, jaguar_costs(), 64 * mebi);
  EXPECT_EQ(jaguar.mapping.name, "tiles");
  EXPECT_TRUE(jaguar.broadcast.schedule.overlapped);
  for (const auto& explanation : {ra.explanation, jaguar.explanation}) {
    EXPECT_EQ(std::count(explanation.begin(), explanation.end(), '\n'), 1) << explanation;
    EXPECT_NE(explanation.find("overlapped"), std::string::npos) << explanation;
    EXPECT_NE(explanation.find("times as long"), std::string::npos) << explanation;
  }
}

// A little less time isn't worth more faces.
TEST(Choice, PrefersFewerFacesWherePredictionsAreClose) {
  const auto shape = testing::bounded({12, 12});
  MappingCandidate few{"few", tiled(shape, {3, 4})};
  MappingCandidate many{"many", in_order(shape, 12)};
  few.cost = 60.0;
  many.cost = 132.0;
  auto costs = jaguar_costs();
  const auto best = [&](double inside) {
    costs.inside_channels = inside;
    return choose_mapping_and_schedule(std::vector{many, few}, channels_of(costs),
                                       {.line_bytes = 64 * mebi, .broadcasts = 1.0});
  };
  const auto close = best(1.65);  // 11 / 1.65 on order, 17 / 1.65 on tiles, of 12 and 7 outside
  EXPECT_EQ(close.mapping.name, "few");
  EXPECT_NE(close.explanation.find("compared with many"), std::string::npos);
  EXPECT_EQ(best(0.8).mapping.name, "many");
}

plan::Machine machine(const std::string& name) {
  return read_machine(CARTWRIGHT_INPUTS "/machines/" + name + ".yaml");
}

// The same decision from the curves B(j) of the machines' descriptions.
TEST(Choice, FromMachineDescriptions) {
  const auto best = [](const char* name, const GridShape& shape, int each, double bytes) {
    const std::vector<MappingCandidate> two{{"ranks in their order", in_order(shape, each)},
                                            {"tiles", tiled(shape, *choose_tile(shape, each))}};
    return choose_mapping_and_schedule(two, node_channels(machine(name)),
                                       {.line_bytes = bytes, .broadcasts = 1.0});
  };
  EXPECT_EQ(best("ra", testing::bounded({8, 6}), 8, 16 * mebi).mapping.name,
            "ranks in their order");
  EXPECT_EQ(best("jaguar", testing::bounded({12, 12}), 12, 64 * mebi).mapping.name, "tiles");
}

TEST(Choice, NoOtherPairOfThePortfolioIsClearlyQuicker) {
  const auto shape = testing::bounded({14, 10});
  const MappingRequest request{shape, equal_nodes(shape, 10)};
  const auto channels = channels_of(jaguar_costs());
  const GridWorkload workload{
      .face_bytes = {8192.0}, .halos = 10.0, .line_bytes = mebi, .broadcasts = 1.0};
  const auto best = choose_mapping_and_schedule(request, channels, workload);
  for (const auto& candidate : mapping_portfolio(request)) {
    for (const auto& broadcast : axis_times(candidate.map, channels, mebi)) {
      EXPECT_LE(best.seconds / clear_gain,
                broadcast.seconds + 10.0 * halo_time(candidate.map, channels, {8192.0}) + 1e-12);
    }
  }
}

// 4 x 4 on nodes of 4: in order a middle node sends 8 messages, as a tile 4.
TEST(HaloTime, IsThatOfTheBusiestNode) {
  validation::formulas::ChannelCosts costs;
  costs.between_byte_time = 1e-9;
  costs.inside_byte_time = 1e-15;
  costs.inside_channels = 1e6;
  const auto shape = testing::bounded({4, 4});
  const auto channels = channels_of(costs);
  EXPECT_NEAR(halo_time(in_order(shape, 4), channels, {1e6}), 8e-3, 1e-6);
  EXPECT_NEAR(halo_time(tiled(shape, {2, 2}), channels, {1e6}), 4e-3, 1e-6);
  // Bytes by axis: in order only y leads off a node.
  EXPECT_NEAR(halo_time(in_order(shape, 4), channels, {1e6, 1e3}), 8e-6, 1e-6);
  // Rings: every node of a tile sends 8 messages, too.
  EXPECT_NEAR(halo_time(tiled(testing::periodic({4, 4}), {2, 2}), channels, {1e6}), 8e-3, 1e-6);
  EXPECT_EQ(halo_time(in_order(testing::bounded({1}), 1), channels, {1e6}), 0.0);
}

TEST(NodeChannels, OfMachines) {
  const auto jaguar = node_channels(machine("jaguar"));
  EXPECT_EQ(jaguar.node_size, 12);
  EXPECT_NEAR(jaguar.between.shared_time(2, 3203.4e6), 1.0, 1e-9);
  EXPECT_NEAR(jaguar.inside.shared_time(6, 5887.4e6), 1.0, 1e-9);
  EXPECT_NEAR(jaguar.inside.start(1.0), 0.37e-6, 1e-12);
  const auto ra = node_channels(machine("ra"));  // whose nodes have a curve of their own inside
  EXPECT_NEAR(ra.inside.shared_time(3, 1714.3e6), 1.0, 1e-9);
  EXPECT_NEAR(ra.inside.shared_time(12, 1603.1e6), 1.0, 1e-9);
  // Nodes of frontier are its second level; 8 caches are 4 pairs of 40 GB/s.
  const auto frontier = machine("frontier");
  EXPECT_EQ(node_level(frontier), 1U);
  EXPECT_NEAR(node_channels(frontier).inside.shared_time(64, 160e9), 1.0, 1e-9);
  EXPECT_THROW((void)node_channels(machine("archer")), rt::Error);
}

// Message by message on Jaguar's description: near the prediction, in the same order. (Inside a
// node the simulator only shares what leaves a socket, the prediction everything: it may be above.)
TEST(SimulateAxes, NearThePredictionOnJaguar) {
  const auto shape = testing::bounded({12, 12});
  const auto description = machine("jaguar");
  const auto channels = node_channels(description);
  const auto bytes = static_cast<plan::Count>(64 * mebi);
  for (const LineTree tree : {LineTree::chain, LineTree::low_binomial}) {
    for (const bool overlapped : {false, true}) {
      const AxisSchedule how{
          .tree = tree, .overlapped = overlapped, .segment = tree == LineTree::chain ? mebi : 0.0};
      std::vector<double> simulated;
      for (const NodeMap& map : {in_order(shape, 12), tiled(shape, {3, 4})}) {
        const double time = plan::seconds(simulate_axes(map, description, how, bytes).total);
        const double predicted = axis_time(map, channels, how, static_cast<double>(bytes)).seconds;
        EXPECT_LT(time, 1.05 * predicted) << how.describe();
        EXPECT_GT(time, 0.6 * predicted) << how.describe();
        simulated.push_back(time);
      }
      EXPECT_GT(simulated[0], 1.2 * simulated[1]) << how.describe();
    }
  }
}

// Where all messages inside a node share one channel, ranks in their order win when axes overlap:
// message by message, too.
TEST(SimulateAxes, OnRaOverlappedAxesPreferRanksInTheirOrder) {
  const auto description = machine("ra");
  const auto channels = node_channels(description);
  const auto bytes = static_cast<plan::Count>(16 * mebi);
  for (const auto& dims : std::vector<std::vector<int>>{{8, 6}, {8, 8}, {8, 12}}) {
    const auto shape = testing::bounded(dims);
    const AxisSchedule how{.overlapped = true, .segment = mebi / 4};
    std::vector<double> simulated;
    for (const NodeMap& map : {in_order(shape, 8), tiled(shape, *choose_tile(shape, 8))}) {
      const double time = plan::seconds(simulate_axes(map, description, how, bytes).total);
      const double predicted = axis_time(map, channels, how, static_cast<double>(bytes)).seconds;
      EXPECT_NEAR(time, predicted, 0.2 * predicted);
      simulated.push_back(time);
    }
    EXPECT_GT(simulated[1], 1.4 * simulated[0]);
  }
}

// Messages between nodes are those that are counted on the map.
TEST(SimulateAxes, SendsTheMessagesOfTheLines) {
  const auto description = machine("ra");
  const auto shape = testing::bounded({8, 3, 4});
  for (const NodeMap& map : {in_order(shape, 8), tiled(shape, {4, 1, 2})}) {
    for (const LineTree tree : {LineTree::chain, LineTree::low_binomial, LineTree::high_binomial}) {
      for (const bool overlapped : {false, true}) {
        const AxisSchedule how{.tree = tree, .overlapped = overlapped, .segment = 1024.0};
        const auto run = simulate_axes(map, description, how, 1024);
        EXPECT_EQ(run.levels[0].all.messages, off_node_messages(map, tree)) << how.describe();
      }
    }
  }
}

// As many messages as there are faces, both ways; about as long as predicted.
TEST(SimulateHalo, NearThePredictionOnJaguar) {
  const auto description = machine("jaguar");
  const auto channels = node_channels(description);
  for (const GridShape& shape : {testing::bounded({12, 12}), testing::periodic({12, 12}),
                                 testing::bounded({12, 12, 12}), testing::periodic({2, 12, 1})}) {
    const auto tile = *choose_tile(shape, 12);
    const std::array<NodeMap, 2> maps{in_order(shape, 12), tiled(shape, tile)};
    for (const NodeMap& map : maps) {
      for (const plan::Count bytes : {1024, 65'536, 1'048'576}) {
        const std::vector<plan::Count> each(shape.dims.size(), bytes);
        const auto run = simulate_halo(map, description, each);
        EXPECT_EQ(run.levels[0].all.messages, 2 * judge(map).total());
        const auto by_level = halo_messages_by_level(map, description);
        long long all = 0;
        for (std::size_t level = 0; level < by_level.size(); ++level) {
          EXPECT_EQ(run.levels[level].all.messages, by_level[level]);
          all += by_level[level];
        }
        EXPECT_EQ(all, 2 * shape.faces());
        const double predicted = halo_time(map, channels, {static_cast<double>(bytes)});
        const double time = plan::seconds(run.total);
        EXPECT_LT(time, 1.3 * predicted);
        EXPECT_GT(time, 0.2 * predicted);  // inside a node the simulator shares less
        if (shape.dims[0] == 12 && &map == maps.data() && bytes > 1024) {
          EXPECT_NEAR(time, predicted, 0.01 * predicted);  // what leaves the node decides
        }
      }
    }
  }
}

TEST(SimulateAxes, PlacesUnequalNodesAndRefusesTooLargeOnes) {
  const auto description = machine("ra");
  const auto shape = testing::bounded({4, 3});
  const auto map = fill_in_order(shape, std::vector<int>{5, 4, 3});
  const auto placement = place(map, description);
  for (int rank = 0; rank < 12; ++rank)
    EXPECT_EQ(placement.core(rank) / 8, map.nodes[static_cast<std::size_t>(rank)]);
  EXPECT_THROW((void)place(in_order(shape, 12), description), rt::Error);
}

// Axes at the same time, unless a node's link gets slower by that.
TEST(OverlapPays, DependsOnTheLink) {
  const auto map = fill_in_order(testing::bounded({8, 8}), std::vector<int>(4, 16));
  NodeChannels channels;
  channels.between.network = plan::log_gp(1.5e-6, 0.3e-6, 0.3e-6, 0.3e-6, 1e-10);
  channels.inside.network = plan::log_gp(0.3e-6, 0.1e-6, 0.1e-6, 0.1e-6, 1e-10);
  for (const double bytes : {0.0, 8.0, 65536.0, 4194304.0}) {
    EXPECT_TRUE(overlap_pays(map, channels, bytes)) << bytes;
  }
  channels.inside.together.bandwidth = std::vector<double>(16, 1e11);
  channels.inside.together.bandwidth.resize(64, 1e10);
  EXPECT_FALSE(overlap_pays(map, channels, 4194304.0));
}

}  // namespace
}  // namespace cartwright::mapping
