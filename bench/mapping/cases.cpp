// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace cartwright::bench {

namespace {

/// Extents above 1, largest first, with product `ranks` and the smallest sum; empty if there are
/// none.
std::vector<int> compact_dims(int ranks, std::size_t dimensions, int largest) {
  if (dimensions == 1)
    return ranks > 1 && ranks <= largest ? std::vector{ranks} : std::vector<int>{};
  std::vector<int> best;
  int least = 0;
  for (int extent = 2; extent <= std::min(ranks, largest); ++extent) {
    if (ranks % extent != 0) continue;
    std::vector<int> dims = compact_dims(ranks / extent, dimensions - 1, extent);
    if (dims.empty()) continue;
    dims.insert(dims.begin(), extent);
    const int sum = std::accumulate(dims.begin(), dims.end(), 0);
    if (best.empty() || sum < least) {
      best = std::move(dims);
      least = sum;
    }
  }
  return best;
}

}  // namespace

mapping::MappingRequest MappingCase::request() const {
  return {.shape = {dims, std::vector<bool>(dims.size(), false)},
          .node_sizes = std::vector<int>(static_cast<std::size_t>(nodes), ranks_per_node)};
}

std::string MappingCase::name() const {
  return fmt::format("{} nodes x {}: {}", nodes, ranks_per_node, mapping::to_text(dims));
}

std::vector<MappingCase> mapping_cases(std::size_t dimensions) {
  std::vector<MappingCase> cases;
  for (const int k : {5, 7, 13, 20, 24, 48, 64, 76, 96, 128}) {
    for (int n = 2; n <= 64; ++n) {
      auto dims = compact_dims(n * k, dimensions, n * k);
      if (!dims.empty()) cases.push_back({n, k, std::move(dims)});
    }
  }
  return cases;
}

std::vector<MappingCase> draw(std::vector<MappingCase> cases, std::size_t count,
                              std::uint64_t seed) {
  for (std::size_t i = 0; i < std::min(count, cases.size()); ++i) {
    seed += 0x9E3779B97F4A7C15ULL;  // splitmix64
    std::uint64_t bits = seed;
    bits = (bits ^ bits >> 30U) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ bits >> 27U) * 0x94D049BB133111EBULL;
    bits ^= bits >> 31U;
    std::swap(cases[i], cases[i + bits % (cases.size() - i)]);
  }
  cases.resize(std::min(count, cases.size()));
  return cases;
}

}  // namespace cartwright::bench
