// SPDX-License-Identifier: Apache-2.0
// Chapter 4: models and their parameters.
#include <fmt/format.h>

#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/builder.hpp>
#include <cartwright/plan/models/prtt_fit.hpp>

#include "machines.hpp"
#include "viertel.hpp"

namespace cartwright::reproduce::viertel_tables {

namespace {

// A byte to each of the others.
double simulated_messages(int messages) {
  const auto run = plan::simulate(
      messages + 1,
      [&](int me) {
        return plan::broadcast::linear({.ranks = messages + 1, .me = me}, {.rank = 0});
      },
      plan::Layout(plan::Cuts::uniform(1, 1)), 1, machine_named("logp-example"));
  return plan::seconds(run.total) * 1e6;
}

plan::Schedule ping_pong(plan::Team team) {
  plan::Builder build(team, {.blocks = 1, .output = {0, 1}});
  if (team.me == 0) build.send(1, build.output(0));
  if (team.me == 1) build.receive(0, build.output(0));
  build.next_round();
  if (team.me == 1) build.send(0, build.output(0));
  if (team.me == 0) build.receive(1, build.output(0));
  build.next_round();
  return std::move(build).finish();
}

double simulated_round_trip() {
  const auto run = plan::simulate(
      2, [](int me) { return ping_pong({.ranks = 2, .me = me}); },
      plan::Layout(plan::Cuts::uniform(1, 1)), 1, machine_named("oscar"));
  return plan::seconds(run.total) * 1e6;
}

}  // namespace

Table log_p_example() {
  Table table("Section 4.3.1", "messages in LogP, L = 20, g = 10, o_s = 5, o_r = 6",
              "The printed sums, beside the simulator");
  table.add("one message: o_s + L + o_r", "31").number(simulated_messages(1), 1, "cycles");
  table.add("three from one node (Figure 4.2): o_s + 2 g + L + o_r", "51")
      .number(simulated_messages(3), 1, "cycles");
  return table;
}

Table measured_network() {
  Table table("Section 4.3.3", "measured parameters");
  const auto model = measured_parameters();
  const double trip = simulated_round_trip();
  table.add("L = RTT / 2 - o_s - o_r of a simulated round trip", "4.5")
      .number(plan::fits::latency_of_round_trip(trip, model.send_overhead, model.receive_overhead),
              3, "us")
      .note("of a network with the printed parameters: the RTT that was measured isn't printed");
  table.add("o_s, o_r", "2.4, 1.1 us").impossible("measured; the calls' times aren't printed");
  table.add("g and G", "Figure 4.4").impossible("a picture, without numbers in the text");
  table.add("LogGP underestimates messages of 500 to 4000 B by up to", "20 %")
      .impossible("measured (Figure 4.5)");
  return table;
}

}  // namespace cartwright::reproduce::viertel_tables
