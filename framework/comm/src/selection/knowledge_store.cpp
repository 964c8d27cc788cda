// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>

#include <cartwright/comm/selection/knowledge_store.hpp>
#include <cartwright/mapping/machine_file.hpp>
#include <cartwright/mapping/short_probe.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/output_file.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

namespace cartwright::comm {

namespace {

namespace files = std::filesystem;

/// The table in a file, if it was measured on that machine.
TuningTable tuned_on(const std::string& path, const mapping::ProbeIdentity& identity) {
  try {
    const std::string text = rt::read_file(path);
    const auto json = nlohmann::json::parse(text);
    if (json.value("fingerprint", "") != identity.fingerprint()) return {};
    return TuningTable::from_json(text, path);
  } catch (const std::exception&) {
    return {};  // it is only a cache
  }
}

std::string broadcast_text(const rt::Communicator& comm, std::string text) {
  auto length = static_cast<long long>(text.size());
  rt::mpi_blocking("MPI_Bcast", MPI_Bcast, &length, 1, MPI_LONG_LONG, 0, comm.handle());
  text.resize(static_cast<std::size_t>(length));
  rt::mpi_blocking("MPI_Bcast", MPI_Bcast, text.data(), static_cast<int>(length), MPI_CHAR, 0,
                   comm.handle());
  return text;
}

constexpr const char* advice =
    "Name another place with --output FILE.json, or with CARTWRIGHT_MACHINES=DIRECTORY.";

}  // namespace

std::string tuned_path(const mapping::ProbeIdentity& identity) {
  const std::string machine = mapping::probed_machine_path(identity);
  return machine.substr(0, machine.rfind('.')) + ".tuned.json";
}

void prepare_tuned(const std::string& path) {
  std::error_code ignored;
  files::create_directories(files::path(path).parent_path(), ignored);
  rt::require_writable(path, advice);
}

void store_tuned(const std::string& path, const mapping::ProbeIdentity& identity,
                 const TuningTable& table) {
  TuningTable all = rt::is_stream(path) ? TuningTable{} : tuned_on(path, identity);
  all.replace_by(table);
  auto json = nlohmann::ordered_json::parse(all.to_json());
  json["fingerprint"] = identity.fingerprint();
  json["about"] = identity.about;
  rt::write_file(path, json.dump(1) + '\n', advice);
}

std::shared_ptr<const Knowledge> find_knowledge(const rt::Communicator& comm,
                                                const mapping::Topology& topology,
                                                std::map<plan::Operation, std::string> wanted) {
  std::string machine;
  std::string tuned;
  if (comm.is_root()) {
    if (const auto probed = mapping::probed_machine(topology))
      machine = mapping::machine_text(*probed);
    const mapping::ProbeIdentity identity = mapping::identify(topology);
    tuned = tuned_on(tuned_path(identity), identity).to_json();
  }
  machine = broadcast_text(comm, std::move(machine));
  tuned = broadcast_text(comm, std::move(tuned));
  auto knowledge = std::make_shared<Knowledge>();
  if (!machine.empty())
    knowledge->machine = mapping::parse_machine(machine, "the probed machine");
  else if (topology.nodes > 1 && !topology.is_virtual)
    knowledge->machine = mapping::measured_shortly(comm, topology);
  knowledge->tuned = TuningTable::from_json(tuned, "the tuned collectives");
  knowledge->wanted = std::move(wanted);
  return knowledge;
}

}  // namespace cartwright::comm
