// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/output_file.hpp>
#include <cstdio>
#include <fstream>

#include "machine.hpp"

namespace cartwright::bench {

namespace {

using Json = nlohmann::ordered_json;

std::string shown(double value, const std::string& unit) {
  if (unit != "s") return fmt::format("{:.4g} {}", value, unit);
  if (value < 1.0e-3) return fmt::format("{:.2f} µs", value * 1e6);
  if (value < 1.0) return fmt::format("{:.3f} ms", value * 1e3);
  return fmt::format("{:.3f} s", value);
}

Json case_json(const Case& result) {
  return {{"name", result.name},
          {"parameters", result.parameters},
          {"ours", result.ours.median},
          {"peer", result.peer.median},
          {"unit", result.unit},
          {"ratio", result.ratio.median},
          {"ratio_quartiles", {result.ratio.lower_quartile, result.ratio.upper_quartile}},
          {"rounds", result.rounds}};
}

}  // namespace

Case Case::of_times(std::string name, Json parameters, std::span<const double> ours,
                    std::span<const double> peer) {
  return {std::move(name), std::move(parameters),        "s",        summarize(ours),
          summarize(peer), summarize_ratios(ours, peer), ours.size()};
}

void Results::add(Case result) {
  if (result.rounds == 0)
    note(result.name + ": not measured, the time was up before its first round.");
  else
    cases_.push_back(std::move(result));
}

std::string Results::table() const {
  std::size_t width = 4;
  for (const Case& result : cases_) width = std::max(width, result.name.size());
  std::string text = fmt::format("{}: {}\n{}\n\n", benchmark_, layout_, machine_name());
  text += fmt::format("{:<{}}  {:>11}  {:>11}  {:>6}  {:>15}  {:>6}\n", "case", width, "ours",
                      "peer", "ratio", "half of them in", "rounds");
  for (const Case& result : cases_)
    text += fmt::format("{:<{}}  {:>11}  {:>11}  {:>6.3f}  {:>7.3f}–{:<7.3f}  {:>6}\n", result.name,
                        width, shown(result.ours.median, result.unit),
                        shown(result.peer.median, result.unit), result.ratio.median,
                        result.ratio.lower_quartile, result.ratio.upper_quartile, result.rounds);
  if (!notes_.empty()) text += '\n';
  for (const std::string& line : notes_) text += line + '\n';
  return text;
}

Json Results::json(const Options& options) const {
  Json cases = Json::array();
  if (options.append) {
    std::ifstream file(options.json);
    const Json old = Json::parse(file, nullptr, false);
    if (old.is_object() && old.value("benchmark", "") == benchmark_)
      for (const Json& known : old["cases"])
        if (std::none_of(cases_.begin(), cases_.end(), [&known](const Case& result) {
              return known.value("name", "") == result.name;
            }))
          cases.push_back(known);
  }
  for (const Case& result : cases_) cases.push_back(case_json(result));
  return {{"benchmark", benchmark_}, {"machine", machine_name()}, {"cases", cases}};
}

void Results::publish(const Options& options) const {
  std::fputs(table().c_str(), stdout);
  std::fflush(stdout);
  write(options);
}

void Results::write(const Options& options) const {
  if (options.json.empty()) return;
  rt::write_file(options.json, json(options).dump(2) + '\n',
                 "Give --json the name of a file in a folder that you may write to.");
}

}  // namespace cartwright::bench
