// SPDX-License-Identifier: Apache-2.0
#include "disk_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/output/picture_series.hpp>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <cartwright/rt/report.hpp>
#include <cmath>

namespace cartwright::grid {
namespace {

constexpr long long usual_picture_bytes = 50'000;  // 10 to 130 thousand, for smooth fields

/// "1 output", "2 outputs".
std::string counted(long long number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

}  // namespace

long long Disk::bytes() const {
  return outputs * bytes_an_output + checkpoints * bytes_a_checkpoint +
         pictures * (bytes_a_picture + bytes_a_slice);
}

std::string Disk::text() const {
  std::string parts = fmt::format(
      "{} of {}, {} of {}", counted(outputs, "output"), rt::readable_bytes(bytes_an_output),
      counted(checkpoints, "checkpoint"), rt::readable_bytes(bytes_a_checkpoint));
  if (pictures > 0)
    parts += fmt::format(", {} of about {}", counted(pictures, "picture"),
                         rt::readable_bytes(bytes_a_picture));
  if (pictures > 0 && bytes_a_slice > 0)
    parts += fmt::format(" and, until the run is complete, {} each to draw them anew",
                         rt::readable_bytes(bytes_a_slice));
  return fmt::format("{} ({})", rt::readable_bytes(bytes()), parts);
}

Disk disk_of(const RunRequest& request, const Sample& sample) {
  const RunOptions& options = request.options;
  const double cells = mapping::cells_of(options.grid.extent);
  double shown = cells * static_cast<double>(sample.output_only_bytes), state = 0.0;
  for (const auto& field : sample.fields) {
    state += cells * static_cast<double>(field.bytes_per_point) + static_cast<double>(field.bytes);
    shown += cells * static_cast<double>(field.output_bytes_per_point) +
             static_cast<double>(field.output_bytes);
  }
  if (options.output.precision == "float32") shown /= 2;
  for (const SavedNumbers& each : sample.numbers) state += static_cast<double>(each.bytes.size());
  const auto& output = options.output;
  const long long every = output.every.value_or(output.interval ? 0 : sample.last_step);
  const double end = sample.time_step * static_cast<double>(sample.last_step);
  const auto count = [&](long long interval, std::optional<double> time = std::nullopt) {
    const long long timed =
        time ? static_cast<long long>(std::min(1e15, std::ceil(end / *time))) : 0;
    return timed + (interval > 0
                        ? sample.last_step / interval + (sample.last_step % interval != 0 ? 1 : 0)
                        : 0);
  };
  Disk disk;
  disk.outputs = every > 0 || output.interval ? count(every, output.interval) + 1 : 0;
  disk.bytes_an_output = static_cast<long long>(shown);
  disk.checkpoints_written = count(options.checkpoint.every);
  disk.checkpoints = std::min<long long>(options.checkpoint.keep, disk.checkpoints_written);
  disk.bytes_a_checkpoint = static_cast<long long>(state);
  if (output.pictures.every > 0 || output.pictures.interval) {
    disk.pictures = (count(output.pictures.every, output.pictures.interval) + 1) *
                    static_cast<long long>(sample.pictures);
    disk.bytes_a_picture = usual_picture_bytes;
    if (!options.output.pictures.range)
      disk.bytes_a_slice = PictureSeries::slice_bytes(description_of(options.grid));
  }
  return disk;
}

}  // namespace cartwright::grid
