// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/rt/communicator.hpp>
#include <map>
#include <memory>
#include <string>

namespace cartwright::comm {

/// Where the winners of ./cartwright tune lie: beside the probed machine, HOST-LAYOUT.tuned.json.
[[nodiscard]] std::string tuned_path(const mapping::ProbeIdentity& identity);

/// Makes the directory, and refuses a place that can't be written before anything is measured: an
/// input error. Call it on one rank.
void prepare_tuned(const std::string& path);

/// Adds to what the file holds already, if that was measured on the same machine; a stream
/// gets this table alone. Throws an input error when it can't be written. Call it on one rank.
void store_tuned(const std::string& path, const mapping::ProbeIdentity& identity,
                 const TuningTable& table);

/// Where lies what runs have learned on these hosts: beside it, HOST-LAYOUT.learned.json.
[[nodiscard]] std::string learned_path(const mapping::ProbeIdentity& identity);

/// Collective: what is known of the machine below `comm`, read by the first rank. Files of another
/// machine, layout or MPI library, and those that can't be read, are as if they weren't there.
/// `learns`: also what earlier runs have learned; what this one learns, the first rank keeps, where
/// it can be written.
[[nodiscard]] std::shared_ptr<const Knowledge> find_knowledge(
    const rt::Communicator& comm, const mapping::Topology& topology,
    std::map<plan::Operation, std::string> wanted = {}, bool learns = false);

}  // namespace cartwright::comm
