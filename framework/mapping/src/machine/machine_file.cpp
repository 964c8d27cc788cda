// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/deck_file.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/schema.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <system_error>

#include "machine_codecs.hpp"
#include "machine_network.hpp"

namespace cartwright::mapping {
namespace {

/// One entry of `levels` as it is read.
struct LevelKeys {
  std::string name;
  int units = 0;
  int ports = 1;
  SharedBandwidth leaving, inside;
  std::map<std::string, NetworkKeys> networks;  // by model
};

/// A whole file as it is read.
struct MachineKeys {
  std::string name, about, source;
  TimeBySize combine_overhead, stage_overhead;
  ByteTimeBySize combine_bandwidth, copy_bandwidth;
  SharedBandwidth memory, files;
  TimeBySize file_time;
  long long cache_of_core = 0;
  std::list<LevelKeys> levels;  // in the order of the file; bindings refer to them
};

rt::Schema<LevelKeys> level_schema() {
  return {rt::key("units", &LevelKeys::units)
              .minimum(1)
              .example("2")
              .about("how many there are in each unit of the level above; left out at the "
                     "outermost level: as many as it takes"),
          rt::key("ports", &LevelKeys::ports)
              .minimum(1)
              .about("messages of this level that a rank can inject at the same time"),
          rt::key("leaving", &LevelKeys::leaving)
              .example("[1627.5 MB/s, 2.6 GB/s]")
              .about("bandwidth of 1, 2, 3… messages together that leave one unit at the same "
                     "time; left out: they share nothing"),
          rt::key("inside", &LevelKeys::inside)
              .example("[1338.3 MB/s, 1503.1 MB/s]")
              .about("bandwidth of 1, 2, 3… messages together that stay inside one unit at the "
                     "same time; left out: they share nothing")};
}

void bind_level(rt::SectionNode& section, LevelKeys& level) {
  level_schema().bind(section, level);
  for (const NetworkModel& model : network_models())
    model.schema.bind(section.add_section(model.name, model.about), level.networks[model.name]);
}

rt::Schema<MachineKeys> machine_schema() {
  return {rt::key("name", &MachineKeys::name).required().about("short name"),
          rt::key("about", &MachineKeys::about).about("what machine this is"),
          rt::key("source", &MachineKeys::source)
              .required()
              .about("where the numbers come from, and which of them are estimated"),
          rt::key("combine_overhead", &MachineKeys::combine_overhead)
              .about("time of the combining of one stage, besides its bytes"),
          rt::key("stage_overhead", &MachineKeys::stage_overhead)
              .about("time after the last message of each round, whatever becomes of the data"),
          rt::key("combine_bandwidth", &MachineKeys::combine_bandwidth)
              .about("bytes that one rank combines in a second"),
          rt::key("copy_bandwidth", &MachineKeys::copy_bandwidth)
              .about("bytes that one rank copies in a second"),
          rt::key("memory", &MachineKeys::memory)
              .example("{each: 20 GB/s, together: 160 GB/s}")
              .about("bandwidth at which 1, 2, 3… cores of a node together read and write memory; "
                     "left out: as where kernels are measured"),
          rt::key("cache_of_core", &MachineKeys::cache_of_core)
              .unit("B")
              .minimum(0)
              .about("bytes of cache for each core, with its share of shared ones: fields that fit "
                     "don't wait for memory; 0: not known"),
          rt::key("files", &MachineKeys::files)
              .example("{each: 2 GB/s, together: 4000 GB/s}")
              .about("bandwidth at which 1, 2, 3… nodes together write files; left out: not known"),
          rt::key("file_time", &MachineKeys::file_time)
              .about("time that each file takes besides its bytes")};
}

rt::SectionNode machine_tree(MachineKeys& machine) {
  rt::SectionNode root;
  machine_schema().bind(root, machine);
  rt::NamedSections levels;
  levels.placeholder = "level";
  levels.bind = [&machine](rt::SectionNode& section, const std::string& name) {
    machine.levels.emplace_back().name = name;
    bind_level(section, machine.levels.back());
  };
  auto example = std::make_shared<LevelKeys>();
  bind_level(levels.pattern, *example);
  levels.pattern_object = std::move(example);
  root.add_section("levels", "from the outermost in; the units of the innermost hold one rank")
      .named.push_back(std::move(levels));
  return root;
}

/// What a schema can't say; adds faults at the places that they concern.
class MachineCheck {
 public:
  MachineCheck(const rt::Deck& deck, rt::Faults& faults) : deck_(deck), faults_(faults) {}

  void run(const MachineKeys& machine) {
    check_one("combine_overhead", machine.combine_overhead.seconds);
    check_one("stage_overhead", machine.stage_overhead.seconds);
    check_one("combine_bandwidth", machine.combine_bandwidth.seconds);
    check_one("copy_bandwidth", machine.copy_bandwidth.seconds);
    check_one("file_time", machine.file_time.seconds);
    if (machine.levels.empty()) {
      add("levels",
          "a machine needs at least one level, for example\n"
          "    levels:\n"
          "      node:\n"
          "        hockney: {latency: 1.33 us, bandwidth: 1627.5 MB/s}");
    }
    bool outermost = true;
    for (const LevelKeys& level : machine.levels) {
      const std::string path = "levels." + level.name;
      if (level.name.find('.') != std::string::npos) {
        add(path, fmt::format("the name of a level can't have a dot, as '{}' has", level.name));
        continue;
      }
      if (!outermost && !deck_.contains(path + ".units"))
        add(path, fmt::format("'{}.units' is missing: how many there are in each unit of the "
                              "level above",
                              path));
      check_models(path);
      check_channels(machine, level);
      outermost = false;
    }
  }

