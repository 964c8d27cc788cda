// SPDX-License-Identifier: Apache-2.0
// Section 5.1: scatter.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/plan/algorithms/scatter.hpp>
#include <cmath>

#include "machines.hpp"
#include "viertel.hpp"

namespace cartwright::reproduce::viertel_tables {

namespace {

namespace formulas = plan::formulas;

constexpr plan::Root root{.rank = 0};

Maker linear() {
  return [](plan::Team team) { return plan::scatter::linear(team, root); };
}

Maker splitting() {
  return [](plan::Team team) { return plan::scatter::recursive_splitting(team, root); };
}

Maker n_way(int fan_out) {
  return [=](plan::Team team) { return plan::scatter::n_way_binomial(team, root, fan_out); };
}

Maker optimal(const plan::SplitTable& table) {
  return [&](plan::Team team) { return plan::scatter::optimal(team, root, table); };
}

std::string at(int ranks, const char* algorithm) {
  return fmt::format("P = {}: {}", ranks, algorithm);
}

void add_small(Table& table, int free_burst) {
  const auto model = plot_parameters(free_burst);
  const auto machine = plot_machine(free_burst);
  for (const int ranks : {2, 4, 6, 8, 10, 12, 16, 28, 32, 40}) {
    const auto run = [&](const Maker& make) { return simulated_us(make, ranks, 1, machine); };
    const auto name = [&](const std::string& algorithm) {
      return fmt::format("f = {}, P = {}: {}", free_burst, ranks, algorithm);
    };
    add_formula(table, name("linear"), formulas::linear_scatter_time(model, ranks), run(linear()));
    if (free_burst == 2)
      add_most(table, name("recursive splitting"), formulas::splitting_scatter_time(model, ranks),
               run(splitting()));
    add_most(table, name(fmt::format("n-way tree, k = {}", free_burst)),
             formulas::n_way_scatter_time(model, ranks, free_burst), run(n_way(free_burst)));
  }
}

struct Size {
  int ranks;
  plan::Count bytes;
};
constexpr std::array<Size, 4> sizes{{{8, 1}, {16, 1024}, {28, 4096}, {32, 32768}}};

std::string at(const Size& size, const char* algorithm) {
  return fmt::format("P = {}, s = {}: {}", size.ranks, size.bytes, algorithm);
}

// The earliest end of a rank that passes nothing on.
double first_leaf_us(const plan::Simulation& run, const Maker& make, int ranks) {
  plan::Picoseconds first = run.total;
  for (int me = 1; me < ranks; ++me) {
    const auto schedule = make({.ranks = ranks, .me = me});
    const auto sends = [](const plan::Step& step) { return step.sends(); };
    if (std::ranges::none_of(schedule.steps(), sends))
      first = std::min(first, run.finish[static_cast<std::size_t>(me)]);
  }
  return plan::seconds(first) * 1e6;
}

// Schedules of the tree that end later than the printed maximum.
int later_than_printed(const plan::Machine& machine) {
  int later = 0;
  for (int fan_out = 1; fan_out <= 8; ++fan_out)
    for (int ranks = 2; ranks <= 40; ++ranks) {
      const formulas::LogGpScatter formula{measured_parameters(), ranks, 1024,
                                           formulas::Form::thesis};
      const double allowed = first_bytes(ranks) + 1e-6;
      if (simulated_us(n_way(fan_out), ranks, 1024, machine) > formula.n_way(fan_out) + allowed)
        ++later;
    }
  return later;
}

int printed_rounds(int ranks, int fan_out) {
  return static_cast<int>(std::ceil(std::log(ranks) / std::log(fan_out + 1)));
}

plan::Count most_scratch_blocks(const Maker& make, int ranks) {
  plan::Count most = 0;
  for (int me = 0; me < ranks; ++me) {
    const auto schedule = make({.ranks = ranks, .me = me});
    plan::Count blocks = 0;
    for (int i = 0; i < schedule.scratch_buffers(); ++i)
      blocks +=
          schedule.extent(static_cast<plan::Buffer>(static_cast<int>(plan::Buffer::scratch) + i))
              .count;
    most = std::max(most, blocks);
  }
  return most;
}

}  // namespace

Table scatter_small() {
  Table table(
      "Sections 5.1.2 to 5.1.4", "scatter of small messages in LogfP",
      "The printed formulas at the printed parameters (o_s 0.5 … 2.0, o_r 0.5 … 1.5, g = 3, "
      "L = 5), beside simulated schedules. How o shrinks with the number of messages is lost; "
      "o(n) = o_min + (o_max - o_min) / n in both");
  add_small(table, 2);
  add_small(table, 4);
  const auto loses = [](double (*other)(const formulas::LogFp&, plan::Count)) {
    return formulas::ranks_from_which_linear_loses(plot_parameters(2), other, 64);
  };
  const auto to_tree = loses([](const formulas::LogFp& model, plan::Count ranks) {
    return formulas::n_way_scatter_time(model, ranks, 2);
  });
  const auto to_splitting = loses(formulas::splitting_scatter_time);
  table.add("the linear algorithm loses to the n-way tree earlier than to splitting", "yes")
      .judged(to_tree < to_splitting ? "yes" : "no", to_tree < to_splitting,
              fmt::format("from P = {} and {}, f = 2", to_tree, to_splitting), "the same");
  table.add("Figures 5.7 and 5.8", "curves").impossible("pictures without numbers");
  return table;
}

Table scatter_large() {
  Table table("Sections 5.1.2 and 5.1.3", "scatter in LogGP", parameters_note);
  const auto machine = machine_named("oscar");
  for (const Size& size : sizes) {
    const formulas::LogGpScatter formula{measured_parameters(), size.ranks, size.bytes,
                                         formulas::Form::thesis};
    const auto run = [&](const Maker& make) {
      return simulated_us(make, size.ranks, size.bytes, machine);
    };
    add_formula(table, at(size, "linear"), formula.linear(), run(linear()))
        .because("the printed formula has P - 1 intervals between P - 1 messages, one too many");
    const double extra = first_bytes(size.ranks);
    add_most(table, at(size, "recursive splitting"), formula.splitting(), run(splitting()), extra);
    add_most(table, at(size, "n-way tree, k = 3"), formula.n_way(3), run(n_way(3)), extra);
  }
  table.add("n-way trees later than the printed maximum, P = 2 … 40, k = 1 … 8", "0")
      .number(later_than_printed(machine), 0)
      .note(
          "the printed builder, which gives the surplus of an uneven split to children, exceeds "
          "it; "
          "ours keeps the surplus");
  return table;
}

Table scatter_leaves() {
  Table table("Section 5.1.3", "fastest and slowest leaf of recursive splitting", parameters_note);
  const auto machine = machine_named("oscar");
  for (const int ranks : {4, 8, 16, 32}) {
    const formulas::LogGpScatter formula{measured_parameters(), ranks, 1, formulas::Form::thesis};
    const auto run = simulated(splitting(), ranks, 1, machine);
    const double allowed = first_bytes(ranks);
    add_formula(table, at(ranks, "fastest"), formula.splitting_fastest_leaf(),
                first_leaf_us(run, splitting(), ranks))
        .and_inputs(allowed, first_bytes_text);
    add_formula(table, at(ranks, "slowest"), formula.splitting(), plan::seconds(run.total) * 1e6)
        .and_inputs(allowed, first_bytes_text);
  }
  return table;
}

Table scatter_optimal() {
  Table table(
      "Section 5.1.3, LogGP optimal algorithm", "times by the recurrence and simulated",
      fmt::format("{}. Bytes are charged (m s - 1) G for m blocks in both", parameters_note));
  const auto machine = machine_named("oscar");
  const plan::Network& network = machine.levels.front().network;
  for (const Size& size : sizes) {
    const auto recurrence =
        formulas::optimal_splitting(measured_parameters(), size.ranks, size.bytes);
    const plan::SplitTable splits(size.ranks, plan::split_costs(network, size.bytes));
    add_formula(table, at(size, "t(P)"), recurrence.time[static_cast<std::size_t>(size.ranks)],
                simulated_us(optimal(splits), size.ranks, size.bytes, machine))
        .and_inputs(0.0012 * size.ranks, "first bytes of messages, which the table rounds off");
  }
  return table;
}

Table scatter_gain() {
  Table table(
      "Section 5.1.4", "what the optimal algorithm gains over splitting at most",
      "The printed bound (log2 P - 1)(L' - g) / 2 beside S2 less the optimum, without bytes");
  const auto add = [&](int ranks, double one_way, double gap) {
    const formulas::LogGp model{.latency = one_way, .gap = gap};
    const double bound = formulas::printed_splitting_gain(model, ranks);
    const double best =
        formulas::optimal_splitting(model, ranks, 1).time[static_cast<std::size_t>(ranks)];
    const double gained = formulas::LogGpScatter{model, ranks, 1}.splitting() - best;
    table
        .add(fmt::format("P = {}, L' = {:g}, g = {:g}", ranks, one_way, gap),
             fmt::format("{:.1f}", bound))
        .judged(fmt::format("{:.1f}", gained), gained <= bound + 1e-9,
                fmt::format("{:+.1f}", gained - bound), "at most")
        .because("the bound is wrong; twice of it holds in all cases here");
  };
  for (const int ranks : {4, 8, 16, 32, 64}) add(ranks, 8, 3);
  for (const int ranks : {4, 8, 16, 32, 64}) add(ranks, 8, 1);
  return table;
}

Table scatter_structure() {
  Table table("Section 5.1.3", "trees");
  table.add("recursive splitting on 8 processes (Figure 5.2): steps", "3")
      .number(rounds(splitting(), 8), 0);
  table.add("n-way tree on 9 processes, k = 2 (Figure 5.6): steps", "2")
      .number(rounds(n_way(2), 9), 0);
  constexpr auto logarithm =
      "the printed logarithm in floating point is one too many where P is a power of k + 1";
  for (const auto& [ranks, fan_out] : {std::pair{64, 3}, {125, 4}, {216, 5}, {15625, 4}})
    table
        .add(fmt::format("rounds by the printed program, P = {}, k = {}", ranks, fan_out),
             std::to_string(printed_rounds(ranks, fan_out)))
        .number(rounds(n_way(fan_out), ranks), 0)
        .because(logarithm);
  table.add("section 5.1.4: buffer of recursive splitting, P = 32: P s / 2", "16")
      .number(static_cast<double>(most_scratch_blocks(splitting(), 32)), 0, "blocks");
  for (const int fan_out : {2, 3, 4})
    table
        .add(fmt::format("section 5.1.4: buffer of the n-way tree, P = 32, k = {}: P s / k",
                         fan_out),
             fmt::format("{:.1f}", 32.0 / fan_out))
        .number(static_cast<double>(most_scratch_blocks(n_way(fan_out), 32)), 0, "blocks")
        .because(
            "a tree of k children splits in k + 1 parts: ceil(P / (k + 1)) blocks, which for k = 1 "
            "is the P s / 2 of recursive splitting");
  return table;
}

}  // namespace cartwright::reproduce::viertel_tables
