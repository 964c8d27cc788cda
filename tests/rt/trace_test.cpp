// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/trace.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace cartwright::rt {
namespace {

using std::chrono::milliseconds;

class TraceTest : public testing::Test {
 protected:
  std::string shared_path() {
    int id = static_cast<int>(getpid());
    MPI_Bcast(&id, 1, MPI_INT, 0, comm_.handle());
    return std::filesystem::temp_directory_path() / ("trace_" + std::to_string(id) + ".json");
  }
  Communicator comm_ = Communicator::duplicate(MPI_COMM_WORLD);
};

std::vector<std::string> heard;

TEST_F(TraceTest, ListenerHearsOfRegionsInTheirOrder) {
  Trace trace;
  const RegionId outer = trace.region("outer"), inner = trace.region("inner");
  heard.clear();
  {
    const Timed before(trace, outer);  // its end is nobody's business
    trace.tell({.begin = [](const std::string& name) { heard.push_back(name); },
                .end = [] { heard.emplace_back("end"); }});
    const Timed timed(trace, outer, {now(), {}});
    for (int i = 0; i < 2; ++i) const Timed within(trace, inner);
    const Trace::Mark mark = trace.open(inner);
    trace.close(inner, mark);
  }
  EXPECT_EQ(heard, (std::vector<std::string>{"outer", "inner", "end", "inner", "end", "inner",
                                             "end", "end"}));
  const Trace::Mark mark = trace.open(outer);
  trace.tell({});
  trace.close(outer, mark);
  { const Timed unheard(trace, inner); }
  EXPECT_EQ(heard.size(), 9U);
  EXPECT_EQ(trace.totals()[1].count, 4);
}

TEST_F(TraceTest, TimelineIsJsonWithOneTrackARank) {
  const std::string awkward = "halo \"x\"\\\n\t\x01 é";
  Trace trace;
  trace.record_spans(100);
  trace.set_origin(Ticks{});
  const RegionId step = trace.region("step");
  const RegionId halo = trace.region(awkward);
  EXPECT_EQ(trace.region("step").value, step.value);
  const int spans = 2 + comm_.rank().value;
  for (int i = 0; i < spans; ++i) {
    trace.add(i % 2 == 0 ? step : halo, Ticks(milliseconds(i)), Ticks(milliseconds(i + 1)), 8);
  }
  const auto path = shared_path();
  EXPECT_EQ(trace.write(comm_, path), 0);
  if (!comm_.is_root()) return;
  const auto json = nlohmann::json::parse(std::ifstream(path));
  std::filesystem::remove(path);
  std::map<int, int> count;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] != "X") continue;
    const int tid = event["tid"];
    const int i = count[tid]++;
    EXPECT_EQ(event["name"], i % 2 == 0 ? "step" : awkward);
    EXPECT_DOUBLE_EQ(event["ts"], 1000.0 * i);
    EXPECT_DOUBLE_EQ(event["dur"], 1000.0);
  }
  ASSERT_EQ(static_cast<int>(count.size()), comm_.size());
  for (int rank = 0; rank < comm_.size(); ++rank) EXPECT_EQ(count[rank], 2 + rank);
}

TEST_F(TraceTest, SpansWithoutRoomAreCountedNotKept) {
  Trace trace;
  trace.record_spans(10);
  const RegionId id = trace.region("busy");
  for (int i = 0; i < 25; ++i) trace.add(id, Ticks{}, Ticks{});
  const auto path = shared_path();
  EXPECT_EQ(trace.write(comm_, path), 15 * comm_.size());
  EXPECT_EQ(trace.totals().at(0).count, 25);
  if (comm_.is_root()) std::filesystem::remove(path);
}

TEST_F(TraceTest, AFileThatCantBeWrittenFailsOnAllRanksTogether) {
  const Trace trace;
  try {
    static_cast<void>(trace.write(comm_, "/nonexistent/trace.json"));
    FAIL() << "written to a folder that doesn't exist";
  } catch (const Error& error) {
    EXPECT_EQ(error.reach(), Reach::all_ranks);
    EXPECT_EQ(error.code(), ExitCode::input_error);
  }
}

