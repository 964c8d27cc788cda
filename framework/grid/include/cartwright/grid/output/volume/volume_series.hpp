// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/grid/output/picture.hpp>
#include <cartwright/grid/output/volume/volume_renderer.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/volume_options.hpp>
#include <cartwright/rt/trace.hpp>
#include <filesystem>
#include <optional>

namespace cartwright::grid {

class WorkBalance;

/// Pictures of a volume as files: `render/temperature_0000000100.png`, by step or by frame. Each
/// depends on the field's state and on its number only: so a restarted run ends with the pictures
/// of an undisturbed one.
class VolumeSeries {
 public:
  /// Collective. `directory` is created if absent. `field` and `options` must outlive the series.
  /// `words`: title, units and names; step and time are filled in. On restart, pictures of steps
  /// after `restart_step` are removed.
  VolumeSeries(const FieldBase& field, const VolumeOptions& options,
               std::filesystem::path directory, PictureText words,
               std::optional<long long> restart_step = {});

  /// Collective. Takes the field's present values; needed before each draw() of other ones.
  void load() { renderer_.load(); }
  /// Collective. Draws frame `frame` of the orbit into the file of that number; `step` and `time`
  /// are those of the values. What ranks do for it counts in `work`, if there is one.
  void draw(long long number, long long frame, long long step, double time,
            WorkBalance* work = nullptr);
  void report(rt::Report& report) const { renderer_.report(report); }
  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }

 private:
  const FieldBase& field_;
  const VolumeOptions& options_;
  std::filesystem::path directory_;
  PictureText words_;
  VolumeRenderer renderer_;
  rt::RegionId region_;
};

}  // namespace cartwright::grid
