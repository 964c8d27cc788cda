// SPDX-License-Identifier: Apache-2.0
#include "loop_meter.hpp"

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/rt/trace.hpp>

namespace cartwright::grid {
namespace {

/// Of all ranks together, and along the axes.
std::vector<comm::CallCount> calls_of(const comm::CartComm& comm) {
  std::vector<comm::CallCount> all = comm.all().backends().calls();
  for (int axis = 0; axis < comm.dimensions(); ++axis)
    for (const comm::CallCount& more : comm.along(axis).backends().calls()) all.push_back(more);
  return all;
}

}  // namespace

LoopMeter::LoopMeter(Run& run, const GridBase& grid) : run_(run), grid_(grid), begin_(take()) {
  begin_.when = rt::now();
}

LoopMeter::Reading LoopMeter::take() const {
  Reading reading{rt::now(), {}, run_.halo_statistics().plans, calls_of(grid_.comm())};
  for (const rt::Trace::Total& total : run_.runtime().trace().totals())
    reading.regions[total.name] = total.seconds;
  return reading;
}

Sample::Loop LoopMeter::read(long long steps) const {
  Reading now = take();
  Sample::Loop loop{steps, rt::seconds_between(begin_.when, now.when), std::move(now.regions),
                    std::move(now.exchanges), std::move(now.collectives)};
  for (const auto& [name, seconds] : begin_.regions) loop.regions[name] -= seconds;
  for (std::size_t i = 0; i < begin_.exchanges.size(); ++i) {
    loop.exchanges[i].times -= begin_.exchanges[i].times;
    loop.exchanges[i].overlapped -= begin_.exchanges[i].overlapped;
  }
  // Keys are listed in the order of their first calls: by communicator, so not like before.
  for (const comm::CallCount& before : begin_.collectives) {
    const auto found = std::ranges::find(loop.collectives, before.key, &comm::CallCount::key);
    if (found != loop.collectives.end()) found->calls -= before.calls;
  }
  for (comm::CallCount& each : loop.collectives)
    if (each.key.operation == plan::Operation::allreduce && each.key.size == sizeof(double) &&
        each.key.waiting == comm::Waiting::at_once && each.key.combining == comm::Combining::exact)
      each.calls -= own_;
  std::erase_if(loop.exchanges, [](const ExchangeCount& each) { return each.times == 0; });
  std::erase_if(loop.collectives, [](const comm::CallCount& each) { return each.calls <= 0; });
  return loop;
}

double LoopMeter::longest() {
  ++own_;
  return grid_.comm().allreduce(seconds(), comm::Operator::maximum);
}

}  // namespace cartwright::grid
