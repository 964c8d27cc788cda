// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/space/grid_spec.hpp>
#include <cstddef>
#include <vector>

namespace cartwright::grid {

/// Where the work of a grid is, as far as ranks have found out by doing it: what a cell costs, in
/// bins of cells. Ranks tell only how long they were busy; as their blocks move, the map gets
/// finer. All ranks that learn the same have the same map. No MPI in here.
class WorkMap {
 public:
  WorkMap() = default;
  /// Of so many cells along each axis, that cost the same; or as much as their planes say together.
  explicit WorkMap(std::vector<long long> extent, const PlaneWeights& guess = {});
  /// What densities() gave. False if they belong to another grid.
  [[nodiscard]] bool restore(const std::vector<double>& densities);

  [[nodiscard]] bool is_empty() const noexcept { return density_.empty(); }
  /// The bin that holds a cell.
  [[nodiscard]] std::size_t bin_of(const std::array<long long, 3>& cell) const;
  /// How much there is to do in each bin, in any unit: what is in them now (particles, say) says
  /// more of the insides of blocks than what was learned before.
  void suppose(const std::vector<double>& amounts);
  /// How long the ranks were busy with the blocks between `cuts`, x fastest. Each bin costs as many
  /// times more as its block took longer than the map said (iterative proportional fitting, Deming
  /// and Stephan 1940).
  void learn(const Cuts& cuts, const std::vector<double>& busy);
  /// Cuts whose dearest block is as cheap as the map lets them be found: axis by axis, each the
  /// best for those of the others (Nicol, J. Parallel Distrib. Comput. 23, 1994). Blocks have
  /// `least` cells or more along each axis, where there are enough.
  [[nodiscard]] Cuts balanced_cuts(const std::vector<int>& ranks, long long least) const;
  /// What the dearest block costs, as a multiple of the mean.
  [[nodiscard]] double imbalance(const Cuts& cuts) const;
  /// Of a cell in each bin, x fastest; their mean over all cells is 1.
  [[nodiscard]] const std::vector<double>& densities() const noexcept { return density_; }

 private:
  /// The cells that a bin and a part of an axis have in common.
  struct Overlap {
    std::size_t bin;
    double cells;
  };
  using AxisOverlaps = std::vector<std::vector<Overlap>>;  // by part

  [[nodiscard]] std::array<AxisOverlaps, 3> overlaps(const Cuts& cuts) const;
  [[nodiscard]] std::vector<double> costs(const std::array<AxisOverlaps, 3>& parts) const;
  [[nodiscard]] PlaneWeights strips(std::size_t axis, const Cuts& cuts) const;
  void improve(Cuts& cuts, long long least) const;
  void normalise();
  [[nodiscard]] std::size_t at(std::size_t x, std::size_t y, std::size_t z) const {
    return x + bins_[0] * (y + bins_[1] * z);
  }
  [[nodiscard]] double cells_in(std::size_t bin) const;
  [[nodiscard]] long long bin_begin(std::size_t axis, std::size_t bin) const;

  std::vector<long long> extent_;
  std::array<std::size_t, 3> bins_{1, 1, 1};
  std::vector<double> density_;
};

}  // namespace cartwright::grid
