// SPDX-License-Identifier: Apache-2.0
#include "point_weights.hpp"

namespace cartwright::grid {

PointWeights::PointWeights(const GridDescription& grid, const FieldBase& field)
    : is_stretched_(grid.is_stretched()), count_(field.block().count) {
  if (!is_stretched_) return;
  const Block block = field.block();
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    double all = 0.0;  // of the whole axis, on every rank: the same bits
    for (long long i = 0; i < block.global[a]; ++i)
      all += axis < block.dimensions ? grid.relative_width(axis, field.centring(), i) : 1.0;
    const double mean = all / static_cast<double>(block.global[a]);
    for (long long i = 0; i < block.count[a]; ++i)
      along_[a].push_back(axis < block.dimensions
                              ? grid.relative_width(axis, field.centring(), block.start[a] + i) /
                                    mean
                              : 1.0);
  }
}

}  // namespace cartwright::grid
