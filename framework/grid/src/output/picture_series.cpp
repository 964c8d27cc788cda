// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/output/picture_series.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/rt/input_file.hpp>
#include <cartwright/rt/unfinished_file.hpp>
#include <cmath>
#include <limits>
#include <new>
#include <ranges>
#include <sstream>

#include "film.hpp"
#include "slice_file.hpp"
#include "whole_file.hpp"

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

// More numbers along an axis than a picture has pixels would only cost time.
constexpr int most_pixels = 512;
constexpr int most_points_of_a_line = 2000;

constexpr const char* ranges_name = "ranges.txt";  // lower, upper, field

int most_points(int dimensions) {
  return dimensions == 1 ? most_points_of_a_line : most_pixels;
}

/// What the finite numbers of a slice span.
std::optional<ValueRange> span_of(const Slice& slice) {
  std::optional<ValueRange> range;
  for (const double value : slice.values) {
    if (!std::isfinite(value)) continue;
    if (!range) range = {value, value};
    range->lower = std::min(range->lower, value);
    range->upper = std::max(range->upper, value);
  }
  return range;
}

std::optional<ValueRange> hull(const std::optional<ValueRange>& a,
                               const std::optional<ValueRange>& b) {
  if (!a || !b) return a ? a : b;
  return ValueRange{std::min(a->lower, b->lower), std::max(a->upper, b->upper)};
}

/// A field that is constant, but for rounding, still needs a range to be drawn in, wider than
/// `narrowest` of its size; and axes need one whose width is far from overflowing.
ValueRange drawable(ValueRange range, double narrowest) {
  constexpr double most = 1e306;
  range = {std::clamp(range.lower, -most, most), std::clamp(range.upper, -most, most)};
  const double size = std::max(std::abs(range.lower), std::abs(range.upper));
  if (range.upper - range.lower > narrowest * size) return range;
  const double margin = size > 0 ? 0.5 * size : 0.5;
  return {range.lower - margin, range.upper + margin};
}

/// What is masked is no number. Where a slice has a point more along an axis than the mask, which
/// is one of cells, it is masked between two cells that are.
void blank(Slice& slice, const Slice& mask) {
  if (mask.values.empty() || slice.values.empty()) return;
  const auto is_masked_at = [&](int x, int y) {
    return mask.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(mask.count[0]) +
                       static_cast<std::size_t>(x)] != 0.0;
  };
  const auto cells_of = [&](std::size_t along, int point) {
    const int last = mask.count[along] - 1;
    if (slice.count[along] == mask.count[along] + 1)
      return std::array{std::clamp(point - 1, 0, last), std::min(point, last)};
    const auto cell = static_cast<int>(static_cast<long long>(point) * mask.count[along] /
                                       slice.count[along]);  // the same, where there are as many
    return std::array{cell, cell};
  };
  std::size_t at = 0;
  for (int y = 0; y < slice.count[1]; ++y)
    for (int x = 0; x < slice.count[0]; ++x, ++at) {
      bool is_masked = true;
      for (const int row : cells_of(1, y))
        for (const int column : cells_of(0, x)) is_masked = is_masked && is_masked_at(column, row);
      if (is_masked) slice.values[at] = std::numeric_limits<double>::quiet_NaN();
    }
}

/// Where a slice has a point more along an axis than `count`, a value at each face: the means of
/// neighbours are those at the cells between them.
void bring_to_cells(Slice& slice, std::size_t along, int count) {
  if (slice.count[along] != count + 1 || slice.values.empty()) {
    slice.count[along] = std::min(slice.count[along], count);
    return;
  }
  const std::array<int, 2> before = slice.count;
  const auto width = static_cast<std::size_t>(before[0]);
  const std::size_t step = along == 0 ? 1 : width;
  slice.count[along] = count;
  std::vector<double> means;
  for (int row = 0; row < slice.count[1]; ++row)
    for (int column = 0; column < slice.count[0]; ++column) {
      const std::size_t at =
          static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column);
      means.push_back(0.5 * (slice.values[at] + slice.values[at + step]));
    }
  slice.values = std::move(means);
}

}  // namespace

