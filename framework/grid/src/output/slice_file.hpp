// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/slice.hpp>

#include <filesystem>

namespace cartwright::grid {

struct TimedSlice {
  Slice slice;
  double time = 0;
  std::array<Slice, 2> vectors{};  ///< as in Overlay; without values where there are none
};

/// Keeps a slice for drawing it again. For this machine alone: numbers as they are in memory.
void write_slice(const std::filesystem::path& file, const TimedSlice& timed);

/// Throws `rt::Error` (input error) if the file is damaged.
[[nodiscard]] TimedSlice read_slice(const std::filesystem::path& file);

}  // namespace cartwright::grid