TEST_F(TraceTest, RegionsOfAllRanksAreUnited) {
  Trace trace;
  trace.add(trace.region("common"), Ticks{}, Ticks(milliseconds(1000 + comm_.rank().value)), 10);
  if (comm_.rank().value == comm_.size() - 1) {
    trace.add(trace.region("only the last"), Ticks{}, Ticks(milliseconds(500)));
  }
  trace.region("never entered");
  const auto times = gather_regions(comm_, trace, 4.0);
  if (!comm_.is_root()) return;
  const auto& regions = times.regions;
  ASSERT_EQ(regions.size(), 3U);
  const int size = comm_.size();
  EXPECT_EQ(regions[0].name, "common");
  EXPECT_NEAR(regions[0].minimum, 1.0, 1e-9);
  EXPECT_NEAR(regions[0].maximum, 1.0 + 0.001 * (size - 1), 1e-9);
  EXPECT_NEAR(regions[0].mean, 1.0 + 0.0005 * (size - 1), 1e-9);
  EXPECT_EQ(regions[0].count, size);
  EXPECT_EQ(regions[0].bytes, 10 * size);
  EXPECT_EQ(regions[1].name, "only the last");
  EXPECT_NEAR(regions[1].mean, 0.5 / size, 1e-9);
  EXPECT_EQ(regions[2].name, "other") << "the last, though it is the longest";
  EXPECT_NEAR(regions[2].mean, 3.0 - 0.0005 * (size - 1) - 0.5 / size, 1e-9);
  EXPECT_NEAR(regions[0].mean + regions[1].mean + regions[2].mean, times.whole.mean, 1e-9);
  EXPECT_EQ(times.whole.minimum, 4.0);
  EXPECT_EQ(times.whole.maximum, 4.0);
}

double seconds_of(const Trace& trace, const std::string& name) {
  for (const auto& total : trace.totals())
    if (total.name == name) return total.seconds;
  ADD_FAILURE() << name;
  return 0;
}

TEST_F(TraceTest, TimeInNestedRegionsCountsOnce) {
  Trace trace;
  const RegionId outer = trace.region("outer");
  const RegionId inner = trace.region("inner");
  const Ticks begin = now();
  {
    const Timed whole(trace, outer);
    std::this_thread::sleep_for(milliseconds(20));
    for (int i = 0; i < 2; ++i) {
      const Timed middle(trace, trace.region("middle"));
      std::this_thread::sleep_for(milliseconds(10));
      const Timed part(trace, inner);
      std::this_thread::sleep_for(milliseconds(30));
    }
    const Ticks leaf = now();
    std::this_thread::sleep_for(milliseconds(5));
    trace.add(trace.region("leaf"), leaf, now());
  }
  const double all = seconds_between(begin, now());
  EXPECT_GE(seconds_of(trace, "outer"), 0.020);
  EXPECT_GE(seconds_of(trace, "middle"), 0.020);
  EXPECT_GE(seconds_of(trace, "inner"), 0.060);
  double sum = 0;
  for (const auto& total : trace.totals()) sum += total.seconds;
  EXPECT_NEAR(sum, trace.accounted_seconds(), 1e-9);
  EXPECT_GE(sum, 0.105);
  EXPECT_LE(sum, all);
}

TEST_F(TraceTest, ARegionMayHaveBegunBeforeTheTrace) {
  const Ticks begin = now();
  std::this_thread::sleep_for(milliseconds(10));
  Trace trace;
  trace.record_spans(1);
  trace.set_origin(now());
  {
    const Timed timed(trace, trace.region("start-up"), {begin, {}});
    const Timed part(trace, trace.region("part of it"));
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_GE(seconds_of(trace, "start-up"), 0.010);
  EXPECT_GE(seconds_of(trace, "part of it"), 0.010);
  EXPECT_LE(trace.accounted_seconds(), seconds_between(begin, now()));
}

}  // namespace
}  // namespace cartwright::rt
