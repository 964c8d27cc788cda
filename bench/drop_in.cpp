// SPDX-License-Identifier: Apache-2.0
// MPI's blocking collectives as drop_in carries them out (MPI_…) against the MPI library's
// (PMPI_…), in one program that knows neither. layouts: 2x1 4x1
#include <fmt/format.h>
#include <mpi.h>

#include <cartwright/rt/mpi_check.hpp>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "common/options.hpp"
#include "common/race.hpp"
#include "common/ranks_program.hpp"
#include "common/results.hpp"

namespace bench = cartwright::bench;
namespace rt = cartwright::rt;

namespace {

/// Memory of a rank, and what is asked for: `bytes` of the larger buffer, as doubles.
struct Work {
  MPI_Comm comm;
  int ranks;
  int all;   ///< numbers of the larger buffer
  int each;  ///< … of each rank
  std::vector<double> in, out;

  Work(const rt::Communicator& world, std::size_t bytes)
      : comm(world.handle()),
        ranks(world.size()),
        all(static_cast<int>(bytes / sizeof(double))),
        each(all / ranks > 0 ? all / ranks : 1),
        in(static_cast<std::size_t>(each) * static_cast<std::size_t>(ranks) + bytes, 1.0),
        out(in.size()) {}
};

/// One collective by either.
struct Contest {
  std::string name;
  std::function<void(Work&)> ours, peer;
  bool has_data = true;
};

template <class Ours, class Peer, class Call>
Contest contest(std::string name, Ours ours, Peer peer, Call call, bool has_data = true) {
  const auto by = [=](auto function) {
    return [=](Work& work) { rt::mpi_check(call(function, work), name.c_str()); };
  };
  return {name, by(ours), by(peer), has_data};
}

std::vector<Contest> contests() {
  const auto reduction = [](auto f, Work& w) {
    return f(w.in.data(), w.out.data(), w.all, MPI_DOUBLE, MPI_SUM, w.comm);
  };
  const auto exchange = [](auto f, Work& w) {
    return f(w.in.data(), w.each, MPI_DOUBLE, w.out.data(), w.each, MPI_DOUBLE, w.comm);
  };
  return {
      contest(
          "barrier", MPI_Barrier, PMPI_Barrier, [](auto f, Work& w) { return f(w.comm); }, false),
      contest("broadcast", MPI_Bcast, PMPI_Bcast,
              [](auto f, Work& w) { return f(w.out.data(), w.all, MPI_DOUBLE, 0, w.comm); }),
      contest("reduce", MPI_Reduce, PMPI_Reduce,
              [](auto f, Work& w) {
                return f(w.in.data(), w.out.data(), w.all, MPI_DOUBLE, MPI_SUM, 0, w.comm);
              }),
      contest("allreduce", MPI_Allreduce, PMPI_Allreduce, reduction),
      contest("reduce_scatter", MPI_Reduce_scatter_block, PMPI_Reduce_scatter_block,
              [](auto f, Work& w) {
                return f(w.in.data(), w.out.data(), w.each, MPI_DOUBLE, MPI_SUM, w.comm);
              }),
      contest("allgather", MPI_Allgather, PMPI_Allgather, exchange),
      contest("alltoall", MPI_Alltoall, PMPI_Alltoall, exchange),
  };
}

std::string size_text(std::size_t bytes) {
  return bytes < 1024 ? fmt::format("{} B", bytes) : fmt::format("{} KiB", bytes / 1024);
}

void measure(const rt::Communicator& world, const bench::Options& options) {
  bench::Results results("drop_in", fmt::format("{} ranks", world.size()));
  for (const Contest& contest : contests()) {
    for (const std::size_t bytes : {8UL, 1024UL, 16'384UL, 131'072UL, 1'048'576UL}) {
      if (!contest.has_data && bytes > 8) continue;
      Work work(world, bytes);
      const auto samples =
          bench::race(world, {[&] { contest.ours(work); }, [&] { contest.peer(work); }},
                      {.seconds = options.quick ? 0.2 : 1.0});
      const std::string name =
          contest.has_data ? fmt::format("{} of {}", contest.name, size_text(bytes)) : contest.name;
      results.add(bench::Case::of_times(name, {{"bytes", contest.has_data ? bytes : 0}}, samples[0],
                                        samples[1]));
    }
  }
  if (world.is_root()) results.publish(options);
}

}  // namespace

int main(int argc, char** argv) {
  // From the first collective on, and in a program whose runtime asks for threads.
  ::setenv("CARTWRIGHT_DROP_IN_AFTER", "0", 0);
  ::setenv("CARTWRIGHT_DROP_IN_SERIALIZED", "1", 0);
  return bench::run_on_ranks([&] {
    const bench::Options options = bench::parse_options(argc, argv);
    return bench::RanksProgram{options.help ? bench::options_help("drop_in") : std::string(),
                               [=](const rt::Communicator& world) { measure(world, options); }};
  });
}
