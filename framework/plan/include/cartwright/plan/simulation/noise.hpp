// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/time.hpp>

#include <cstdint>

namespace cartwright::plan {

/// Random extra time of a simulated run: gamma distributed, of integral shape (1: exponential).
/// What a message or a step gets follows from the seed and from its name alone, so that it is the
/// same whatever order things are computed in.
struct Noise {
  std::uint64_t seed = 0;
  double latency = 0.0;   ///< mean extra time of a message on its way, s
  double overhead = 0.0;  ///< mean extra time of each step on the processor, s
  int shape = 1;

  [[nodiscard]] bool any() const { return latency > 0.0 || overhead > 0.0; }
};

/// The extra time with the name (a, b, c) and that mean.
Picoseconds extra_time(const Noise& noise, double mean, std::uint64_t a, std::uint64_t b,
                       std::uint64_t c);

/// Well mixed bits of a seed and three numbers.
std::uint64_t mixed_bits(std::uint64_t seed, std::uint64_t a, std::uint64_t b, std::uint64_t c);

}  // namespace cartwright::plan
