// SPDX-License-Identifier: Apache-2.0
#include "slice_file.hpp"

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>

#include <sstream>
#include <type_traits>

#include "whole_file.hpp"

namespace cartwright::grid {
namespace {

/// A slice without its values, as bytes in the file.
struct Head {
  std::array<char, 8> magic{'C', 'W', 's', 'l', 'i', 'c', 'e', '2'};
  std::array<int, 2> axes{};
  std::array<int, 2> count{};
  std::array<double, 2> lower{};
  std::array<double, 2> upper{};
  double position = 0;
  double time = 0;
  int plane_axis = -1;
  int dimensions = 1;
};
static_assert(std::is_trivially_copyable_v<Head>);

}  // namespace

void write_slice(const std::filesystem::path& file, const TimedSlice& timed) {
  const Slice& slice = timed.slice;
  Head head;
  head.dimensions = slice.dimensions;
  head.axes = slice.axes;
  head.count = slice.count;
  head.lower = slice.lower;
  head.upper = slice.upper;
  head.time = timed.time;
  if (slice.plane) {
    head.plane_axis = slice.plane->axis;
    head.position = slice.plane->position;
  }
  std::string text(reinterpret_cast<const char*>(&head), sizeof(head));
  text.append(reinterpret_cast<const char*>(slice.values.data()),
              slice.values.size() * sizeof(double));
  write_whole_file(file, text);
}

TimedSlice read_slice(const std::filesystem::path& file) {
  std::istringstream stream(rt::read_file(file));
  Head head;
  stream.read(reinterpret_cast<char*>(&head), sizeof(head));
  if (!stream || head.magic != Head{}.magic || head.count[0] < 1 || head.count[1] < 1 ||
      head.count[0] > 1 << 15 || head.count[1] > 1 << 15)
    throw rt::input_error("'" + file.string() + "' is damaged", "Remove it, then restart.");
  TimedSlice timed;
  timed.time = head.time;
  timed.slice = {head.dimensions, head.axes, head.count, head.lower, head.upper, std::nullopt, {}};
  if (head.plane_axis >= 0) timed.slice.plane = SlicePlane{head.plane_axis, head.position};
  timed.slice.values.resize(static_cast<std::size_t>(head.count[0]) *
                            static_cast<std::size_t>(head.count[1]));
  stream.read(reinterpret_cast<char*>(timed.slice.values.data()),
              static_cast<std::streamsize>(timed.slice.values.size() * sizeof(double)));
  if (!stream)
    throw rt::input_error("'" + file.string() + "' is damaged", "Remove it, then restart.");
  return timed;
}

}  // namespace cartwright::grid
