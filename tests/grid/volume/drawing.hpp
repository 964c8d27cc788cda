// SPDX-License-Identifier: Apache-2.0
// Fields that are drawn on the ranks of a test, and on one rank alone.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/output/volume/volume_picture.hpp>
#include <cartwright/grid/output/volume/volume_renderer.hpp>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "sample_run.hpp"

namespace cartwright::grid::test {

using Values = std::function<double(const std::array<double, 3>&, int)>;

/// A field on the grid of a deck, spread over the ranks, and the same whole on each of them.
class Drawing {
 public:
  Drawing(const std::string& deck, const Values& values, Centring centring = Centring::cell)
      : run_(deck),
        spread_(*run_),
        whole_(*run_, whole_spec(spread_)),
        on_ranks_(spread_, "temperature", {.centring = centring, .halo = 0}),
        on_one_(whole_, "u", {.centring = centring, .halo = 0}) {
    on_ranks_.set_from(values);
    on_one_.set_from(values);
  }

  [[nodiscard]] const GridBase& grid() const { return spread_; }

  /// The pixels of one frame as all ranks draw it; empty on others than rank 0.
  [[nodiscard]] std::vector<unsigned char> by_all(const VolumeOptions& options, long long frame) {
    return draw(on_ranks_, options, frame, spread_.comm().is_root());
  }
  [[nodiscard]] std::vector<unsigned char> by_one(const VolumeOptions& options, long long frame) {
    return draw(on_one_, options, frame, true);
  }
  [[nodiscard]] VolumeImage image(const VolumeOptions& options) {
    VolumeRenderer renderer(on_ranks_, options);
    renderer.load();
    return renderer.draw(0);
  }

 private:
  static GridSpec whole_spec(const GridBase& grid) {
    GridSpec spec;
    for (int axis = 0; axis < 3; ++axis) {
      spec.extent.push_back(grid.extent(axis));
      spec.length.push_back(grid.length(axis));
      spec.origin.push_back(grid.origin(axis));
      spec.periodic.push_back(grid.periodic(axis));
    }
    spec.on_every_rank = true;
    return spec;
  }
  static std::vector<unsigned char> draw(const FieldBase& field, const VolumeOptions& options,
                                         long long frame, bool is_here) {
    VolumeRenderer renderer(field, options);
    renderer.load();
    const VolumeImage image = renderer.draw(frame);
    return is_here ? view_pixels(image) : std::vector<unsigned char>{};
  }

  SampleRun run_;
  Grid<3> spread_, whole_;
  Field<double, 3> on_ranks_, on_one_;
};

[[nodiscard]] inline int largest_difference(const std::vector<unsigned char>& a,
                                            const std::vector<unsigned char>& b) {
  if (a.size() != b.size()) return 256;
  int largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// How many numbers aren't those of white paper.
[[nodiscard]] inline std::size_t inked(const std::vector<unsigned char>& pixels) {
  return pixels.size() -
         static_cast<std::size_t>(std::ranges::count(pixels, static_cast<unsigned char>(255)));
}

inline int ranks() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// Uneven in all directions.
inline double bumps(const std::array<double, 3>& x) {
  return std::sin(5 * x[0] + 1) * std::cos(4 * x[1]) + 0.7 * std::sin(6 * x[2] + 2 * x[0]);
}

}  // namespace cartwright::grid::test
