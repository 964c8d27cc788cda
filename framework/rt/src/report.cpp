// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/rt/report.hpp>
#include <nlohmann/json.hpp>
#include <utility>

namespace cartwright::rt {

Report::Section& Report::Section::set(Entry entry) {
  const auto same_key = [&](const Entry& other) { return other.key == entry.key; };
  const auto found = std::find_if(entries_.begin(), entries_.end(), same_key);
  if (found != entries_.end()) {
    *found = std::move(entry);
  } else {
    entries_.push_back(std::move(entry));
  }
  return *this;
}

Report::Section& Report::section(std::string_view title) {
  for (auto& section : sections_) {
    if (section.title() == title) return section;
  }
  return sections_.emplace_back(std::string(title));
}

std::string Report::json() const {
  using Json = nlohmann::ordered_json;
  Json root = Json::object();  // one that becomes an object later can't bear want of memory then
  root["wall_seconds"] = times_.whole.maximum;
  root["sections"] = Json::object();
  for (const auto& section : sections_) {
    Json& json = root["sections"][section.title()] = Json::object();
    for (const auto& entry : section.entries()) {
      Json value;
      std::visit([&](const auto& given) { value = given; }, entry.value);
      json[entry.key] = entry.unit.empty() ? value : Json{{"value", value}, {"unit", entry.unit}};
    }
  }
  const auto row = [](const RegionStatistics& region) {
    return Json{{"name", region.name},         {"minimum_seconds", region.minimum},
                {"mean_seconds", region.mean}, {"maximum_seconds", region.maximum},
                {"count", region.count},       {"bytes", region.bytes}};
  };
  root["regions"] = Json::array();
  for (const auto& region : times_.regions) root["regions"].push_back(row(region));
  root["whole_run"] = row(times_.whole);
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace cartwright::rt
