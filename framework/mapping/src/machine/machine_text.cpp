// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/rt/yaml_text.hpp>

#include "machine_codecs.hpp"
#include "machine_network.hpp"
#include "quantity.hpp"

namespace cartwright::mapping {
namespace {

bool same(const plan::BySize& a, const plan::BySize& b) {
  return a.points() == b.points();
}

bool same(const plan::Network& a, const plan::Network& b) {
  return a.model == b.model && same(a.send_overhead, b.send_overhead) &&
         same(a.send_overhead_min, b.send_overhead_min) &&
         same(a.receive_overhead, b.receive_overhead) && same(a.latency, b.latency) &&
         same(a.gap, b.gap) && same(a.byte_time, b.byte_time) &&
         a.varying_overhead == b.varying_overhead && a.free_burst == b.free_burst &&
         a.bytes_hold_port == b.bytes_hold_port && a.first_byte_is_free == b.first_byte_is_free;
}

/// The first model that says all there is to say; `general` always does.
const NetworkModel& model_of(const plan::Network& network) {
  const auto& models = network_models();
  const auto found = std::ranges::find_if(models, [&](const NetworkModel& model) {
    return same(model.network(model.keys(network)), network);
  });
  return found == models.end() ? models.back() : *found;
}

std::string network_text(const plan::Network& network) {
  const NetworkModel& model = model_of(network);
  NetworkKeys keys = model.keys(network);
  rt::SectionNode section;
  model.schema.bind(section, keys);
  std::vector<std::string> entries;
  for (const rt::KeyNode& key : section.keys) {
    const std::string value = key.value.show();
    if (!value.empty()) entries.push_back(fmt::format("      {}: {}\n", key.name, value));
  }
  return fmt::format("    {}:\n{}", model.name, fmt::join(entries, ""));
}

std::string channel_text(const char* key, const plan::Concurrency& channel) {
  if (!channel.limited()) return {};
  return fmt::format("{}: {}\n", key,
                     rt::Codec<SharedBandwidth>::show({channel.bandwidth}, rt::Limits{}));
}

std::string level_text(const plan::Level& level) {
  std::string text = fmt::format("  {}:\n", rt::yaml_text(level.name));
  if (level.units > 0) text += fmt::format("    units: {}\n", level.units);
  if (level.ports != 1) text += fmt::format("    ports: {}\n", level.ports);
  text += network_text(level.network);
  return text + channel_text("    leaving", level.leaving) +
         channel_text("    inside", level.inside);
}

}  // namespace

std::string machine_text(const plan::Machine& machine) {
  std::string text = fmt::format("name: {}\n", rt::yaml_text(machine.name));
  if (!machine.about.empty()) text += fmt::format("about: {}\n", rt::yaml_text(machine.about));
  text += fmt::format("source: {}\n", rt::yaml_text(machine.source));
  if (machine.reduce_overhead != 0.0)
    text += fmt::format("combine_overhead: {}\n", time_text(machine.reduce_overhead));
  if (machine.stage_overhead != 0.0)
    text += fmt::format("stage_overhead: {}\n", time_text(machine.stage_overhead));
  if (machine.reduce_byte_time != 0.0)
    text += fmt::format("combine_bandwidth: {}\n", byte_time_text(machine.reduce_byte_time));
  if (machine.copy_byte_time != 0.0)
    text += fmt::format("copy_bandwidth: {}\n", byte_time_text(machine.copy_byte_time));
  text += channel_text("memory", machine.memory) + channel_text("files", machine.files);
  if (machine.cache_of_core != 0) text += fmt::format("cache_of_core: {}\n", machine.cache_of_core);
  if (machine.file_time != 0.0)
    text += fmt::format("file_time: {}\n", time_text(machine.file_time));
  text += "levels:\n";
  for (const plan::Level& level : machine.levels) text += level_text(level);
  return text;
}

}  // namespace cartwright::mapping
