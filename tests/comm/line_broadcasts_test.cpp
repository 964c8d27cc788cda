// SPDX-License-Identifier: Apache-2.0
// Broadcasts along all axes of a grid together, by what comm chooses for each line, simulated: no
// slower after remapping. `bench_mapping --broadcasts COUNT` does the same on more grids.
#include <gtest/gtest.h>

#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/mapping/faces/judge.hpp>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/search/choose_mapping.hpp>
#include <memory>
#include <string>
#include <vector>

#include "mapping/simulated.hpp"

namespace cartwright::comm {
namespace {

using mapping::LineTree;

/// 16 x 16 on ten nodes of 24 ranks and one of 16.
mapping::MappingRequest square() {
  std::vector<int> sizes(10, 24);
  sizes.push_back(16);
  return {{{16, 16}, {false, false}}, sizes};
}

TEST(LineBroadcasts, TreesKeepToTheNode) {
  const auto request = square();
  const auto map = mapping::choose_mapping(request).map;
  // Both trees take equally long on a line by itself.
  EXPECT_LT(3 * off_node_messages(map, LineTree::low_binomial),
            off_node_messages(map, LineTree::high_binomial));
  for (int line = 0; line < 32; ++line) {
    std::vector<int> nodes;
    for (int i = 0; i < 16; ++i) {
      const int position = line < 16 ? 16 * line + i : line - 16 + 16 * i;
      nodes.push_back(map.nodes[static_cast<std::size_t>(position)]);
    }
    const auto of_line = std::make_shared<const plan::Hierarchy>(plan::Hierarchy::named({nodes}));
    const Selection selection(std::make_shared<Knowledge>(),
                              {.ranks = 16, .nodes = of_line->members(0)}, of_line);
    for (const plan::Count bytes : {8, 1024, 16384, 65536, 262144}) {
      const plan::Problem problem{.operation = plan::Operation::broadcast,
                                  .ranks = 16,
                                  .elements = bytes,
                                  .element_size = 1};
      EXPECT_NE(selection.decide_for(BackendId::p2p, problem).choice.name(),
                "binomial_high_bit_first")
          << line << ", " << bytes << " B";
    }
  }
}

TEST(LineBroadcasts, AreNotSlowerAfterRemapping) {
  const std::string machines = CARTWRIGHT_INPUTS "/machines/";
  std::vector<mapping::MappingRequest> grids{square()};
  grids.push_back({{{24, 24}, {false, false}}, std::vector<int>(12, 48)});
  grids.push_back({{{14, 10}, {false, false}}, std::vector<int>(7, 20)});
  for (const auto& request : grids) {
    const auto in_order = mapping::fill_in_order(request.shape, request.node_sizes);
    const auto chosen = mapping::choose_mapping(request);
    const int cores = request.node_sizes.front();
    const std::vector<plan::Machine> on{
        bench::one_link_machine(cores),
        bench::with_cores(mapping::read_machine(machines + "epyc-ndr.yaml"), cores),
        bench::with_cores(mapping::read_machine(machines + "frontier.yaml"), cores)};
    for (const plan::Machine& machine : on) {
      for (const plan::Count bytes : {8, 1024, 16384, 65536, 262144, 4194304}) {
        EXPECT_LE(bench::broadcast_seconds(chosen.map, machine, bytes),
                  bench::broadcast_seconds(in_order, machine, bytes))
            << mapping::to_text(request.shape.dims) << " on " << machine.name << ", " << bytes;
      }
    }
  }
}

// Formulas took what is quickest for one line alone; leaders of two lines served both one after the
// other.
TEST(LineBroadcasts, LeadersOfSeveralLinesAreNotWhatLasts) {
  struct Case {
    std::vector<int> dims;
    int node_size;
    std::string machine;
    std::vector<plan::Count> sizes;
  };
  const std::vector<Case> cases{{{32, 22}, 64, "epyc-ndr", {8}},
                                {{8, 6, 4}, 96, "frontier", {16384}},
                                {{17, 13, 3}, 13, "frontier", {8, 1024}}};
  for (const Case& one : cases) {
    const mapping::GridShape shape{one.dims, std::vector<bool>(one.dims.size(), false)};
    const auto nodes = static_cast<std::size_t>(shape.size() / one.node_size);
    const mapping::MappingRequest request{shape, std::vector<int>(nodes, one.node_size)};
    const auto in_order = mapping::fill_in_order(shape, request.node_sizes);
    const auto chosen = mapping::choose_mapping(request);
    const auto machine = bench::with_cores(
        mapping::read_machine(CARTWRIGHT_INPUTS "/machines/" + one.machine + ".yaml"),
        one.node_size);
    for (const plan::Count bytes : one.sizes)
      EXPECT_LE(bench::broadcast_seconds(chosen.map, machine, bytes),
                bench::broadcast_seconds(in_order, machine, bytes))
          << mapping::to_text(one.dims) << " on " << machine.name << ", " << bytes;
  }
}

// The time of a halo exchange is that of the busiest node's link.
TEST(Halos, FollowTheBusiestNode) {
  const mapping::MappingRequest request{{{13, 11, 7}, {false, false, false}},
                                        std::vector<int>(91, 11)};
  const auto in_order = mapping::fill_in_order(request.shape, request.node_sizes);
  const auto fewest = mapping::fewest_faces(request);
  const auto chosen = mapping::choose_mapping(request);
  const plan::Machine machine = bench::one_link_machine(11);
  constexpr plan::Count bytes = 65536;
  const double seconds = bench::halo_seconds(chosen.map, machine, bytes);
  EXPECT_NEAR(seconds, chosen.busiest * static_cast<double>(bytes) / 12e9, 0.03 * seconds);
  EXPECT_LT(seconds, 0.95 * bench::halo_seconds(fewest.map, machine, bytes));
  EXPECT_LT(seconds, bench::halo_seconds(in_order, machine, bytes));
}

}  // namespace
}  // namespace cartwright::comm
