// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/grid/space/work_map.hpp>
#include <cmath>
#include <numeric>
#include <utility>

namespace cartwright::grid {
namespace {

/// Along an axis, by dimensions: a map is some KiB, that checkpoints hold.
constexpr std::array<long long, 4> most_bins{1, 4096, 64, 16};
/// No cell is for nothing, however quick the clock found it.
constexpr double least_density = 1e-3;

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double dearest_of(const std::vector<double>& costs) {
  return *std::ranges::max_element(costs) / mean_of(costs);
}

}  // namespace

WorkMap::WorkMap(std::vector<long long> extent, const PlaneWeights& guess)
    : extent_(std::move(extent)) {
  for (std::size_t axis = 0; axis < extent_.size(); ++axis)
    bins_[axis] = static_cast<std::size_t>(std::min(extent_[axis], most_bins[extent_.size()]));
  density_.assign(bins_[0] * bins_[1] * bins_[2], 1.0);
  if (guess.size() != extent_.size()) return;
  for (std::size_t bin = 0; bin < density_.size(); ++bin) {
    const std::array place{bin % bins_[0], bin / bins_[0] % bins_[1], bin / bins_[0] / bins_[1]};
    for (std::size_t axis = 0; axis < extent_.size(); ++axis) {
      const auto begin = static_cast<std::size_t>(bin_begin(axis, place[axis]));
      const auto end = static_cast<std::size_t>(bin_begin(axis, place[axis] + 1));
      double sum = 0.0;
      for (std::size_t plane = begin; plane < end; ++plane) sum += guess[axis][plane];
      density_[bin] *= sum / static_cast<double>(end - begin);
    }
  }
  normalise();
}

bool WorkMap::restore(const std::vector<double>& densities) {
  const auto is_cost = [](double number) { return number > 0.0 && std::isfinite(number); };
  if (densities.size() != density_.size() || !std::ranges::all_of(densities, is_cost)) return false;
  density_ = densities;
  normalise();
  return true;
}

long long WorkMap::bin_begin(std::size_t axis, std::size_t bin) const {
  return part_begin(extent_[axis], static_cast<int>(bins_[axis]), static_cast<int>(bin));
}

double WorkMap::cells_in(std::size_t bin) const {
  const std::array place{bin % bins_[0], bin / bins_[0] % bins_[1], bin / bins_[0] / bins_[1]};
  double size = 1.0;
  for (std::size_t axis = 0; axis < extent_.size(); ++axis)
    size *= static_cast<double>(bin_begin(axis, place[axis] + 1) - bin_begin(axis, place[axis]));
  return size;
}

std::size_t WorkMap::bin_of(const std::array<long long, 3>& cell) const {
  std::array<std::size_t, 3> place{};
  for (std::size_t axis = 0; axis < extent_.size(); ++axis) {
    // Near the bin where it would be if all were equal: some have a cell more.
    const auto bins = static_cast<long long>(bins_[axis]);
    const long long at = std::clamp(cell[axis], 0LL, extent_[axis] - 1);
    long long bin = std::min(bins - 1, at * bins / extent_[axis]);
    while (bin > 0 && bin_begin(axis, static_cast<std::size_t>(bin)) > at) --bin;
    while (bin + 1 < bins && bin_begin(axis, static_cast<std::size_t>(bin) + 1) <= at) ++bin;
    place[axis] = static_cast<std::size_t>(bin);
  }
  return this->at(place[0], place[1], place[2]);
}

void WorkMap::suppose(const std::vector<double>& amounts) {
  constexpr double of_nothing = 0.02;  // what an empty cell costs, in the mean of all
  double all = 0.0, cells = 0.0;
  for (std::size_t bin = 0; bin < density_.size(); ++bin) {
    all += amounts[bin];
    cells += cells_in(bin);
  }
  if (!(all > 0.0)) return;
  for (std::size_t bin = 0; bin < density_.size(); ++bin)
    density_[bin] = of_nothing + amounts[bin] / cells_in(bin) * (cells / all);
  normalise();
}

void WorkMap::normalise() {
  double sum = 0.0, cells = 0.0;
  for (std::size_t bin = 0; bin < density_.size(); ++bin) {
    const double size = cells_in(bin);
    sum += size * density_[bin];
    cells += size;
  }
  const double mean = sum / cells;
  if (!(mean > 0.0) || !std::isfinite(mean)) {
    std::ranges::fill(density_, 1.0);
    return;
  }
  for (double& density : density_) density = std::max(density / mean, least_density);
}

std::array<WorkMap::AxisOverlaps, 3> WorkMap::overlaps(const Cuts& cuts) const {
  std::array<AxisOverlaps, 3> parts;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (axis >= cuts.size()) {
      parts[axis] = {{{0, 1.0}}};
      continue;
    }
    for (std::size_t part = 0; part + 1 < cuts[axis].size(); ++part) {
      std::vector<Overlap>& found = parts[axis].emplace_back();
      for (std::size_t bin = 0; bin < bins_[axis]; ++bin) {
        const long long begin = std::max(bin_begin(axis, bin), cuts[axis][part]);
        const long long end = std::min(bin_begin(axis, bin + 1), cuts[axis][part + 1]);
        if (begin < end) found.push_back({bin, static_cast<double>(end - begin)});
      }
    }
  }
  return parts;
}

