// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/simulation/arrivals.hpp>
#include <cartwright/plan/simulation/noise.hpp>

#include <cmath>

namespace cartwright::plan {

std::vector<Picoseconds> ascending_arrivals(int ranks, Picoseconds latest) {
  std::vector<Picoseconds> arrivals(static_cast<std::size_t>(ranks), 0);
  for (int r = 1; r < ranks; ++r)
    arrivals[static_cast<std::size_t>(r)] =
        std::llround(static_cast<double>(latest) * r / (ranks - 1));
  return arrivals;
}

std::vector<Picoseconds> one_late_arrival(int ranks, int late, Picoseconds latest) {
  std::vector<Picoseconds> arrivals(static_cast<std::size_t>(ranks), 0);
  arrivals.at(static_cast<std::size_t>(late)) = latest;
  return arrivals;
}

std::vector<Picoseconds> random_arrivals(int ranks, Picoseconds latest, std::uint64_t seed) {
  std::vector<Picoseconds> arrivals;
  for (int r = 0; r < ranks; ++r) {
    const std::uint64_t bits = mixed_bits(seed, static_cast<std::uint64_t>(r), 0, 0);
    const double part = static_cast<double>(bits >> 11) * 0x1p-53;
    arrivals.push_back(std::llround(static_cast<double>(latest) * part));
  }
  return arrivals;
}

}  // namespace cartwright::plan
