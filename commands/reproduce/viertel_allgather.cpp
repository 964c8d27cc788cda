// SPDX-License-Identifier: Apache-2.0
// Section 5.3: allgather.
#include <fmt/format.h>

#include <array>
#include <cartwright/plan/algorithms/allgather.hpp>

#include "machines.hpp"
#include "viertel.hpp"

namespace cartwright::reproduce::viertel_tables {

namespace {

namespace formulas = plan::formulas;

Maker bruck(int ports) {
  return [=](plan::Team team) { return plan::allgather::bruck(team, ports); };
}

bool is_power_of_two(int ranks) {
  return (ranks & (ranks - 1)) == 0;
}

constexpr auto receiving =
    "all messages are sent before the first is received, and a message that is received in a burst "
    "costs "
    "the processor o_r(1) in our simulator, where the formula has o_r(n)";

void add_small(Table& table, int free_burst) {
  const auto model = plot_parameters(free_burst);
  const auto machine = plot_machine(free_burst);
  for (const int ranks : {4, 6, 8, 16, 28, 32}) {
    const auto run = [&](const Maker& make) { return simulated_us(make, ranks, 1, machine); };
    const auto name = [&](const char* algorithm) {
      return fmt::format("f = {}, P = {}: {}", free_burst, ranks, algorithm);
    };
    add_formula(table, name("modified ring"), formulas::modified_ring_allgather_time(model, ranks),
                run(plan::allgather::direct))
        .because(receiving);
    add_most(table, name(fmt::format("Bruck, k = {}", free_burst).c_str()),
             formulas::bruck_allgather_time(model, ranks, free_burst), run(bruck(free_burst)))
        .because(receiving);
    if (free_burst > 2) continue;
    add_formula(table, name("ring"), formulas::ring_allgather_time(model, ranks),
                run(plan::allgather::ring));
    add_formula(table, name("neighbour exchange"),
                formulas::neighbour_exchange_allgather_time(model, ranks),
                run(plan::allgather::neighbour_exchange));
    if (is_power_of_two(ranks))
      add_formula(table, name("recursive doubling"),
                  formulas::recursive_doubling_allgather_time(model, ranks),
                  run(plan::allgather::recursive_doubling));
    add_formula(table, name("Bruck, k = 1"), formulas::bruck_allgather_time(model, ranks, 1),
                run(bruck(1)));
  }
}

void add_large(Table& table, int ranks, plan::Count bytes) {
  const auto machine = machine_named("oscar");
  const formulas::LogGpAllgather formula{measured_parameters(), ranks, bytes,
                                         formulas::Form::thesis};
  const auto run = [&](const Maker& make) { return simulated_us(make, ranks, bytes, machine); };
  const auto name = [&](const char* algorithm) {
    return fmt::format("P = {}, s = {}: {}", ranks, bytes, algorithm);
  };
  const double extra = first_bytes(ranks);
  add_formula(table, name("ring"), formula.ring(), run(plan::allgather::ring));
  add_formula(table, name("modified ring"), formula.modified_ring(), run(plan::allgather::direct))
      .because(
          "the printed formula adds (P - 1)(s - 1) G to the overheads, behind which these bytes "
          "flow");
  add_formula(table, name("neighbour exchange"), formula.neighbour_exchange(),
              run(plan::allgather::neighbour_exchange))
      .and_inputs(extra, first_bytes_text);
  add_formula(table, name("recursive doubling"), formula.recursive_doubling(),
              run(plan::allgather::recursive_doubling))
      .and_inputs(extra, first_bytes_text);
  for (const int ports : {1, 3})
    add_formula(table, name(fmt::format("Bruck, k = {}", ports).c_str()), formula.bruck(ports),
                run(bruck(ports)))
        .and_inputs(extra, first_bytes_text)
        .because(
            fmt::format("the printed formula has the bytes of one block in each round; with those "
                        "of P - 1 blocks it "
                        "is {:.2f}, and less where P isn't a power of k + 1",
                        formula.bruck(ports) + (ranks - 1 - formulas::rounds_of(ranks, ports + 1)) *
                                                   static_cast<double>(bytes - 1) * 0.0012));
}

// To whom rank 0 sends in a round.
std::string peers_of_rank_0(const Maker& make, int ranks, int round) {
  const auto schedule = make({.ranks = ranks, .me = 0});
  std::vector<int> peers;
  for (const plan::Step& step : schedule.steps())
    if (step.sends() && step.round == round && (peers.empty() || peers.back() != step.peer))
      peers.push_back(step.peer);
  return fmt::format("{}", fmt::join(peers, " "));
}

}  // namespace

Table allgather_small() {
  Table table(
      "Section 5.3.2", "allgather of small messages in LogfP",
      "The printed formulas at the parameters of section 5.1.4, beside simulated schedules; "
      "copying is free in both");
  add_small(table, 2);
  add_small(table, 4);
  return table;
}

Table allgather_large() {
  Table table("Section 5.3.2", "allgather in LogGP", parameters_note);
  for (const int ranks : {4, 8, 16, 32})
    for (const plan::Count bytes : {1, 1024, 32768}) add_large(table, ranks, bytes);
  return table;
}

Table allgather_structure() {
  Table table("Section 5.3.2", "rounds, partners, buffers");
  const auto& ring = plan::allgather::ring;
  table.add("ring on 5 processes (Figure 5.11): P - 1 rounds", "4").number(rounds(ring, 5), 0);
  table.add("neighbour exchange on 6 processes (Figure 5.13): P / 2 rounds", "3")
      .number(rounds(plan::allgather::neighbour_exchange, 6), 0);
  const auto& doubling = plan::allgather::recursive_doubling;
  table.add("recursive doubling on 8 processes (Figure 5.14): log2 P rounds", "3")
      .number(rounds(doubling, 8), 0);
  for (const auto& [ranks, printed] : {std::pair{5, "6"}, {12, "8"}, {33, "12"}})
    table
        .add(fmt::format("recursive doubling on {} processes: 2 ceil(log2 P) steps", ranks),
             printed)
        .number(rounds(doubling, ranks), 0)
        .because(
            "ours folds the processes beyond a power of two before and after: floor(log2 P) + 2");
  table.add("Bruck on 6 processes, k = 2 (Figure 5.15): rounds", "2")
      .number(rounds(bruck(2), 6), 0);
  table.add("Bruck, P = 27, k = 2: rank 0 sends in round 0 to rank - y (k + 1)^i", "26 25")
      .text(peers_of_rank_0(bruck(2), 27, 0));
  table.add("in round 1", "24 21").text(peers_of_rank_0(bruck(2), 27, 1));
  table.add("in round 2", "18 9").text(peers_of_rank_0(bruck(2), 27, 2));
  table.add("dissemination, P = 32: rank 0 sends in round 3 to rank + 2^i", "8")
      .text(peers_of_rank_0(plan::allgather::dissemination, 32, 3))
      .note("two messages, where its blocks reach round the end");
  const auto schedule = plan::allgather::bruck({.ranks = 32, .me = 16}, 1);
  plan::Count scratch = 0;
  for (int i = 0; i < schedule.scratch_buffers(); ++i)
    scratch +=
        schedule.extent(static_cast<plan::Buffer>(static_cast<int>(plan::Buffer::scratch) + i))
            .count;
  table.add("Bruck, P = 32: buffer besides the receive buffer, P / 2", "16")
      .number(static_cast<double>(scratch), 0, "blocks")
      .because(
          "ours works in an array of all blocks and copies them in two pieces, where the thesis "
          "rotates the receive buffer");
  return table;
}

}  // namespace cartwright::reproduce::viertel_tables
