// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/clairvoyant.hpp>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace cartwright::bench {

/// Random numbers with the same values everywhere.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : bits_(seed) {}
  /// Below 1.
  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  double normal();
  double exponential();
  int below(int count) { return static_cast<int>(uniform() * count); }

 private:
  std::mt19937_64 bits_;
};

/// When ranks arrive (Marendic 2016, 5.2): ns after the first.
struct Generator {
  std::string_view name;
  std::vector<plan::Nanoseconds> (*draw)(Draws& draws, int ranks, plan::Nanoseconds unit);
};

std::span<const Generator> generators();
const Generator* generator_named(std::string_view name);

}  // namespace cartwright::bench
