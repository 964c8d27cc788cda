// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/output/slice.hpp>
#include <cmath>
#include <span>

#include "dots.hpp"
#include "field_numbers.hpp"

namespace cartwright::grid {
namespace {

std::size_t at(int axis) {
  return static_cast<std::size_t>(axis);
}

/// The points that a picture takes along one axis: pixel p shows point ((2 p + 1) global) / (2
/// count).
struct Sampling {
  long long global = 1;
  int count = 1;
  std::vector<long long> points{};  ///< of each pixel, where points are at uneven distances
  [[nodiscard]] long long point(int pixel) const {
    if (!points.empty()) return points[static_cast<std::size_t>(pixel)];
    return ((2LL * pixel + 1) * global) / (2LL * count);
  }
  /// The first pixel whose point is not below `point_index`.
  [[nodiscard]] int first_pixel_from(long long point_index) const {
    int low = 0;
    int high = count;
    while (low < high) {
      const int middle = (low + high) / 2;
      (point(middle) < point_index ? low = middle + 1 : high = middle);
    }
    return low;
  }
};

/// The point of a stretched axis that is nearest to `place`: whose cell it is in.
long long nearest_point(const GridDescription& grid, int axis, Centring centring, double place) {
  const auto a = static_cast<std::size_t>(axis);
  const std::vector<double>& edges = grid.edges[a];
  const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, place);
  const auto cell = static_cast<long long>(above - edges.begin()) - 1;
  if (!is_nodal(centring, axis)) return cell;
  const bool is_upper = place - *(above - 1) > *above - place;
  return is_upper && (cell + 1 < grid.extent[a] || !grid.periodic[a]) ? cell + 1 : cell;
}

/// To scale: as many pixels as the smallest cells would have.
void sample_stretched(const GridDescription& grid, int axis, Centring centring, int most,
                      Sampling& sampling) {
  const auto a = static_cast<std::size_t>(axis);
  const double wanted = std::ceil(grid.length[a] / grid.least_spacing(axis));
  sampling.count = static_cast<int>(std::min(wanted, static_cast<double>(most)));
  for (int pixel = 0; pixel < sampling.count; ++pixel)
    sampling.points.push_back(nearest_point(
        grid, axis, centring, grid.origin[a] + (pixel + 0.5) / sampling.count * grid.length[a]));
}

struct Window {
  std::array<int, 2> first{0, 0};
  std::array<int, 2> count{0, 0};
  [[nodiscard]] int size() const { return count[0] * count[1]; }
};

/// Which axes a slice shows, which it cuts and where.
struct Cut {
  std::array<int, 2> axes{0, 1};
  int across = 2;
  long long place = 0;
};

Cut choose_cut(const GridDescription& grid, const FieldBase& field,
               const std::optional<SlicePlane>& plane) {
  Cut cut;
  if (grid.dimensions < 3) return cut;
  cut.across = plane ? plane->axis : 2;
  cut.axes = slice_axes(grid, plane);
  const double middle = grid.origin[at(cut.across)] + 0.5 * grid.length[at(cut.across)];
  const double position = plane ? plane->position : middle;
  if (grid.is_stretched(cut.across)) {
    cut.place = nearest_point(grid, cut.across, field.centring(), position);
    return cut;
  }
  const double shift = offset_in_cell(field.centring(), cut.across);
  const double index = (position - grid.origin[at(cut.across)]) / grid.spacing(cut.across) - shift;
  // Halfway between two points, the lower one: whatever the rounding of a division says.
  const double nearest = std::ceil(index - 0.5 - 1e-9);
  const auto last = static_cast<double>(field.block().global[at(cut.across)] - 1);
  cut.place = static_cast<long long>(std::clamp(nearest, 0.0, last));
  return cut;
}

/// Pixels whose points this rank owns.
Window own_window(const Block& block, const Cut& cut, const std::array<Sampling, 2>& sampling) {
  Window window;
  const long long below = block.start[at(cut.across)];
  const bool crossed = cut.place >= below && cut.place < below + block.count[at(cut.across)];
  if (!crossed || block.points() == 0) return window;
  for (std::size_t i = 0; i < 2; ++i) {
    const long long start = block.start[at(cut.axes[i])];
    window.first[i] = sampling[i].first_pixel_from(start);
    window.count[i] =
        sampling[i].first_pixel_from(start + block.count[at(cut.axes[i])]) - window.first[i];
  }
  return window;
}

std::vector<double> own_values(const FieldBase& field, const Cut& cut,
                               const std::array<Sampling, 2>& sampling, const Window& window) {
  std::vector<double> values;
  if (window.size() == 0) return values;
  const Block block = field.block();
  OwnedPart plane = whole_part(field);
  plane.first[at(cut.across)] = cut.place - block.start[at(cut.across)];
  plane.count[at(cut.across)] = 1;
  std::vector<std::byte> bytes(static_cast<std::size_t>(plane.points()) * field.element().bytes());
  field.copy_part_to(bytes, plane);
  const std::array<long long, 3> stride{1, plane.count[0], plane.count[0] * plane.count[1]};
  const auto offset = [&](std::size_t i, int pixel) {
    return (sampling[i].point(window.first[i] + pixel) - block.start[at(cut.axes[i])]) *
           stride[at(cut.axes[i])];
  };
  visit_scalar(field.element().scalar, [&]<class T>(std::type_identity<T>) {
    for (int row = 0; row < window.count[1]; ++row)
      for (int column = 0; column < window.count[0]; ++column)
        values.push_back(
            number_at<T>(bytes, offset(1, row) + offset(0, column), field.element().components));
  });
  return values;
}

/// Everybody's windows and values on rank 0, put in their places.
std::vector<double> gather(const comm::Collectives& comm, const Window& mine,
                           const std::vector<double>& values, const std::array<int, 2>& count) {
  const rt::Rank root{0};
  const bool is_root = comm.communicator().is_root();
  std::vector<Window> windows(is_root ? static_cast<std::size_t>(comm.communicator().size()) : 0);
  comm.gather(std::span(&mine, 1), windows, root);
  const comm::Collected<double> received = comm.gather_uneven(values, root);
  std::vector<double> picture(is_root ? static_cast<std::size_t>(count[0] * count[1]) : 0);
  for (std::size_t rank = 0; rank < windows.size(); ++rank) {
    const auto& [first, extent] = windows[rank];
    const std::span<const double> part = received.of(static_cast<int>(rank));
    for (long row = 0; row < extent[1]; ++row)
      std::copy_n(part.begin() + row * extent[0], extent[0],
                  picture.begin() + (first[1] + row) * count[0] + first[0]);
  }
  return picture;
}

}  // namespace

