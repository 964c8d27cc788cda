// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/output/colour_map.hpp>
#include <cstddef>
#include <string_view>

namespace cartwright::grid {
namespace {

using Colour = std::array<double, 3>;

/// Evenly spaced colours, linear between them.
struct Ramp {
  std::string_view name;
  std::array<Colour, 5> colours;
};

constexpr std::array<Ramp, 4> ramps{{
    {"fire",
     {{{0.05, 0.02, 0.10},
       {0.47, 0.06, 0.24},
       {0.85, 0.25, 0.12},
       {0.99, 0.65, 0.15},
       {1.0, 0.98, 0.78}}}},
    {"ice",
     {{{0.02, 0.05, 0.15},
       {0.06, 0.24, 0.50},
       {0.16, 0.50, 0.75},
       {0.50, 0.80, 0.90},
       {0.93, 0.99, 1.0}}}},
    {"cool_warm",
     {{{0.11, 0.24, 0.65},
       {0.45, 0.62, 0.93},
       {0.87, 0.87, 0.87},
       {0.94, 0.55, 0.42},
       {0.70, 0.05, 0.10}}}},
    {"grey",
     {{{0.05, 0.05, 0.05},
       {0.28, 0.28, 0.28},
       {0.52, 0.52, 0.52},
       {0.76, 0.76, 0.76},
       {1.0, 1.0, 1.0}}}},
}};

}  // namespace

// Polynomial of degree 6 fitted to matplotlib's "viridis" by M. Zucker (public domain); a test
// checks that lightness (CIE L*) rises evenly.
std::array<double, 3> viridis(double position) {
  constexpr std::array<std::array<double, 3>, 7> coefficient{{
      {0.2777273272234177, 0.005407344544966578, 0.3340998053353061},
      {0.1050930431085774, 1.404613529898575, 1.384590162594685},
      {-0.3308618287255563, 0.214847559468213, 0.09509516302823659},
      {-4.634230498983486, -5.799100973351585, -19.33244095627987},
      {6.228269936347081, 14.17993336680509, 56.69055260068105},
      {4.776384997670288, -13.74514537774601, -65.35303263337234},
      {-5.435455855934631, 4.645852612178535, 26.3124352495832},
  }};
  const double t = std::clamp(position, 0.0, 1.0);
  std::array<double, 3> colour{};
  for (std::size_t channel = 0; channel < 3; ++channel) {
    double value = 0;
    for (std::size_t power = coefficient.size(); power-- > 0;)
      value = value * t + coefficient[power][channel];
    colour[channel] = std::clamp(value, 0.0, 1.0);
  }
  return colour;
}

std::array<double, 3> named_colour(std::string_view name, double position) {
  const auto* const found = std::ranges::find(ramps, name, &Ramp::name);
  if (found == ramps.end()) return viridis(position);
  const double at = 4 * std::clamp(position, 0.0, 1.0);
  const auto below = std::min<std::size_t>(3, static_cast<std::size_t>(at));
  const double part = at - static_cast<double>(below);
  Colour colour{};
  for (std::size_t c = 0; c < 3; ++c)
    colour[c] = (1 - part) * found->colours[below][c] + part * found->colours[below + 1][c];
  return colour;
}

}  // namespace cartwright::grid
