// SPDX-License-Identifier: Apache-2.0
// cartwright tune: which collective is the quickest on this machine. Under mpirun or srun.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/backends/tune.hpp>
#include <cartwright/comm/selection/knowledge_store.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/plan/models/time_text.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/log.hpp>
#include <cartwright/rt/output_file.hpp>
#include <chrono>
#include <thread>

#include "../ranks/run_on_ranks.hpp"
#include "options.hpp"

namespace command = cartwright::command;
namespace comm = cartwright::comm;
namespace mapping = cartwright::mapping;
namespace plan = cartwright::plan;
namespace rt = cartwright::rt;

namespace {

comm::TuningEffort effort_of(const command::TuneOptions& options) {
  comm::TuningEffort effort;
  effort.operations = options.operations;
  effort.bytes = options.bytes;
  if (effort.bytes.empty() && options.quick)
    effort.bytes = {8, 4096, 262144};
  else if (effort.bytes.empty())
    effort.bytes = {8, 64, 512, 4096, 16384, 65536, 262144, 1 << 20, 4 << 20, 16 << 20};
  if (options.quick) {
    effort.first_look = 0.002;
    effort.final_look = 0.05;
  }
  return effort;
}

/// All ranks, and the numbers of ranks of the lines that process grids of them have.
std::vector<int> sizes_of(const command::TuneOptions& options, int ranks) {
  if (!options.ranks.empty()) return options.ranks;
  std::vector<int> sizes;
  for (int size = ranks; size >= 2; --size)
    if (ranks % size == 0) sizes.push_back(size);
  return sizes;
}

/// Ranks that aren't measured leave the cores to those that are.
void wait_asleep(const rt::Communicator& world, bool measured) {
  MPI_Request request = MPI_REQUEST_NULL;
  rt::mpi_check(MPI_Ibarrier(world.handle(), &request), "MPI_Ibarrier");
  for (int done = 0; done == 0;) {
    rt::mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0 && !measured) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void print_winners(rt::Log& log, const comm::CommunicatorShape& shape,
                   const comm::TuningTable& table, const comm::TuningEffort& effort) {
  log.info(
      fmt::format("{} ranks{}", shape.ranks,
                  shape.nodes == 1 ? " on one node" : fmt::format(" on {} nodes", shape.nodes)));
  log.info(fmt::format("  {:<15}{:>10}  {:<40}{:>12}{:>12}{:>7}", "operation", "bytes", "quickest",
                       "time", "native", "ratio"));
  for (const plan::Operation operation : plan::operations()) {
    plan::Count before = -1;
    for (const plan::Count bytes : effort.bytes) {
      const comm::TunedWinner* const winner = table.find(shape, operation, bytes);
      if (winner == nullptr || winner->bytes == before) continue;
      before = winner->bytes;
      const auto text = [](double seconds) { return plan::time_text(plan::picoseconds(seconds)); };
      log.info(fmt::format("  {:<15}{:>10}  {:<40}{:>12}{:>12}{:>7.2f}", plan::name_of(operation),
                           winner->bytes,
                           winner->algorithm.empty()
                               ? std::string(name_of(winner->backend))
                               : fmt::format("{}: {}", name_of(winner->backend), winner->algorithm),
                           text(winner->seconds), text(winner->native_seconds),
                           winner->seconds / winner->native_seconds));
    }
  }
}

comm::TuningTable tune_ranks(const rt::Communicator& world, rt::Log& log, int size,
                             const mapping::Topology& topology, const comm::TuningEffort& effort,
                             const std::shared_ptr<const comm::Knowledge>& knowledge) {
  const bool measured = world.rank().value < size;
  const rt::Communicator some = world.split(measured ? 0 : 1, world.rank().value);
  comm::TuningTable table;
  if (measured) {
    rt::ProgressEngine engine;
    engine.set_oversubscribed(topology.oversubscribed);
    const comm::Backends backends(some, engine, comm::BackendId::automatic, knowledge,
                                  comm::NodeView::of(some, topology),
                                  std::make_shared<comm::NodeMemory>(some, topology));
    table = comm::tune(some, backends, effort, [&](int done, int all, const std::string& next) {
      if (log.on_terminal()) log.transient(fmt::format("{:3}/{} {}", done, all, next));
    });
    log.clear_transient();
    print_winners(log, backends.selection().shape(), table, effort);
  }
  wait_asleep(world, measured);
  return table;
}

void tune_all(const rt::Communicator& world, const command::TuneOptions& options) {
  rt::Log log(world.is_root());
  if (world.size() == 1)
    throw rt::input_error("one rank has nobody to talk to",
                          "Start it on more: ./cartwright tune -n 2.", rt::Reach::all_ranks);
  const mapping::Topology topology = mapping::discover(world, options.topology);
  const mapping::ProbeIdentity identity = mapping::identify(topology);
  const std::string path = options.output.empty() ? comm::tuned_path(identity) : options.output;
  log.heading(fmt::format("collectives of {}", identity.name()));
  log.entry("machine", identity.about);
  log.entry("library", identity.library);
  if (world.is_root()) comm::prepare_tuned(path);
  const auto knowledge = comm::find_knowledge(world, topology);
  const comm::TuningEffort effort = effort_of(options);
  const bool stream = rt::is_stream(path);  // takes one table, a file what is known so far
  comm::TuningTable all;
  for (const int size : sizes_of(options, world.size())) {
    if (size > world.size()) continue;
    all.replace_by(tune_ranks(world, log, size, topology, effort, knowledge));
    if (world.is_root() && !stream) comm::store_tuned(path, identity, all);
  }
  if (world.is_root() && stream) comm::store_tuned(path, identity, all);
  log.entry("winners", path);
}

}  // namespace

int main(int argc, char** argv) {
  return command::main_on_ranks([&](bool speaks) {
    const auto options = command::parse_tune_options(argc, argv, speaks);
    if (!options) return 0;
    if (options->defaults) {
      if (speaks) fmt::print("{}", comm::DefaultTuning::text_of_library());
      return 0;
    }
    return command::run_on_ranks([&](const rt::Communicator& world, rt::FailureGuard& /*guard*/) {
      tune_all(world, *options);
    });
  });
}
