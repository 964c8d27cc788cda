// SPDX-License-Identifier: Apache-2.0
#include "checkpoint_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "saved_numbers.hpp"

namespace cartwright::grid {
namespace {

using nlohmann::json;

// Doubles travel as their bits: JSON has neither infinities nor a promise about digits.
json bits_of(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
json bits_of(const std::vector<double>& values) {
  json list = json::array();
  for (const double value : values) list.push_back(bits_of(value));
  return list;
}
double from_bits(const json& bits) {
  return std::bit_cast<double>(bits.get<std::uint64_t>());
}

char axis_of(Centring face) {
  return static_cast<char>('x' + (static_cast<int>(face) - static_cast<int>(Centring::face_x)));
}

template <class T>
std::string first_axes(const GridDescription& grid, const std::array<T, 3>& values) {
  return fmt::format("{}", fmt::join(values.begin(), values.begin() + grid.dimensions, ", "));
}

/// Fowler, Noll and Vo's, of the numbers' bits.
std::uint64_t hash_of(const std::vector<double>& numbers) {
  std::uint64_t hash = 14695981039346656037U;
  for (const double number : numbers)
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ (std::bit_cast<std::uint64_t>(number) >> (8 * byte) & 0xFFU)) * 1099511628211U;
  return hash;
}

void compare_grids(const std::vector<std::string>& there, const std::vector<std::string>& here,
                   std::vector<std::string>& found) {
  for (std::size_t i = 0; i < std::max(there.size(), here.size()); ++i) {
    const std::string theirs = i < there.size() ? there[i] : "nothing";
    const std::string ours = i < here.size() ? here[i] : "nothing";
    if (theirs != ours)
      found.push_back(fmt::format("the checkpoint has {}, the deck {}", theirs, ours));
  }
}

void compare_settings(const std::map<std::string, std::string>& there,
                      const std::map<std::string, std::string>& here,
                      std::vector<std::string>& found) {
  for (const auto& [key, value] : here) {
    const auto place = there.find(key);
    const std::string theirs = place == there.end() ? "not set" : place->second;
    if (theirs != value)
      found.push_back(
          fmt::format("'{}' is {} in the checkpoint, {} in the deck", key, theirs, value));
  }
  for (const auto& [key, value] : there)
    if (!here.contains(key))
      found.push_back(fmt::format("'{}' is {} in the checkpoint, not set in the deck", key, value));
}

void compare_numbers(const std::vector<SavedNumbers>& there, const std::vector<SavedNumbers>& here,
                     std::vector<std::string>& found) {
  const auto find = [](const std::vector<SavedNumbers>& list, const std::string& name) {
    const auto place = std::ranges::find(list, name, &SavedNumbers::name);
    return place == list.end() ? nullptr : &*place;
  };
  for (const SavedNumbers& ours : here) {
    const SavedNumbers* const theirs = find(there, ours.name);
    if (theirs == nullptr)
      found.push_back(fmt::format("the checkpoint has no '{}' ({})", ours.name, kind_of(ours)));
    else if (kind_of(*theirs) != kind_of(ours))
      found.push_back(fmt::format("'{}' is {} in the checkpoint, {} in the solver", ours.name,
                                  kind_of(*theirs), kind_of(ours)));
  }
  for (const SavedNumbers& theirs : there)
    if (find(here, theirs.name) == nullptr)
      found.push_back(fmt::format("the checkpoint has '{}' ({}), which the solver lacks",
                                  theirs.name, kind_of(theirs)));
}

void parse_numbers(const json& object, CheckpointState& state) {
  state.ended_because = object.at("ended_because");
  for (const json& each : object.at("numbers"))
    state.numbers.push_back(
        {each.at("name"), type_named(each.at("type")), bytes_of(each.at("bytes"))});
}

}  // namespace

std::string CheckpointRecord::text() const {
  json numbers = json::array();
  for (const SavedNumbers& each : state.numbers)
    numbers.push_back(
        {{"name", each.name}, {"type", name_of(each.type)}, {"bytes", hexadecimal(each.bytes)}});
  json list = json::array();
  for (const Dataset& dataset : datasets)
    list.push_back({{"name", dataset.name},
                    {"kind", dataset.kind},
                    {"hash", dataset.hash},
                    {"offset", dataset.offset},
                    {"bytes", dataset.bytes}});
  return json{{"format", 2},
              {"step", state.step},
              {"time", bits_of(state.time)},
              {"time_step", bits_of(state.time_step)},
              {"since_step", state.since_step},
              {"since_time", bits_of(state.since_time)},
              {"ended_because", state.ended_because},
              {"work", bits_of(state.work)},
              {"numbers", numbers},
              {"grid", grid},
              {"must_match", must_match},
              {"datasets", list},
              {"metadata_hash", metadata_hash}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

CheckpointRecord CheckpointRecord::parse(const std::string& text) {
  const json object = json::parse(text);
  const int format = object.at("format");
  if (format != 1 && format != 2) throw std::runtime_error("unknown format of checkpoint");
  CheckpointRecord record;
  record.state.step = object.at("step");
  record.state.time = from_bits(object.at("time"));
  record.state.time_step = from_bits(object.at("time_step"));
  record.state.since_step = object.value("since_step", 0LL);
  if (object.contains("since_time")) record.state.since_time = from_bits(object.at("since_time"));
  for (const json& each : object.value("work", json::array()))
    record.state.work.push_back(from_bits(each));
  if (format == 2) parse_numbers(object, record.state);  // before, solvers had none
  record.grid = object.at("grid").get<std::vector<std::string>>();
  record.must_match = object.at("must_match").get<std::map<std::string, std::string>>();
  for (const json& each : object.at("datasets"))
    record.datasets.push_back(
        {each.at("name"), each.at("kind"), each.at("hash"), each.at("offset"), each.at("bytes")});
  record.metadata_hash = object.at("metadata_hash");
  return record;
}

FileRanges CheckpointRecord::data_ranges() const {
  FileRanges ranges;
  for (const Dataset& dataset : datasets) ranges.emplace_back(dataset.offset, dataset.bytes);
  return ranges;
}

std::vector<std::string> grid_sentences(const GridDescription& grid) {
  std::vector<std::string> sentences{"grid.extent [" + first_axes(grid, grid.extent) + "]",
                                     "grid.length [" + first_axes(grid, grid.length) + "]",
                                     "grid.origin [" + first_axes(grid, grid.origin) + "]",
                                     "grid.periodic [" + first_axes(grid, grid.periodic) + "]"};
  for (int axis = 0; axis < grid.dimensions; ++axis)
    if (grid.is_stretched(axis))
      sentences.push_back(fmt::format("edges of cells along {} with the checksum {:016x}",
                                      "xyz"[axis],
                                      hash_of(grid.edges[static_cast<std::size_t>(axis)])));
  return sentences;
}

std::string kind_of(const DatasetPlan& plan) {
  std::string kind = "nodal ";
  if (!plan.positions.empty())
    kind = fmt::format("of {} particles, ", plan.block.global[0]);
  else if (plan.centring == Centring::cell)
    kind = "cell-centred ";
  else if (plan.centring != Centring::node)
    kind = "face-centred (" + std::string(1, axis_of(plan.centring)) + ") ";
  kind += name_of(plan.element.scalar);
  if (plan.element.components > 1) kind += fmt::format(", {} components", plan.element.components);
  return kind;
}

std::vector<std::string> changed_settings(std::map<std::string, std::string> there,
                                          std::map<std::string, std::string> here) {
  there.erase("solver");
  here.erase("solver");
  std::vector<std::string> found;
  compare_settings(there, here, found);
  return found;
}

std::vector<std::string> differences(const CheckpointRecord& record, const GridDescription& grid,
                                     const std::map<std::string, std::string>& must_match,
                                     const std::vector<DatasetPlan>& fields,
                                     const std::vector<SavedNumbers>& numbers) {
  std::vector<std::string> found;
  compare_settings(record.must_match, must_match, found);
  compare_grids(record.grid, grid_sentences(grid), found);
  std::map<std::string, std::string> there;
  for (const auto& dataset : record.datasets) there[dataset.name] = dataset.kind;
  for (const DatasetPlan& field : fields) {
    const auto place = there.find(field.name);
    if (place == there.end())
      found.push_back(fmt::format("the checkpoint has no field '{}'", field.name));
    else if (place->second != kind_of(field))
      found.push_back(fmt::format("field '{}' is {} in the checkpoint, {} in the solver",
                                  field.name, place->second, kind_of(field)));
    if (place != there.end()) there.erase(place);
  }
  for (const auto& [name, kind] : there)
    found.push_back(fmt::format("the checkpoint has a field '{}' that the solver lacks", name));
  compare_numbers(record.state.numbers, numbers, found);
  return found;
}

}  // namespace cartwright::grid
