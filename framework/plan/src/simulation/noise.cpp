// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/simulation/noise.hpp>

#include <cmath>

namespace cartwright::plan {

namespace {

// The finalizer of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t mixed_bits(std::uint64_t seed, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;
  return mixed(mixed(mixed(mixed(seed + step) + a + step) + b + step) + c + step);
}

Picoseconds extra_time(const Noise& noise, double mean, std::uint64_t a, std::uint64_t b,
                       std::uint64_t c) {
  if (mean <= 0.0) return 0;
  double sum = 0.0;  // of exponential variates
  for (int i = 0; i < noise.shape; ++i) {
    const std::uint64_t bits =
        mixed_bits(noise.seed + static_cast<std::uint64_t>(i) * 0xD1B54A32D192ED03u, a, b, c);
    sum -= std::log((static_cast<double>(bits >> 11) + 0.5) * 0x1p-53);
  }
  return picoseconds(mean * sum / noise.shape);
}

}  // namespace cartwright::plan
