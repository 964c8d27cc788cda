// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/grid/output/picture.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/space/grid_description.hpp>
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
/// on, and a restarted run ends with the same pictures as an undisturbed one. Once a run is
/// complete, only the ranges stay (`pictures/ranges.txt`): if it is prolonged, earlier pictures
/// keep theirs.
class PictureSeries {
 public:
  struct Options {
    std::optional<ValueRange> range;
    std::optional<SlicePlane> plane;  ///< for 3-D grids; default: the middle of z
    std::string title;                ///< such as the solver's name
    std::string time_unit = "s";
    std::optional<long long> restart_step;  ///< later frames are removed
    std::string colours = "viridis";        ///< as in PictureText
    const FieldBase* mask = nullptr;        ///< where it isn't 0 maps stay white; null: none
    int contours = 0;                       ///< as in Overlay
    const FieldBase* vectors = nullptr;     ///< drawn as arrows over maps; null: none
    std::string vectors_name = {};          ///< empty: that of the field
    /// Its components by axis of the grid, at cells or at the faces across their own axes; they
    /// must outlive the series.
    std::vector<const FieldBase*> vector_components = {};
    double film = 0;  ///< pictures a second; 0: no films
  };

  /// Collective. `directory` is created if absent. `fields` must outlive the series.
  PictureSeries(const comm::Collectives& comm, GridDescription grid,
                std::filesystem::path directory, std::vector<const FieldBase*> fields,
                Options options);

  /// Collective.
  void write(long long step, double time);
  /// Collective. Gives all frames their common range, and makes films; call it once, at the end of
  /// a run or when it is stopped. `is_complete`: no restart will need the slices. A sentence on
  /// each film, on rank 0.
  std::vector<std::string> finish(bool is_complete);
  /// Rank 0's affair, also while a failure unwinds: no restart will need the slices.
  void remove_slices() noexcept;
  /// What a slice takes on disk as long as it is kept, for --dry-run.
  [[nodiscard]] static long long slice_bytes(const GridDescription& grid,
                                             const std::optional<SlicePlane>& plane = {});

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
    PicturePainter painter{};
  };
  [[nodiscard]] std::filesystem::path picture_file(std::size_t field, long long step) const;
  [[nodiscard]] std::filesystem::path slice_file(std::size_t field, long long step) const;
  [[nodiscard]] PictureText text(std::size_t field, const Frame& frame) const;
  [[nodiscard]] ValueRange range_of(const Track& track) const;
  [[nodiscard]] std::filesystem::path slices() const { return directory_ / ".slices"; }
  /// Where the deck gives the range nothing is ever drawn anew.
  [[nodiscard]] bool keeps_slices() const { return !options_.range; }
  void write_ranges() const;
  void read_ranges();
  void recover(std::size_t field, long long restart_step);
  void draw(std::size_t field, Frame& frame, const Slice& slice,
            const std::array<Slice, 2>& vectors);
  [[nodiscard]] std::array<Slice, 2> gather_vectors() const;
  [[nodiscard]] Slice gather_mask(std::array<int, 2> most) const;
  [[nodiscard]] std::vector<std::string> make_films() const;

  const comm::Collectives& comm_;
  GridDescription grid_;
  std::filesystem::path directory_;
  std::vector<const FieldBase*> fields_;
  Options options_;
  std::vector<Track> tracks_;
};

}  // namespace cartwright::grid