std::array<int, 2> slice_axes(const GridDescription& grid, const std::optional<SlicePlane>& plane) {
  const int across = grid.dimensions == 3 && plane ? plane->axis : 2;
  return {across == 0 ? 1 : 0, across == 2 ? 1 : 2};
}

Slice gather_slice(const comm::Collectives& comm, const GridDescription& grid,
                   const FieldBase& field, std::optional<SlicePlane> plane,
                   std::array<int, 2> most) {
  if (field.positions() != nullptr) return gather_dots(comm, grid, field, plane);
  const Block block = field.block();
  const Cut cut = choose_cut(grid, field, plane);
  std::array<Sampling, 2> sampling;
  Slice slice;
  slice.dimensions = std::min(grid.dimensions, 2);
  slice.axes = cut.axes;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t axis = at(cut.axes[i]);
    sampling[i].global = block.global[axis];
    sampling[i].count = static_cast<int>(std::min<long long>(block.global[axis], most[i]));
    slice.count[i] = sampling[i].count;
    if (cut.axes[i] >= grid.dimensions) continue;
    if (grid.is_stretched(cut.axes[i])) {
      sample_stretched(grid, cut.axes[i], field.centring(), most[i], sampling[i]);
      slice.count[i] = sampling[i].count;
      slice.lower[i] = grid.origin[axis];
      slice.upper[i] = grid.origin[axis] + grid.length[axis];
      continue;
    }
    const double spacing = grid.spacing(cut.axes[i]);
    // Pixels around nodes reach half a cell beyond the grid.
    const double lift = offset_in_cell(field.centring(), cut.axes[i]) - 0.5;
    slice.lower[i] = grid.origin[axis] + lift * spacing;
    slice.upper[i] = slice.lower[i] + spacing * static_cast<double>(block.global[axis]);
  }
  if (grid.dimensions == 3)
    slice.plane = {cut.across, grid.position(cut.across, field.centring(), cut.place)};
  const Window window = own_window(block, cut, sampling);
  slice.values = gather(comm, window, own_values(field, cut, sampling, window), slice.count);
  return slice;
}

}  // namespace cartwright::grid
