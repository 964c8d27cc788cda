// SPDX-License-Identifier: Apache-2.0
#include "prior_models.hpp"
#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace cartwright::validation::formulas {
namespace {

int floor_log2(std::int64_t ranks) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(ranks))) - 1;
}

bool is_power_of_two(std::int64_t ranks) {
  return std::has_single_bit(static_cast<std::uint64_t>(ranks));
}

int composite_levels(std::int64_t ranks) {
  if (ranks < 1 || !is_power_of_two(ranks))
    throw std::invalid_argument("the composite formula holds for powers of two ranks only");
  return floor_log2(ranks);
}

}  // namespace

double tree_allreduce_time(const LatencyBandwidth& model, std::int64_t ranks, double bytes) {
  const int levels = floor_log2(ranks) + (is_power_of_two(ranks) ? 0 : 1);
  return 2.0 * levels * model.combined_message(bytes);
}

double recursive_doubling_time(const LatencyBandwidth& model, std::int64_t ranks, double bytes) {
  const int stages = floor_log2(ranks) + (is_power_of_two(ranks) ? 0 : 2);
  return stages * model.combined_message(bytes);
}

double composite_allreduce_time(const LatencyBandwidth& model, std::int64_t ranks, double bytes) {
  const int levels = composite_levels(ranks);
  const double part = 1.0 - 1.0 / static_cast<double>(ranks);
  return 2.0 * levels * model.latency + 2.0 * part * bytes * model.byte_time +
         part * bytes * model.combine_time;
}

}  // namespace cartwright::validation::formulas
