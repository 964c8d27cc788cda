// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/error.hpp>
#include <limits>
#include <numeric>

namespace cartwright::mapping {
namespace {

using Dims = std::vector<int>;

TEST(ProcessGrid, PrefersBlocksToStrips) {
  // 1000 x 1000 cells on 100 processes: strips exchange 2 x 1000 cells, blocks 4 x 100.
  const ProcessGridRequest request{.ranks = 100, .extents = {1000, 1000}};
  EXPECT_EQ(choose_process_grid(request), (Dims{10, 10}));
  EXPECT_EQ(halo_cost(request, {1, 100}), 2000.0);
  EXPECT_EQ(halo_cost(request, {10, 10}), (1.0 + unit_stride_penalty) * 200.0);
}

TEST(ProcessGrid, AvoidsCuttingTheUnitStrideAxis) {
  EXPECT_EQ(choose_process_grid({.ranks = 2, .extents = {256, 256, 256}}), (Dims{1, 1, 2}));
  EXPECT_EQ(choose_process_grid({.ranks = 4, .extents = {256, 256, 256}}), (Dims{1, 2, 2}));
  EXPECT_EQ(choose_process_grid({.ranks = 8, .extents = {256, 256, 256}}), (Dims{2, 2, 2}));
  EXPECT_EQ(choose_process_grid({.ranks = 6, .extents = {64, 64}}), (Dims{2, 3}));
  EXPECT_EQ(choose_process_grid({.ranks = 2, .extents = {1000, 10}}), (Dims{2, 1}));
  EXPECT_EQ(choose_process_grid({.ranks = 3, .extents = {17}}), (Dims{3}));
}

TEST(ProcessGrid, LooksAtNodesToo) {
  // 7 ranks a node: on 14 x 14 a node is a row of 7 ranks, whose 500 cells are cut off twice.
  ProcessGridRequest request{.ranks = 28, .extents = {1000, 1000}, .node_size = 7};
  const auto cost = [&](const Dims& dims) {
    return halo_cost(request, dims) + node_halo_cost(request, dims);
  };
  const Dims chosen = choose_process_grid(request);
  for (const Dims& dims :
       {Dims{1, 28}, Dims{2, 14}, Dims{4, 7}, Dims{7, 4}, Dims{14, 2}, Dims{28, 1}})
    EXPECT_LE(cost(chosen), cost(dims)) << dims[0];
  // Four nodes of 4 on 16 ranks: quarters of the grid, cut off along two sides each.
  request = {.ranks = 16, .extents = {400, 400}, .node_size = 4};
  EXPECT_EQ(choose_process_grid(request), (Dims{4, 4}));
  EXPECT_DOUBLE_EQ(node_halo_cost(request, {4, 4}), (1.0 + unit_stride_penalty) * 200.0);
  // One node, and nodes that don't divide the ranks: as before.
  request.node_size = 16;
  EXPECT_EQ(node_halo_cost(request, {4, 4}), 0.0);
  request.node_size = 5;
  EXPECT_EQ(node_halo_cost(request, {4, 4}), 0.0);
}

TEST(ProcessGrid, NeverLeavesMoreOnTheWayThanBlindToNodes) {
  for (const int node_size : {2, 3, 4, 6, 8, 12, 24})
    for (int nodes = 2; nodes <= 16; ++nodes) {
      ProcessGridRequest request{.ranks = nodes * node_size, .extents = {240, 360, 120}};
      const Dims blind = choose_process_grid(request);
      request.node_size = node_size;
      const Dims seeing = choose_process_grid(request);
      EXPECT_LE(halo_cost(request, seeing) + node_halo_cost(request, seeing),
                halo_cost(request, blind) + node_halo_cost(request, blind));
      EXPECT_LE(node_halo_cost(request, seeing), node_halo_cost(request, blind) * 1.0000001);
    }
}

TEST(ProcessGrid, IsTheExactOptimum) {
  for (const auto& extents :
       std::vector<std::vector<long long>>{{101, 67, 13}, {8, 64, 64}, {7, 300, 20}}) {
    for (int ranks = 1; ranks <= 96; ++ranks) {
      const ProcessGridRequest request{
          .ranks = ranks, .extents = extents, .periodic = {true, false, true}};
      double least = std::numeric_limits<double>::max();
      for (int a = 1; a <= ranks; ++a) {
        for (int b = 1; a * b <= ranks; ++b) {
          const int c = ranks / (a * b);
          if (a * b * c != ranks || a > extents[0] || b > extents[1] || c > extents[2]) continue;
          least = std::min(least, halo_cost(request, {a, b, c}));
        }
      }
      if (least == std::numeric_limits<double>::max()) {
        EXPECT_THROW((void)choose_process_grid(request), rt::Error);
        continue;
      }
      const auto dims = choose_process_grid(request);
      EXPECT_EQ(std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>()), ranks);
      EXPECT_EQ(halo_cost(request, dims), least);
    }
  }
}

TEST(ProcessGrid, KnowsWhatFacesCarry) {
  const ProcessGridRequest request{.ranks = 8, .extents = {100, 40, 9}};
  EXPECT_EQ(face_cells(request, {4, 2, 1}), (std::vector<double>{180, 225, 500}));
  EXPECT_EQ(face_cells(request, {8, 1, 1}), (std::vector<double>{360, 117, 520}));
  EXPECT_EQ(face_cells({.ranks = 3, .extents = {7}}, {3}), std::vector<double>{1});
}

TEST(ProcessGrid, NeverSplitsBeyondTheExtent) {
  EXPECT_EQ(choose_process_grid({.ranks = 8, .extents = {2, 2, 100}}), (Dims{1, 1, 8}));
  EXPECT_EQ(choose_process_grid({.ranks = 8, .extents = {2, 2, 2}}), (Dims{2, 2, 2}));
  EXPECT_EQ(choose_process_grid({.ranks = 4, .extents = {100, 7}, .smallest_block = 4}),
            (Dims{4, 1}));
}

TEST(ProcessGrid, KeepsFixedEntriesAndWeights) {
  EXPECT_EQ(choose_process_grid({.ranks = 12, .extents = {64, 64, 64}, .fixed = {3, 0, 0}}),
            (Dims{3, 2, 2}));
  EXPECT_EQ(choose_process_grid({.ranks = 12, .extents = {64, 64}, .fixed = {12, 1}}),
            (Dims{12, 1}));
  // Without the penalty, a tie goes to cutting y; with a dear y it goes to x.
  EXPECT_EQ(choose_process_grid({.ranks = 2, .extents = {64, 64}}), (Dims{1, 2}));
  EXPECT_EQ(choose_process_grid({.ranks = 2, .extents = {64, 64}, .weights = {1.0, 2.0}}),
            (Dims{2, 1}));
}

TEST(ProcessGrid, CountsLongExtentsWithoutOverflow) {
  const long long huge = 4'000'000'000'000LL;
  EXPECT_EQ(choose_process_grid({.ranks = 4, .extents = {huge, huge, huge}}), (Dims{1, 2, 2}));
}

void expect_refusal(const ProcessGridRequest& request, const std::string& what,
                    const std::string& advice) {
  try {
    (void)choose_process_grid(request);
    FAIL() << "accepted";
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), rt::ExitCode::input_error);
    EXPECT_EQ(error.reach(), rt::Reach::all_ranks);
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    EXPECT_NE(error.advice().find(advice), std::string::npos) << error.advice();
  }
}

TEST(ProcessGrid, RefusesWithTheNextBestNumber) {
  expect_refusal({.ranks = 7, .extents = {4, 4}}, "7 ranks can't share a grid of 4 x 4 cells",
                 "that fits is 6");
  expect_refusal({.ranks = 64, .extents = {4, 4}}, "64 ranks", "that fits is 16");
  expect_refusal({.ranks = 4, .extents = {8, 8}, .fixed = {3, 0}}, "[3, 0]", "that fits is 3");
  expect_refusal({.ranks = 4, .extents = {8}, .smallest_block = 3}, "each rank needs 3 cells",
                 "that fits is 2");
  expect_refusal({.ranks = 4, .extents = {8, 8}, .fixed = {2}}, "2 axes", "one entry");
  expect_refusal({.ranks = 4, .extents = {8, 0}}, "at least one", "grid.extent");
  expect_refusal({.ranks = 4, .extents = {8, 8}, .fixed = {-1, 0}}, "negative", "process_grid");
  expect_refusal({.ranks = 2'000'000'000, .extents = {8, 8}}, "2000000000 ranks",
                 "that fits is 64");
}

}  // namespace
}  // namespace cartwright::mapping