 private:
  void check_one(const std::string& key, const plan::BySize& value) {
    if (!value.is_constant()) add(key, fmt::format("'{}' must be one value for all sizes", key));
  }

  /// Each message goes through one channel at most.
  void check_channels(const MachineKeys& machine, const LevelKeys& level) {
    if (level.inside.bytes_per_second.empty()) return;
    const std::string path = "levels." + level.name + ".inside";
    auto below = machine.levels.end();
    while (&*std::prev(below) != &level) --below;
    if (below == machine.levels.end())
      return add(path, fmt::format("nothing stays inside of one {}: its units hold one rank each",
                                   level.name));
    for (; below != machine.levels.end(); ++below)
      if (!below->leaving.bytes_per_second.empty() || !below->inside.bytes_per_second.empty())
        add(path, fmt::format("'{}' counts for all messages inside, so '{}' can't have channels of "
                              "its own",
                              path, below->name));
  }

  void check_models(const std::string& path) {
    std::vector<std::string> names;
    const NetworkModel* found = nullptr;
    for (const NetworkModel& model : network_models()) {
      names.push_back(model.name);
      const std::string section = path + "." + model.name;
      if (!deck_.contains(section)) continue;
      if (found != nullptr) {
        add(section,
            fmt::format("'{}' has a second model '{}' beside '{}'", path, model.name, found->name));
      }
      found = &model;
      check_required(section, model);
    }
    if (found == nullptr)
      add(path, fmt::format("'{}' needs a section named for its model: {}", path,
                            fmt::join(names, ", ")));
  }

  void check_required(const std::string& section, const NetworkModel& model) {
    for (const std::string& key : model.required) {
      const std::string path = fmt::format("{}.{}", section, key);
      if (!deck_.contains(path)) add(section, fmt::format("'{}' is missing", path));
    }
  }

  void add(const std::string& path, std::string text) {
    rt::Origin place = deck_.origin(path);
    if (place.kind == rt::Origin::Kind::standard)
      place = {rt::Origin::Kind::deck, deck_.file_name()};  // the whole file
    faults_.add(std::move(place), std::move(text));
  }

  const rt::Deck& deck_;
  rt::Faults& faults_;
};

plan::Level level_from(const LevelKeys& keys, const rt::Deck& deck) {
  plan::Level level;
  level.name = keys.name;
  level.units = keys.units;
  level.ports = keys.ports;
  level.leaving.bandwidth = keys.leaving.bytes_per_second;
  level.inside.bandwidth = keys.inside.bytes_per_second;
  for (const NetworkModel& model : network_models()) {
    if (deck.contains(fmt::format("levels.{}.{}", keys.name, model.name)))
      level.network = model.network(keys.networks.at(model.name));
  }
  return level;
}

plan::Machine machine_from(const MachineKeys& keys, const rt::Deck& deck) {
  plan::Machine machine;
  machine.name = keys.name;
  machine.about = keys.about;
  machine.source = keys.source;
  machine.reduce_overhead = keys.combine_overhead.seconds.at(0);
  machine.stage_overhead = keys.stage_overhead.seconds.at(0);
  machine.reduce_byte_time = keys.combine_bandwidth.seconds.at(0);
  machine.copy_byte_time = keys.copy_bandwidth.seconds.at(0);
  machine.memory.bandwidth = keys.memory.bytes_per_second;
  machine.cache_of_core = keys.cache_of_core;
  machine.files.bandwidth = keys.files.bytes_per_second;
  machine.file_time = keys.file_time.seconds.at(0);
  for (const LevelKeys& level : keys.levels) machine.levels.push_back(level_from(level, deck));
  return machine;
}

constexpr const char* machine_extension = ".yaml";

}  // namespace

plan::Machine parse_machine(const std::string& text, const std::string& file_name) {
  rt::Deck deck = rt::Deck::parse(text, file_name);
  MachineKeys keys;
  rt::SectionNode root = machine_tree(keys);
  deck.apply(root);
  rt::Faults faults;
  MachineCheck(deck, faults).run(keys);
  faults.throw_if_any(file_name);
  return machine_from(keys, deck);
}

plan::Machine read_machine(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw rt::input_error(fmt::format("{}: there is no such description of a machine", path),
                          "Check the path; ./cartwright simulate --list shows machines that have "
                          "a name.");
  return parse_machine(rt::read_deck_file(path), path);
}

std::vector<std::string> machine_names(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(directory, failure)) {
    if (entry.path().extension() == machine_extension) names.push_back(entry.path().stem());
  }
  if (failure)
    throw rt::input_error(
        fmt::format("can't list the machines in '{}': {}", directory, failure.message()));
  std::ranges::sort(names);
  return names;
}

std::string find_machine(const std::string& machine, const std::string& directory,
                         const std::string& probed) {
  if (machine.find('/') != std::string::npos || machine.ends_with(machine_extension))
    return machine;
  auto names = machine_names(directory);
  if (std::filesystem::is_directory(probed)) {
    const auto found = machine_names(probed);
    if (std::ranges::find(found, machine) != found.end())
      return (std::filesystem::path(probed) / (machine + machine_extension)).string();
    names.insert(names.end(), found.begin(), found.end());
  }
  if (std::ranges::find(names, machine) == names.end()) {
    throw rt::input_error(
        fmt::format("there is no machine '{}'{}", machine, rt::did_you_mean(machine, names)),
        fmt::format("Known: {}. Or give the path of a file.", fmt::join(names, ", ")));
  }
  return (std::filesystem::path(directory) / (machine + machine_extension)).string();
}

}  // namespace cartwright::mapping
