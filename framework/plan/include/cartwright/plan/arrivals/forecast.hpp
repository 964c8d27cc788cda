// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cartwright::plan {

/// How the next number of a series is told from those before it (the oldest first). Marendic 2016
/// takes moving averages of five, and proposes autoregression.
enum class Predictor : std::uint8_t {
  last,              ///< the same again
  moving_average,    ///< the mean of the last five
  exponential,       ///< a mean in which each number counts 0.7 times as much as the next one
  autoregressive_1,  ///< mean, and a share of the last deviation from it; fitted to the series
  autoregressive_2,  ///< … of the last two: what alternates, too
};
inline constexpr int predictors = 5;

[[nodiscard]] std::string_view name_of(Predictor predictor) noexcept;

/// What comes next; 0 after nothing. In the units of the series, never below 0 where that isn't.
[[nodiscard]] std::int64_t predict(Predictor predictor, std::span<const std::int64_t> series);

/// Where the present behaviour of a series begins: behind the last place where its median has moved
/// clearly, and stays so for at least three numbers. A single number that is far off is none.
[[nodiscard]] std::size_t last_change(std::span<const std::int64_t> series);

/// What comes next, how far it may be off, and who says so.
struct Forecast {
  std::int64_t value = 0;
  std::int64_t deviation = 0;  ///< about a standard deviation of what it got wrong so far
  Predictor by = Predictor::last;
};
/// By the predictor that would have been the best since the last change: each number is predicted
/// from those before it. At most some dozens of numbers are of use.
[[nodiscard]] Forecast forecast(std::span<const std::int64_t> series);

}  // namespace cartwright::plan