PictureSeries::PictureSeries(const comm::Collectives& comm, GridDescription grid,
                             fs::path directory, std::vector<const FieldBase*> fields,
                             Options options)
    : comm_(comm),
      grid_(std::move(grid)),
      directory_(std::move(directory)),
      fields_(std::move(fields)),
      options_(std::move(options)),
      tracks_(fields_.size()) {
  on_root(comm_, [this] {
    make_directory(directory_);
    if (keeps_slices()) make_directory(slices());
    if (!keeps_slices()) remove_slices();
    rt::remove_unfinished(directory_);
    rt::remove_unfinished(slices());
    if (!options_.restart_step) return;
    read_ranges();
    for (std::size_t field = 0; field < fields_.size(); ++field)
      recover(field, *options_.restart_step);
  });
}

/// Arrows at the same distances along both axes. Of components on faces, where all points are
/// taken, the mean of a cell's two.
std::array<Slice, 2> PictureSeries::gather_vectors() const {
  constexpr double most_arrows = 18;
  std::array<Slice, 2> vectors;
  if (options_.vectors == nullptr || grid_.dimensions < 2) return vectors;
  const auto axes = slice_axes(grid_, options_.plane);
  const auto length = [&](int axis) { return grid_.length[static_cast<std::size_t>(axis)]; };
  const double longest = std::max(length(axes[0]), length(axes[1]));
  std::array<int, 2> most{};
  for (std::size_t i = 0; i < 2; ++i)
    most[i] = std::max(6, static_cast<int>(std::lround(most_arrows * length(axes[i]) / longest)));
  for (std::size_t i = 0; i < 2; ++i)
    vectors[i] = gather_slice(comm_, grid_,
                              *options_.vector_components.at(static_cast<std::size_t>(axes[i])),
                              options_.plane, most);
  for (std::size_t i = 0; i < 2; ++i)
    for (Slice& slice : vectors)
      bring_to_cells(slice, i, std::min(vectors[0].count[i], vectors[1].count[i]));
  const Slice mask = gather_mask(most);
  for (Slice& slice : vectors) blank(slice, mask);
  return vectors;
}

Slice PictureSeries::gather_mask(std::array<int, 2> most) const {
  if (options_.mask == nullptr) return {};
  return gather_slice(comm_, grid_, *options_.mask, options_.plane, most);
}

void PictureSeries::write(long long step, double time) {
  const int most = most_points(grid_.dimensions);
  const std::array<Slice, 2> vectors = gather_vectors();
  const Slice mask = gather_mask({most, most});
  for (std::size_t field = 0; field < fields_.size(); ++field) {
    Slice slice = gather_slice(comm_, grid_, *fields_[field], options_.plane, most);
    on_root(comm_, [&] {
      if (fields_[field]->positions() == nullptr) blank(slice, mask);
      Track& track = tracks_[field];
      track.seen = hull(track.seen, span_of(slice));
      Frame& frame = track.frames[step];
      frame = {step, time, {}};
      if (keeps_slices()) write_slice(slice_file(field, step), {slice, time, vectors});
      draw(field, frame, slice, vectors);
    });
  }
}

std::vector<std::string> PictureSeries::finish(bool is_complete) {
  std::vector<std::string> films;
  on_root(comm_, [&] {
    for (std::size_t field = 0; field < fields_.size(); ++field)
      for (auto& [step, frame] : tracks_[field].frames)
        if (frame.drawn_with != range_of(tracks_[field])) {
          const TimedSlice kept = read_slice(slice_file(field, step));
          draw(field, frame, kept.slice, kept.vectors);
        }
    if (options_.film > 0) films = make_films();
    if (!is_complete || !keeps_slices()) return;
    write_ranges();  // whoever goes on from an earlier checkpoint draws with the same
    remove_slices();
  });
  return films;
}

/// Of what is there: a run that goes on from a restart has drawn only the later pictures.
std::vector<std::string> PictureSeries::make_films() const {
  std::vector<std::string> films;
  for (const FieldBase* field : fields_) {
    std::map<long long, fs::path> pictures;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      const long long step = step_of_file(entry.path(), field->name(), ".png");
      if (step >= 0) pictures[step] = entry.path();
    }
    const auto files = std::views::values(pictures);
    const std::vector<fs::path> in_order(files.begin(), files.end());
    films.push_back(make_film(directory_ / (field->name() + ".mp4"), in_order, options_.film));
  }
  return films;
}

void PictureSeries::write_ranges() const {
  std::string lines;
  for (std::size_t field = 0; field < fields_.size(); ++field)
    if (const auto& seen = tracks_[field].seen)
      lines +=
          fmt::format("{:.17g} {:.17g} {}\n", seen->lower, seen->upper, fields_[field]->name());
  write_whole_file(directory_ / ranges_name, lines);
}

