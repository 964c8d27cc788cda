// SPDX-License-Identifier: Apache-2.0
#include "patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

namespace cartwright::bench {

namespace {

double imbalance_of(const Arrivals& arrivals) {
  const auto [first, last] = std::ranges::minmax_element(arrivals);
  return *last - *first;
}

}  // namespace

double Pattern::imbalance() const {
  double sum = 0;
  for (const Arrivals& arrivals : calls) sum += imbalance_of(arrivals);
  return sum / static_cast<double>(calls.size());
}

const std::vector<std::string>& PatternMaker::names() {
  static const std::vector<std::string> all{"none",   "single", "alternating", "uniform",
                                            "normal", "gamma",  "bernoulli"};
  return all;
}

template <class Draw>
Pattern PatternMaker::drawn(const std::string& name, const Draw& draw) const {
  std::mt19937_64 dice(seed_);
  Pattern pattern{name, {}, -1};
  for (std::size_t call = 0; call < draws_; ++call) {
    Arrivals& arrivals = pattern.calls.emplace_back(static_cast<std::size_t>(ranks_));
    for (std::size_t rank = 0; rank < arrivals.size(); ++rank)
      arrivals[rank] = std::max(0.0, draw(dice, rank));
  }
  return pattern;
}

std::vector<Pattern> PatternMaker::make(const std::string& name) const {
  const auto ranks = static_cast<std::size_t>(ranks_);
  if (name == "none") return {{name, {Arrivals(ranks, 0.0)}, -1}};
  if (name == "single") {
    std::vector<Pattern> all;
    for (std::size_t late = 0; late < ranks; ++late) {
      Pattern one{
          fmt::format("rank {} late", late), {Arrivals(ranks, 0.0)}, static_cast<int>(late)};
      one.calls.front()[late] = spread_;
      all.push_back(std::move(one));
    }
    return all;
  }
  if (name == "alternating") {  // even ranks come at once, odd ones later
    Pattern pattern{name, {Arrivals(ranks, 0.0)}, -1};
    for (std::size_t rank = 1; rank < ranks; rank += 2) pattern.calls.front()[rank] = spread_;
    return {pattern};
  }
  using Dice = std::mt19937_64;
  if (name == "uniform")
    return {drawn(name, [this](Dice& dice, std::size_t) {
      return std::uniform_real_distribution<double>(0.0, spread_)(dice);
    })};
  if (name == "normal")  // within about three deviations of its middle
    return {drawn(name, [this](Dice& dice, std::size_t) {
      return std::normal_distribution<double>(spread_ / 2, spread_ / 6)(dice);
    })};
  if (name == "gamma")
    return {drawn(name, [this](Dice& dice, std::size_t) {
      return std::gamma_distribution<double>(2.0, spread_ / 4)(dice);
    })};
  if (name == "bernoulli")  // in some calls nobody is late
    return {drawn(name, [this](Dice& dice, std::size_t) {
      return std::bernoulli_distribution(0.15)(dice) ? spread_ : 0.0;
    })};
  throw rt::input_error(
      fmt::format("there is no pattern '{}'", name),
      fmt::format("There are {}; --trace FILE reads others.", fmt::join(names(), ", ")),
      rt::Reach::all_ranks);
}

Pattern PatternMaker::from_file(const std::string& file) const {
  const auto refuse = [&](const std::string& what) {
    return rt::input_error(
        fmt::format("--trace {}: {}", file, what),
        fmt::format("One call a line: when each of the {} ranks comes, in s.", ranks_),
        rt::Reach::all_ranks);
  };
  std::ifstream in(file);
  if (!in) throw refuse("it can't be read");
  Pattern pattern{"trace", {}, -1};
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Arrivals arrivals;
    for (double time = 0.0; words >> time;) {
      if (!(time >= 0.0 && time <= 60.0)) throw refuse(fmt::format("{} s can't be", time));
      arrivals.push_back(time);
    }
    if (!words.eof()) throw refuse(fmt::format("'{}' isn't a list of numbers", line));
    if (arrivals.empty()) continue;
    if (static_cast<int>(arrivals.size()) != ranks_)
      throw refuse(fmt::format("a line has {} numbers", arrivals.size()));
    pattern.calls.push_back(std::move(arrivals));
  }
  if (pattern.calls.empty()) throw refuse("it has no lines");
  return pattern;
}

}  // namespace cartwright::bench
