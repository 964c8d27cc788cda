// SPDX-License-Identifier: Apache-2.0
// cartwright probe: measures the machine on which it runs. One rank a core, under mpirun or srun.
#include <fmt/format.h>

#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/mapping/probe/probe_survey.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/input_file.hpp>
#include <cartwright/rt/log.hpp>
#include <cartwright/rt/progress_line.hpp>

#include "../ranks/run_on_ranks.hpp"
#include "options.hpp"
#include "summary.hpp"
#include "watchdog.hpp"

namespace command = cartwright::command;
namespace mapping = cartwright::mapping;
namespace rt = cartwright::rt;

namespace {

/// A line on a terminal; elsewhere, where each tenth of the measurements begins.
class Progress {
 public:
  explicit Progress(rt::Log& log) : log_(log) {}
  void show(int done, int all, const std::string& next) {
    const std::string text = fmt::format("{:3}/{} {}", done, all, next);
    if (log_.on_terminal()) {
      const rt::Ticks now = rt::now();
      if (rt::seconds_between(last_, now) > 0.2) log_.transient(text), last_ = now;
    } else if (done == 0 || done * 10 / all != tenth_) {
      log_.info(text);
    }
    tenth_ = all > 0 ? done * 10 / all : 0;
  }

 private:
  rt::Log& log_;
  rt::Ticks last_{};
  int tenth_ = 0;
};

void finish(rt::Log& log, const mapping::ProbeSamples& samples, const std::string& path,
            const command::ProbeOptions& options) {
  const mapping::ProbeAnalysis analysis = mapping::analyse(samples, options.model);
  const auto written = mapping::store(path, samples, analysis);
  command::print_summary(log, samples, analysis, options.verbose);
  log.entry("machine", path);
  if (written.size() == 1) return;
  log.entry("samples", written.at(1));
  log.entry("fits", written.at(2));
  log.entry("pictures", fmt::format("{} files {}", written.size() - 3,
                                    path.substr(0, path.rfind('.')) + ".*.svg"));
}

/// The watchdogs of other ranks wait a little longer: the first rank speaks, if it can.
double patience_of(const rt::Communicator& world, const command::ProbeOptions& options) {
  return options.patience + (world.is_root() ? 0.0 : 1.0);
}

/// The machine as it was measured: all ranks take part, the first one finishes.
void measure(const rt::Communicator& world, const command::ProbeOptions& options,
             const mapping::Topology& topology, const mapping::ProbeIdentity& identity,
             const std::string& path, command::Watchdog& watchdog) {
  rt::Log log(world.is_root());
  Progress progress(log);
  const auto effort = options.quick ? mapping::ProbeEffort::small() : mapping::ProbeEffort{};
  const auto rule = options.quick ? mapping::RepetitionRule::quick() : mapping::RepetitionRule{};
  mapping::ProbeSamples samples = mapping::survey(world, topology, effort, rule,
                                                  [&](int done, int all, const std::string& next) {
                                                    watchdog.begin(next);
                                                    progress.show(done, all, next);
                                                  });
  log.clear_transient();
  if (!world.is_root()) return;
  samples.name = identity.name();
  samples.about = identity.about;
  samples.library = identity.library;
  samples.fingerprint = identity.fingerprint();
  finish(log, samples, path, options);
}

void analyse_again(rt::Log& log, const std::string& samples_file, const std::string& path,
                   const command::ProbeOptions& options) {
  finish(log, mapping::parse_samples(rt::read_file(samples_file)), path, options);
}

/// What was measured before; another model is fitted to the same samples.
void use_again(rt::Log& log, const std::string& path, const command::ProbeOptions& options) {
  log.entry("probed before", path + "\nused as it is; --force measures again");
  if (log.speaks() && options.model != mapping::ProbeModel::automatic)
    analyse_again(log, mapping::samples_path(path), path, options);
}

void probe(const rt::Communicator& world, const command::ProbeOptions& options,
           command::Watchdog& watchdog) {
  rt::Log log(world.is_root());
  const mapping::Topology topology = mapping::discover(world, options.topology);
  const mapping::ProbeIdentity identity = mapping::identify(topology);
  const std::string path =
      options.output.empty() ? mapping::probed_machine_path(identity) : options.output;
  log.heading(fmt::format("probe of {}", identity.name()));
  log.entry("machine", identity.about);
  log.entry("library", identity.library);
  const bool known =
      world.is_root() && !options.force && mapping::is_probed(path, identity, options.quick);
  if (rt::shared(world, known)) return use_again(log, path, options);
  if (world.is_root()) mapping::prepare_store(path);
  measure(world, options, topology, identity, path, watchdog);
}

void run(const rt::Communicator& world, const command::ProbeOptions& options,
         rt::FailureGuard& guard) {
  command::Watchdog watchdog(patience_of(world, options), [&](const std::string& what) {
    guard.end_all_ranks(rt::internal_failure(
        fmt::format("this measurement has not ended within {:g} s: {}", options.patience, what),
        "A rank was suspended or hangs, or the machine is overloaded: run again, or with a longer "
        "--patience."));
  });
  watchdog.begin("discovery of the ranks");
  if (options.analyse.empty()) {
    probe(world, options, watchdog);
  } else if (options.output.empty()) {
    throw rt::input_error("--analyse needs --output FILE.yaml for the machine", {},
                          rt::Reach::all_ranks);
  } else if (world.is_root()) {
    rt::Log log(true);
    analyse_again(log, options.analyse, options.output, options);
  }
  watchdog.begin("the end");
  world.barrier();  // as long as it is watched: the end of MPI isn't
}

}  // namespace

int main(int argc, char** argv) {
  return command::main_on_ranks([&](bool speaks) {
    const auto options = command::parse_probe_options(argc, argv, speaks);
    if (!options) return 0;
    return command::run_on_ranks([&](const rt::Communicator& world, rt::FailureGuard& guard) {
      run(world, *options, guard);
    });
  });
}
