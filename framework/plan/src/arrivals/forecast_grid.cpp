// SPDX-License-Identifier: Apache-2.0
#include "forecast_grid.hpp"

#include <algorithm>
#include <bit>
#include <cartwright/plan/simulation/noise.hpp>
#include <limits>

namespace cartwright::plan::arrivals {

namespace {

constexpr int exact_bits = 9;  // up to 512 steps, 256 rounds, every step counts
constexpr std::uint64_t most_steps = std::uint64_t{1} << 30;
// Arrivals of trials lie within so many deviations of the forecast, on either side of a gap.
constexpr std::uint32_t times_off = 8;
constexpr std::uint32_t most_doublings = 26;
constexpr Nanoseconds latest = Nanoseconds{1} << 44;  // five hours

std::uint32_t steps_of(std::int64_t time, std::int64_t first, int shift) {
  if (time <= first) return 0;
  const std::uint64_t late = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(first);
  return static_cast<std::uint32_t>(std::min(late >> shift, most_steps));
}

std::uint32_t with_exact_bits(std::uint32_t steps) {
  const int coarse = static_cast<int>(std::bit_width(steps)) - exact_bits;
  return coarse <= 0 ? steps : steps >> coarse << coarse;
}

// 0: none; 1: less than a step; then a class for each doubling.
std::uint32_t class_of(std::int64_t deviation, int shift) {
  if (deviation <= 0) return 0;
  const std::uint64_t steps = static_cast<std::uint64_t>(deviation) >> shift;
  return 1 + static_cast<std::uint32_t>(std::bit_width(std::min(steps, most_steps)));
}

}  // namespace

ForecastGrid::ForecastGrid(Nanoseconds round, Nanoseconds ready)
    : shift_(std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(round))) - 2, 0,
                        30)),
      ready_(1 + steps_of(ready, 0, shift_)) {}

void ForecastGrid::round_off(const ArrivalForecast& forecast, Signature& into) const {
  const std::size_t ranks = forecast.lateness.size();
  into.assign(2 * ranks, 0);
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t time : forecast.lateness) first = std::min(first, time);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    into[rank] = steps_of(forecast.lateness[rank], first, shift_);
  std::uint32_t widest = 0;
  for (std::size_t rank = 0; rank < forecast.deviation.size(); ++rank) {
    into[ranks + rank] = class_of(forecast.deviation[rank], shift_);
    widest = std::max(widest, into[ranks + rank]);
  }
  const std::span lateness(into.data(), ranks);
  close_gaps(lateness, widest == 0 ? 0 : std::uint32_t{1} << std::min(widest - 1, most_doublings));
  for (std::uint32_t& steps : lateness) steps = with_exact_bits(steps);
}

// Nearly always nobody is that late, and little is to be looked at.
void ForecastGrid::close_gaps(std::span<std::uint32_t> lateness, std::uint32_t off) const {
  const std::uint32_t longest = ready_ + times_off * off;
  std::uint32_t before = 0;  // the last of those who came before a gap
  std::vector<std::uint32_t*> late;
  for (std::uint32_t& steps : lateness)
    if (steps > longest)
      late.push_back(&steps);
    else
      before = std::max(before, steps);
  std::ranges::sort(late, {}, [](const std::uint32_t* steps) { return *steps; });
  std::uint32_t too_long = 0;
  for (std::uint32_t* const steps : late) {
    const std::uint32_t gap = *steps - before;
    before = *steps;
    if (gap > longest) too_long += gap - longest;
    *steps -= too_long;
  }
}

std::vector<Nanoseconds> ForecastGrid::lateness(const Signature& signature) const {
  std::vector<Nanoseconds> times;
  for (std::size_t rank = 0; rank < signature.size() / 2; ++rank)
    times.push_back(std::min(static_cast<Nanoseconds>(signature[rank]) << shift_, latest));
  return times;
}

std::vector<Nanoseconds> ForecastGrid::deviation(const Signature& signature) const {
  std::vector<Nanoseconds> times;
  for (std::size_t rank = signature.size() / 2; rank < signature.size(); ++rank) {
    const std::uint32_t doublings = signature[rank];
    const Nanoseconds step = Nanoseconds{1} << shift_;
    times.push_back(doublings == 0   ? 0
                    : doublings == 1 ? step / 2
                                     : std::min(step << (doublings - 1), latest));
  }
  return times;
}

SampledArrivals::SampledArrivals(int ranks) {
  constexpr std::uint64_t seed = 0x636c616972766f79;
  for (int rank = 0; rank < ranks; ++rank)
    for (std::size_t run = 0; run < Samples::count; ++run) {
      // The sum of four numbers below 2^16 has the standard deviation 37837.
      const std::uint64_t bits = mixed_bits(seed, static_cast<std::uint64_t>(rank), run, 0);
      std::int64_t sum = 0;
      for (int part = 0; part < 4; ++part)
        sum += static_cast<std::int64_t>(bits >> (16 * part) & 0xffffU);
      deviates_.push_back(static_cast<std::int32_t>((sum - 131070) * 16384 / 37837));
    }
}

std::vector<Samples> SampledArrivals::around(std::span<const Nanoseconds> lateness,
                                             std::span<const Nanoseconds> deviation) const {
  std::vector<Samples> arrivals(lateness.size());
  for (std::size_t rank = 0; rank < lateness.size(); ++rank)
    for (std::size_t run = 0; run < Samples::count; ++run) {
      const std::int64_t off = deviation[rank] * deviates_[rank * Samples::count + run] / (1 << 14);
      arrivals[rank].of_run[run] = static_cast<double>(lateness[rank] + off);
    }
  return arrivals;
}

}  // namespace cartwright::plan::arrivals
