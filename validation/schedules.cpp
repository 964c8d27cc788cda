// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/plan/algorithms/allgather.hpp>
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/algorithms/gather.hpp>
#include <cartwright/plan/algorithms/scatter.hpp>
#include <cartwright/plan/algorithms/split_table.hpp>
#include <cartwright/plan/builder.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <sstream>

#include "computations.hpp"

namespace cartwright::validation {

namespace {

constexpr plan::Root root{.rank = 0};

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

/// An algorithm that has one whole number, `of`.
using Numbered = plan::Schedule (*)(plan::Team team, int of);
const std::map<std::string, Numbered>& algorithms() {
  using plan::Team;
  static const std::map<std::string, Numbered> known{
      {"linear scatter", [](Team t, int) { return plan::scatter::linear(t, root); }},
      {"splitting scatter",
       [](Team t, int) { return plan::scatter::recursive_splitting(t, root); }},
      {"n-way scatter", [](Team t, int k) { return plan::scatter::n_way_binomial(t, root, k); }},
      {"linear gather", [](Team t, int) { return plan::gather::linear(t, root); }},
      {"n-way gather", [](Team t, int k) { return plan::gather::n_way_binomial(t, root, k); }},
      {"ring", [](Team t, int) { return plan::allgather::ring(t); }},
      {"modified ring", [](Team t, int) { return plan::allgather::direct(t); }},
      {"neighbour exchange", [](Team t, int) { return plan::allgather::neighbour_exchange(t); }},
      {"recursive doubling", [](Team t, int) { return plan::allgather::recursive_doubling(t); }},
      {"dissemination", [](Team t, int) { return plan::allgather::dissemination(t); }},
      {"Bruck", [](Team t, int k) { return plan::allgather::bruck(t, k); }},
      {"linear broadcast", [](Team t, int) { return plan::broadcast::linear(t, root); }},
      {"chain", [](Team t, int segments) { return plan::broadcast::chain(t, root, segments); }},
      {"binomial",
       [](Team t, int) {
         return plan::broadcast::binomial_low_bit_first(t, root, plan::RootPlacement::rotate);
       }},
      {"ping-pong", [](Team t, int) { return ping_pong(t); }},
      {"fan-in and fan-out", [](Team t, int) { return plan::allreduce::fan_in_fan_out(t); }},
      {"doubling", [](Team t, int) { return plan::allreduce::recursive_doubling(t); }},
      {"composite", [](Team t, int) { return plan::allreduce::rabenseifner(t); }},
      {"elimination", [](Team t, int) { return plan::allreduce::elimination(t); }},
  };
  return known;
}

plan::Simulation simulated(const ScheduleMaker& make, int ranks, plan::Count bytes,
                           const plan::Machine& machine) {
  const int blocks = make({.ranks = ranks, .me = 0}).blocks();
  return plan::simulate(
      ranks, [&](int me) { return make({.ranks = ranks, .me = me}); },
      plan::Layout(plan::Cuts::uniform(blocks, bytes)), 1, machine);
}

/// Of doubles that are summed up.
plan::Simulation reduction(const ScheduleMaker& make, int ranks, plan::Count elements,
                           const plan::Machine& machine) {
  const int blocks = make({.ranks = ranks, .me = 0}).blocks();
  return plan::simulate(
      ranks, [&](int me) { return make({.ranks = ranks, .me = me}); },
      plan::Layout(plan::Cuts::balanced(blocks, elements)), 8, machine);
}

double microseconds(plan::Picoseconds time) {
  return plan::seconds(time) * 1e6;
}

int rounds(const ScheduleMaker& make, int ranks) {
  return make({.ranks = ranks, .me = 0}).rounds();
}

/// The earliest end of a rank that passes nothing on.
double first_leaf(const Arguments& a) {
  const auto make = schedule_named(a.text(0));
  const auto run = simulated(make, a.integer(1), a.count(2), machine_named(a.text(3)));
  plan::Picoseconds first = run.total;
  for (int me = 1; me < a.integer(1); ++me) {
    const auto schedule = make({.ranks = a.integer(1), .me = me});
    if (std::ranges::none_of(schedule.steps(), [](const plan::Step& s) { return s.sends(); }))
      first = std::min(first, run.finish[static_cast<std::size_t>(me)]);
  }
  return microseconds(first);
}

/// To whom rank 0 sends in a round.
std::string peers_of_rank_0(const Arguments& a) {
  const auto schedule = schedule_named(a.text(0))({.ranks = a.integer(1), .me = 0});
  std::vector<int> peers;
  for (const plan::Step& step : schedule.steps())
    if (step.sends() && step.round == a.integer(2) && (peers.empty() || peers.back() != step.peer))
      peers.push_back(step.peer);
  return fmt::format("{}", fmt::join(peers, " "));
}

/// Blocks of scratch memory of the rank that needs most.
double scratch(const Arguments& a) {
  const auto make = schedule_named(a.text(0));
  plan::Count most = 0;
  for (int me = 0; me < a.integer(1); ++me) {
    const auto schedule = make({.ranks = a.integer(1), .me = me});
    plan::Count blocks = 0;
    for (int i = 0; i < schedule.scratch_buffers(); ++i)
      blocks +=
          schedule.extent(static_cast<plan::Buffer>(static_cast<int>(plan::Buffer::scratch) + i))
              .count;
    most = std::max(most, blocks);
  }
  return static_cast<double>(most);
}

/// Calls with each message of a round: sender and step.
template <class Call>
void for_messages(const ScheduleMaker& make, int ranks, int round, Call&& call) {
  for (int me = 0; me < ranks; ++me)
    for (const auto schedule = make({.ranks = ranks, .me = me});
         const plan::Step& step : schedule.steps())
      if (step.sends() && step.round == round) call(me, step);
}

std::string messages_of_round(const Arguments& a) {
  std::string text;
  for_messages(
      schedule_named(a.text(0)), a.integer(1), a.integer(2), [&](int me, const plan::Step& step) {
        text += fmt::format("{}{} → {}: {}", text.empty() ? "" : ", ", me, step.peer, step.count);
      });
  return text;
}

/// "2 of 4": between groups of ranks that differ in bit `bit` of their number.
std::string crossings_of_round(const Arguments& a) {
  int all = 0;
  int crossing = 0;
  const int bit = a.integer(3);
  for_messages(schedule_named(a.text(0)), a.integer(1), a.integer(2),
               [&](int me, const plan::Step& step) {
                 ++all;
                 crossing += (me >> bit & 1) != (step.peer >> bit & 1) ? 1 : 0;
               });
  return fmt::format("{} of {}", crossing, all);
}

/// Bytes are charged (m s - 1) G for m blocks.
double optimal_scatter(const Arguments& a) {
  const auto machine = machine_named(a.text(2));
  const plan::SplitTable splits(a.integer(0),
                                plan::split_costs(machine.levels.front().network, a.count(1)));
  const ScheduleMaker make = [&](plan::Team team) {
    return plan::scatter::optimal(team, root, splits);
  };
  return microseconds(simulated(make, a.integer(0), a.count(1), machine).total);
}

}  // namespace

ScheduleMaker schedule_named(const std::string& text) {
  if (text.starts_with("staged ")) {
    const auto stages = plan::parse_stages(text.substr(7));
    return [stages](plan::Team team) { return plan::allreduce::staged(team, stages); };
  }
  const auto end = text.find_last_not_of("0123456789");
  const std::string name = text.substr(0, text[end] == ' ' ? end : end + 1);
  const int of = end + 1 < text.size() ? std::stoi(text.substr(end + 1)) : 0;
  const auto found = algorithms().find(name);
  if (found == algorithms().end())
    throw rt::input_error(fmt::format("there is no schedule '{}'", text),
                          "validation/schedules.cpp has those that there are.");
  return [make = found->second, of](plan::Team team) { return make(team, of); };
}

plan::Machine machine_named(const std::string& text) {
  if (!text.starts_with("hockney "))
    return mapping::read_machine(mapping::find_machine(text, CARTWRIGHT_INPUTS "/machines"));
  std::istringstream words(text.substr(8));
  double latency = 0.0;
  double byte_time = 0.0;
  double combine_time = 0.0;
  words >> latency >> byte_time >> combine_time;
  return plan::flat_machine(plan::hockney(latency, byte_time), 0.0, combine_time);
}

void add_schedules(Computations& all) {
  all.add("rounds", [](const Arguments& a) {
    return Value{static_cast<double>(rounds(schedule_named(a.text(0)), a.integer(1)))};
  });
  all.add("time", [](const Arguments& a) {
    const auto run =
        simulated(schedule_named(a.text(0)), a.integer(1), a.count(2), machine_named(a.text(3)));
    return Value{microseconds(run.total)};
  });
  all.add("allreduce_time", [](const Arguments& a) {
    const auto run =
        reduction(schedule_named(a.text(0)), a.integer(1), a.count(2), machine_named(a.text(3)));
    return Value{microseconds(run.total)};
  });
  all.add("allreduce_skew", [](const Arguments& a) {
    const auto run =
        reduction(schedule_named(a.text(0)), a.integer(1), a.count(2), machine_named(a.text(3)));
    return Value{microseconds(run.spread)};
  });
  all.add("allreduce_messages", [](const Arguments& a) {
    const auto run =
        reduction(schedule_named(a.text(0)), a.integer(1), a.count(2), machine_named(a.text(3)));
    return Value{static_cast<double>(run.levels.front().all.messages)};
  });
  all.add("first_leaf", [](const Arguments& a) { return Value{first_leaf(a)}; });
  all.add("peers_of_rank_0", [](const Arguments& a) { return Value{peers_of_rank_0(a)}; });
  all.add("scratch", [](const Arguments& a) { return Value{scratch(a)}; });
  all.add("messages_of_round", [](const Arguments& a) { return Value{messages_of_round(a)}; });
  all.add("crossings_of_round", [](const Arguments& a) { return Value{crossings_of_round(a)}; });
  all.add("optimal_scatter", [](const Arguments& a) { return Value{optimal_scatter(a)}; });
  // The first of 2, 4, 6 … ranks with so many rounds.
  all.add("first_with_rounds", [](const Arguments& a) {
    int ranks = 2;
    while (rounds(schedule_named(a.text(0)), ranks) < a.integer(1)) ranks += 2;
    return Value{static_cast<double>(ranks)};
  });
  // The most rounds beyond ceil(log2 N) + 1 for 2 … N ranks.
  all.add("rounds_beyond_logarithm", [](const Arguments& a) {
    int most = 0;
    for (int ranks = 2; ranks <= a.integer(1); ++ranks) {
      const int bound = static_cast<int>(std::ceil(std::log2(ranks))) + 1;
      most = std::max(most, rounds(schedule_named(a.text(0)), ranks) - bound);
    }
    return Value{static_cast<double>(most)};
  });
}

}  // namespace cartwright::validation
