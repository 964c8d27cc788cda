// SPDX-License-Identifier: Apache-2.0
#include "canvas.hpp"

#include <fmt/format.h>
#include <plplot.h>
#include <cartwright/rt/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "palette.hpp"

namespace cartwright::grid {
namespace {

constexpr int paper = 0;
constexpr int text_ink = 1;
constexpr int faint_ink = 2;
constexpr int line_ink = 3;
constexpr double text_size = 13;  // pixels

void set_colours() {
  plscolbg(paper_colour[0], paper_colour[1], paper_colour[2]);
  plscol0(text_ink, ink_colour[0], ink_colour[1], ink_colour[2]);
  plscol0(faint_ink, 222, 222, 228);
  plscol0(line_ink, 49, 104, 142);  // from the middle of the colour map
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

Canvas::Canvas(std::span<unsigned char> pixels, int width, int height)
    : width_(width), height_(height) {
  plsexit(on_plplot_exit);
  require_driver();
  plsdev("memcairo");
  plsmem(width, height, pixels.data());
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

void Canvas::whole_page() {
  const Rectangle page{0, static_cast<double>(width_), 0, static_cast<double>(height_)};
  window(page, page);
}

void Canvas::line(std::span<const double> x, std::span<const double> y) {
  ink(line_ink, 2.5);
  for (std::size_t first = 0; first < y.size();) {
    std::size_t end = first;
    while (end < y.size() && !std::isnan(y[end])) ++end;
    const auto count = static_cast<PLINT>(end - first);
    if (count == 1)
      plstring(1, x.data() + first, y.data() + first, "●");
    else if (count > 1)
      plline(count, x.data() + first, y.data() + first);
    first = end + 1;
  }
}

void Canvas::stroke(std::span<const double> x, std::span<const double> y, Stroke how) {
  ink(how == Stroke::halo ? paper : text_ink, how == Stroke::halo ? 3.5 : 1.3);
  plline(static_cast<PLINT>(x.size()), x.data(), y.data());
}

void Canvas::thin_line(std::span<const double> x, std::span<const double> y) {
  ink(text_ink, 1);
  plline(static_cast<PLINT>(x.size()), x.data(), y.data());
}

void Canvas::faint_line(const Rectangle& area, double at, bool upright) {
  ink(faint_ink, 1);
  const double middle = std::floor(at) + 0.5;
  const std::array x{upright ? middle : area.left, upright ? middle : area.right};
  const std::array y{upright ? area.bottom : middle, upright ? area.top : middle};
  plline(2, x.data(), y.data());
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
  if (ticks == Ticks::logarithmic)
    plbox("bnist", 0, 0, "bnistvl", 0, 0);
  else
    plbox("", 0, 0, "cmistv", 0, 0);
}

void Canvas::box() {
  ink(text_ink, 1);
  plbox("bc", 0, 0, "bc", 0, 0);
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
  if (words.empty()) return;
  whole_page();
  ink(text_ink, 1);
  plschr(3.2, size / text_size);
  const double just = align == Align::left ? 0 : (align == Align::centre ? 0.5 : 1);
  plptex(x, y, up ? 0 : 1, up ? 1 : 0, just, words.c_str());
}

}  // namespace cartwright::grid
