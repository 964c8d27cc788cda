// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/selection/learned_table.hpp>
#include <cartwright/rt/error.hpp>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "json_words.hpp"

namespace cartwright::comm {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> combinings{"exact", "rounded", "ordered"};
constexpr std::array<std::string_view, 2> waitings{"at once", "later"};

template <class Name, std::size_t N>
Name read_word(const std::array<std::string_view, N>& names, const Json& json) {
  const auto found = std::ranges::find(names, json.get<std::string>());
  if (found == names.end()) throw rt::input_error(fmt::format("what is {}?", json.dump()));
  return static_cast<Name>(found - names.begin());
}

template <class Name, std::size_t N>
std::string_view word_of(const std::array<std::string_view, N>& names, Name name) {
  return names[static_cast<std::size_t>(name)];
}

Json json_of(const LearnedTable::Entry& entry) {
  return {{"ranks", entry.shape.ranks},
          {"nodes", entry.shape.nodes},
          {"operation", plan::name_of(entry.key.operation)},
          {"size", entry.key.size},
          {"waiting", word_of(waitings, entry.key.waiting)},
          {"combining", word_of(combinings, entry.key.combining)},
          {"backend", name_of(entry.backend)},
          {"algorithm", entry.algorithm},
          {"seconds", entry.seconds},
          {"usual_seconds", entry.usual_seconds}};
}

LearnedTable::Entry entry_of(const Json& json) {
  const plan::Operation operation = operation_in(json);
  return {.shape = {.ranks = json.at("ranks").get<int>(), .nodes = json.at("nodes").get<int>()},
          .key = {.operation = operation,
                  .size = json.at("size").get<plan::Count>(),
                  .waiting = read_word<Waiting>(waitings, json.at("waiting")),
                  .combining = read_word<Combining>(combinings, json.at("combining"))},
          .backend = backend_in(json),
          .algorithm = algorithm_in(json, operation),
          .seconds = json.at("seconds").get<double>(),
          .usual_seconds = json.at("usual_seconds").get<double>()};
}

bool is_of(const LearnedTable::Entry& entry, const CommunicatorShape& shape, CallKey key) {
  key.epoch = 0;
  return entry.shape == shape && entry.key == key;
}

}  // namespace

void LearnedTable::add(Entry entry) {
  entry.key.epoch = 0;
  const auto old = std::ranges::find_if(
      entries_, [&](const Entry& known) { return is_of(known, entry.shape, entry.key); });
  if (old != entries_.end())
    *old = std::move(entry);
  else
    entries_.push_back(std::move(entry));
}

void LearnedTable::add(const LearnedTable& newer) {
  for (const Entry& entry : newer.entries_) add(entry);
}

const LearnedTable::Entry* LearnedTable::find(const CommunicatorShape& shape,
                                              const CallKey& key) const {
  const auto found =
      std::ranges::find_if(entries_, [&](const Entry& entry) { return is_of(entry, shape, key); });
  return found == entries_.end() ? nullptr : &*found;
}

std::string LearnedTable::to_json() const {
  Json learned = Json::array();
  for (const Entry& entry : entries_) learned.push_back(json_of(entry));
  return Json{{"learned", std::move(learned)}}.dump(1);
}

LearnedTable LearnedTable::from_json(const std::string& text, const std::string& source) {
  LearnedTable table;
  try {
    const Json parsed = Json::parse(text);
    for (const Json& json : parsed.at("learned")) table.add(entry_of(json));
  } catch (const std::exception& fault) {
    throw rt::input_error(
        fmt::format("{} is no table of learned collectives: {}", source, fault.what()),
        "Remove the file: runs with comm.learn write a new one.");
  }
  return table;
}

}  // namespace cartwright::comm
