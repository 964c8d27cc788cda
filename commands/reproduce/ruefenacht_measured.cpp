// SPDX-License-Identifier: Apache-2.0
// Section 5.5: measurements on ARCHER beside the model.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/plan/selection/multiplying_cost.hpp>
#include <cartwright/plan/selection/multiplying_heuristic.hpp>
#include <limits>

#include "ruefenacht.hpp"

namespace cartwright::reproduce::ruefenacht_tables {

namespace {

struct Measured {
  int ranks;
  const char* schedule;
  int blocks;
  const char *doubling_min, *multiplying_min, *gain_min;           // us, us, %
  const char *doubling_median, *multiplying_median, *gain_median;  // us, us, %
};

constexpr std::array<Measured, 11> table_5_3{
    {{4, "a4", 10500, "2.36", "1.87", "21.1", "4.55", "3.65", "19.7"},
     {6, "a6", 10250, "4.76", "2.87", "40.0", "8.72", "5.75", "34.1"},
     {8, "a2,a4", 10750, "4.37", "3.54", "18.9", "9.38", "7.23", "23.0"},
     {12, "a3,a4", 10000, "7.03", "4.43", "37.0", "15.3", "11.6", "24.4"},
     {16, "a4,a4", 12500, "6.85", "4.98", "27.3", "19.1", "13.8", "27.6"},
     {24, "a4,a6", 13750, "9.99", "6.91", "30.8", "29.7", "25.5", "14.2"},
     {32, "a8,a4", 10000, "12.9", "8.95", "30.8", "30.9", "25.2", "18.4"},
     {48, "a8,a6", 10000, "19.8", "13.3", "33.2", "38.7", "32.1", "17.1"},
     {64, "a8,a8", 10000, "24.2", "16.5", "31.9", "47.4", "39.9", "15.9"},
     {96, "a8,a3,a4", 12500, "25.3", "20.7", "18.1", "51.7", "47.6", "7.96"},
     {128, "a8,a4,a4", 10000, "25.1", "17.9", "28.9", "101.0", "88.4", "12.5"}}};

constexpr auto congestion = "congestion, which the model hasn't (section 5.5.5)";

double gain(double doubling, double multiplying) {
  return 100.0 * (1.0 - multiplying / doubling);
}

void add_gain(Table& table, const std::string& what, const char* doubling, const char* multiplying,
              const char* printed) {
  const Printed before{doubling};
  const Printed after{multiplying};
  const double moved = 100.0 *
                       (after.half_digit() + before.half_digit() * after.value() / before.value()) /
                       before.value();
  table.add(what, printed)
      .number(gain(before.value(), after.value()), 2, "%")
      .and_inputs(moved, "the times")
      .because("the printed times and the printed percentage contradict each other");
}

double simulated_us(const plan::Stages& stages) {
  static const plan::Machine machine = archer();
  return plan::seconds(simulated(stages, machine).total) * 1e6;
}

// The quickest ordered factorisation in the model.
plan::Stages best_factors(int ranks, const plan::MultiplyingParameters& parameters) {
  plan::Stages best;
  plan::Picoseconds time = std::numeric_limits<plan::Picoseconds>::max();
  for_each_factorisation(ranks, [&](std::span<const int> factors) {
    const plan::Stages stages = plan::factor_stages(factors);
    if (plan::stages_time(stages, parameters) >= time) return;
    time = plan::stages_time(stages, parameters);
    best = stages;
  });
  return best;
}

}  // namespace

Table measured_gains() {
  Table table("Table 5.3", "percentages, from the printed times");
  double least = 100.0;
  double most = 0.0;
  for (const Measured& line : table_5_3) {
    add_gain(table, fmt::format("N = {}: minimum", line.ranks), line.doubling_min,
             line.multiplying_min, line.gain_min);
    add_gain(table, fmt::format("N = {}: median", line.ranks), line.doubling_median,
             line.multiplying_median, line.gain_median);
    for (const char* printed : {line.gain_min, line.gain_median}) {
      least = std::min(least, Printed{printed}.value());
      most = std::max(most, Printed{printed}.value());
    }
  }
  table.add("section 5.5.3 and abstract: gains from", "8").number(least, 2, "%");
  table.add("section 5.5.3 and abstract: gains to", "40").number(most, 1, "%");
  table.add("section 7.1: median gain for N = 128", "10")
      .number(Printed{table_5_3.back().gain_median}.value(), 1, "%")
      .because("section 7.1 rounds the 12.5 % of Table 5.3 down");
  const auto fewest = std::ranges::min(table_5_3, {}, &Measured::blocks).blocks;
  table.add("section 5.5.3: allreduces measured for each N, at least", "100000")
      .number(10.0 * fewest, 0)
      .note("blocks of ten");
  table.add("section 5.5.2: 40 allocations of 250 blocks", "10000")
      .number(40.0 * 250.0, 0)
      .note("the fewest blocks of Table 5.3");
  return table;
}

Table measured_times() {
  Table table(
      "Table 5.3 and Figure 5.20", "times on ARCHER beside the simulator",
      "a_p = 0.88 us, a_r = 0.38 us from Table 4.1; 8 bytes, computing free. Recursive doubling "
      "collapses and expands where N isn't a power of two. The thesis finds the same excess over "
      "the model (Figure 5.20), growing with N, and none on a machine of its own");
  for (const Measured& line : table_5_3) {
    const double doubling = simulated_us(plan::doubling_stages(line.ranks));
    const double multiplying = simulated_us(plan::parse_stages(line.schedule));
    const auto add = [&](const char* what, const char* printed, double ours) -> Row& {
      return table.add(fmt::format("N = {}: {}", line.ranks, what), printed)
          .number(ours, 2, "us")
          .within_percent(10, "a model beside a measured minimum")
          .because(congestion);
    };
    add("recursive doubling, minimum", line.doubling_min, doubling);
    add(fmt::format("{}, minimum", line.schedule).c_str(), line.multiplying_min, multiplying);
    table.add(fmt::format("N = {}: gain of the minimum", line.ranks), line.gain_min)
        .number(gain(doubling, multiplying), 1, "%")
        .within(5, "points, a model beside a measurement")
        .because(congestion);
    table
        .add(fmt::format("N = {}: medians", line.ranks),
             fmt::format("{} / {} us", line.doubling_median, line.multiplying_median))
        .impossible("the parameters that were fitted to medians aren't printed");
  }
  return table;
}

Table measured_schedules() {
  Table table(
      "Table 5.3, schedules", "fastest by measurement beside the fastest factors of the model",
      "Ours: the least time of all ordered factorisations with a_p = 0.88 us, a_r = 0.38 us");
  const auto parameters = plan::multiplying_parameters(archer(), 8);
  for (const Measured& line : table_5_3) {
    const auto best = best_factors(line.ranks, parameters);
    const auto time = plan::stages_time(best, parameters);
    const auto printed = plan::stages_time(plan::parse_stages(line.schedule), parameters);
    table.add(fmt::format("N = {}", line.ranks), line.schedule)
        .judged(plan::to_string(best), time == printed,
                fmt::format("{:+.2f} us", plan::seconds(printed - time) * 1e6),
                "the same time in the model")
        .because("chosen by the median of measurements on a noisy machine, where fewer stages win");
  }
  return table;
}

Table message_counts() {
  Table table("Equations 5.12 and 5.13", "messages, counted in the simulator");
  const auto messages = [](const char* stages) {
    return static_cast<double>(
        simulated(plan::parse_stages(stages), archer()).levels.front().all.messages);
  };
  table.add("N = 64, (4, 4, 4)", "576").number(messages("a4,a4,a4"), 0);
  table.add("N = 64, (2, 2, 2, 2, 2, 2)", "384").number(messages("a2,a2,a2,a2,a2,a2"), 0);
  return table;
}

Table other_measurements() {
  Table table("Sections 5.5.3 to 5.5.8", "other measurements");
  table.add("median of recursive multiplying near percentile of doubling", "26th")
      .impossible("the distributions are only in Figure 5.17");
  table.add("N = 8 is bandwidth bound from elements", "24 to 32")
      .impossible(
          "read off Figure 5.18; the parameters for sizes between 128 and 512 B aren't printed");
  const auto parameters = plan::multiplying_parameters(archer(), 4096);
  const double ratio =
      static_cast<double>(plan::stages_time(plan::parse_stages("a4,a4,a4"), parameters)) /
      static_cast<double>(plan::stages_time(plan::doubling_stages(64), parameters));
  table.add("N = 64, 4096 B: recursive multiplying is", "faster")
      .judged(ratio < 1.0 ? "faster" : "slower", ratio < 1.0,
              fmt::format("(4, 4, 4) takes {:.2f} times doubling", ratio), "the same")
      .because(
          "Table 4.1, interpolated between 2 and 8 KiB, has c = 0.7: nothing is gained by more "
          "messages; the thesis can't explain its measurement either");
  table.add("blocks of ten overestimate the median by", "10 us")
      .impossible("a property of the measurement (Figure 5.21)");
  table.add("Figures 5.17 to 5.24, tds", "curves")
      .impossible("pictures without numbers in the text");
  return table;
}

}  // namespace cartwright::reproduce::ruefenacht_tables
