// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cartwright/mapping/probe/probe_analysis.hpp>
#include <cartwright/mapping/probe/probe_bench.hpp>
#include <cartwright/mapping/probe/probe_hierarchy.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/mapping/probe/probe_survey.hpp>
#include <cartwright/rt/error.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <string>

#include "world.hpp"

namespace cartwright::mapping {
namespace {

using testing::world;

/// As little as can be: times mean nothing here, counts and agreement do.
ProbeEffort tiny() {
  ProbeEffort effort = ProbeEffort::small();
  effort.largest = plan::Count{256} * 1024;
  effort.window_bytes = plan::Count{512} * 1024;
  effort.most_targets = 3;
  return effort;
}
constexpr RepetitionRule shortest{0, 2, 4, 0.5, 0.001, 5.0};

TEST(Bench, GivesEachKindOfMeasurementToItsFirstMember) {
  const auto comm = world();
  ProbeBench bench(comm, shortest);
  const int last = comm.size() - 1;
  std::vector<ProbeSpec> specs{{ProbeTest::copy, -1, {last}, 4096, 1, 0.0},
                               {ProbeTest::combine, -1, {last}, 4096, 1, 0.0}};
  if (comm.size() > 1) {
    for (const ProbeTest test : {ProbeTest::scan, ProbeTest::ping_pong, ProbeTest::window,
                                 ProbeTest::bidirectional, ProbeTest::multicast})
      for (const plan::Count bytes : {0, 1, 100'000})
        specs.push_back({test, 0, {last, 0}, bytes, test == ProbeTest::multicast ? 1 : 3, 0.0});
    specs.push_back({ProbeTest::parametrised, 0, {last, 0}, 8, 1, 0.0});
    specs.push_back({ProbeTest::parametrised, 0, {last, 0}, 8, 4, -1.0});
  }
  for (const ProbeSpec& spec : specs) {
    const auto record = bench.measure(spec);
    ASSERT_EQ(record.has_value(), comm.rank().value == last);
    if (!record) continue;
    EXPECT_GE(record->times.size(), 2U);
    EXPECT_LE(record->times.size(), 4U);
    for (const double time : record->times) EXPECT_GT(time, 0.0);
    EXPECT_EQ(record->call_times.empty(), spec.test != ProbeTest::parametrised);
    if (spec.delay < 0.0) {
      EXPECT_GT(record->spec.delay, 0.0);
      EXPECT_GE(std::accumulate(record->times.begin(), record->times.end(), 0.0),
                2.0 * record->spec.delay * static_cast<double>(record->times.size()));
    }
  }
}

TEST(Survey, MeasuresEveryLevelOfAVirtualTopology) {
  const auto comm = world();
  if (comm.size() == 1) GTEST_SKIP() << "one rank has nobody to exchange messages with";
  const Topology topology = discover(comm, "node:4 core:2");
  std::set<std::string> told;
  const ProbeSamples samples =
      survey(comm, topology, tiny(), shortest, [&](int done, int all, const std::string& next) {
        EXPECT_LT(done, all);
        told.insert(next);
      });
  EXPECT_GT(told.size(), 10U);
  EXPECT_EQ(samples.hierarchy.levels.front().name, comm.size() > 2 ? "node" : "core");
  EXPECT_EQ(samples.hierarchy.levels.size(), comm.size() > 2 ? 2U : 1U);
  if (!comm.is_root()) {
    EXPECT_TRUE(samples.records.empty());
    return;
  }
  EXPECT_TRUE(samples.is_virtual);
  const ProbeAnalysis analysis = analyse(samples);
  for (const LevelFits& level : analysis.levels) {
    EXPECT_GT(level.window_bandwidth, 0.0);
    EXPECT_GT(level.both_ways_bandwidth, 0.0);
    EXPECT_FALSE(level.pairs_bandwidth.empty());
    EXPECT_FALSE(level.pairs_latency.empty());
    EXPECT_FALSE(level.burst_samples.empty());
    EXPECT_FALSE(level.multicast_samples.empty());
    EXPECT_GT(round_trip_on(level.network, 1024), 0.0);
  }
  const auto ranks = static_cast<std::size_t>(comm.size());
  const auto scans =
      std::count_if(samples.records.begin(), samples.records.end(),
                    [](auto& record) { return record.spec.test == ProbeTest::scan; });
  EXPECT_EQ(static_cast<std::size_t>(scans), ranks * (ranks - 1));
}

// What one job has measured, the next finds: the same machine, layout and library only
TEST(Store, FindsWhatWasProbedBefore) {
  const auto comm = world();
  if (!comm.is_root()) return;
  const auto directory = std::filesystem::temp_directory_path() /
                         ("cartwright-probe-test-" + std::to_string(::getpid()));
  ::setenv("CARTWRIGHT_MACHINES", directory.c_str(), 1);
  Topology topology;
  topology.ranks = topology.node_size = topology.largest_node = 2;
  const ProbeIdentity identity = identify(topology);
  EXPECT_FALSE(probed_machine(topology).has_value());

  ProbeSamples samples;
  samples.name = identity.name();
  samples.fingerprint = identity.fingerprint();
  samples.quick = true;
  samples.hierarchy = {{0, 1}, {{"core", {0, 1}}}, {0}, {}};
  for (const plan::Count bytes : {1, 64, 1 << 20, 1 << 22}) {
    ProbeRecord& record = samples.records.emplace_back();
    record.spec.level = 0;
    record.spec.members = {0, 1};
    record.spec.bytes = bytes;
    record.times = {1e-6 + 1e-9 * static_cast<double>(bytes)};
  }
  const std::string path = probed_machine_path(identity);
  const auto written = store(path, samples, analyse(samples));
  EXPECT_EQ(written.size(), 3U + 7U);
  ASSERT_TRUE(probed_machine(topology).has_value());
  EXPECT_EQ(probed_machine(topology)->name, identity.name());
  EXPECT_TRUE(is_probed(path, identity, true));
  EXPECT_FALSE(is_probed(path, identity, false));  // a quick one won't do for a thorough one
  ProbeIdentity other = identity;
  other.library = "another MPI";
  EXPECT_FALSE(is_probed(path, other, true));
  std::ofstream(path) << "half a machine";
  EXPECT_FALSE(is_probed(path, identity, true));
  EXPECT_THROW((void)store("/proc/none/machine.yaml", samples, analyse(samples)), rt::Error);
  ::unsetenv("CARTWRIGHT_MACHINES");
  std::filesystem::remove_all(directory);
}

TEST(Survey, ChoosesAPartOfManyRanks) {
  const auto comm = world();
  const Topology topology = discover(comm, "node:8 core:2");
  const ProbedPlaces all = choose_probed(comm, topology, 8);
  EXPECT_EQ(all.ranks.size(), static_cast<std::size_t>(comm.size()));
  const ProbedPlaces some = choose_probed(comm, topology, 2);
  EXPECT_EQ(some.ranks.size(), std::min<std::size_t>(2, all.ranks.size()));
  if (comm.size() > 2) {
    EXPECT_EQ(some.places[1].node, 1);
  }
}

TEST(Survey, RefusesOneRank) {
  const auto comm = world();
  if (comm.size() > 1) GTEST_SKIP() << "for one rank";
  EXPECT_THROW((void)survey(comm, discover(comm), tiny(), shortest), rt::Error);
}

}  // namespace
}  // namespace cartwright::mapping
