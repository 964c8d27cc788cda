// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/space/grid_description.hpp>
#include <vector>

namespace cartwright::grid {

/// Along each axis the cells at which the ranks' blocks begin, from 0 on, and the end:
/// {0, 40, 64} for 64 cells of two ranks.
using Cuts = std::vector<std::vector<long long>>;

/// Along each axis a weight for each plane of cells across it: what its cells cost together.
using PlaneWeights = std::vector<std::vector<double>>;

/// A grid that a program describes itself, without the deck.
struct GridSpec {
  std::vector<long long> extent;  ///< cells along x, y, z
  std::vector<double> length{};   ///< empty: the longest axis has length 1, and cells are cubes
  std::vector<double> origin{};   ///< empty: zeros
  std::vector<bool> periodic{};   ///< empty: none
  Cuts cuts{};                    ///< empty: blocks differ by one cell at the most, along each axis
  /// Of cells along each axis, one more than cells; empty, or empty for an axis: equal cells.
  std::vector<std::vector<double>> edges{};
  /// What the planes of cells across each axis cost. Where they are given and `cuts` aren't, the
  /// ranks' blocks along each axis cost as much as possible the same.
  PlaneWeights weights{};
  bool on_every_rank = false;  ///< not spread: each rank has all of it, and exchanges with itself
  bool boundaries_of_deck = false;  ///< its fields ask the deck for boundary conditions, by name
};

/// The grid without its cuts; throws an internal failure for lists of different lengths, extents
/// below 1, or lengths that aren't above 0.
[[nodiscard]] GridDescription description_of(const GridSpec& spec);

/// How many ranks have blocks along each axis.
[[nodiscard]] std::vector<int> ranks_of(const Cuts& cuts);

/// Blocks that differ by one cell at the most.
[[nodiscard]] Cuts even_cuts(const GridDescription& grid, const std::vector<int>& ranks);

/// Blocks whose dearest one along each axis is as cheap as possible; each has `least` cells or
/// more, where the axis has enough of them. Throws an input error for weights that are negative, no
/// numbers, or 0 all along an axis.
[[nodiscard]] Cuts weighted_cuts(const PlaneWeights& weights, const std::vector<int>& ranks,
                                 long long least);

/// Cuts of one axis for strips side by side, each with a weight for each plane: the dearest block
/// of all strips is as cheap as possible. Each part has `least` planes or more, where there are
/// enough.
[[nodiscard]] std::vector<long long> cuts_of_strips(const PlaneWeights& strips, int parts,
                                                    long long least);

/// What the dearest block along an axis costs, as a multiple of the mean.
[[nodiscard]] double imbalance(const std::vector<double>& weights,
                               const std::vector<long long>& cuts);

/// Blocks of a grid whose cells are `factors` of these along each axis, each with the rank that has
/// the first of them. Some may be empty.
[[nodiscard]] Cuts coarser_cuts(const Cuts& cuts, const std::vector<int>& factors);

}  // namespace cartwright::grid
