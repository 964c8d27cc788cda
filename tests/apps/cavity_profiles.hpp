// SPDX-License-Identifier: Apache-2.0
// Velocities on the middle lines of a square cavity whose lid moves at speed 1, Re = 1000:
// tabulated at the same places by Ghia, Ghia and Shin (J. Comput. Phys. 48, 1982, tables I and II)
// and, from a spectral method, by Botella and Peyret (Computers & Fluids 27, 1998, tables 9 and
// 10).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace pde_test {

struct CavityRow {
  double place, ghia, botella;
};

/// Of the velocity along x, on the vertical middle line.
inline constexpr std::array<CavityRow, 15> cavity_x{{{0.9766, 0.65928, 0.6644227},
                                                     {0.9688, 0.57492, 0.5808359},
                                                     {0.9609, 0.51117, 0.5169277},
                                                     {0.9531, 0.46604, 0.4723329},
                                                     {0.8516, 0.33304, 0.3372212},
                                                     {0.7344, 0.18719, 0.1886747},
                                                     {0.6172, 0.05702, 0.0570178},
                                                     {0.5000, -0.06080, -0.0620561},
                                                     {0.4531, -0.10648, -0.1081999},
                                                     {0.2813, -0.27805, -0.2803696},
                                                     {0.1719, -0.38289, -0.3885691},
                                                     {0.1016, -0.29730, -0.3004561},
                                                     {0.0703, -0.22220, -0.2228955},
                                                     {0.0625, -0.20196, -0.2023300},
                                                     {0.0547, -0.18109, -0.1812881}}};
/// Of the velocity along y, on the horizontal one.
inline constexpr std::array<CavityRow, 15> cavity_y{{{0.9688, -0.21388, -0.2279225},
                                                     {0.9609, -0.27669, -0.2936869},
                                                     {0.9531, -0.33714, -0.3553213},
                                                     {0.9453, -0.39188, -0.4103754},
                                                     {0.9063, -0.51550, -0.5264392},
                                                     {0.8594, -0.42665, -0.4264545},
                                                     {0.8047, -0.31966, -0.3202137},
                                                     {0.5000, 0.02526, 0.0257995},
                                                     {0.2344, 0.32235, 0.3253592},
                                                     {0.2266, 0.33075, 0.3339924},
                                                     {0.1563, 0.37095, 0.3769189},
                                                     {0.0938, 0.32627, 0.3330442},
                                                     {0.0781, 0.30353, 0.3099097},
                                                     {0.0703, 0.29012, 0.2962703},
                                                     {0.0625, 0.27485, 0.2807056}}};

/// A velocity along a middle line: values in the middle of cells, and where these are.
struct CavityProfile {
  std::vector<double> places, values;
};

/// Through the four nearest ones.
inline double between_cells(const CavityProfile& profile, double place) {
  const std::vector<double>& at = profile.places;
  const auto cells = static_cast<std::ptrdiff_t>(at.size());
  const auto above = std::lower_bound(at.begin(), at.end(), place) - at.begin();
  const auto first = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - 2, 0, cells - 4));
  double sum = 0.0;
  for (std::size_t i = first; i < first + 4; ++i) {
    double weight = 1.0;
    for (std::size_t j = first; j < first + 4; ++j)
      if (j != i) weight *= (place - at[j]) / (at[i] - at[j]);
    sum += weight * profile.values[i];
  }
  return sum;
}

/// Largest differences of a profile from the two tables, and of these from each other.
struct CavityDifferences {
  double ghia = 0.0, botella = 0.0, of_tables = 0.0;
};
inline CavityDifferences differences_from(const std::array<CavityRow, 15>& table,
                                          const CavityProfile& profile) {
  CavityDifferences most;
  for (const CavityRow& row : table) {
    const double value = between_cells(profile, row.place);
    most.ghia = std::max(most.ghia, std::abs(value - row.ghia));
    most.botella = std::max(most.botella, std::abs(value - row.botella));
    most.of_tables = std::max(most.of_tables, std::abs(row.ghia - row.botella));
  }
  return most;
}

/// In the middle of the cavity, of what lies in `values` from `first` on, `stride` apart, between
/// `edges`.
inline CavityProfile profile_between(const std::vector<double>& edges,
                                     const std::vector<double>& values, std::size_t first,
                                     std::size_t stride) {
  CavityProfile profile;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    profile.places.push_back(0.5 * (edges[i] + edges[i + 1]));
    profile.values.push_back(values[first + i * stride]);
  }
  return profile;
}
/// The profiles of staggered velocities between `edges` along both axes, x fastest; the middle one
/// of the edges is the middle of the cavity.
inline CavityProfile vertical_profile(const std::vector<double>& velocity_x,
                                      const std::vector<double>& edges) {
  const std::size_t cells = edges.size() - 1;
  return profile_between(edges, velocity_x, cells / 2, cells + 1);
}
inline CavityProfile horizontal_profile(const std::vector<double>& velocity_y,
                                        const std::vector<double>& edges) {
  const std::size_t cells = edges.size() - 1;
  return profile_between(edges, velocity_y, cells / 2 * cells, 1);
}

}  // namespace pde_test
