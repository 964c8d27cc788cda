// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/space/grid_description.hpp>
#include <vector>

namespace cartwright::grid {

/// Along each axis the cells at which the ranks' blocks begin, from 0 on, and the end:
/// {0, 40, 64} for 64 cells of two ranks.
using Cuts = std::vector<std::vector<long long>>;

/// A grid that a program describes itself, without the deck.
struct GridSpec {
  std::vector<long long> extent;  ///< cells along x, y, z
  std::vector<double> length{};   ///< empty: the longest axis has length 1, and cells are cubes
  std::vector<double> origin{};   ///< empty: zeros
  std::vector<bool> periodic{};   ///< empty: none
  Cuts cuts{};                    ///< empty: blocks differ by one cell at the most, along each axis
  bool on_every_rank = false;  ///< not spread: each rank has all of it, and exchanges with itself
  bool boundaries_of_deck = false;  ///< its fields ask the deck for boundary conditions, by name
};

/// The grid without its cuts; throws an internal failure for lists of different lengths, extents
/// below 1, or lengths that aren't above 0.
[[nodiscard]] GridDescription description_of(const GridSpec& spec);

/// Blocks that differ by one cell at the most.
[[nodiscard]] Cuts even_cuts(const GridDescription& grid, const std::vector<int>& ranks);

/// Blocks of a grid whose cells are `factors` of these along each axis, each with the rank that has
/// the first of them. Some may be empty.
[[nodiscard]] Cuts coarser_cuts(const Cuts& cuts, const std::vector<int>& factors);

}  // namespace cartwright::grid
