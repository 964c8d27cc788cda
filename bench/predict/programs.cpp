// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cartwright/grid/app/region_parts.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

extern char** environ;

namespace cartwright::bench {

namespace {

using Json = nlohmann::json;

/// Programs lie beside this one.
std::string program(const std::string& name) {
  return (std::filesystem::canonical("/proc/self/exe").parent_path() / name).string();
}

/// What a launcher has told this process of its own ranks would confuse those that it starts.
std::string forgetting_ranks() {
  std::string words = "env";
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    const bool is_of_ranks = name.starts_with("PMI") || name.starts_with("OMPI_COMM") ||
                             name.starts_with("OMPI_MCA_") || name.starts_with("ORTE") ||
                             name.starts_with("PRTE") || name.starts_with("HYDRA") ||
                             name.starts_with("CARTWRIGHT_MARKS");
    if (is_of_ranks) words += " -u " + name;
  }
  return words + " OMP_NUM_THREADS=1 OMP_PROC_BIND=false";
}

void start(const std::string& command) {
  std::FILE* const pipe = popen((command + " 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("can't start: " + command);
  std::string said;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    said.append(buffer.data(), n);
  const int status = pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(fmt::format("{}\n{}", command, said));
}

std::string mpirun(bool anywhere) {
  if (const char* const given = std::getenv("MPIRUN")) return given;
  return anywhere ? "mpirun --oversubscribe --bind-to none" : "mpirun --bind-to core";
}

Json read_json(const std::string& path) {
  std::ifstream file(path);
  return Json::parse(file);
}

/// Waits are filled by other ranks' kernels.
void fold_waits(StepParts& parts) {
  for (const char* part : {"halo exchange", "reductions", "the loop"}) {
    parts.seconds["kernels"] += parts.of(part);
    parts.seconds.erase(part);
  }
}

void add_up(StepParts& parts) {
  if (parts.seconds.contains("step")) return;
  double sum = 0.0;
  for (const auto& [part, seconds] : parts.seconds) sum += seconds;
  parts.seconds["step"] = sum;
}

/// Rank 0 draws and writes, and others wait for it at their next question: what output takes is the
/// longest, and what is waited for besides the shortest of any rank. Of ranks that share cores each
/// one waits.
const char* kept_of(const std::string& region, const std::string& part, bool crowded) {
  const bool waits =
      region == "halo wait" || region == "reduce across ranks" || region == "stop control";
  if (part == "output") return "maximum_seconds";
  return waits && !crowded ? "minimum_seconds" : "mean_seconds";
}

/// "step" is all that ranks did in the mean, which is as long for each.
StepParts real_parts(const Json& report, bool crowded) {
  const double steps = report.at("sections").at("run").at("steps").get<double>();
  StepParts parts;
  for (const Json& region : report.at("regions")) {
    const auto name = region.at("name").get<std::string>();
    const auto region_part = grid::part_of_region(name);
    if (!region_part) continue;
    const std::string part(mapping::name_of(*region_part));
    parts.seconds[part] += region.at(kept_of(name, part, crowded)).get<double>() / steps;
    parts.seconds["step"] += region.at("mean_seconds").get<double>() / steps;
  }
  return parts;
}

StepParts predicted_parts(const Json& table) {
  StepParts parts;
  for (const auto& [part, seconds] : table.at("predictions").at(0).at("parts").items())
    parts.seconds[part] = seconds.get<double>();
  return parts;
}

}  // namespace

double StepParts::of(const std::string& part) const {
  const auto found = seconds.find(part);
  return found == seconds.end() ? 0.0 : found->second;
}

std::vector<std::string> StepParts::names() const {
  std::vector<std::string> names;
  for (const auto& [part, value] : seconds)
    if (part != "step") names.push_back(part);
  names.emplace_back("step");
  return names;
}

Programs::Programs() {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "cartwright-predict-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("can't make " + pattern);
  folder_ = pattern;
}

Programs::~Programs() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Programs::arguments(const PredictCase& deck, const std::string& output) const {
  return fmt::format("{} {}/{} {} output.directory={}/{} --quiet", program(deck.program),
                     CARTWRIGHT_INPUTS, deck.deck, deck.overrides, folder_, output);
}

void Programs::run(const PredictCase& deck, int ranks, bool crowded,
                   const std::string& output) const {
  start(fmt::format("{} {} -n {} {}", forgetting_ranks(), mpirun(crowded), ranks,
                    arguments(deck, output)));
}

Round Programs::round(const PredictCase& deck, int ranks, bool crowded) const {
  run(deck, std::min(ranks, 2), false, "alone");
  // On two ranks: coarse grids of multigrid that one rank has to itself exchange nothing.
  start(fmt::format("{} {} -n 2 {} --dry-run -n 2 --profile {}/profile.json", forgetting_ranks(),
                    mpirun(true), arguments(deck, "alone"), folder_));
  start(
      fmt::format("{} --profile {}/profile.json --machine here --strong --backends auto -n {} "
                  "--ranks-per-node {} --json {}/scaling.json",
                  program("cartwright-scale"), folder_, ranks, ranks, folder_));
  run(deck, ranks, crowded, "real");
  Round round{predicted_parts(read_json(folder_ + "/scaling.json")),
              real_parts(read_json(folder_ + "/real/report.json"), crowded)};
  std::error_code ignored;
  std::filesystem::remove_all(folder_ + "/real", ignored);
  std::filesystem::remove_all(folder_ + "/alone", ignored);
  for (StepParts* const parts : {&round.predicted, &round.real}) {
    if (crowded) fold_waits(*parts);
    add_up(*parts);
  }
  return round;
}

}  // namespace cartwright::bench
