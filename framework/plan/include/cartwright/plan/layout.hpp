// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <cartwright/plan/schedule.hpp>

#include <cstddef>
#include <vector>

namespace cartwright::plan {

/// How long the blocks of the symbolic buffers are. One for all, except where what a rank sends and
/// what it receives are cut differently (alltoallv).
struct Layout {
  Cuts input;
  Cuts output;
  Cuts scratch;

  Layout() = default;
  Layout(Cuts all)
      : input(all), output(all), scratch(all) {}  // NOLINT(google-explicit-constructor)
  Layout(Cuts input_cuts, Cuts output_cuts, Cuts scratch_cuts)
      : input(input_cuts), output(output_cuts), scratch(scratch_cuts) {}

  [[nodiscard]] const Cuts& of(Buffer buffer) const {
    return buffer == Buffer::input ? input : buffer == Buffer::output ? output : scratch;
  }
};

/// Elements of a slice.
inline Count length(const Layout& layout, Slice slice) {
  return layout.of(slice.buffer).length(slice.first, slice.count);
}

/// Elements from the beginning of its buffer to the beginning of a slice.
inline Count position(const Schedule& schedule, const Layout& layout, Slice slice) {
  const int begin = schedule.extent(slice.buffer).first;
  const int distance = slice.first - begin;
  return layout.of(slice.buffer)
      .length(begin, distance < 0 ? distance + schedule.blocks() : distance);
}

/// Elements that a buffer holds.
inline Count length(const Schedule& schedule, const Layout& layout, Buffer buffer) {
  const Extent extent = schedule.extent(buffer);
  return layout.of(buffer).length(extent.first, extent.count);
}

/// Bytes of scratch memory that a schedule needs. Its buffers lie one behind the other, each on a
/// multiple of 64 bytes.
std::size_t scratch_bytes(const Schedule& schedule, const Layout& layout, std::size_t element_size);

/// First byte of each scratch buffer, for element positions within that memory.
std::vector<std::size_t> scratch_offsets(const Schedule& schedule, const Layout& layout,
                                         std::size_t element_size);

}  // namespace cartwright::plan
