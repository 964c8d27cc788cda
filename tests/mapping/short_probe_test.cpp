// SPDX-License-Identifier: Apache-2.0
// The short measurement between imagined nodes: alike on all ranks, kept for later runs.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/probe/short_probe.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace cartwright::mapping {
namespace {

/// A directory of machines for the test alone: that of rank 0, who alone reads and writes there.
class Machines {
 public:
  explicit Machines(const rt::Communicator& comm) : is_root_(comm.is_root()) {
    if (!is_root_) return;
    std::string pattern = (std::filesystem::temp_directory_path() / "short_probe_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
    ::setenv("CARTWRIGHT_MACHINES", path_.c_str(), 1);
  }
  Machines(const Machines&) = delete;
  Machines& operator=(const Machines&) = delete;
  ~Machines() {
    if (!is_root_) return;
    ::unsetenv("CARTWRIGHT_MACHINES");
    std::filesystem::remove_all(path_);
  }
  [[nodiscard]] std::string only_file() const {
    std::string found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      EXPECT_TRUE(found.empty()) << found << " and " << entry.path();
      found = entry.path().string();
    }
    return found;
  }

 private:
  bool is_root_;
  std::string path_;
};

/// Equal bits on all ranks.
void expect_same_everywhere(const rt::Communicator& comm, double value) {
  std::array extremes{value, -value};
  rt::combine(comm, extremes, rt::Combine::smallest);
  EXPECT_EQ(extremes[0], -extremes[1]);
}

class ShortProbe : public ::testing::Test {
 protected:
  void SetUp() override {
    if (comm_.size() < 2) GTEST_SKIP() << "one rank is one node";
    topology_ = discover(comm_, "node:" + std::to_string(comm_.size()) + " core:1");
  }
  rt::Communicator comm_ = rt::Communicator::duplicate(MPI_COMM_WORLD);
  Topology topology_;
};

TEST_F(ShortProbe, KnowsWhatLongMessagesCostAndIsAlikeOnAllRanks) {
  const Machines machines(comm_);
  const plan::Machine machine = measured_shortly(comm_, topology_);
  const plan::Network& network = machine.levels.front().network;
  for (const plan::Count bytes : {8, 32 << 10, 64 << 10, 1 << 20}) {
    EXPECT_GT(network.latency.at(bytes), 0.0);
    EXPECT_GT(network.byte_time.at(bytes), 0.0);
    EXPECT_LT(network.latency.at(bytes), 1.0);
    expect_same_everywhere(comm_, network.latency.at(bytes));
    expect_same_everywhere(comm_, network.byte_time.at(bytes));
    EXPECT_GT(network.gap.at(bytes), 0.0);
    expect_same_everywhere(comm_, network.gap.at(bytes));
  }
  EXPECT_GE(network.latency.at(64 << 10), network.latency.at(8)) << "asking takes time";
}

TEST_F(ShortProbe, IsTheBestOfFiveRunsAndThenStaysWhatItIs) {
  const Machines machines(comm_);
  double former = 1.0;
  plan::Network former_network;
  for (int run = 1; run <= 7; ++run) {
    const plan::Machine machine = measured_shortly(comm_, topology_);
    const plan::Network& network = machine.levels.front().network;
    const double latency = network.latency.at(8);
    EXPECT_LE(latency, former) << "run " << run;
    if (run > 5 && machine.about.find("best of 5 runs") == std::string::npos)
      GTEST_SKIP() << "these hosts were too busy in all five";
    if (run > 5) {
      EXPECT_EQ(latency, former) << "run " << run;
      for (const plan::Count bytes : {8, 32 << 10, 64 << 10, 1 << 20}) {
        EXPECT_EQ(network.latency.at(bytes), former_network.latency.at(bytes)) << bytes;
        EXPECT_EQ(network.gap.at(bytes), former_network.gap.at(bytes)) << bytes;
        EXPECT_EQ(network.byte_time.at(bytes), former_network.byte_time.at(bytes)) << bytes;
      }
    }
    former = latency;
    former_network = network;
    EXPECT_NE(machine.about.find("best of " + std::to_string(std::min(run, 5)) + " runs"),
              std::string::npos)
        << machine.about;
  }
}

TEST_F(ShortProbe, WhatIsDamagedOrOfAnotherMachineIsMeasuredAgain) {
  const Machines machines(comm_);
  (void)measured_shortly(comm_, topology_);
  if (comm_.is_root()) std::ofstream(machines.only_file()) << "levels: {node: {loggp: {lat";
  const plan::Machine machine = measured_shortly(comm_, topology_);
  EXPECT_NE(machine.about.find("best of 1 runs"), std::string::npos) << machine.about;
}

TEST_F(ShortProbe, WhatWasMeasuredOnBusyHostsIsMeasuredAgain) {
  const Machines machines(comm_);
  (void)measured_shortly(comm_, topology_);
  if (comm_.is_root()) {
    plan::Machine busy = read_machine(machines.only_file());
    busy.about.replace(busy.about.find("best of 1"), 9, "best of 5");
    busy.levels.front().network = plan::log_gp(5.0, 2.5, 2.5, 2.5, 1e-6);
    rt::write_file(machines.only_file(), machine_text(busy));
  }
  const plan::Machine machine = measured_shortly(comm_, topology_);
  EXPECT_NE(machine.about.find("best of 2 runs"), std::string::npos) << machine.about;
  EXPECT_LT(machine.levels.front().network.latency.at(8), 1.0);
}

}  // namespace
}  // namespace cartwright::mapping
