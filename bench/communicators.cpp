// SPDX-License-Identifier: Apache-2.0
// What it costs to begin: a CartComm over all ranks, with its collectives of all and of each axis,
// against MPI_Cart_create and MPI_Cart_sub of each axis.
// layouts: 2x1 8x1
#include <fmt/format.h>
#include <mpi.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <vector>

#include "common/program.hpp"
#include "common/race.hpp"

namespace bench = cartwright::bench;
namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

namespace {

constexpr double limit = 5e-3;  // s, of a CartComm

/// Of a cube: what is measured doesn't depend on it.
std::vector<int> dims_of(int ranks) {
  return cartwright::mapping::choose_process_grid({.ranks = ranks, .extents = {1024, 1024, 1024}});
}

/// What a program makes that has no framework.
void make_by_hand(const rt::Communicator& world, const std::vector<int>& dims) {
  const std::vector<int> periods(dims.size(), 0);
  MPI_Comm cart = MPI_COMM_NULL;
  rt::mpi_blocking("MPI_Cart_create", MPI_Cart_create, world.handle(),
                   static_cast<int>(dims.size()), dims.data(), periods.data(), 1, &cart);
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    std::vector<int> keep(dims.size(), 0);
    keep[axis] = 1;
    MPI_Comm line = MPI_COMM_NULL;
    rt::mpi_blocking("MPI_Cart_sub", MPI_Cart_sub, cart, keep.data(), &line);
    rt::mpi_blocking("MPI_Comm_free", MPI_Comm_free, &line);
  }
  rt::mpi_blocking("MPI_Comm_free", MPI_Comm_free, &cart);
}

void measure(const bench::Setting& setting, bench::Results& results) {
  const std::vector<int> dims = dims_of(setting.world.size());
  const auto topology = cartwright::mapping::discover(setting.world);
  rt::ProgressEngine engine;
  const rt::Arena arena(setting.world);
  const auto samples = bench::race(
      setting.world,
      {[&] {
         const comm::CartComm cart(setting.world, engine, {.dims = dims, .arena = arena}, topology);
       },
       [&] { const comm::CartComm cart(setting.world, engine, {.dims = dims, .arena = arena}); },
       [&] { make_by_hand(setting.world, dims); }},
      {.seconds = setting.options.quick ? 1.0 : 5.0});
  results.add(bench::Case::of_times("CartComm, machine known", {{"layout", setting.layout}},
                                    samples[0], samples[2]));
  results.add(
      bench::Case::of_times("CartComm", {{"layout", setting.layout}}, samples[1], samples[2]));
  const double median = bench::summarize(samples[1]).median;
  results.note(fmt::format("a CartComm takes {:.2f} ms on {}: {} the limit of {:.0f} ms.",
                           median * 1e3, setting.layout, median <= limit ? "within" : "EXCEEDS",
                           limit * 1e3));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "communicators", measure);
}