std::vector<double> WorkMap::costs(const std::array<AxisOverlaps, 3>& parts) const {
  std::vector<double> costs;
  for (const auto& of_z : parts[2])
    for (const auto& of_y : parts[1])
      for (const auto& of_x : parts[0]) {
        double& cost = costs.emplace_back(0.0);
        for (const Overlap& z : of_z)
          for (const Overlap& y : of_y)
            for (const Overlap& x : of_x)
              cost += x.cells * y.cells * z.cells * density_[at(x.bin, y.bin, z.bin)];
      }
  return costs;
}

double WorkMap::imbalance(const Cuts& cuts) const {
  return dearest_of(costs(overlaps(cuts)));
}

void WorkMap::learn(const Cuts& cuts, const std::vector<double>& busy) {
  const auto parts = overlaps(cuts);
  const std::vector<double> expected = costs(parts);
  if (busy.size() != expected.size() || !(mean_of(busy) > 0.0)) return;
  const double unit = mean_of(expected) / mean_of(busy);
  std::vector<double> found(density_.size(), 0.0), cells(density_.size(), 0.0);
  std::size_t block = 0;
  for (const auto& of_z : parts[2])
    for (const auto& of_y : parts[1])
      for (const auto& of_x : parts[0]) {
        const double factor =
            expected[block] > 0.0 ? unit * std::max(busy[block], 0.0) / expected[block] : 1.0;
        ++block;
        for (const Overlap& z : of_z)
          for (const Overlap& y : of_y)
            for (const Overlap& x : of_x) {
              const double common = x.cells * y.cells * z.cells;
              const std::size_t bin = at(x.bin, y.bin, z.bin);
              found[bin] += common * factor * density_[bin];
              cells[bin] += common;
            }
      }
  for (std::size_t bin = 0; bin < found.size(); ++bin) density_[bin] = found[bin] / cells[bin];
  normalise();
}

/// By the parts of the other axes, what the planes across `axis` cost.
PlaneWeights WorkMap::strips(std::size_t axis, const Cuts& cuts) const {
  Cuts across = cuts;  // this axis in one part
  across[axis] = {0, extent_[axis]};
  const auto parts = overlaps(across);
  PlaneWeights strips;
  for (const auto& of_z : parts[2])
    for (const auto& of_y : parts[1])
      for (const auto& of_x : parts[0]) {
        std::vector<double> of_bin(bins_[axis], 0.0);
        for (const Overlap& z : of_z)
          for (const Overlap& y : of_y)
            for (const Overlap& x : of_x)
              of_bin[std::array{x.bin, y.bin, z.bin}[axis]] +=
                  x.cells * y.cells * z.cells * density_[at(x.bin, y.bin, z.bin)];
        std::vector<double>& planes = strips.emplace_back();
        for (std::size_t bin = 0; bin < bins_[axis]; ++bin) {
          const long long count = bin_begin(axis, bin + 1) - bin_begin(axis, bin);
          planes.insert(planes.end(), static_cast<std::size_t>(count),
                        of_bin[bin] / static_cast<double>(count));
        }
      }
  return strips;
}

void WorkMap::improve(Cuts& cuts, long long least) const {
  constexpr int rounds = 8;
  double best = imbalance(cuts);
  for (int round = 0; round < rounds; ++round) {
    Cuts next = cuts;
    for (std::size_t axis = 0; axis < cuts.size(); ++axis)
      next[axis] =
          cuts_of_strips(strips(axis, next), static_cast<int>(cuts[axis].size()) - 1, least);
    const double found = imbalance(next);
    if (!(found < best)) return;
    best = found;
    cuts = std::move(next);
  }
}

Cuts WorkMap::balanced_cuts(const std::vector<int>& ranks, long long least) const {
  Cuts whole, even(ranks.size());
  for (std::size_t axis = 0; axis < ranks.size(); ++axis) {
    whole.push_back({0, extent_[axis]});
    for (int part = 0; part <= ranks[axis]; ++part)
      even[axis].push_back(part_begin(extent_[axis], ranks[axis], part));
  }
  Cuts by_planes;
  for (std::size_t axis = 0; axis < ranks.size(); ++axis)
    by_planes.push_back(cuts_of_strips(strips(axis, whole), ranks[axis], least));
  improve(by_planes, least);
  improve(even, least);
  return imbalance(even) < imbalance(by_planes) ? even : by_planes;
}

}  // namespace cartwright::grid
