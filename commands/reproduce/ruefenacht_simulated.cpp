// SPDX-License-Identifier: Apache-2.0
// Section 5.6, the simulator Fennel; and chapter 6.
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/selection/multiplying_cost.hpp>
#include <cartwright/plan/selection/multiplying_heuristic.hpp>

#include "ruefenacht.hpp"

namespace cartwright::reproduce::ruefenacht_tables {

namespace {

double nanoseconds(plan::Picoseconds time) {
  return plan::seconds(time) * 1e9;
}

// When ranks whose last step is a send count as done only when its message has arrived.
double spread_until_arrival(const plan::Stages& stages) {
  const auto run = simulated(stages, fennel());
  const int ranks = plan::ranks_of(stages);
  const plan::Network& network = fennel().levels.front().network;
  const auto flight =
      plan::picoseconds(network.latency.at(8)) + plan::picoseconds(8 * network.byte_time.at(8));
  std::vector<plan::Picoseconds> done = run.finish;
  for (int me = 0; me < ranks; ++me) {
    const auto schedule = plan::allreduce::staged({.ranks = ranks, .me = me}, stages);
    if (schedule.steps().back().sends()) done[static_cast<std::size_t>(me)] += flight;
  }
  const auto [first, last] = std::ranges::minmax(done);
  return nanoseconds(last - first);
}

// Factorisations of 2 … 64 whose simulated time is the sum of (5.7) to the picosecond.
std::pair<int, int> equal_to_the_equation() {
  const plan::Machine machine = fennel();
  auto parameters = plan::multiplying_parameters(machine, 8);
  parameters.combine_overhead = plan::picoseconds(machine.stage_overhead);
  int equal = 0;
  int all = 0;
  for (int ranks = 2; ranks <= 64; ++ranks)
    for_each_factorisation(ranks, [&](std::span<const int> factors) {
      const plan::Stages stages = plan::factor_stages(factors);
      ++all;
      if (simulated(stages, machine).total == plan::stages_time(stages, parameters)) ++equal;
    });
  return {equal, all};
}

plan::Simulation simulated_elimination(int ranks) {
  return plan::simulate(
      ranks, [&](int me) { return plan::allreduce::elimination({.ranks = ranks, .me = me}); },
      plan::Layout(plan::Cuts::uniform(1, 1)), 8, fennel());
}

void add_skew(Table& table, const char* schedule, const char* printed) {
  const double spread = nanoseconds(simulated(plan::parse_stages(schedule), fennel()).spread);
  table.add(fmt::format("{}: skew within", schedule), printed)
      .number(spread, 1, "ns")
      .note("between the first and the last process to finish");
}

// The sum of (5.7), (5.11) and the costs of section 5.4.2 over the stages, beside the simulator.
void add_sum_of_stages(Table& table, const char* schedule) {
  auto parameters = plan::multiplying_parameters(fennel(), 8);
  parameters.combine_overhead = plan::picoseconds(fennel().stage_overhead);
  const auto stages = plan::parse_stages(schedule);
  const auto sum = plan::stages_time(stages, parameters);
  const auto total = simulated(stages, fennel()).total;
  table
      .add(fmt::format("{}: sum of the stages' costs (5.4.2)", schedule),
           fmt::format("{:.1f} ns", nanoseconds(sum)))
      .judged(fmt::format("{:.1f} ns", nanoseconds(total)), total <= sum,
              fmt::format("{:+.1f} ns", nanoseconds(total - sum)), "at most: stages overlap")
      .because("the simulator computes in the expansion too, in which nothing is combined");
}

}  // namespace

Table simulator() {
  Table table(
      "Section 5.6", "simulated allreduces",
      "a_p = 500 ns, a_r = 100 ns, 0.4 ns per byte, 10 ns of computing in a stage; 8 bytes");
  const auto splitting = plan::doubling_stages(7);
  const auto split = simulated(splitting, fennel());
  const auto merged = simulated(plan::parse_stages("m1g2a3,n1g3a2"), fennel());
  const double saved = nanoseconds(split.total - merged.total);
  table.add("ratio, as a multiple of the largest of Table 4.1: about", "2")
      .number(500.0 / 100.0 / 2.4, 2)
      .within_percent(10, "\"approximately\"");
  table.add("merging (m1g2a3,n1g3a2) instead of splitting saves", "41.8")
      .number(100.0 * saved / nanoseconds(split.total), 2, "%")
      .note(
          "with 10 ns in every stage in which something is received, also where nothing is "
          "combined; "
          "else it were 41.6");
  table.add("which is approximately", "1000")
      .number(saved, 1, "ns")
      .within_percent(10, "\"approximately one microsecond\"");
  add_skew(table, "m1g2a3,n1g3a2", "100");
  add_skew(table, "m3g2a2,n3g2a2", "200");
  table.add("splitting (c6m2,a2,a2,e6m2): skew about", "700")
      .number(nanoseconds(split.spread), 1, "ns")
      .within_percent(10, "\"approximately\"")
      .because(fmt::format(
          "the text doesn't say when a process that only sends in the last stage has finished; "
          "here it "
          "has when its message is issued, and {:.1f} ns come out if it has when that arrives",
          spread_until_arrival(splitting)));
  table.add("elimination of seven processes, as a multiple of splitting: nearly", "1")
      .number(
          static_cast<double>(simulated_elimination(7).total) / static_cast<double>(split.total), 3)
      .within_percent(10, "\"nearly equivalent\"")
      .because(
          "our elimination has three processes share a stage where the thesis, whose code isn't "
          "printed, has none to share");
  const auto [equal, all] = equal_to_the_equation();
  table.add("(5.7) for all ordered factorisations of N = 2 … 64: equal", fmt::format("{}", all))
      .number(equal, 0, "schedules")
      .within(0, "to the picosecond");
  for (const char* schedule : {"c6m2,a2,a2,e6m2", "m1g2a3,n1g3a2", "m3g2a2,n3g2a2"})
    add_sum_of_stages(table, schedule);
  const auto at_once = simulated(plan::parse_stages("a8"), fennel()).total;
  const auto in_pairs = simulated(plan::parse_stages("a2,a2,a2"), fennel()).total;
  table.add("a8 in place of a2,a2,a2: significantly", "faster")
      .judged(at_once < in_pairs ? "faster" : "slower", at_once < in_pairs,
              fmt::format("{:.1f} and {:.1f} ns", nanoseconds(at_once), nanoseconds(in_pairs)),
              "the same");
  table.add("Figures 5.25 to 5.31", "timelines").impossible("pictures without numbers");
  return table;
}

Table queues() {
  Table table("Chapter 6", "receive queues");
  table.add("bits left of 64 for one bit of queue and 10^6 slots", "43").number(64 - 1 - 20, 0);
  constexpr auto sizes =
      "the bytes of a slot, of a mailbox and of the buffers aren't printed (defaults of ARCHER)";
  table.add("(6.1): less memory than smsg from processes", "56").impossible(sizes);
  table.add("abstract of the chapter: above", "55").impossible(sizes);
  table.add("(6.2): less memory than msgq from processes", "73")
      .impossible(fmt::format("{}; 73 = 3 · 24 + 1 fits (6.2) with 24 processes on a node", sizes));
  table.add("latency of scmp, as a multiple of smsg, 8 B", "3.5")
      .impossible(
          "measured (Figure 6.6); queues of messages aren't collectives, and have no schedule");
  table.add("msgq from 128 B on", "3 to 9 us").impossible("measured (Figure 6.6)");
  table.add("insertions scale better than with rlock by", "10")
      .impossible("measured (Figures 6.9 and 6.10), slopes without numbers");
  return table;
}

}  // namespace cartwright::reproduce::ruefenacht_tables
