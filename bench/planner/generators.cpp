// SPDX-License-Identifier: Apache-2.0
#include "generators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace cartwright::bench {

namespace {

using Times = std::vector<plan::Nanoseconds>;

template <class Draw>
Times of_each(int ranks, Draw draw) {
  std::vector<double> times;
  for (int rank = 0; rank < ranks; ++rank) times.push_back(std::max(0.0, draw(rank)));
  const double first = *std::ranges::min_element(times);
  Times rounded;
  for (const double time : times) rounded.push_back(std::llround(time - first));
  return rounded;
}

template <int tenths>
Times last_late(Draws&, int ranks, plan::Nanoseconds unit) {
  return of_each(ranks, [&](int rank) {
    return rank == ranks - 1 ? 0.1 * tenths * static_cast<double>(unit) : 0.0;
  });
}

Times any_late(Draws& draws, int ranks, plan::Nanoseconds unit) {
  const int late = draws.below(ranks);
  const double time = 2.0 * draws.uniform() * static_cast<double>(unit);
  return of_each(ranks, [&](int rank) { return rank == late ? time : 0.0; });
}

Times root_late(Draws&, int ranks, plan::Nanoseconds unit) {
  return of_each(ranks, [&](int rank) { return rank == 0 ? static_cast<double>(unit) : 0.0; });
}

Times alternating(Draws&, int ranks, plan::Nanoseconds unit) {
  return of_each(ranks,
                 [&](int rank) { return rank % 2 == 0 ? 0.0 : 0.5 * static_cast<double>(unit); });
}

template <int times>
Times uniform(Draws& draws, int ranks, plan::Nanoseconds unit) {
  return of_each(ranks, [&](int) { return times * draws.uniform() * static_cast<double>(unit); });
}

Times normal(Draws& draws, int ranks, plan::Nanoseconds unit) {
  return of_each(ranks,
                 [&](int) { return (2.0 + 0.5 * draws.normal()) * static_cast<double>(unit); });
}

Times gamma(Draws& draws, int ranks, plan::Nanoseconds unit) {
  return of_each(ranks, [&](int) {
    return 0.5 * (draws.exponential() + draws.exponential()) * static_cast<double>(unit);
  });
}

Times bernoulli(Draws& draws, int ranks, plan::Nanoseconds unit) {
  return of_each(ranks,
                 [&](int) { return draws.uniform() < 0.15 ? static_cast<double>(unit) : 0.0; });
}

Times together(Draws&, int ranks, plan::Nanoseconds) {
  return of_each(ranks, [](int) { return 0.0; });
}

constexpr std::array all{Generator{"together", together},
                         Generator{"last by 1/2", last_late<5>},
                         Generator{"last by 1", last_late<10>},
                         Generator{"last by 2", last_late<20>},
                         Generator{"one late", any_late},
                         Generator{"root late", root_late},
                         Generator{"alternating", alternating},
                         Generator{"uniform", uniform<1>},
                         Generator{"uniform, 3", uniform<3>},
                         Generator{"normal", normal},
                         Generator{"gamma", gamma},
                         Generator{"Bernoulli", bernoulli}};

}  // namespace

double Draws::normal() {
  return std::sqrt(2.0 * exponential()) * std::cos(2.0 * std::numbers::pi * uniform());
}

double Draws::exponential() {
  return -std::log(1.0 - uniform());
}

std::span<const Generator> generators() {
  return all;
}

const Generator* generator_named(std::string_view name) {
  const auto found = std::ranges::find(all, name, &Generator::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace cartwright::bench
