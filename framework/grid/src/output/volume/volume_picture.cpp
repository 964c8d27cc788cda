// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/output/volume/transfer_function.hpp>
#include <cartwright/grid/output/volume/volume_picture.hpp>
#include <cmath>
#include <cstddef>

#include "../canvas.hpp"
#include "../png_file.hpp"

namespace cartwright::grid {
namespace {

using Place = std::array<double, 3>;
using Bytes = std::vector<unsigned char>;

// In pixels.
constexpr int view_left = 20, view_bottom = 20, view_top = 70;  // margins
constexpr int volume_bar_gap = 30, volume_bar_width = 22, volume_bar_margin = 100;

unsigned char byte_of(float value) {
  return static_cast<unsigned char>(std::lround(255 * std::clamp(value, 0.0F, 1.0F)));
}

/// Puts the image over what is in the page, its upper left corner at (left, top).
void lay_over(const VolumeImage& image, Bytes& page, int page_width, int left, int top) {
  for (int row = image.box.top; row < image.box.bottom && !image.pixels.empty(); ++row)
    for (int column = image.box.left; column < image.box.right; ++column) {
      const VolumePixel& pixel = image.pixels[static_cast<std::size_t>(row - image.box.top) *
                                                  static_cast<std::size_t>(image.box.width()) +
                                              static_cast<std::size_t>(column - image.box.left)];
      unsigned char* const at =
          page.data() + 3 * ((static_cast<std::ptrdiff_t>(row) + top) * page_width + column + left);
      const float seen = 1 - pixel.opacity;
      at[0] = byte_of(pixel.red + seen * static_cast<float>(at[0]) / 255);
      at[1] = byte_of(pixel.green + seen * static_cast<float>(at[1]) / 255);
      at[2] = byte_of(pixel.blue + seen * static_cast<float>(at[2]) / 255);
    }
}

/// An edge of the grid, and how many of its two faces look towards the camera.
struct BoxEdge {
  Place from, to;
  int axis;
  int facing;
};

std::vector<BoxEdge> box_edges(const Camera& camera, const GridDescription& grid) {
  const auto end = [&](std::size_t axis, int side) {
    return grid.origin[axis] + (side != 0 ? grid.length[axis] : 0.0);
  };
  const auto faces_camera = [&](std::size_t axis, int side) {
    const double outward = side != 0 ? 1 : -1;
    return camera.perspective ? outward * (camera.eye[axis] - end(axis, side)) > 0
                              : outward * camera.forward[axis] < 0;
  };
  std::vector<BoxEdge> edges;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) {
        const std::size_t first = (axis + 1) % 3, second = (axis + 2) % 3;
        BoxEdge edge{{}, {}, static_cast<int>(axis), 0};
        edge.from[axis] = end(axis, 0);
        edge.to[axis] = end(axis, 1);
        edge.from[first] = edge.to[first] = end(first, a);
        edge.from[second] = edge.to[second] = end(second, b);
        edge.facing = (faces_camera(first, a) ? 1 : 0) + (faces_camera(second, b) ? 1 : 0);
        edges.push_back(edge);
      }
  return edges;
}

Place on_edge(const BoxEdge& edge, double part) {
  Place place{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    place[axis] = (1 - part) * edge.from[axis] + part * edge.to[axis];
  return place;
}

/// In pieces: an eye in the grid sees some of them only.
void draw_edge(Canvas& canvas, const Camera& camera, const BoxEdge& edge) {
  constexpr int pieces = 64;
  std::vector<double> x, y;
  const auto flush = [&] {
    if (x.size() > 1) canvas.thin_line(x, y);
    x.clear();
    y.clear();
  };
  for (int i = 0; i <= pieces; ++i) {
    const auto at = camera.project(on_edge(edge, static_cast<double>(i) / pieces));
    if (!at || std::abs((*at)[0]) > 1e5 || std::abs((*at)[1]) > 1e5) {
      flush();
      continue;
    }
    x.push_back((*at)[0]);
    y.push_back(camera.height - (*at)[1]);
  }
  flush();
}

/// The page around the view.
struct Page {
  int width, height;
  Canvas::Rectangle view, bar;

  explicit Page(const Camera& camera)
      : width(view_left + camera.width + volume_bar_gap + volume_bar_width + volume_bar_margin),
        height(view_bottom + camera.height + view_top) {
    view = {view_left, static_cast<double>(view_left) + camera.width, view_bottom,
            static_cast<double>(view_bottom) + camera.height};
    const double lift = 0.12 * camera.height;
    bar = {view.right + volume_bar_gap, view.right + volume_bar_gap + volume_bar_width,
           std::round(view.bottom + lift), std::round(view.top - lift)};
  }
};

void draw_edges(Canvas& canvas, const Page& page, const Camera& camera, const GridDescription& grid,
                bool in_front) {
  canvas.window(page.view,
                {0, static_cast<double>(camera.width), 0, static_cast<double>(camera.height)});
  for (const BoxEdge& edge : box_edges(camera, grid))
    if ((edge.facing > 0) == in_front) draw_edge(canvas, camera, edge);
}

/// The letter of each axis beside the edge of the grid's outline that is lowest, or for the axis
/// that is up, the leftmost.
void draw_letters(Canvas& canvas, const Page& page, const Camera& camera,
                  const GridDescription& grid, int axis_up) {
  const BoxEdge diagonal{grid.origin,
                         {grid.origin[0] + grid.length[0], grid.origin[1] + grid.length[1],
                          grid.origin[2] + grid.length[2]},
                         0,
                         0};
  const auto middle = camera.project(on_edge(diagonal, 0.5));
  for (int axis = 0; axis < 3 && middle; ++axis) {
    std::optional<std::array<double, 2>> best;
    for (const BoxEdge& edge : box_edges(camera, grid)) {
      if (edge.axis != axis || edge.facing != 1) continue;
      const auto at = camera.project(on_edge(edge, 0.5));
      if (!at) continue;
      const bool is_better =
          !best || (axis == axis_up ? (*at)[0] < (*best)[0] : (*at)[1] > (*best)[1]);
      if (is_better) best = at;
    }
    if (!best) continue;
    const double dx = (*best)[0] - (*middle)[0], dy = (*best)[1] - (*middle)[1];
    const double length = std::hypot(dx, dy);
    if (length < 1) continue;
    const double x = (*best)[0] + 18 * dx / length, y = (*best)[1] + 18 * dy / length;
    if (x < 5 || y < 5 || x > camera.width - 5 || y > camera.height - 5) continue;
    canvas.text(page.view.left + x, page.view.top - y,
                std::string(1, static_cast<char>('x' + axis)), 14, Canvas::Align::centre);
  }
}

void fill_bar(Bytes& bytes, const Page& page, const VolumeOptions& options, ValueRange range) {
  const TransferFunction transfer(options, range, 1);
  const int bottom = static_cast<int>(page.bar.bottom), top = static_cast<int>(page.bar.top);
  for (int y = bottom; y < top; ++y) {
    const double part = (y - bottom + 0.5) / (top - bottom);
    const auto colour = transfer.colour((1 - part) * range.lower + part * range.upper);
    for (int x = static_cast<int>(page.bar.left); x < static_cast<int>(page.bar.right); ++x)
      for (std::size_t c = 0; c < 3; ++c)
        bytes[3 * (static_cast<std::size_t>(page.height - 1 - y) *
                       static_cast<std::size_t>(page.width) +
                   static_cast<std::size_t>(x)) +
              c] = byte_of(static_cast<float>(colour[c]));
  }
}

void draw_words(Canvas& canvas, const Page& page, const Camera& camera, const GridDescription& grid,
                const PictureText& words, ValueRange range) {
  canvas.window(page.bar, {0, 1, range.lower, range.upper});
  canvas.frame(Canvas::Ticks::right_only);
  const std::string label =
      words.unit.empty() ? words.field : fmt::format("{}  [{}]", words.field, words.unit);
  canvas.text(page.bar.right + 70, (page.bar.bottom + page.bar.top) / 2, label, 14,
              Canvas::Align::centre, true);
  const double top = page.view.top;
  canvas.text(page.view.left, top + 42,
              words.title.empty() ? words.field : words.title + ":  " + words.field, 17,
              Canvas::Align::left);
  const std::string size = fmt::format("{:g} x {:g} x {:g} {}", grid.length[0], grid.length[1],
                                       grid.length[2], words.length_unit);
  const bool has_time = !words.time_unit.empty();
  canvas.text(
      page.view.left, top + 16,
      has_time ? fmt::format("t = {:.6g} {},  {}", words.time, words.time_unit, size) : size, 13,
      Canvas::Align::left);
  if (has_time && camera.width > 300)
    canvas.text(page.view.right, top + 16, fmt::format("step {}", words.step), 13,
                Canvas::Align::right);
}

}  // namespace

std::vector<unsigned char> view_pixels(const VolumeImage& image) {
  Bytes pixels(3 * static_cast<std::size_t>(image.camera.width) *
                   static_cast<std::size_t>(image.camera.height),
               255);
  lay_over(image, pixels, image.camera.width, 0, 0);
  return pixels;
}

void draw_volume_picture(const std::filesystem::path& file, const VolumeImage& image,
                         const VolumeOptions& options, const GridDescription& grid,
                         const PictureText& text) {
  const Page page(image.camera);
  Bytes bytes(3 * static_cast<std::size_t>(page.width) * static_cast<std::size_t>(page.height),
              255);
  if (options.outline) {
    Canvas canvas(bytes, page.width, page.height);
    draw_edges(canvas, page, image.camera, grid, false);
  }
  lay_over(image, bytes, page.width, view_left, view_top);
  fill_bar(bytes, page, options, image.range);
  {
    Canvas canvas(bytes, page.width, page.height);
    if (options.outline) {
      draw_edges(canvas, page, image.camera, grid, true);
      draw_letters(canvas, page, image.camera, grid, static_cast<int>(options.orbit.axis));
    }
    draw_words(canvas, page, image.camera, grid, text, image.range);
  }
  write_png(file, bytes, page.width, page.height);
}

}  // namespace cartwright::grid
