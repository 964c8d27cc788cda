// SPDX-License-Identifier: Apache-2.0
// What a typed call costs beyond its backend: `all.allreduce(x, sum)` against the same call as
// data, ready made. Small ones: that is where it shows. layouts: 1x1 2x1
#include <fmt/format.h>

#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <functional>
#include <vector>

#include "common/program.hpp"
#include "common/race.hpp"

namespace bench = cartwright::bench;
namespace comm = cartwright::comm;
namespace plan = cartwright::plan;
namespace rt = cartwright::rt;

namespace {

constexpr double limit = 10e-9;  // s, of a call

struct Pair {
  const char* name;
  std::function<void()> typed, ready;
};

void measure(const bench::Setting& setting, bench::Results& results) {
  rt::ProgressEngine engine;
  const comm::CartComm cart(setting.world, engine, {.dims = {setting.world.size()}});
  const comm::Collectives& all = cart.all();
  std::array<double, 1> sum{}, value{};
  const comm::Call of_value{.place = plan::Place::in_place,
                            .element = comm::element_of<double>(),
                            .count = 1,
                            .root = rt::Rank{0}};
  comm::Call allreduce = of_value, broadcast = of_value;
  allreduce.operation = plan::Operation::allreduce;
  allreduce.output = reinterpret_cast<std::byte*>(sum.data());
  allreduce.reduction = comm::detail::reduction_of<double>(comm::Operator::sum);
  broadcast.operation = plan::Operation::broadcast;
  broadcast.output = reinterpret_cast<std::byte*>(value.data());
  const std::vector<Pair> pairs{{"allreduce, 8 B", [&] { all.allreduce(sum, comm::Operator::sum); },
                                 [&] { all.backend().run(allreduce); }},
                                {"broadcast, 8 B", [&] { all.broadcast(value, rt::Rank{0}); },
                                 [&] { all.backend().run(broadcast); }}};
  for (const Pair& pair : pairs) {
    const auto samples = bench::race(setting.world, {pair.typed, pair.ready},
                                     {.seconds = setting.options.quick ? 0.5 : 3.0});
    const bench::Case both =
        bench::Case::of_times(pair.name, {{"layout", setting.layout}}, samples[0], samples[1]);
    const double front = both.ours.median - both.peer.median;
    results.add(both);
    results.note(fmt::format(
        "{} on {}: the typed call costs {:.1f} ns more: {} the limit of {:.0f} ns.", pair.name,
        setting.layout, front * 1e9, front <= limit ? "within" : "EXCEEDS", limit * 1e9));
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "front", measure);
}
