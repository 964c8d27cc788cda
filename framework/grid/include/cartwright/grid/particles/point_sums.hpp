// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cartwright/grid/particles/home_cells.hpp>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/grid/space/index.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cartwright::grid {

class GridBase;
template <int D>
struct HaloCopy;
template <int D>
class HaloPlan;
class Particles;

/// Sums, at the points of a field, of what particles give them, linear along each axis: weights are
/// those of Interpolation, but at a wall the last point takes what would go beyond.
///
/// Nothing is rounded while they are added up, so any order gives the same bits (Demmel and Nguyen,
/// Parallel reproducible summation, IEEE Transactions on Computers 64, 2015): each number is cut
/// into three slices, multiples of units that the greatest value of all particles decides, and
/// slices are added as doubles, which is exact up to 2^24 numbers at a point. What is cut off is
/// below 2^-87 of the greatest value. So particles go straight to the points in whatever order they
/// lie, also to ghosts, whose sums then go to their owners.
template <int D>
class PointSums {
 public:
  static constexpr int slices = 3;
  static constexpr std::size_t corners = std::size_t{1} << D;

  /// Collective. `numbers`: of a particle and of a point. Throws an input error (all ranks) where
  /// cells are stretched, or if there isn't memory; `field`: whose they are, for that.
  PointSums(const GridBase& grid, Centring centring, int numbers, const std::string& field);
  PointSums(const PointSums&) = delete;
  PointSums& operator=(const PointSums&) = delete;
  ~PointSums();

  /// Collective. What these give is added next. `greatest`: what numbers reach, without their
  /// signs, on this rank.
  void begin(const Particles& particles, std::span<const double> greatest);
  /// Into how many parts points are cut: one for each thread.
  [[nodiscard]] int parts() const noexcept { return parts_; }

  /// Adds to the points of one part, on one thread.
  class Part {
   public:
    static constexpr int at_once = SomeParticles<D>::at_once;

    /// Clears them.
    Part(PointSums& sums, int part);
    /// Takes the next particles; false if there are none.
    bool next();
    [[nodiscard]] int count() const noexcept { return some_.count; }
    [[nodiscard]] std::size_t particle(int k) const {
      return some_.particle[static_cast<std::size_t>(k)];
    }
    /// `values[k]`: one number of particle(k).
    void add(int number, const double* values);

   private:
    void choose();
    void gather();
    void take_shares(std::size_t axis);
    [[nodiscard]] std::array<double, corners / 2> given_to_rows(std::size_t k, double value) const;
    void add_at_edge(int number, std::size_t k, double value);

    PointSums& sums_;
    HomeCells<D> home_;
    int begin_, end_;          // along the last axis, of this part's points
    double lowest_, highest_;  // places along it of particles that may have a share
    std::size_t next_ = 0;
    SomeParticles<D> some_;
    std::array<std::array<double, at_once>, static_cast<std::size_t>(D)> gathered_;  // positions
    std::array<std::ptrdiff_t, at_once> first_;  // where their lowest points stand
    std::array<int, at_once> row_;               // along the last axis
    std::array<std::array<double, at_once>, static_cast<std::size_t>(D)> upper_;  // shares
  };

  /// When all parts have added. Throws an internal failure if a particle isn't in its owner's
  /// cells.
  void require_all_at_home() const;
  /// Collective. What ghosts have goes to their owners.
  void gather();

  /// For kernels.
  struct View {
    const double* first;
    std::ptrdiff_t stride[D];
    std::ptrdiff_t slice_stride;
    [[nodiscard]] double operator()(const Index<D>& i, int number) const {
      std::ptrdiff_t at = std::ptrdiff_t{slices} * number * slice_stride;
      for (int axis = 0; axis < D; ++axis) at += i[axis] * stride[axis];
      const double high = first[at];
      return std::isfinite(high) ? high + (first[at + slice_stride] + first[at + 2 * slice_stride])
                                 : high;
    }
  };
  [[nodiscard]] View view() const;

 private:
  /// Along one axis.
  struct Axis {
    double origin, spacing, shift;
    double start;  ///< the rank's first point
    double last;   ///< of the grid
    double reach;  ///< 1 where the point below that of a cell may get something
    bool is_bounded;
  };
  [[nodiscard]] double* of_number(int number) {
    return sums_.data() + std::ptrdiff_t{slices} * number * layout_.component_stride;
  }
  template <class Visit>
  void for_each_array_and_row(const Box<D>& box, const Visit& visit);
  void add_within(const HaloCopy<D>& copy);

  const GridBase& grid_;
  int numbers_;
  Layout<D> layout_;
  std::array<Axis, static_cast<std::size_t>(D)> axes_{};
  std::array<std::ptrdiff_t, corners> corner_{};  // from the lowest point
  std::unique_ptr<HaloPlan<D>> plan_;
  std::vector<double> sums_;
  std::vector<double> greatest_;                   // of all ranks' particles
  std::vector<std::array<double, slices>> marks_;  // adding one and taking it off rounds to units
  const Particles* particles_ = nullptr;
  std::atomic<std::ptrdiff_t> lost_ = -1;  // a particle that isn't in this rank's cells
  int parts_ = 1;
};

extern template class PointSums<1>;
extern template class PointSums<2>;
extern template class PointSums<3>;

}  // namespace cartwright::grid
