// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cartwright/mapping/probe/probe_samples.hpp>
#include <cartwright/rt/error.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

namespace cartwright::mapping {
namespace {

using Json = nlohmann::ordered_json;

constexpr int format_version = 1;
constexpr std::array<std::string_view, 8> test_names{
    "scan", "ping_pong", "window", "bidirectional", "parametrised", "multicast", "copy", "combine"};

ProbeTest test_named(const std::string& name) {
  for (std::size_t i = 0; i < test_names.size(); ++i)
    if (test_names.at(i) == name) return static_cast<ProbeTest>(i);
  throw rt::input_error(fmt::format("there is no measurement '{}'", name));
}

Json json_of(const ProbeRecord& record) {
  Json json{{"test", name_of(record.spec.test)}, {"level", record.spec.level},
            {"members", record.spec.members},    {"bytes", record.spec.bytes},
            {"messages", record.spec.messages},  {"delay_s", record.spec.delay},
            {"settled", record.settled},         {"times_s", record.times}};
  if (!record.call_times.empty()) json["call_times_s"] = record.call_times;
  return json;
}

ProbeRecord record_of(const Json& json) {
  ProbeRecord record;
  record.spec.test = test_named(json.at("test").get<std::string>());
  json.at("level").get_to(record.spec.level);
  json.at("members").get_to(record.spec.members);
  json.at("bytes").get_to(record.spec.bytes);
  json.at("messages").get_to(record.spec.messages);
  json.at("delay_s").get_to(record.spec.delay);
  json.at("settled").get_to(record.settled);
  json.at("times_s").get_to(record.times);
  if (json.contains("call_times_s")) json.at("call_times_s").get_to(record.call_times);
  return record;
}

Json json_of(const ProbeHierarchy& hierarchy) {
  Json levels = Json::array();
  for (const auto& level : hierarchy.levels)
    levels.push_back({{"name", level.name}, {"unit_of", level.unit_of}});
  return {{"ranks", hierarchy.ranks},
          {"levels", levels},
          {"sizes", hierarchy.sizes},
          {"notes", hierarchy.notes}};
}

ProbeHierarchy hierarchy_of(const Json& json) {
  ProbeHierarchy hierarchy;
  json.at("ranks").get_to(hierarchy.ranks);
  json.at("sizes").get_to(hierarchy.sizes);
  json.at("notes").get_to(hierarchy.notes);
  for (const Json& level : json.at("levels"))
    hierarchy.levels.push_back({level.at("name"), level.at("unit_of").get<std::vector<int>>()});
  return hierarchy;
}

Json header_of(const ProbeSamples& samples) {
  return {{"cartwright_probe", format_version},
          {"name", samples.name},
          {"about", samples.about},
          {"library", samples.library},
          {"fingerprint", samples.fingerprint},
          {"quick", samples.quick},
          {"virtual", samples.is_virtual},
          {"node_size", samples.node_size},
          {"hierarchy", json_of(samples.hierarchy)}};
}

ProbeSamples samples_of(const Json& json) {
  ProbeSamples samples;
  if (json.at("cartwright_probe") != format_version)
    throw rt::input_error("these samples are of another version of the probe",
                          "Probe again with --force.");
  json.at("name").get_to(samples.name);
  json.at("about").get_to(samples.about);
  json.at("library").get_to(samples.library);
  json.at("fingerprint").get_to(samples.fingerprint);
  json.at("quick").get_to(samples.quick);
  json.at("virtual").get_to(samples.is_virtual);
  samples.node_size = json.value("node_size", 0);  // older samples don't say it
  samples.hierarchy = hierarchy_of(json.at("hierarchy"));
  return samples;
}

/// Text, which need not be UTF-8 (names of processors), never makes writing fail.
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string_view name_of(ProbeTest test) {
  return test_names.at(static_cast<std::size_t>(test));
}

std::string record_text(const ProbeRecord& record) {
  return line_of(json_of(record));
}

std::string samples_text(const ProbeSamples& samples) {
  std::string text = line_of(header_of(samples));
  for (const auto& record : samples.records) text += record_text(record);
  return text;
}

ProbeRecord parse_record(const std::string& line) {
  try {
    return record_of(Json::parse(line));
  } catch (const Json::exception& error) {
    throw rt::input_error(fmt::format("this is no record of a probe: {}", error.what()));
  }
}

ProbeSamples parse_samples(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  ProbeSamples samples;
  for (int number = 1; std::getline(lines, line); ++number) {
    try {
      if (number == 1) {
        samples = samples_of(Json::parse(line));
      } else {
        samples.records.push_back(record_of(Json::parse(line)));
      }
    } catch (const Json::exception& error) {
      throw rt::input_error(
          fmt::format("line {} of the samples can't be read: {}", number, error.what()));
    }
  }
  return samples;
}

}  // namespace cartwright::mapping