void PictureSeries::read_ranges() {
  const fs::path file = directory_ / ranges_name;
  if (!fs::exists(file)) return;  // one that can't be opened at present is an error
  std::istringstream lines(rt::read_file(file));
  lines.exceptions(std::ios::badbit);  // else want of memory is the end of the file
  ValueRange range;
  std::string name;
  while (lines >> range.lower >> range.upper && std::getline(lines >> std::ws, name))
    for (std::size_t field = 0; field < fields_.size(); ++field)
      if (fields_[field]->name() == name) tracks_[field].seen = hull(tracks_[field].seen, range);
}

void PictureSeries::remove_slices() noexcept {
  if (!comm_.communicator().is_root()) return;
  try {
    std::error_code ignored;
    fs::remove_all(slices(), ignored);
  } catch (const std::bad_alloc&) {  // not even for their path: they stay
  }
}

long long PictureSeries::slice_bytes(const GridDescription& grid,
                                     const std::optional<SlicePlane>& plane) {
  const int across = plane ? plane->axis : 2;
  long long points = 1;
  for (int axis = 0; axis < grid.dimensions; ++axis)
    if (grid.dimensions < 3 || axis != across)
      points *= std::min<long long>(grid.extent[static_cast<std::size_t>(axis)],
                                    most_points(grid.dimensions));
  return points * static_cast<long long>(sizeof(double));
}

void PictureSeries::recover(std::size_t field, long long restart_step) {
  Track& track = tracks_[field];
  std::vector<fs::path> later;
  for (const auto& entry : fs::directory_iterator(directory_)) {
    const long long step = step_of_file(entry.path(), fields_[field]->name(), ".png");
    if (step > restart_step) later.push_back(entry.path());
  }
  const bool has_slices = fs::exists(slices());  // not where the range is given
  for (const auto& entry :
       has_slices ? fs::directory_iterator(slices()) : fs::directory_iterator()) {
    const long long step = step_of_file(entry.path(), fields_[field]->name(), ".slice");
    if (step > restart_step) later.push_back(entry.path());
    if (step < 0 || step > restart_step) continue;
    const TimedSlice kept = read_slice(entry.path());
    track.seen = hull(track.seen, span_of(kept.slice));
    track.frames[step] = {step, kept.time, {}};
  }
  for (const fs::path& file : later) fs::remove(file);
}

void PictureSeries::draw(std::size_t field, Frame& frame, const Slice& slice,
                         const std::array<Slice, 2>& vectors) {
  Track& track = tracks_[field];
  const ValueRange range = range_of(track);
  Overlay overlay{options_.contours, vectors, {}, {}};
  if (options_.vectors != nullptr) {
    overlay.vectors_name =
        options_.vectors_name.empty() ? options_.vectors->name() : options_.vectors_name;
    overlay.vectors_unit = options_.vectors->unit();
  }
  track.painter.draw(picture_file(field, frame.step), slice, range, text(field, frame), overlay);
  frame.drawn_with = range;
}

ValueRange PictureSeries::range_of(const Track& track) const {
  constexpr double rounding = 1e-6, ticks = 1e-10;
  if (options_.range) return drawable(*options_.range, ticks);
  ValueRange range = track.seen.value_or(ValueRange{});
  if (options_.colours == "cool_warm" && range.lower < 0 && range.upper > 0) {
    range.upper = std::max(-range.lower, range.upper);
    range.lower = -range.upper;
  }
  return drawable(range, rounding);
}

PictureText PictureSeries::text(std::size_t field, const Frame& frame) const {
  PictureText words;
  words.field = fields_[field]->name();
  words.unit = fields_[field]->unit();
  words.length_unit = grid_.length_unit;
  words.title = options_.title;
  words.colours = options_.colours;
  words.step = frame.step;
  words.time = frame.time;
  words.time_unit = options_.time_unit;
  return words;
}

fs::path PictureSeries::picture_file(std::size_t field, long long step) const {
  return directory_ / step_file_name(fields_[field]->name(), step, ".png");
}

fs::path PictureSeries::slice_file(std::size_t field, long long step) const {
  return slices() / step_file_name(fields_[field]->name(), step, ".slice");
}

}  // namespace cartwright::grid
