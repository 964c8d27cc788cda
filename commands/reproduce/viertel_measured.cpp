// SPDX-License-Identifier: Apache-2.0
// Chapter 7: benchmarks.
#include <fmt/format.h>

#include <cartwright/plan/algorithms/allgather.hpp>
#include <cartwright/plan/algorithms/gather.hpp>

#include "viertel.hpp"

namespace cartwright::reproduce::viertel_tables {

namespace {

constexpr plan::Root root{.rank = 0};

Maker n_way_gather(int fan_out) {
  return [=](plan::Team team) { return plan::gather::n_way_binomial(team, root, fan_out); };
}

// The first P of 2, 4, 6 … with a second level.
int first_second_level(int fan_out) {
  int ranks = 2;
  while (rounds(n_way_gather(fan_out), ranks) < 2) ranks += 2;
  return ranks;
}

Row& add_claim(Table& table, const char* what, const char* printed, bool ours, double ratio) {
  return table.add(what, printed)
      .judged(ours ? printed : "the opposite", ours, fmt::format("ratio {:.2f}", ratio),
              "the same");
}

}  // namespace

Table gather_measured() {
  Table table("Section 7.2", "gather on CHiC",
              "Ours: simulated in LogfP, section 5.1.4, f = 4, blocks of 4 bytes");
  const auto machine = plot_machine(4);
  const auto run = [&](const Maker& make, int ranks) {
    return simulated_us(make, ranks, 4, machine);
  };
  const Maker linear = [](plan::Team team) { return plan::gather::linear(team, root); };
  table.add("first level added to the tree, k = 1, at P", "4").number(first_second_level(1), 0);
  table.add("first level added to the tree, k = 3, at P", "6").number(first_second_level(3), 0);
  const double small = run(linear, 4) / run(n_way_gather(1), 4);
  add_claim(table, "P = 4: the linear algorithm is", "faster than the tree", small < 1, small);
  const double large = run(n_way_gather(3), 32) / run(linear, 32);
  add_claim(table, "P = 32: the n-way tree, k = 3, is", "faster than the linear one", large < 1,
            large);
  const double fan_out = run(n_way_gather(3), 32) / run(n_way_gather(1), 32);
  add_claim(table, "P = 32: a higher fan-out is", "faster", fan_out < 1, fan_out);
  table.add("P = 28: the tree is faster up to", "4 kbyte")
      .impossible(
          "in LogGP the lead of a tree doesn't depend on the size; what ends it, copies at inner "
          "nodes and registration, has no numbers in the thesis");
  table.add("32 kbyte: the linear algorithm is best", "yes").impossible("for the same reason");
  table.add("P = 4: faster than MVAPICH and Open MPI by up to", "50 %")
      .impossible("a measurement of libraries (Figure 7.3)");
  table.add("P = 32: slower than MVAPICH below", "128 B")
      .impossible("a measurement of libraries (Figure 7.3)");
  return table;
}

Table allgather_measured() {
  Table table("Section 7.3", "allgather on CHiC", "Ours: simulated in LogfP, section 5.1.4, f = 4");
  const auto machine = plot_machine(4);
  const auto run = [&](const Maker& make, int ranks) {
    return simulated_us(make, ranks, 4, machine);
  };
  const auto bruck = [](int ports) {
    return [=](plan::Team team) { return plan::allgather::bruck(team, ports); };
  };
  const double six = run(plan::allgather::direct, 6) / run(bruck(1), 6);
  add_claim(table, "P = 6: the modified ring is", "slower than Bruck, k = 1", six > 1, six)
      .because(
          "LogfP favours it, as the thesis says in section 5.3.3; the measurement doesn't follow");
  const double ports = run(bruck(3), 28) / run(bruck(1), 28);
  add_claim(table, "P = 28: Bruck with several messages a round is", "slower", ports > 1, ports)
      .because(
          "contrary to LogfP, as the thesis says: its program waits for the first source of a "
          "round "
          "even when later ones are there, and copies before the next round");
  const double four = run(plan::allgather::direct, 4) / run(bruck(1), 4);
  add_claim(table, "P = 4: the modified ring is", "faster than Bruck, k = 1", four < 1, four);
  const double large =
      run(plan::allgather::direct, 32) / run(plan::allgather::recursive_doubling, 32);
  add_claim(table, "P = 32: recursive doubling is", "faster than the modified ring", large > 1,
            large);
  table.add("Figures 7.4 to 7.7", "curves")
      .impossible(
          "pictures without numbers; comparisons with MVAPICH and Open MPI are measurements");
  return table;
}

}  // namespace cartwright::reproduce::viertel_tables
