// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/output/colour_map.hpp>
#include <cstddef>

namespace cartwright::grid {

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

}  // namespace cartwright::grid
