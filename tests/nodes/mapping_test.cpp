// SPDX-License-Identifier: Apache-2.0
// On nodes that launcher/make_nodes made: they are seen as what they are, and ranks are mapped to
// them as well as can be.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/placement/remap.hpp>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "imagined_machine.hpp"

namespace cartwright::mapping {
namespace {

/// The node of each rank, by what CARTWRIGHT_NODES says.
std::vector<int> expected_nodes() {
  static const std::map<std::string, std::vector<int>> nodes_of{
      {"2x1 slot", {0, 1}},
      {"2x2 slot", {0, 0, 1, 1}},
      {"2x2 node", {0, 1, 0, 1}},
      {"3x2 slot", {0, 0, 1, 1, 2, 2}},
      {"3x2 node", {0, 1, 2, 0, 1, 2}},
      {"3+1 slot", {0, 0, 0, 1}},
      {"3+1 node", {0, 1, 0, 0}},
  };
  const char* const text = std::getenv("CARTWRIGHT_NODES");
  const auto found = nodes_of.find(text == nullptr ? "" : text);
  return found == nodes_of.end() ? std::vector<int>{} : found->second;
}

class OnNodes : public ::testing::Test {
 protected:
  void SetUp() override {
    expected_ = expected_nodes();
    ASSERT_EQ(static_cast<int>(expected_.size()), comm_.size())
        << "start it by launcher/make_nodes";
    topology_ = discover(comm_);
  }
  [[nodiscard]] std::vector<int> gather(const rt::Communicator& comm) const {
    std::vector<int> all(static_cast<std::size_t>(comm.size()));
    MPI_Allgather(&topology_.here.node, 1, MPI_INT, all.data(), 1, MPI_INT, comm.handle());
    return all;
  }
  /// Over all ways to deal the ranks of these nodes out to the grid.
  [[nodiscard]] long long fewest_off_node_faces(const GridShape& shape) const {
    std::vector<int> nodes = expected_;
    std::sort(nodes.begin(), nodes.end());
    long long fewest = shape.faces();
    do {
      fewest = std::min(fewest, testing::count_off_node_faces(shape, nodes));
    } while (std::next_permutation(nodes.begin(), nodes.end()));
    return fewest;
  }

  rt::Communicator comm_ = rt::Communicator::duplicate(MPI_COMM_WORLD);
  std::vector<int> expected_;
  Topology topology_;
};

/// They are made on one machine.
TEST_F(OnNodes, ShareTheCoresOfTheirMachine) {
  const bool is_crowded =
      comm_.size() > sysconf(_SC_NPROCESSORS_CONF) || topology_.node_size > topology_.cores_on_node;
  EXPECT_TRUE(topology_.oversubscribed || !is_crowded);
}

TEST_F(OnNodes, AreSeen) {
  const std::set<int> nodes(expected_.begin(), expected_.end());
  EXPECT_EQ(topology_.machine_nodes, static_cast<int>(nodes.size()));
  EXPECT_EQ(topology_.nodes, static_cast<int>(nodes.size()));
  EXPECT_FALSE(topology_.is_virtual);
  EXPECT_EQ(gather(comm_), expected_);
  const int node = expected_[static_cast<std::size_t>(comm_.rank().value)];
  EXPECT_EQ(topology_.node_size, std::count(expected_.begin(), expected_.end(), node));
  EXPECT_EQ(comm_.split_shared_memory().size(), topology_.node_size);
}

TEST_F(OnNodes, HaveNamesOfTheirOwn) {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  EXPECT_EQ(std::string(name.data()),
            "node" + std::to_string(expected_[static_cast<std::size_t>(comm_.rank().value)]));
}

TEST_F(OnNodes, RanksAreMappedWithTheFewestFacesBetweenNodes) {
  const int ranks = comm_.size();
  std::vector<GridShape> shapes{{{ranks}, {false}}, {{ranks}, {true}}};
  if (ranks % 2 == 0) {
    shapes.push_back({{2, ranks / 2}, {false, false}});
    shapes.push_back({{ranks / 2, 2}, {false, false}});
    shapes.push_back({{ranks / 2, 1, 2}, {true, false, false}});
  }
  for (const GridShape& shape : shapes) {
    const Remapped remapped = remap(comm_, topology_, shape);
    EXPECT_EQ(remapped.mapping.off_node_faces_after, fewest_off_node_faces(shape))
        << to_text(shape.dims);
    EXPECT_EQ(remapped.mapping.off_node_faces_after,
              testing::count_off_node_faces(shape, gather(remapped.communicator)));
  }
}

}  // namespace
}  // namespace cartwright::mapping
