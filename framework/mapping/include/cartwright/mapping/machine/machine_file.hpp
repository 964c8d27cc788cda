// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// A machine from YAML: name, about, source, times of combining and copying, and `levels` from the
/// outermost in, each with one section named for its model:
///
///     name: jaguar
///     source: Karlsson 2012, Table 3.4
///     levels:
///       node:
///         hockney: {latency: 1.33 us, bandwidth: 1627.5 MB/s}
///         leaving: [1727.5 MB/s, 3203.4 MB/s]   # of 1, 2… messages at a time, together
///         inside: {each: 2.2 GB/s, together: 6 GB/s}   # of all that stay inside one node
///       core:
///         units: 12                             # in a node
///         hockney: {latency: 0.37 us, bandwidth: {64 kB: 2.1 GB/s, 1 MB: 2218.8 MB/s}}
///
/// Models: hockney, logp, loggp, logfp, pipelined, and general for everything that `plan::Network`
/// has. Any time or bandwidth may be given by size. Throws one input error that lists all faults by
/// file, line and column, with what may have been meant.
[[nodiscard]] plan::Machine parse_machine(const std::string& text, const std::string& file_name);

/// The same from the file `path`.
[[nodiscard]] plan::Machine read_machine(const std::string& path);

/// YAML from which `parse_machine` makes the same machine, to the last bit.
[[nodiscard]] std::string machine_text(const plan::Machine& machine);

/// Names of the machines described in `directory` (files *.yaml), sorted. Throws an input error if
/// the directory can't be read.
[[nodiscard]] std::vector<std::string> machine_names(const std::string& directory);

/// The file of a machine: `machine` itself if it is the path of a file (it has a slash or ends in
/// .yaml), else that name in `directory`. Throws an input error that suggests near names.
/// Machines that were probed (see probe_store.hpp) lie in a directory of their own, which is looked
/// at first and may be missing.
[[nodiscard]] std::string find_machine(const std::string& machine, const std::string& directory,
                                       const std::string& probed = {});

}  // namespace cartwright::mapping
