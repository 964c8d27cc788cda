// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/probe/probe_analysis.hpp>
#include <optional>
#include <string>

namespace cartwright::mapping {

/// What a probe would measure here.
struct ProbeIdentity {
  std::string host;     ///< of one node its name, of a cluster what the names of nodes begin with
  std::string layout;   ///< "1x2": nodes by ranks of the largest; with "-virtual" if imagined
  std::string about;    ///< "2 ranks on 1 node; Intel Xeon …; 2 ranks, each bound to 1 core"
  std::string library;  ///< MPI, with its version

  /// Equal only where a result can be used again: host, processor, layout, binding and library.
  [[nodiscard]] std::string fingerprint() const;
  [[nodiscard]] std::string name() const { return host + "-" + layout; }
};
[[nodiscard]] ProbeIdentity identify(const Topology& topology);

/// The directory of machines that were probed: $CARTWRIGHT_MACHINES, else
/// $XDG_CACHE_HOME/cartwright/machines, else ~/.cache/cartwright/machines.
[[nodiscard]] std::string probed_machines_directory();
/// DIRECTORY/NAME.yaml of this machine.
[[nodiscard]] std::string probed_machine_path(const ProbeIdentity& identity);
/// samples of PATH/machine.yaml: PATH/machine.samples.jsonl
[[nodiscard]] std::string samples_path(const std::string& machine_path);

/// True if the file was probed on this machine and layout, at least as thoroughly, and can be read.
[[nodiscard]] bool is_probed(const std::string& machine_path, const ProbeIdentity& identity,
                             bool quick_will_do);
/// The machine on which this job runs, if it was ever probed. Call it on one rank.
[[nodiscard]] std::optional<plan::Machine> probed_machine(const Topology& topology);

/// A machine by the name of its description: one that was probed, else one in `directory`, or the
/// path of a file (see find_machine). Throws an input error.
[[nodiscard]] plan::Machine described_machine(const std::string& name,
                                              const std::string& directory);

/// Makes the directory. Throws an input error if nothing can be written there: better before a long
/// measurement than after it.
void prepare_store(const std::string& machine_path);
/// Writes the machine, the samples, all fits (machine.fits.json) and a picture of every fit beside
/// it; returns the paths, the machine's first. A stream gets the machine alone. A killed probe
/// leaves no half machine. Throws an input error if the directory can't be written.
std::vector<std::string> store(const std::string& machine_path, const ProbeSamples& samples,
                               const ProbeAnalysis& analysis);

}  // namespace cartwright::mapping
