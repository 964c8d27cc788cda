// SPDX-License-Identifier: Apache-2.0
// Sections 5.2 and 5.4: what the formulas say, and how many stages schedules have.
#include <fmt/format.h>

#include <array>
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/interpret.hpp>
#include <cartwright/plan/models/prior_models.hpp>
#include <cartwright/plan/models/recursive_multiplying_cost.hpp>
#include <cartwright/plan/selection/multiplying_heuristic.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "ruefenacht.hpp"

namespace cartwright::reproduce::ruefenacht_tables {

namespace {

namespace formulas = plan::formulas;

// The parameters of the comparisons with (5.1) to (5.4), which are printed without numbers.
constexpr formulas::LatencyBandwidth example{1e-6, 0.1e-9, 0.05e-9};
constexpr int example_ranks = 64;
constexpr plan::Count example_elements = 8192;  // doubles

double simulated_allreduce(const std::function<plan::Schedule(plan::Team)>& make) {
  const plan::Machine machine = plan::flat_machine(
      plan::hockney(example.latency, example.byte_time), 0.0, example.combine_time);
  const int blocks = make({.ranks = example_ranks, .me = 0}).blocks();
  const auto run = plan::simulate(
      example_ranks, [&](int me) { return make({.ranks = example_ranks, .me = me}); },
      plan::Layout(plan::Cuts::balanced(blocks, example_elements)), 8, machine);
  return plan::seconds(run.total);
}

// Ranks that hold the sum of all after an allreduce with these factors; 0 if there is none.
int ranks_with_the_sum(int ranks, std::span<const int> factors) {
  if (std::accumulate(factors.begin(), factors.end(), 1, std::multiplies<>()) != ranks) return 0;
  std::vector<plan::Schedule> schedules;
  std::vector<plan::Memory<int>> memories;
  for (int me = 0; me < ranks; ++me) {
    schedules.push_back(
        plan::allreduce::recursive_multiplying({.ranks = ranks, .me = me}, factors));
    memories.push_back({.input = {me + 1}, .output = {0}});
  }
  const std::vector<plan::Layout> layouts(static_cast<std::size_t>(ranks),
                                          plan::Layout(plan::Cuts::uniform(1, 1)));
  plan::interpret<int>(schedules, layouts, memories, std::plus<>());
  const int sum = ranks * (ranks + 1) / 2;
  int right = 0;
  for (const auto& memory : memories) right += memory.output.front() == sum ? 1 : 0;
  return right;
}

struct Factorisation {
  int ranks;
  std::vector<int> factors;
};

std::string text_of(const std::vector<int>& factors) {
  return fmt::format("({})", fmt::join(factors, ", "));
}

}  // namespace

Table prior_algorithms() {
  const double bytes = 8.0 * example_elements;
  const double tree = formulas::tree_allreduce_time(example, example_ranks, bytes);
  const double doubling = formulas::recursive_doubling_time(example, example_ranks, bytes);
  const double composite = formulas::composite_allreduce_time(example, example_ranks, bytes);
  const double run_tree = simulated_allreduce(plan::allreduce::fan_in_fan_out);
  const double run_doubling = simulated_allreduce(plan::allreduce::recursive_doubling);
  const double run_composite = simulated_allreduce(plan::allreduce::rabenseifner);
  Table table("Equations 5.1 to 5.5", "allreduce in the latency-bandwidth model",
              "The equations have no numbers; here N = 64, n = 64 KiB, 1 us, 0.1 and 0.05 ns per "
              "byte: the equation beside a simulation of the schedules");
  const auto add = [&](const char* what, double equation, double run) -> Row& {
    return table.add(what, fmt::format("{:.3f}", equation * 1e6)).number(run * 1e6, 3, "us");
  };
  add("5.1, fan-in and fan-out", tree, run_tree)
      .because("(5.1) lets the broadcast combine as well");
  add("5.2, recursive doubling", doubling, run_doubling);
  add("5.4, composite", composite, run_composite);
  add("5.5, their difference", doubling - composite, run_doubling - run_composite);
  table.add("5.3: stages for N = 7", fmt::format("{:.2f}", std::log2(7.0) + 2.0))
      .number(plan::allreduce::recursive_doubling({.ranks = 7, .me = 0}).rounds(), 0)
      .because("log2 N + 2 is printed; stages are whole: floor(log2 N) + 2");
  return table;
}

Table best_bursts() {
  const double archer_ratio = archer_pipelining / archer_required;
  const double ratio = chapter_5_ratio();
  Table table("Section 5.4.1", "best and largest number of messages in a stage");
  constexpr auto hidden =
      "the text names the parameters of chapter 4, but its minimum, its largest factor and all of "
      "Table 5.2 need c = 2.911; Table 4.1 has c = 2.316 for 8 bytes";
  table.add("b_opt (5.8) with Table 4.1, 8 B", "3.258")
      .number(formulas::best_burst(archer_ratio), 3)
      .because(hidden);
  table.add("largest factor (5.9) with Table 4.1, 8 B", "12")
      .number(formulas::largest_factor(archer_ratio), 0)
      .because(hidden);
  table.add("b_opt (5.8) with c = 2.911", "3.258")
      .number(formulas::best_burst(ratio), 3)
      .note("c was found from this number; the next row, and Table 5.2, follow from it");
  table.add("largest factor (5.9) with c = 2.911", "12").number(formulas::largest_factor(ratio), 0);
  table.add("Figures 5.6 to 5.9, 5.15, 5.16", "curves").impossible("pictures only");
  return table;
}

Table factorisations() {
  Table table("Table 5.1", "factorisations",
              "Ours: ranks that hold the sum of all when the schedule is run");
  std::vector<Factorisation> lines{{10, {5, 2}},    {16, {2, 2, 2, 2}}, {16, {4, 4}},
                                   {36, {4, 3, 3}}, {48, {4, 4, 3}},    {60, {5, 4, 3}},
                                   {80, {5, 4, 4}}};
  lines.push_back({1024, std::vector<int>(11, 2)});
  lines.push_back({1024, {4, 4, 4, 4, 4}});
  lines.push_back({1024, {8, 8, 8, 2}});
  for (const auto& [ranks, factors] : lines)
    table.add(text_of(factors), std::to_string(ranks))
        .number(ranks_with_the_sum(ranks, factors), 0, "ranks")
        .because("eleven twos are printed, which multiply to 2048");
  table.add("(2 × 10), as meant", "1024")
      .number(ranks_with_the_sum(1024, std::vector<int>(10, 2)), 0, "ranks");
  return table;
}

Table stage_counts() {
  Table table("Sections 5.4.2 and 5.6.3", "stages");
  const auto rounds = [](const plan::Stages& stages) {
    return plan::allreduce::staged({.ranks = plan::ranks_of(stages), .me = 0}, stages).rounds();
  };
  table.add("seven processes, prime merging (m1g2a3,n1g3a2)", "2")
      .number(rounds(plan::parse_stages("m1g2a3,n1g3a2")), 0);
  table.add("seven processes, generalised fix (c6m2,a2,a2,e6m2)", "4")
      .number(rounds(plan::doubling_stages(7)), 0);
  int most = 0;
  for (int ranks = 2; ranks <= 256; ++ranks) {
    const int bound = static_cast<int>(std::ceil(std::log2(ranks))) + 1;
    most = std::max(most, plan::allreduce::elimination({.ranks = ranks, .me = 0}).rounds() - bound);
  }
  table.add("elimination, N = 2 … 256: stages beyond ceil(log2 N) + 1", "0").number(most, 0);
  return table;
}

}  // namespace cartwright::reproduce::ruefenacht_tables
