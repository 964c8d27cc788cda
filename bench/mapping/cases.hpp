// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/search/choose_mapping.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace cartwright::bench {

/// A grid whose extents have the smallest sum, all above 1, on n nodes of k ranks.
struct MappingCase {
  int nodes = 0, ranks_per_node = 0;
  std::vector<int> dims;
  [[nodiscard]] mapping::MappingRequest request() const;
  [[nodiscard]] std::string name() const;  ///< "35 nodes x 76: 19 x 14 x 10"
};

/// n = 2 … 64, k in {5, 7, 13, 20, 24, 48, 64, 76, 96, 128}; without those that have no such grid.
[[nodiscard]] std::vector<MappingCase> mapping_cases(std::size_t dimensions);

/// `count` of them, drawn without repetition, the same for the same seed everywhere.
[[nodiscard]] std::vector<MappingCase> draw(std::vector<MappingCase> cases, std::size_t count,
                                            std::uint64_t seed);

}  // namespace cartwright::bench
