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

void append_slice(std::string& text, const Slice& slice, double time) {
  Head head;
  head.dimensions = slice.dimensions;
  head.axes = slice.axes;
  head.count = slice.count;
  head.lower = slice.lower;
  head.upper = slice.upper;
  head.time = time;
  if (slice.plane) {
    head.plane_axis = slice.plane->axis;
    head.position = slice.plane->position;
  }
  text.append(reinterpret_cast<const char*>(&head), sizeof(head));
  text.append(reinterpret_cast<const char*>(slice.values.data()),
              slice.values.size() * sizeof(double));
}

[[noreturn]] void refuse_damaged(const std::filesystem::path& file) {
  throw rt::input_error("'" + file.string() + "' is damaged", "Remove it, then restart.");
}

Slice read_next(std::istream& stream, const std::filesystem::path& file, double& time) {
  Head head;
  stream.read(reinterpret_cast<char*>(&head), sizeof(head));
  if (!stream || head.magic != Head{}.magic || head.count[0] < 1 || head.count[1] < 1 ||
      head.count[0] > 1 << 15 || head.count[1] > 1 << 15)
    refuse_damaged(file);
  time = head.time;
  Slice slice{head.dimensions, head.axes, head.count, head.lower, head.upper, std::nullopt, {}};
  if (head.plane_axis >= 0) slice.plane = SlicePlane{head.plane_axis, head.position};
  slice.values.resize(static_cast<std::size_t>(head.count[0]) *
                      static_cast<std::size_t>(head.count[1]));
  stream.read(reinterpret_cast<char*>(slice.values.data()),
              static_cast<std::streamsize>(slice.values.size() * sizeof(double)));
  if (!stream) refuse_damaged(file);
  return slice;
}

}  // namespace

void write_slice(const std::filesystem::path& file, const TimedSlice& timed) {
  std::string text;
  append_slice(text, timed.slice, timed.time);
  for (const Slice& slice : timed.vectors)
    if (!slice.values.empty()) append_slice(text, slice, timed.time);
  write_whole_file(file, text);
}

TimedSlice read_slice(const std::filesystem::path& file) {
  std::istringstream stream(rt::read_file(file));
  TimedSlice timed;
  timed.slice = read_next(stream, file, timed.time);
  if (stream.peek() == std::istringstream::traits_type::eof()) return timed;
  for (Slice& slice : timed.vectors) slice = read_next(stream, file, timed.time);
  return timed;
}

}  // namespace cartwright::grid
