// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/plan/arrivals/forecast.hpp>
#include <cmath>
#include <vector>

namespace cartwright::plan {

namespace {

using Series = std::span<const std::int64_t>;

constexpr std::array<std::string_view, predictors> predictor_names{
    "last value", "moving average", "exponential", "autoregressive (1)", "autoregressive (2)"};

double mean_of(Series series) {
  double sum = 0;
  for (const std::int64_t number : series) sum += static_cast<double>(number);
  return series.empty() ? 0 : sum / static_cast<double>(series.size());
}

double moving_average(Series series) {
  constexpr std::size_t window = 5;  // as in the paper
  return mean_of(series.last(std::min(window, series.size())));
}

double exponential(Series series) {
  constexpr double share = 0.3;
  auto level = static_cast<double>(series.front());
  for (const std::int64_t number : series.subspan(1))
    level += share * (static_cast<double>(number) - level);
  return level;
}

/// Yule and Walker's equations for one or two lags; the mean alone where there is nothing to fit.
double autoregressive(Series series, int lags) {
  const double mean = mean_of(series);
  const auto off = [&](std::size_t i) { return static_cast<double>(series[i]) - mean; };
  std::array<double, 3> products{};
  for (std::size_t lag = 0; lag < products.size(); ++lag)
    for (std::size_t i = lag; i < series.size(); ++i) products[lag] += off(i) * off(i - lag);
  if (products[0] <= 0 || series.size() < 4) return mean;
  const double first = products[1] / products[0], second = products[2] / products[0];
  const double rest = 1 - first * first;
  const std::size_t last = series.size() - 1;
  if (lags == 1 || rest <= 1e-9) return mean + first * off(last);
  return mean + first * (1 - second) / rest * off(last) +
         (second - first * first) / rest * off(last - 1);
}

/// Reorders.
double median_of(std::vector<std::int64_t>& numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return static_cast<double>(*middle);
}

double distance_from(Series series, double middle) {
  double sum = 0;
  for (const std::int64_t number : series) sum += std::abs(static_cast<double>(number) - middle);
  return sum;
}

/// The split into two parts of one median each that leaves the least distances from these.
struct Split {
  std::size_t at = 0;
  double jump = 0;
  double distance = 0;  ///< mean
};
Split best_split(Series series, std::size_t least) {
  Split best;
  std::vector<std::int64_t> part;
  for (std::size_t at = least; at + least <= series.size(); ++at) {
    const Series left = series.first(at), right = series.subspan(at);
    part.assign(left.begin(), left.end());
    const double before = median_of(part);
    part.assign(right.begin(), right.end());
    const double after = median_of(part);
    const double distance = (distance_from(left, before) + distance_from(right, after)) /
                            static_cast<double>(series.size());
    if (best.at == 0 || distance < best.distance) best = {at, std::abs(after - before), distance};
  }
  return best;
}

}  // namespace

std::string_view name_of(Predictor predictor) noexcept {
  return predictor_names[static_cast<std::size_t>(predictor)];
}

std::int64_t predict(Predictor predictor, Series series) {
  if (series.empty()) return 0;
  const auto value = [&]() -> double {
    switch (predictor) {
      case Predictor::last:
        return static_cast<double>(series.back());
      case Predictor::moving_average:
        return moving_average(series);
      case Predictor::exponential:
        return exponential(series);
      case Predictor::autoregressive_1:
        return autoregressive(series, 1);
      case Predictor::autoregressive_2:
        return autoregressive(series, 2);
    }
    return 0;
  }();
  // A fit never leads far away from what has been seen.
  const auto [least, greatest] = std::ranges::minmax_element(series);
  if (value <= static_cast<double>(*least)) return *least;
  if (value >= static_cast<double>(*greatest)) return *greatest;
  return std::llround(value);
}

std::size_t last_change(Series series) {
  constexpr std::size_t least = 3;  // of each side
  constexpr double clear = 4;       // a jump by so many mean distances
  std::size_t begin = 0;
  while (series.size() - begin >= 2 * least) {
    const Split split = best_split(series.subspan(begin), least);
    if (split.jump <= clear * split.distance) break;
    begin += split.at;
  }
  return begin;
}

Forecast forecast(Series series) {
  constexpr double deviation_of_distance = 1.2533;  // of normal errors: sqrt(pi / 2)
  series = series.subspan(last_change(series));
  Forecast best;
  if (series.empty()) return best;
  best.value = series.back();
  best.deviation = best.value / 2;  // nothing is known of a single number
  double least = -1;
  const std::size_t first = std::min<std::size_t>(4, series.size() / 2);
  for (int number = 0; number < predictors && series.size() > 1; ++number) {
    const auto by = static_cast<Predictor>(number);
    double errors = 0;
    const std::size_t tried = std::max<std::size_t>(first, 1);
    for (std::size_t i = tried; i < series.size(); ++i)
      errors += std::abs(static_cast<double>(series[i] - predict(by, series.first(i))));
    errors /= static_cast<double>(series.size() - tried);
    // The simpler one, which comes first, unless another is clearly better.
    constexpr double clearly = 0.95;
    if (least >= 0 && errors >= clearly * least) continue;
    least = errors;
    best = {predict(by, series), std::llround(deviation_of_distance * errors), by};
  }
  return best;
}

}  // namespace cartwright::plan
