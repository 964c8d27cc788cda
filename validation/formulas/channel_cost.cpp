// SPDX-License-Identifier: Apache-2.0
#include "channel_cost.hpp"
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include "loggp_formulas.hpp"

namespace cartwright::validation::formulas {
namespace {

/// Calls `message(parent, child, blocks)` for the messages of step `step` (from 1) of a binomial
/// scatter, highest bit first, from rank 0.
template <class Message>
void for_each_scatter_message(Count ranks, int steps, int step, const Message& message) {
  const Count reach = Count{1} << (steps - step);
  for (Count parent = 0; parent + reach < ranks; parent += 2 * reach)
    message(parent, parent + reach, std::min(reach, ranks - parent - reach));
}

/// Σ over steps of cost(messages, largest blocks).
template <class Cost>
double sum_of_scatter_steps(Count ranks, const Cost& cost) {
  const int steps = rounds_of(ranks, 2);
  double sum = 0.0;
  for (int step = 1; step <= steps; ++step) {
    Count messages = 0;
    Count largest = 0;
    for_each_scatter_message(ranks, steps, step, [&](Count, Count, Count blocks) {
      ++messages;
      largest = std::max(largest, blocks);
    });
    sum += cost(messages, static_cast<double>(largest));
  }
  return sum;
}

/// Messages that share channels, and the largest of them.
struct SharedChannels {
  int messages = 0;
  Count largest = 0;

  [[nodiscard]] double time(double byte_time, double channels) const {
    return static_cast<double>(largest) * byte_time * std::max(1.0, messages / channels);
  }
};

double pipeline_steps(int ranks, double bytes, double segment) {
  return ranks - 2 + bytes / segment;
}

template <class Value>
auto sum_over_dimensions(const ChannelGrid& grid, const Value& value) {
  auto sum = value(std::size_t{0});
  for (std::size_t i = 1; i < grid.ranks.size(); ++i) sum += value(i);
  return sum;
}

}  // namespace

double channel_limited_scatter(Count ranks, double channels) {
  return sum_of_scatter_steps(ranks, [&](Count messages, double largest) {
    return largest * std::max(1.0, static_cast<double>(messages) / channels);
  });
}

std::vector<double> grouped_scatter_steps(const GroupedScatter& model,
                                          std::span<const int> group_of, double block_bytes) {
  const auto ranks = static_cast<Count>(group_of.size());
  const int steps = rounds_of(ranks, 2);
  std::vector<double> times;
  for (int step = 1; step <= steps; ++step) {
    std::map<int, SharedChannels> inside;
    SharedChannels between;
    for_each_scatter_message(ranks, steps, step, [&](Count parent, Count child, Count blocks) {
      const int group = group_of[static_cast<std::size_t>(parent)];
      const bool crosses = group_of[static_cast<std::size_t>(child)] != group;
      SharedChannels& shared = crosses ? between : inside[group];
      ++shared.messages;
      shared.largest = std::max(shared.largest, blocks);
    });
    double time = between.time(model.between_byte_time, model.channels);
    for (const auto& [group, shared] : inside)
      time = std::max(time, shared.time(model.inside_byte_time, model.channels));
    times.push_back(time * block_bytes);
  }
  return times;
}

int ChannelGrid::ranks_per_node() const {
  return std::accumulate(tile.begin(), tile.end(), 1, std::multiplies<>());
}

int ChannelGrid::face(std::size_t dimension) const {
  return ranks_per_node() / tile[dimension];
}

int ChannelGrid::leaving_lines(std::size_t dimension) const {
  return ranks[dimension] == tile[dimension] ? 0 : face(dimension);
}

int thesis_leaving_lines_default(std::size_t dimensions, int ranks_per_node) {
  return (static_cast<int>(dimensions) - 1) * ranks_per_node + 1;
}

int thesis_leaving_lines(const ChannelGrid& grid) {
  return sum_over_dimensions(grid, [&](std::size_t i) { return grid.face(i); });
}

double tile_gain_bound(const ChannelGrid& grid) {
  return static_cast<double>(
             thesis_leaving_lines_default(grid.ranks.size(), grid.ranks_per_node())) /
         thesis_leaving_lines(grid);
}

double balanced_pipeline_time(const ChannelGrid& grid, const ChannelCosts& costs, double bytes,
                              double segment) {
  return sum_over_dimensions(grid, [&](std::size_t i) {
    const int leaving = grid.leaving_lines(i);
    const double one = leaving > 0 ? costs.between_byte_time : costs.inside_byte_time;
    const double byte_time = std::max(
        {leaving * costs.node_between(), grid.chain_edges_inside(i) * costs.node_inside(), one});
    return pipeline_steps(grid.ranks[i], bytes, segment) * (costs.latency + segment * byte_time);
  });
}

}  // namespace cartwright::validation::formulas
