// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/space/axis_distribution.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>

namespace cartwright::grid {

AxisDistribution::AxisDistribution(long long extent, int parts, long long block)
    : extent_(extent), parts_(parts), block_(block) {
  constexpr long long most = 1LL << 62;
  if (extent < 1 || parts < 1 || block < 0 || extent > most / parts - 1 || block > most / parts - 1)
    throw rt::input_error(fmt::format("{} rows or columns can't be dealt to {} ranks in blocks of "
                                      "{}",
                                      extent, parts, block),
                          "Extents and blocks are at least 1.", rt::Reach::all_ranks);
}

AxisDistribution AxisDistribution::plain(long long extent, int parts) {
  return {extent, parts, 0};
}

AxisDistribution AxisDistribution::cyclic(long long extent, int parts, long long block) {
  return {extent, parts, block > 0 ? block : -1};
}

long long AxisDistribution::begin(int part) const noexcept {
  return part * extent_ / parts_;
}

long long AxisDistribution::count(int part) const noexcept {
  if (block_ == 0) return begin(part + 1) - begin(part);
  const long long round = block_ * parts_;
  return extent_ / round * block_ + std::clamp(extent_ % round - part * block_, 0LL, block_);
}

int AxisDistribution::owner(long long index) const noexcept {
  if (block_ == 0) return static_cast<int>((parts_ * (index + 1) - 1) / extent_);
  return static_cast<int>(index / block_ % parts_);
}

long long AxisDistribution::local(long long index) const noexcept {
  if (block_ == 0) return index - begin(owner(index));
  return index / (block_ * parts_) * block_ + index % block_;
}

long long AxisDistribution::global(int part, long long local) const noexcept {
  if (block_ == 0) return begin(part) + local;
  return (local / block_ * parts_ + part) * block_ + local % block_;
}

long long AxisDistribution::run_end(long long index) const noexcept {
  if (block_ == 0) return begin(owner(index) + 1);
  if (parts_ == 1) return extent_;
  return std::min(extent_, (index / block_ + 1) * block_);
}

}  // namespace cartwright::grid
