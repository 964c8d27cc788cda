// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>

#include <cartwright/comm/selection/knowledge_store.hpp>
#include <cartwright/mapping/machine_file.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace cartwright::comm {

namespace {

namespace files = std::filesystem;

std::string text_of_file(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The table in a file, if it was measured on that machine.
TuningTable tuned_on(const std::string& path, const mapping::ProbeIdentity& identity) {
  if (!files::exists(path)) return {};
  try {
    const std::string text = text_of_file(path);
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

rt::Error cannot_write_table(const std::string& path) {
  return rt::input_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)),
                         "Name another place with CARTWRIGHT_MACHINES=DIRECTORY.");
}

}  // namespace

std::string tuned_path(const mapping::ProbeIdentity& identity) {
  const std::string machine = mapping::probed_machine_path(identity);
  return machine.substr(0, machine.rfind('.')) + ".tuned.json";
}

void store_tuned(const std::string& path, const mapping::ProbeIdentity& identity,
                 const TuningTable& table) {
  TuningTable all = tuned_on(path, identity);
  all.replace_by(table);
  auto json = nlohmann::ordered_json::parse(all.to_json());
  json["fingerprint"] = identity.fingerprint();
  json["about"] = identity.about;
  std::error_code ignored;
  files::create_directories(files::path(path).parent_path(), ignored);
  const std::string unfinished = path + ".new";  // a killed run leaves no half table
  std::ofstream out(unfinished);
  out << json.dump(1) << '\n';
  out.close();
  if (!out || std::rename(unfinished.c_str(), path.c_str()) != 0) throw cannot_write_table(path);
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
  if (!machine.empty()) knowledge->machine = mapping::parse_machine(machine, "the probed machine");
  knowledge->tuned = TuningTable::from_json(tuned, "the tuned collectives");
  knowledge->wanted = std::move(wanted);
  return knowledge;
}

}  // namespace cartwright::comm
