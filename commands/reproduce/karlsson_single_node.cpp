// SPDX-License-Identifier: Apache-2.0
// Chapter 4: scatter on one node of two groups of cores.
#include <fmt/format.h>

#include <array>
#include <cartwright/plan/algorithms/scatter.hpp>
#include <cartwright/plan/models/channel_cost.hpp>
#include <cartwright/plan/simulation/simulate.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "karlsson.hpp"

namespace cartwright::reproduce::karlsson_tables {

namespace {

namespace formulas = plan::formulas;

// A row for each sender.
constexpr std::array<std::array<double, 8>, 8> cost{
    {{0.00, 32.74, 30.69, 30.62, 32.42, 30.63, 32.25, 32.79},
     {32.37, 0.00, 32.97, 32.90, 30.35, 32.56, 30.59, 30.41},
     {30.60, 33.50, 0.00, 30.67, 32.68, 30.58, 32.52, 32.81},
     {30.34, 33.37, 30.75, 0.00, 32.73, 30.46, 32.78, 33.01},
     {32.67, 30.56, 32.81, 32.62, 0.00, 32.91, 30.53, 30.50},
     {30.61, 33.24, 30.97, 30.67, 32.87, 0.00, 32.76, 32.83},
     {32.70, 30.51, 32.65, 32.86, 30.62, 32.85, 0.00, 30.49},
     {32.91, 30.63, 32.87, 32.72, 30.50, 32.97, 30.67, 0.00}}};
constexpr std::array<std::size_t, 4> group_1{0, 2, 3, 5};
constexpr std::array<std::size_t, 4> group_2{1, 4, 6, 7};

struct Sample {
  int count = 0;
  double mean = 0.0;
  double deviation = 0.0;
};

Sample sample(std::span<const std::size_t> senders, std::span<const std::size_t> receivers) {
  std::vector<double> values;
  for (const std::size_t from : senders)
    for (const std::size_t to : receivers)
      if (from != to) values.push_back(cost[from][to]);
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {static_cast<int>(values.size()), mean, std::sqrt(squares / (count - 1.0))};
}

// Student's two-sided t-test with one variance for both samples.
double t_test(const Sample& a, const Sample& b) {
  const double freedom = a.count + b.count - 2.0;
  const double variance =
      ((a.count - 1.0) * a.deviation * a.deviation + (b.count - 1.0) * b.deviation * b.deviation) /
      freedom;
  const double t =
      std::abs(a.mean - b.mean) / std::sqrt(variance * (1.0 / a.count + 1.0 / b.count));
  // the tail of the density, from t to infinity by t / z with z = 0 … 1
  const double scale = std::exp(std::lgamma((freedom + 1.0) / 2.0) - std::lgamma(freedom / 2.0)) /
                       std::sqrt(freedom * std::numbers::pi);
  constexpr int intervals = 20000;
  double tail = 0.0;
  for (int i = 0; i < intervals; ++i) {
    const double z = (i + 0.5) / intervals;
    tail += std::pow(1.0 + t * t / (z * z * freedom), -(freedom + 1.0) / 2.0) * t / (z * z);
  }
  return 2.0 * scale * tail / intervals;
}

void add_sample(Table& table, const char* name, const Sample& ours, const char* mean,
                const char* deviation, const char* count) {
  table.add(fmt::format("{}: mean", name), mean).number(ours.mean, 3, "us");
  table.add(fmt::format("{}: standard deviation", name), deviation).number(ours.deviation, 4, "us");
  table.add(fmt::format("{}: n", name), count).number(ours.count, 0);
}

void add_test(Table& table, const char* what, const char* printed, double ours) {
  const double published = Printed{printed}.value();
  const double digit = std::pow(10.0, std::floor(std::log10(published)) - 1.0);
  table.add(what, printed)
      .judged(fmt::format("{:.2e}", ours), std::abs(ours - published) <= digit / 2.0,
              fmt::format("{:+.2f} %", 100.0 * (ours / published - 1.0)), "printed digits");
}

// One rank per core, unlimited channels, m = 1 MB with beta = 1 s per MB: in units of m beta.
double simulated_scatter(int ranks) {
  const plan::Machine machine = plan::flat_machine(plan::hockney(0.0, 1e-6));
  const auto run = plan::simulate(
      ranks,
      [&](int me) {
        return plan::scatter::recursive_splitting({.ranks = ranks, .me = me}, {.rank = 0});
      },
      plan::Layout(plan::Cuts::uniform(ranks, 1'000'000)), 1, machine);
  return plan::seconds(run.total);
}

// The group of each rank when that bit of its number says in which it is. Bit 0: messages cross in
// the last step.
std::vector<int> groups_by_bit(int ranks, int bit) {
  std::vector<int> groups;
  groups.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) groups.push_back(rank >> bit & 1);
  return groups;
}

struct Ordering {
  const char* name;
  int bit;  // of 8 ranks
};
constexpr std::array<Ordering, 3> ordering{{{"standard", 2}, {"FEF", 0}, {"CAO", 1}}};

// "6 beta_1 + 2 beta_2": from times with one of them 1 and the other 0.
std::string in_betas(int bit) {
  constexpr double between = 1000.0;
  const auto steps = formulas::grouped_scatter_steps(
      {.inside_byte_time = 1.0, .between_byte_time = between, .channels = 2.0},
      groups_by_bit(8, bit), 1.0);
  double inside = 0.0;
  double crossing = 0.0;
  for (const double step : steps) (step >= between ? crossing : inside) += step;
  return fmt::format("{:g} m beta_1 + {:g} m beta_2", inside, crossing / between);
}

// Who sends how much to whom in a step of the scatter to eight.
std::string messages_of_step(int step) {
  std::vector<std::string> texts;
  texts.reserve(8);
  for (int me = 0; me < 8; ++me) {
    const auto schedule = plan::scatter::recursive_splitting({.ranks = 8, .me = me}, {.rank = 0});
    for (const plan::Step& s : schedule.steps())
      if (s.sends() && s.round == step)
        texts.push_back(fmt::format("{} → {}: {}", me, s.peer, s.count));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string crossings_of_step(int bit, int step) {
  int all = 0;
  int crossing = 0;
  for (int me = 0; me < 8; ++me) {
    const auto schedule = plan::scatter::recursive_splitting({.ranks = 8, .me = me}, {.rank = 0});
    for (const plan::Step& s : schedule.steps()) {
      if (!s.sends() || s.round != step) continue;
      ++all;
      crossing += (me >> bit & 1) != (s.peer >> bit & 1) ? 1 : 0;
    }
  }
  return fmt::format("{} of {}", crossing, all);
}

struct StepTimes {
  const char* name;
  int bit;  // of 32 ranks
  std::array<const char*, 5> steps;
  const char* total;
};
constexpr std::array<StepTimes, 3> table_4_12{
    {{"standard", 4, {"92.26", "46.39", "27.76", "14.98", "6.29"}, "187.68"},
     {"FEF", 0, {"50.70", "36.76", "19.75", "14.38", "11.51"}, "133.10"},
     {"CAO", 3, {"50.13", "45.53", "18.68", "10.47", "6.43"}, "131.24"}}};

}  // namespace

std::vector<double> table_4_1() {
  std::vector<double> all;
  for (const auto& row : cost) all.insert(all.end(), row.begin(), row.end());
  return all;
}

Table cost_matrix() {
  Table table("Section 4.3 and Table 4.7",
              "groups of cores on RA, from the cost matrix of Table 4.1");
  const Sample first = sample(group_1, group_1);
  const Sample second = sample(group_2, group_2);
  const Sample across = sample(group_2, group_1);
  const Sample back = sample(group_1, group_2);
  add_sample(table, "t_11", first, "30.63", "0.152", "12");
  add_sample(table, "t_12, to group 1 from group 2", across, "32.77", "0.167", "16");
  add_sample(table, "t_22", second, "30.53", "0.092", "12");
  add_sample(table, "t_21, to group 2 from group 1", back, "32.83", "0.326", "16");
  add_test(table, "t_11 = t_12: p", "2.5e-23", t_test(first, across));
  add_test(table, "t_22 = t_21: p", "4.1e-19", t_test(second, back));
  table.add("Kraken and BlueDrop (Table 4.7)", "means, deviations")
      .impossible("their cost matrices aren't printed, or only in part (Table 4.2)");
  return table;
}

Table scatter_costs() {
  Table table("Section 4.1", "binomial scatter with a limited number of channels, in m beta");
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  const double limited_32 = formulas::channel_limited_scatter(32, 2);
  table.add("8 ranks, any number of channels", "7")
      .number(formulas::channel_limited_scatter(8, unlimited), 2);
  table.add("8 ranks, any number of channels, simulated", "7").number(simulated_scatter(8), 2);
  table.add("8 ranks, 2 channels", "8").number(formulas::channel_limited_scatter(8, 2), 2);
  table.add("32 ranks, any number of channels", "31")
      .number(formulas::channel_limited_scatter(32, unlimited), 2);
  table.add("32 ranks, any number of channels, simulated", "31").number(simulated_scatter(32), 2);
  table.add("32 ranks, 2 channels", "48").number(limited_32, 2);
  table.add("which is slower by almost", "50")
      .number(100.0 * (limited_32 / 31.0 - 1.0), 1, "%")
      .because("48 / 31 is 55 % more, not \"almost 50 %\"");
  return table;
}

Table scatter_messages() {
  Table table("Tables 4.3 to 4.5", "messages of a scatter to eight ranks, in m");
  table.add("step 1", "0 → 4: 4").text(messages_of_step(0));
  table.add("step 2", "0 → 2: 2, 4 → 6: 2").text(messages_of_step(1));
  table.add("step 3", "0 → 1: 1, 2 → 3: 1, 4 → 5: 1, 6 → 7: 1").text(messages_of_step(2));
  const auto add = [&](const char* name, int bit, std::array<const char*, 3> printed) {
    for (int step = 0; step < 3; ++step)
      table
          .add(fmt::format("{}, step {}: from group to group", name, step + 1),
               printed[static_cast<std::size_t>(step)])
          .text(crossings_of_step(bit, step));
  };
  add("FEF, groups {0, 2, 4, 6} and {1, 3, 5, 7}", 0, {"0 of 1", "0 of 2", "4 of 4"});
  add("CAO, groups {0, 1, 4, 5} and {2, 3, 6, 7}", 1, {"0 of 1", "2 of 2", "0 of 4"});
  return table;
}

Table ordering_costs() {
  Table table("Table 4.6 and section 4.6.1", "scatter to two groups of four with two channels");
  const std::array<const char*, 3> printed{"3 m beta_1 + 4 m beta_2", "6 m beta_1 + 2 m beta_2",
                                           "5 m beta_1 + 2 m beta_2"};
  for (std::size_t i = 0; i < ordering.size(); ++i)
    table.add(ordering[i].name, printed[i]).text(in_betas(ordering[i].bit));
  // 6 + 2 x < 3 + 4 x
  table.add("FEF beats the standard from beta_2 / beta_1 above", "1.5")
      .number((6.0 - 3.0) / (4.0 - 2.0), 2);
  return table;
}

Table bluedrop_steps() {
  Table table(
      "Table 4.12", "steps of a scatter of 10 MB to each of 32 cores on BlueDrop",
      "Ours: the model of Table 4.6 with 1 / beta_1 = 3260, 1 / beta_2 = 1646 MB/s of section "
      "3.7.4, two channels, 10^7 bytes");
  const formulas::GroupedScatter model{
      .inside_byte_time = 1e-6 / 3260, .between_byte_time = 1e-6 / 1646, .channels = 2.0};
  for (const StepTimes& line : table_4_12) {
    const auto steps = formulas::grouped_scatter_steps(model, groups_by_bit(32, line.bit), 1e7);
    double sum = 0.0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      sum += Printed{line.steps[i]}.value();
      table.add(fmt::format("{}, step {}", line.name, i + 1), line.steps[i])
          .number(steps[i] * 1e3, 2, "ms")
          .within_percent(10, "a model beside a measurement")
          .because(
              "two channels are assumed, but Table 3.14 has the bandwidth of seven between the "
              "groups for 16 pairs; and pairs inside of a group lose a third (Table 3.13)");
    }
    table.add(fmt::format("{}: sum of the steps", line.name), line.total)
        .number(sum, 2, "ms")
        .and_inputs(0.025, "the steps");
  }
  return table;
}

Table single_node_measurements() {
  Table table("Tables 4.8 to 4.11", "measurements on one node");
  constexpr auto measured =
      "measured; bandwidths inside of the groups with several messages aren't printed";
  table.add("Table 4.8: bandwidth of several pairs", "18 numbers").impossible(measured);
  table.add("Table 4.9: RA, standard, random, FEF, CAO", "308.62, 313.66, 308.90, 308.25 ms")
      .impossible(measured);
  table.add("Table 4.10: Kraken", "104.36, 106.80, 101.22, 80.94 ms").impossible(measured);
  table.add("Table 4.11: BlueDrop", "123.41, 126.11, 116.10, 111.76 ms")
      .impossible(
          "measured; these are less than the sums of the steps of Table 4.12, which overlap");
  return table;
}

}  // namespace cartwright::reproduce::karlsson_tables
