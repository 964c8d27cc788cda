// SPDX-License-Identifier: Apache-2.0
// What planning leaves to do for each message: making and binding the schedule of an allreduce of
// 8 bytes on 64 ranks, and running a bound program whose primitives do next to nothing. Peer is
// the target: 5 us, and 3 ns a step.
// layouts: 1x1
#include <fmt/format.h>

#include <array>
#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cartwright/plan/program.hpp>
#include <cartwright/rt/error.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "common/program.hpp"

namespace bench = cartwright::bench;
namespace plan = cartwright::plan;

namespace {

/// Of this thread: others allocate when they like. There is no other way to count.
thread_local std::int64_t allocations = 0;

}  // namespace

// All other forms of new and delete come down to these.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

using Clock = std::chrono::steady_clock;

/// Each primitive leaves another trace, so that the program has to tell them apart.
struct StubPrimitives {
  std::int64_t sent = 0, received = 0, combined = 0, copied = 0, waited = 0;

  void send(const plan::BoundStep& step) { sent += step.count; }
  void receive(const plan::BoundStep& step) { received += step.peer; }
  void receive_combine(const plan::BoundStep& step) { received ^= step.count; }
  void combine(const plan::BoundStep& step) { combined += step.count; }
  void copy(const plan::BoundStep& step) { copied += step.count; }
  void wait_sends(std::int32_t sends) { waited += sends; }
};

/// Keeps the compiler from dropping the work whose result this is, and from moving it.
template <class T>
void use(T& result) {
  asm volatile("" : : "r"(&result) : "memory");
}

/// Seconds for one call, a sample for each batch of `calls`.
std::vector<double> samples_of(const std::function<void()>& batch, int calls, int rounds) {
  std::vector<double> samples;
  batch();
  for (int i = 0; i < rounds; ++i) {
    const auto begin = Clock::now();
    batch();
    samples.push_back(std::chrono::duration<double>(Clock::now() - begin).count() / calls);
  }
  return samples;
}

bench::Case against_target(const std::string& name, nlohmann::ordered_json parameters,
                           std::vector<double> samples, double unit_s, const std::string& unit,
                           double target) {
  bench::Case result;
  result.name = name;
  result.parameters = std::move(parameters);
  result.unit = unit;
  for (double& sample : samples) sample /= unit_s;
  result.ours = bench::summarize(samples);
  result.peer = {target, target, target};
  result.ratio = {result.ours.median / target, result.ours.lower_quartile / target,
                  result.ours.upper_quartile / target};
  result.rounds = samples.size();
  return result;
}

/// What executes steps. `send` starts a message and does not wait; `receive` returns when the data
/// have come; `wait_sends(n)` when the first n sends of the program are complete.
template <class P>
concept Primitives = requires(P& p, const plan::BoundStep& step) {
  p.send(step);
  p.receive(step);
  p.receive_combine(step);
  p.combine(step);
  p.copy(step);
  p.wait_sends(step.sends_before);
};

/// Runs a program in order: what carrying one out costs at least.
template <Primitives P>
void execute(const plan::Program& program, P& primitives) {
  std::int32_t complete = 0;
  for (const plan::BoundStep& step : program.steps()) {
    if (step.sends_before > complete) {
      complete = step.sends_before;
      primitives.wait_sends(complete);
    }
    switch (step.kind) {
      case plan::StepKind::send:
        primitives.send(step);
        break;
      case plan::StepKind::receive:
        primitives.receive(step);
        break;
      case plan::StepKind::receive_combine:
        primitives.receive_combine(step);
        break;
      case plan::StepKind::combine:
        primitives.combine(step);
        break;
      case plan::StepKind::copy:
        primitives.copy(step);
        break;
    }
  }
  if (program.sends() > complete) primitives.wait_sends(program.sends());
}

struct Contestant {
  std::string name;
  std::function<plan::Schedule(plan::Team)> make;
};

/// One element for each block.
plan::Layout layout_of(const plan::Schedule& schedule) {
  return {plan::Cuts::uniform(schedule.blocks(), 1)};
}

bench::Case making(const Contestant& contestant, int rounds) {
  constexpr int ranks = 64;
  const plan::Schedule first = contestant.make({.ranks = ranks, .me = 0});
  const auto all_ranks = [&] {
    for (int me = 0; me < ranks; ++me) {
      const plan::Schedule schedule = contestant.make({.ranks = ranks, .me = me});
      plan::Program program(schedule, layout_of(schedule), 8);
      use(program);
    }
  };
  return against_target("make and bind " + contestant.name,
                        {{"ranks", ranks}, {"bytes", 8}, {"steps", first.steps().size()}},
                        samples_of(all_ranks, ranks, rounds), 1e-6, "us", 5.0);
}

bench::Case running(const Contestant& contestant, int ranks, int rounds) {
  const plan::Schedule schedule = contestant.make({.ranks = ranks, .me = ranks / 2});
  const plan::Program program(schedule, layout_of(schedule), 8);
  const auto steps = static_cast<int>(program.steps().size());
  const int repeats = 1 + 20'000 / steps;
  StubPrimitives primitives;
  const auto runs = [&] {
    for (int i = 0; i < repeats; ++i) {
      execute(program, primitives);
      use(primitives);
    }
  };
  const std::int64_t before = allocations;
  runs();
  const std::int64_t allocated = allocations - before;
  if (allocated != 0)
    throw cartwright::rt::internal_failure(
        fmt::format("running a bound program allocated memory {} times", allocated));
  return against_target(fmt::format("run {} steps of {}, a step", steps, contestant.name),
                        {{"ranks", ranks}, {"steps", steps}, {"allocations", allocated}},
                        samples_of(runs, repeats * steps, rounds), 1e-9, "ns", 3.0);
}

void measure(const bench::Setting& setting, bench::Results& results) {
  const int rounds = setting.options.quick ? 200 : 2000;
  const std::array factors{4, 4, 4};
  const Contestant doubling{"recursive doubling", plan::allreduce::recursive_doubling};
  const Contestant multiplying{"recursive multiplying (4,4,4)", [&](plan::Team team) {
                                 return plan::allreduce::recursive_multiplying(team, factors);
                               }};
  const Contestant ring{"the ring", plan::allreduce::ring};
  results.add(making(doubling, rounds));
  results.add(making(multiplying, rounds));
  results.add(running(doubling, 64, rounds));
  results.add(running(multiplying, 64, rounds));
  results.add(running(ring, 1024, rounds));
  results.note("Peer is the target. Programs ran without allocating memory.");
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "schedule", measure);
}
