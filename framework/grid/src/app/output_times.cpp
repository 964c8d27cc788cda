// SPDX-License-Identifier: Apache-2.0
#include "output_times.hpp"

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "disk_plan.hpp"
#include "machine_here.hpp"

namespace cartwright::grid {
namespace {

using mapping::OutputKind;

/// Round numbers, measured on a laptop's disk: a file of HDF5 or a picture of a map takes so long
/// whatever is in it, and looking at a number so long.
constexpr double usual_file_seconds = 6e-3;
constexpr double usual_picture_seconds = 12e-3;
constexpr double usual_value_seconds = 3e-9;

/// How long each thing took once, by region, in a former run: on the rank that it took longest, as
/// one draws and others wait for it.
struct Record {
  std::string file;
  double cells_of_rank = 0.0;
  std::map<std::string, double> seconds;
};

/// Nothing where there is none that says anything: it is a help, not an input.
std::optional<Record> record_in(const std::string& results, const std::string& solver,
                                double cells) {
  const std::filesystem::path path = std::filesystem::path(results) / "report.json";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  try {
    constexpr std::size_t most_bytes = 1 << 20;
    const auto json = nlohmann::json::parse(rt::read_file(path, most_bytes));
    const auto& run = json.at("sections").at("run");
    if (run.at("solver") != solver) return std::nullopt;
    const double ranks = run.at("ranks").get<double>();
    if (!(ranks >= 1.0)) return std::nullopt;
    Record record{path.string(), cells / ranks, {}};
    for (const auto& region : json.at("regions")) {
      const double count = region.at("count").get<double>() / ranks;
      if (count >= 1.0)
        record.seconds[region.at("name").get<std::string>()] =
            std::max(0.0, region.at("maximum_seconds").get<double>() / count);
    }
    return record;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const rt::Error&) {
    return std::nullopt;
  }
}

/// Steps at which any of these is due, as far as it goes by steps.
double union_of(const std::vector<long long>& intervals, long long last) {
  constexpr long long most = 10'000'000;
  if (last <= 0) return 0.0;
  if (last > most) {
    double sum = 0.0;
    for (const long long every : intervals)
      if (every > 0) {
        const long long times = last / every;
        sum += static_cast<double>(times);
      }
    return std::min(sum, static_cast<double>(last));
  }
  long long count = 0;
  for (long long step = 1; step <= last; ++step)
    count += std::ranges::any_of(intervals,
                                 [&](long long every) { return every > 0 && step % every == 0; });
  return static_cast<double>(count);
}

/// Seconds once: as it was, or the usual.
double once(const std::optional<Record>& record, const std::string& region, double usual) {
  if (!record) return usual;
  const auto found = record->seconds.find(region);
  return found == record->seconds.end() ? usual : found->second;
}

OutputKind file(const std::optional<Record>& record, const std::string& name, long long times,
                long long bytes, double usual) {
  const auto size = static_cast<double>(bytes);
  const double seconds =
      std::max(0.0, once(record, name, usual + size / usual_files) - size / usual_files);
  return {name, static_cast<double>(times), size, seconds, 0.0};
}

}  // namespace

void add_output_times(const RunRequest& request, const SolverEntry& solver, const Sample& sample,
                      const std::string& results, mapping::StepProfile& profile) {
  const RunOptions& options = request.options;
  const auto record = record_in(results, solver.name, mapping::cells_of(options.grid.extent));
  profile.output_source = record ? record->file : "round numbers";
  const Disk disk = disk_of(request, sample);
  const OutputOptions& output = options.output;
  const auto fields = static_cast<double>(std::max<std::size_t>(sample.pictures, 1));
  if (disk.outputs > 0)  // and once more to begin the series
    profile.outputs.push_back(
        file(record, "output", disk.outputs + 1, disk.bytes_an_output, usual_file_seconds));
  if (disk.checkpoints_written > 0)
    profile.outputs.push_back(file(record, "checkpoint", disk.checkpoints_written,
                                   disk.bytes_a_checkpoint, usual_file_seconds));
  if (disk.pictures > 0)
    profile.outputs.push_back({"pictures", static_cast<double>(disk.pictures) / fields, 0.0,
                               once(record, "pictures", usual_picture_seconds * fields), 0.0});
  double values = 0.0;
  for (const auto& field : sample.fields)
    values += static_cast<double>(field.bytes_per_point) / sizeof(double);
  const auto pass = [&](const char* name, double times) {
    const double usual = usual_value_seconds * values;
    const double each =
        record ? once(record, name, usual * record->cells_of_rank) / record->cells_of_rank : usual;
    profile.outputs.push_back({name, times, 0.0, 0.0, each});
  };
  const long long every = output.every.value_or(0), rows = output.diagnostics.value_or(every);
  pass("diagnostics", union_of({rows}, sample.last_step) + 2.0);
  pass("check for NaN", union_of({every, rows, output.pictures.every, options.time.finite_every,
                                  options.checkpoint.every},
                                 sample.last_step) +
                            2.0);
}

}  // namespace cartwright::grid
