// SPDX-License-Identifier: Apache-2.0
#include "canvas.hpp"

#include <fmt/format.h>
#include <plplot.h>
#include <cartwright/grid/output/colour_map.hpp>
#include <cartwright/rt/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

namespace cartwright::grid {
namespace {

constexpr int shades = 256;
constexpr int paper = 0;
constexpr int text_ink = 1;
constexpr int faint_ink = 2;
constexpr int line_ink = 3;
constexpr double text_size = 13;  // pixels

void set_colours() {
  plscolbg(255, 255, 255);
  plscol0(text_ink, 38, 38, 42);
  plscol0(faint_ink, 222, 222, 228);
  plscol0(line_ink, 49, 104, 142);  // from the middle of the colour map
  std::array<PLINT, shades> red{};
  std::array<PLINT, shades> green{};
  std::array<PLINT, shades> blue{};
  for (std::size_t i = 0; i < shades; ++i) {
    const auto colour = viridis(static_cast<double>(i) / (shades - 1));
    red[i] = static_cast<PLINT>(std::lround(255 * colour[0]));
    green[i] = static_cast<PLINT>(std::lround(255 * colour[1]));
    blue[i] = static_cast<PLINT>(std::lround(255 * colour[2]));
  }
  plscmap1(red.data(), green.data(), blue.data(), shades);
}

constexpr double not_drawn = -1;

/// Where a number lies in the colour map, from 0 to 1; numbers beyond the range have the colour of
/// its end, and what is no number has none.
double shade(double value, ValueRange range) {
  if (std::isnan(value)) return not_drawn;
  // Halves, because the difference of two large numbers may be none.
  const double part = (0.5 * value - 0.5 * range.lower) / (0.5 * range.upper - 0.5 * range.lower);
  return std::clamp(part, 0.0, 1.0);
}

constexpr const char* driver = "pngcairo";  // the same module draws into memory
constexpr const char* driver_advice =
    "Often a limit is too low (open files: ulimit -n; memory: ulimit -v). Without "
    "output.pictures the run doesn't need it.";

/// In place of PLplot's own, which ends the process.
int on_plplot_exit(const char* message) {
  throw rt::internal_failure(fmt::format("PLplot gave up: {}", message), driver_advice);
}

/// PLplot would ask for another one at the terminal. It loads drivers from files.
void require_driver() {
  std::array<const char*, 64> menu{};
  std::array<const char*, 64> names{};
  const char** menus = menu.data();
  const char** drivers = names.data();
  int count = static_cast<int>(names.size());
  plgFileDevs(&menus, &drivers, &count);
  for (int i = 0; i < count; ++i)
    if (std::string_view(names[static_cast<std::size_t>(i)]) == driver) return;
  throw rt::internal_failure(
      fmt::format("pictures can't be drawn: PLplot finds no driver '{}'", driver), driver_advice);
}

}  // namespace

Canvas::Canvas(const std::filesystem::path& file, int width, int height)
    : width_(width), height_(height) {
  plsexit(on_plplot_exit);
  require_driver();
  plsdev(driver);
  plsfnam(file.c_str());
  begin();
}

Canvas::Canvas(std::span<unsigned char> pixels, int width, int height)
    : width_(width), height_(height) {
  plsexit(on_plplot_exit);
  require_driver();
  plsdev("memcairo");
  plsmem(width, height, pixels.data());
  begin();
}

void Canvas::begin() {
  plspage(90, 90, width_, height_, 0, 0);
  set_colours();
  plinit();
  plfontld(1);
  plsfont(PL_FCI_SANS, PL_FCI_UPRIGHT, PL_FCI_MEDIUM);
  pladv(0);
}

Canvas::~Canvas() {
  plend();
}

void Canvas::window(const Rectangle& pixels, const Rectangle& world) {
  pixels_ = pixels;
  world_ = world;
  plvpor(pixels.left / width_, pixels.right / width_, pixels.bottom / height_,
         pixels.top / height_);
  plwind(world.left, world.right, world.bottom, world.top);
}

void Canvas::image(std::span<const double> values, std::array<int, 2> count,
                   ValueRange range) const {
  // PLplot wants columns, and takes numbers for corners: the cell above and to the right of a
  // corner has its colour, those of the last row and column have no cell.
  const auto nx = static_cast<std::size_t>(count[0]);
  const auto ny = static_cast<std::size_t>(count[1]);
  std::vector<PLFLT> shades_of_corners((nx + 1) * (ny + 1), not_drawn);
  std::vector<PLFLT*> columns;
  for (std::size_t x = 0; x <= nx; ++x) {
    columns.push_back(shades_of_corners.data() + x * (ny + 1));
    for (std::size_t y = 0; x < nx && y < ny; ++y) columns[x][y] = shade(values[y * nx + x], range);
  }
  plimagefr(columns.data(), count[0] + 1, count[1] + 1, world_.left, world_.right, world_.bottom,
            world_.top, 0, 1, 0, 1, nullptr, nullptr);
}

void Canvas::line(std::span<const double> x, std::span<const double> y) {
  ink(line_ink, 2.5);
  plline(static_cast<PLINT>(x.size()), x.data(), y.data());
}

void Canvas::thin_line(std::span<const double> x, std::span<const double> y) {
  ink(text_ink, 1);
  plline(static_cast<PLINT>(x.size()), x.data(), y.data());
}

void Canvas::level(double y) {
  ink(text_ink, 1);
  const std::array x{world_.left, world_.right};
  const std::array heights{y, y};
  plline(2, x.data(), heights.data());
}

void Canvas::frame(Ticks ticks) {
  ink(text_ink, 1);
  plschr(3.2, 1);
  plsmaj(0, 0.5);
  plsmin(0, 0.3);
  plbox("bc", 0, 0, "bc", 0, 0);
  if (ticks == Ticks::left_and_bottom)
    plbox("bnist", 0, 0, "bnistv", 0, 0);
  else if (ticks == Ticks::logarithmic)
    plbox("bnist", 0, 0, "bnistvl", 0, 0);
  else
    plbox("", 0, 0, "cmistv", 0, 0);
}

void Canvas::grid_lines() {
  ink(faint_ink, 1);
  plbox("g", 0, 0, "g", 0, 0);
}

void Canvas::ink(int colour, double width) {
  plcol0(colour);
  plwidth(width);
}

void Canvas::text(double x, double y, const std::string& words, double size, Align align, bool up) {
  plvpor(0, 1, 0, 1);
  plwind(0, width_, 0, height_);
  ink(text_ink, 1);
  plschr(3.2, size / text_size);
  const double just = align == Align::left ? 0 : (align == Align::centre ? 0.5 : 1);
  plptex(x, y, up ? 0 : 1, up ? 1 : 0, just, words.c_str());
}

}  // namespace cartwright::grid
