// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field_base.hpp>
#include <cartwright/grid/grid_description.hpp>
#include <cartwright/grid/picture.hpp>
#include <cartwright/rt/communicator.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::grid {

/// Pictures of fields over time: `pictures/temperature_0000000100.png`. All frames of a field share
/// one range of colours: the deck's, or what all frames span. For the latter each frame is drawn at
/// once with the range seen so far and its slice is kept beside it (`pictures/.slices`); `finish`
/// draws again those whose range has been outgrown. So pictures can be watched while the run goes
/// on, and a restarted run ends with the same pictures as an undisturbed one.
class PictureSeries {
 public:
  struct Options {
    std::optional<ValueRange> range;
    std::optional<SlicePlane> plane;  ///< for 3-D grids; default: the middle of z
    std::string title;                ///< such as the solver's name
    std::string time_unit = "s";
    std::optional<long long> restart_step;  ///< later frames are removed
  };

  /// Collective. `directory` is created if absent. `fields` must outlive the series.
  PictureSeries(const rt::Communicator& comm, GridDescription grid, std::filesystem::path directory,
                std::vector<const FieldBase*> fields, Options options);

  /// Collective.
  void write(long long step, double time);
  /// Collective. Gives all frames their common range; call it once, at the end of a run.
  void finish();

  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }

 private:
  struct Frame {
    long long step = 0;
    double time = 0;
    std::optional<ValueRange> drawn_with;  // unknown after a restart
  };
  struct Track {  // one field's frames, on rank 0
    std::map<long long, Frame> frames;
    std::optional<ValueRange> seen;
  };
  [[nodiscard]] std::filesystem::path picture_file(std::size_t field, long long step) const;
  [[nodiscard]] std::filesystem::path slice_file(std::size_t field, long long step) const;
  [[nodiscard]] PictureText text(std::size_t field, const Frame& frame) const;
  [[nodiscard]] ValueRange range_of(const Track& track) const;
  void recover(std::size_t field, long long restart_step);
  void draw(std::size_t field, Frame& frame, const Slice& slice);

  const rt::Communicator& comm_;
  GridDescription grid_;
  std::filesystem::path directory_;
  std::vector<const FieldBase*> fields_;
  Options options_;
  std::vector<Track> tracks_;
};

}  // namespace cartwright::grid
