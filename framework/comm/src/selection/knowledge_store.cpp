// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cartwright/comm/selection/knowledge_store.hpp>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/probe/short_probe.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace cartwright::comm {

namespace {

namespace files = std::filesystem;

/// What a file of measurements holds, if they are of that machine; empty else: it is only a cache.
template <class Table>
Table table_of(const std::string& path, const mapping::ProbeIdentity& identity) {
  try {
    const std::string text = rt::read_file(path);
    const auto json = nlohmann::json::parse(text);
    if (json.value("fingerprint", "") != identity.fingerprint()) return {};
    return Table::from_json(text, path);
  } catch (const std::exception&) {
    return {};
  }
}

constexpr const char* advice =
    "Name another place with --output FILE.json, or with CARTWRIGHT_MACHINES=DIRECTORY.";

template <class Table>
void write_table(const std::string& path, const mapping::ProbeIdentity& identity,
                 const Table& table) {
  auto json = nlohmann::ordered_json::parse(table.to_json());
  json["fingerprint"] = identity.fingerprint();
  json["about"] = identity.about;
  rt::write_file(path, json.dump(1) + '\n', advice);
}

std::string beside_machine(const mapping::ProbeIdentity& identity, const char* ending) {
  const std::string machine = mapping::probed_machine_path(identity);
  return machine.substr(0, machine.rfind('.')) + ending;
}

/// What the first rank reads for all.
struct Texts {
  std::string machine, tuned, learned;
  std::string defaults;  ///< a site's own rules; empty: the library's
  std::string fault;     ///< what is wrong with those; empty: nothing

  /// Collective: all of them at once.
  void broadcast(const rt::Communicator& comm) {
    std::vector<std::string> texts{machine, tuned, learned, defaults, fault};
    rt::share(comm, texts);
    const std::array parts{&machine, &tuned, &learned, &defaults, &fault};
    for (std::size_t i = 0; i < parts.size(); ++i) *parts[i] = std::move(texts[i]);
  }
};

/// A site's own rules, in place of the library's.
void read_defaults_of_site(Texts& texts) {
  const char* const path = std::getenv("CARTWRIGHT_TUNING");
  if (path == nullptr || *path == '\0') return;
  try {
    texts.defaults = rt::read_file(path);
    if (texts.defaults.empty()) texts.fault = fmt::format("{} is empty", path);
  } catch (const std::exception& error) {
    texts.fault = error.what();
  }
}

std::shared_ptr<const DefaultTuning> defaults_of(const Texts& texts) {
  if (!texts.fault.empty())
    throw rt::input_error("CARTWRIGHT_TUNING: " + texts.fault,
                          "It names a file of default tunings; ./cartwright tune --defaults prints "
                          "the library's own.",
                          rt::Reach::all_ranks);
  if (texts.defaults.empty()) return DefaultTuning::of_library();
  return std::make_shared<const DefaultTuning>(
      DefaultTuning::from_json(texts.defaults, "the file that CARTWRIGHT_TUNING names"));
}

/// Adds to what is there already: another run may have learned meanwhile. A run has better things
/// to do than to complain of a cache that can't be written.
void keep_learned(const mapping::ProbeIdentity& identity, const LearnedTable& learned) noexcept {
  try {
    const std::string path = learned_path(identity);
    std::error_code ignored;
    files::create_directories(files::path(path).parent_path(), ignored);
    auto all = table_of<LearnedTable>(path, identity);
    all.add(learned);
    write_table(path, identity, all);
  } catch (const std::exception&) {
  }
}

}  // namespace

std::string tuned_path(const mapping::ProbeIdentity& identity) {
  return beside_machine(identity, ".tuned.json");
}

std::string learned_path(const mapping::ProbeIdentity& identity) {
  return beside_machine(identity, ".learned.json");
}

void prepare_tuned(const std::string& path) {
  std::error_code ignored;
  files::create_directories(files::path(path).parent_path(), ignored);
  rt::require_writable(path, advice);
}

void store_tuned(const std::string& path, const mapping::ProbeIdentity& identity,
                 const TuningTable& table) {
  TuningTable all = rt::is_stream(path) ? TuningTable{} : table_of<TuningTable>(path, identity);
  all.replace_by(table);
  write_table(path, identity, all);
}

std::shared_ptr<const Knowledge> find_knowledge(const rt::Communicator& comm,
                                                const mapping::Topology& topology,
                                                std::map<plan::Operation, std::string> wanted,
                                                bool learns) {
  auto knowledge = std::make_shared<Knowledge>();
  Texts texts;
  if (comm.is_root()) {
    if (const auto probed = mapping::probed_machine(topology))
      texts.machine = mapping::machine_text(*probed);
    const mapping::ProbeIdentity identity = mapping::identify(topology);
    texts.tuned = table_of<TuningTable>(tuned_path(identity), identity).to_json();
    if (learns) {
      texts.learned = table_of<LearnedTable>(learned_path(identity), identity).to_json();
      knowledge->keep_learned = [identity](const LearnedTable& more) {
        keep_learned(identity, more);
      };
    }
    read_defaults_of_site(texts);
  }
  texts.broadcast(comm);
  if (!texts.machine.empty())
    knowledge->machine = mapping::parse_machine(texts.machine, "the probed machine");
  else if (topology.nodes > 1 && !topology.is_virtual)
    knowledge->machine = mapping::measured_shortly(comm, topology);
  knowledge->defaults = defaults_of(texts);
  knowledge->tuned = TuningTable::from_json(texts.tuned, "the tuned collectives");
  knowledge->learns = learns;
  if (learns)
    knowledge->learned = LearnedTable::from_json(texts.learned, "the learned collectives");
  knowledge->wanted = std::move(wanted);
  return knowledge;
}

}  // namespace cartwright::comm
