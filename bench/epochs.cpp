// SPDX-License-Identifier: Apache-2.0
// One-sided epochs that nobody waits for, against the MPI library's, which are closed by waiting:
// what a late rank costs others, what an epoch costs, transactions in a second.
// layouts: 2x1 3x1 4x1 8x1
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/mapping/machine/topology.hpp>

#include "common/program.hpp"
#include "epochs/patterns.hpp"
#include "epochs/rates.hpp"

namespace bench = cartwright::bench;
namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

namespace {

constexpr double delay = 0.1;  // s

void measure(const bench::Setting& setting, bench::Results& results) {
  rt::ProgressEngine engine;
  const comm::CartComm cart(setting.world, engine, {.dims = {setting.world.size()}});
  if (cart.size() == 2) bench::measure_latency(cart, setting, results);
  if (cart.size() == 3) bench::measure_patterns(cart, setting, delay, results);
  if (cart.size() >= 4) bench::measure_transactions(cart, setting, results);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "epochs", measure);
}
