// SPDX-License-Identifier: Apache-2.0
#include "computations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/plan/models/fit.hpp>
#include <cartwright/plan/models/multicast_fit.hpp>
#include <cartwright/plan/models/ping_pong_fit.hpp>
#include <cartwright/plan/models/prtt_fit.hpp>
#include <cartwright/plan/models/time_text.hpp>
#include <cartwright/plan/simulation/noise.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "row.hpp"

namespace cartwright::validation {

namespace {

namespace fits = plan::fits;

std::string key_of(const Value& value) {
  if (!std::holds_alternative<std::vector<Value>>(value.is)) return value.text() + ";";
  std::string key = "[";
  for (const Value& inner : value.list()) key += key_of(inner);
  return key + "]";
}

double seconds_of(const std::string& printed) {
  return Printed{printed}.value() * (printed.ends_with("ms") ? 1e-3 : 1e-6);
}

/// Latency (us) and bandwidth (MB/s) by a regression over lines [kB, round trip], and how far the
/// printed digits of the round trips allow both to be off.
Value regression(const Arguments& given) {
  const auto fit_of = [&](std::size_t moved) {
    std::vector<fits::RoundTrip> trips;
    for (const Value& line : given[0].list()) {
      const std::string time = line.list()[1].text();
      const double by = trips.size() == moved
                            ? Printed{time}.half_digit() * (time.ends_with("ms") ? 1e-3 : 1e-6)
                            : 0.0;
      trips.push_back(
          {plan::Count{1024} * static_cast<int>(line.list()[0].number()), seconds_of(time) + by});
    }
    const auto fit = fits::fit_ping_pong(trips);
    return std::pair{fit.alpha * 1e6, 1e-6 / fit.beta};
  };
  const std::size_t none = given[0].list().size();
  const auto [latency, bandwidth] = fit_of(none);
  double latency_off = 0.0;
  double bandwidth_off = 0.0;
  for (std::size_t i = 0; i < none; ++i) {
    const auto [l, b] = fit_of(i);
    latency_off += std::abs(l - latency);
    bandwidth_off += std::abs(b - bandwidth);
  }
  return {std::vector<Value>{{latency}, {bandwidth}, {latency_off}, {bandwidth_off}}};
}

/// Bursts to 1 … 16 targets that take a_p + b a_r (us) and a random delay, 1000 of each: what the
/// fit makes of them.
Value multicast_fit(const Arguments& given) {
  constexpr std::uint64_t repetitions = 1000;
  const plan::Noise noise{.seed = 41};
  std::vector<fits::MulticastSample> samples;
  for (int targets = 1; targets <= 16; ++targets)
    for (std::uint64_t i = 0; i < repetitions; ++i) {
      const auto extra = plan::extra_time(noise, 0.5e-6, static_cast<std::uint64_t>(targets), i, 0);
      samples.push_back(
          {targets, (given.number(0) + targets * given.number(1)) * 1e-6 + plan::seconds(extra)});
    }
  const auto fit = fits::fit_multicast(samples);
  return {std::vector<Value>{
      {fit.pipelining * 1e6}, {fit.required * 1e6}, {std::string(fit.physical() ? "yes" : "no")}}};
}

struct Sample {
  double count, mean, deviation;
};
/// Of the costs from `senders` to `receivers`, without their own.
Sample sample(const Arguments& given, std::size_t senders, std::size_t receivers) {
  std::vector<double> values;
  for (const int from : given[senders].integers())
    for (const int to : given[receivers].integers())
      if (from != to)
        values.push_back(given[0]
                             .list()[static_cast<std::size_t>(from)]
                             .numbers()[static_cast<std::size_t>(to)]);
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {count, mean, std::sqrt(squares / (count - 1.0))};
}

/// Student's two-sided t-test with one variance for both samples.
double t_test(const Sample& a, const Sample& b) {
  const double freedom = a.count + b.count - 2.0;
  const double variance =
      ((a.count - 1.0) * a.deviation * a.deviation + (b.count - 1.0) * b.deviation * b.deviation) /
      freedom;
  const double t =
      std::abs(a.mean - b.mean) / std::sqrt(variance * (1.0 / a.count + 1.0 / b.count));
  // the tail of the density, from t to infinity by t / z with z = 0 … 1
  const double scale = std::exp(std::lgamma((freedom + 1.0) / 2.0) - std::lgamma(freedom / 2.0)) /
                       std::sqrt(freedom * std::numbers::pi);
  constexpr int intervals = 20000;
  double tail = 0.0;
  for (int i = 0; i < intervals; ++i) {
    const double z = (i + 0.5) / intervals;
    tail += std::pow(1.0 + t * t / (z * z * freedom), -(freedom + 1.0) / 2.0) * t / (z * z);
  }
  return 2.0 * scale * tail / intervals;
}

/// Column `column` of those lines whose first entry is `key`; of all, without a key.
Value column_of(const Arguments& given) {
  std::vector<Value> values;
  for (const Value& line : given[0].list())
    if (given.size() < 3 || line.list()[0].text() == given.text(2))
      values.push_back(line.list().at(static_cast<std::size_t>(given.integer(1))));
  return {std::move(values)};
}

/// Lists as the columns of lines.
Value beside(const Arguments& given) {
  std::vector<Value> lines;
  for (std::size_t i = 0; i < given[0].list().size(); ++i) {
    std::vector<Value> line;
    for (std::size_t c = 0; c < given.size(); ++c) line.push_back(given[c].list().at(i));
    lines.push_back({std::move(line)});
  }
  return {std::move(lines)};
}

/// How many pairs of places one list has in another order than the other.
double swapped(const std::vector<double>& one, const std::vector<double>& other) {
  int pairs = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if ((one[i] < one[j]) != (other.at(i) < other.at(j))) ++pairs;
  return pairs;
}

double sum_of(const Value& list) {
  const auto values = list.numbers();
  return std::accumulate(values.begin(), values.end(), 0.0);
}

Value list_of(const std::vector<double>& numbers) {
  std::vector<Value> values;
  for (const double number : numbers) values.push_back({number});
  return {std::move(values)};
}

}  // namespace

const Value& Arguments::operator[](std::size_t i) const {
  if (i >= values_.size())
    throw rt::input_error("a computation is called with too few arguments", "Mend it.");
  return values_[i];
}

Computations::Computations() {
  add_arithmetic(*this);
  add_schedules(*this);
  add_formulas(*this);
  add_multiplying(*this);
  add_grids(*this);
  add_arrivals(*this);
}

Value Computations::call(const std::string& name, const std::vector<Value>& arguments) {
  const auto function = functions_.find(name);
  if (function == functions_.end())
    throw rt::input_error(fmt::format("there is no computation '{}'", name),
                          "validation/ has those that there are.");
  std::string key = name + "(";
  for (const Value& value : arguments) key += key_of(value);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_[key] = function->second(Arguments(arguments));
}

void add_arithmetic(Computations& all) {
  all.add("at", [](const Arguments& a) {
    return a[0].list().at(static_cast<std::size_t>(a.integer(1)));
  });
  all.add("column", column_of);
  all.add("beside", beside);
  all.add("first", [](const Arguments& a) {
    auto values = a[0].list();
    values.resize(static_cast<std::size_t>(a.integer(1)));
    return Value{values};
  });
  // 1, 2, 3, …: as many as there are.
  all.add("count", [](const Arguments& a) {
    std::vector<double> numbers(a[0].list().size());
    std::iota(numbers.begin(), numbers.end(), 1.0);
    return list_of(numbers);
  });
  all.add("flat", [](const Arguments& a) {
    std::vector<Value> values;
    for (const Value& inner : a[0].list())
      values.insert(values.end(), inner.list().begin(), inner.list().end());
    return Value{std::move(values)};
  });
  all.add("sums", [](const Arguments& a) {
    std::vector<double> sums;
    for (const Value& inner : a[0].list()) sums.push_back(sum_of(inner));
    return list_of(sums);
  });
  all.add("sum", [](const Arguments& a) { return Value{sum_of(a[0])}; });
  all.add("mean", [](const Arguments& a) {
    return Value{sum_of(a[0]) / static_cast<double>(a[0].list().size())};
  });
  all.add("least", [](const Arguments& a) { return Value{std::ranges::min(a[0].numbers())}; });
  all.add("most", [](const Arguments& a) { return Value{std::ranges::max(a[0].numbers())}; });
  all.add("ratios", [](const Arguments& a) {
    const auto over = a[0].numbers();
    const auto under = a[1].numbers();
    std::vector<double> ratios;
    for (std::size_t i = 0; i < over.size(); ++i) ratios.push_back(over[i] / under[i]);
    return list_of(ratios);
  });
  all.add("swapped",
          [](const Arguments& a) { return Value{swapped(a[0].numbers(), a[1].numbers())}; });
  all.add("choose", [](const Arguments& a) { return a.number(0) != 0.0 ? a[1] : a[2]; });
  all.add("sqrt", [](const Arguments& a) { return Value{std::sqrt(a.number(0))}; });
  all.add("abs", [](const Arguments& a) { return Value{std::abs(a.number(0))}; });
  all.add("log", [](const Arguments& a) { return Value{std::log(a.number(0))}; });
  all.add("log2", [](const Arguments& a) { return Value{std::log2(a.number(0))}; });
  all.add("log10", [](const Arguments& a) { return Value{std::log10(a.number(0))}; });
  all.add("floor", [](const Arguments& a) { return Value{std::floor(a.number(0))}; });
  all.add("ceil", [](const Arguments& a) { return Value{std::ceil(a.number(0))}; });
  all.add("half_digit", [](const Arguments& a) { return Value{Printed{a.text(0)}.half_digit()}; });
  all.add("seconds", [](const Arguments& a) { return Value{seconds_of(a.text(0))}; });
  all.add("time_text", [](const Arguments& a) {
    return Value{plan::time_text(plan::picoseconds(a.number(0)))};
  });
  all.add("regression", regression);
  all.add("multicast_fit", multicast_fit);
  all.add("pairs_bandwidth", [](const Arguments& a) {
    return Value{fits::pairs_bandwidth(a.integer(0), a.count(1), a.number(2))};
  });
  all.add("latency_of_round_trip", [](const Arguments& a) {
    return Value{fits::latency_of_round_trip(a.number(0), a.number(1), a.number(2))};
  });
  // The most pairs whose round trip is no more than 1.3 times that of one.
  all.add("pairs_without_loss", [](const Arguments& a) {
    const auto times = a[0].numbers();
    double pairs = 1.0;
    for (std::size_t i = 1; i < times.size(); ++i)
      if (times[i] <= 1.3 * times[0]) pairs = static_cast<double>(i) + 1.0;
    return Value{pairs};
  });
  // Through numbers over 1, 2, 3, …: intercept and slope.
  all.add("line_through", [](const Arguments& a) {
    std::vector<fits::Point> points;
    for (const double value : a[0].numbers())
      points.push_back({static_cast<double>(points.size() + 1), value});
    const auto line = fits::fit_line(points);
    return list_of({line.intercept, line.slope});
  });
  all.add("sample", [](const Arguments& a) {
    const Sample result = sample(a, 1, 2);
    return list_of({result.mean, result.deviation, result.count});
  });
  all.add("t_test",
          [](const Arguments& a) { return Value{t_test(sample(a, 1, 2), sample(a, 3, 4))}; });
}

}  // namespace cartwright::validation
