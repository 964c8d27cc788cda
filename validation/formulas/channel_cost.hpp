// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <span>
#include <vector>

namespace cartwright::validation::formulas {

using namespace plan;

/// Scatter of one block to each rank by a binomial tree, in units of one block's bytes times β,
/// when only `channels` messages at a time pass without loss: Σ (P / 2ᵗ) max(1, 2ᵗ⁻¹ / c)
/// (Karlsson 2012, 4.1). Channels may be real or infinite; any number of ranks.
double channel_limited_scatter(Count ranks, double channels);

/// The scatter on one node whose ranks are in two or more groups (sockets): messages inside of a
/// group share the group's channels, those between groups share the channels between them.
struct GroupedScatter {
  double inside_byte_time, between_byte_time;  ///< β₁, β₂: s per byte
  double channels;                             ///< of each
};
/// Seconds of each step; `group_of` has the group of each rank of the tree (Karlsson 2012, Table
/// 4.6).
std::vector<double> grouped_scatter_steps(const GroupedScatter& model,
                                          std::span<const int> group_of, double block_bytes);

/// A grid of ranks in which each node has a tile, and a collective along each dimension in turn;
/// latencies are equal inside and between nodes.
struct ChannelGrid {
  std::vector<int> ranks;  ///< p_i
  std::vector<int> tile;   ///< k_i; the default placement is (1, …, 1, k)

  [[nodiscard]] int ranks_per_node() const;
  [[nodiscard]] int face(std::size_t dimension) const;  ///< A_i = Π_{j≠i} k_j
  [[nodiscard]] int leaving_lines(
      std::size_t dimension) const;  ///< A_i, or 0 if the tile spans the grid
  [[nodiscard]] int chain_edges_inside(std::size_t dimension) const {
    return ranks_per_node() - face(dimension);
  }
};

struct ChannelCosts {
  double latency = 0.0;            ///< α
  double between_byte_time = 0.0;  ///< β_E, of one message
  double inside_byte_time = 0.0;   ///< β_I
  double between_channels = 1.0;   ///< c_E: the node's bandwidth is c_E / β_E
  double inside_channels = 1.0;    ///< c_I
  double combine_byte_time = 0.0;  ///< γ

  [[nodiscard]] double node_between() const {
    return between_byte_time / between_channels;
  }                                                                                        ///< e_E
  [[nodiscard]] double node_inside() const { return inside_byte_time / inside_channels; }  ///< e_I
};

/// E, lines leaving the busiest node summed over dimensions, in the thesis' reckoning: (d-1) k + 1
/// by default, Σ A_i for tiles (Karlsson 2012, 5.3.4).
int thesis_leaving_lines_default(std::size_t dimensions, int ranks_per_node);
int thesis_leaving_lines(const ChannelGrid& grid);
/// Θ: how much faster tiles are than the default at most, all inner traffic free: ((d-1) k + 1) /
/// Σ A_i. (The factor c of the print cancels.)
double tile_gain_bound(const ChannelGrid& grid);

/// Channel balance, in turn: Σ (p_i - 2 + m / s)(α + s max(L_i e_E, I_i e_I, β of one message)).
double balanced_pipeline_time(const ChannelGrid& grid, const ChannelCosts& costs, double bytes,
                              double segment);
}  // namespace cartwright::validation::formulas
