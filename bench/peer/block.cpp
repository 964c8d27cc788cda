// SPDX-License-Identifier: Apache-2.0
#include "block.hpp"

#include <new>

namespace cartwright::bench::peer {

namespace {

constexpr std::ptrdiff_t line = 8;  // doubles

constexpr std::ptrdiff_t whole_lines(std::ptrdiff_t doubles) {
  return (doubles + line - 1) / line * line;
}

}  // namespace

Block::Block(const Extents& extents)
    : extents_(extents),
      stride_y_(whole_lines(extents[0] + 2)),
      stride_z_(stride_y_ * (extents[1] + 2)) {
  const auto bytes = static_cast<std::size_t>(line + stride_z_ * (extents[2] + 2)) * sizeof(double);
  memory_.reset(static_cast<double*>(std::aligned_alloc(line * sizeof(double), bytes)));
  if (!memory_) throw std::bad_alloc();
  origin_ = memory_.get() + line + stride_y_ + stride_z_;
  for_rows(-1, extents[1] + 1, -1, extents[2] + 1, [this](int y, int z) {
    double* const first = row(y, z) - 1;
    for (std::ptrdiff_t x = 0; x < stride_y_; ++x) first[x] = 0.0;
  });
}

}  // namespace cartwright::bench::peer
