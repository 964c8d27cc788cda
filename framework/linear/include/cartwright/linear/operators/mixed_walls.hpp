// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/linear/operators/axis_geometry.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cartwright::linear {

using grid::Field;

template <int D>
using Geometry = std::array<AxisGeometry, static_cast<std::size_t>(D)>;

/// A condition and those on parts of its face.
[[nodiscard]] inline std::vector<grid::BoundaryCondition*> all_of(grid::BoundaryCondition& whole) {
  std::vector<grid::BoundaryCondition*> all{&whole};
  for (grid::BoundaryCondition& part : whole.parts) all.push_back(&part);
  return all;
}

/// The same kinds, with 0 for what is given: for corrections.
[[nodiscard]] inline grid::BoundaryCondition homogeneous(grid::BoundaryCondition condition) {
  for (grid::BoundaryCondition* const part : all_of(condition)) {
    part->value = {};
    part->uniform = 0.0;
  }
  return condition;
}

/// Whether what a condition adds to coefficients differs from place to place, or isn't that of a
/// value, a derivative or both.
[[nodiscard]] inline bool is_mixed(grid::BoundaryCondition condition) {
  const auto all = all_of(condition);
  return std::ranges::any_of(all, [&](const grid::BoundaryCondition* part) {
    return part->kind_of(0) != condition.kind_of(0) || part->coefficient != condition.coefficient ||
           part->kind_of(0) == grid::BoundaryCondition::Kind::inflow;
  });
}

/// Faces whose conditions are mixed, on all grids of a hierarchy. Coefficients there are those of a
/// value times a share, place by place: 1 where a value is given, 0 where a derivative is.
template <int D>
class MixedWalls {
 public:
  explicit MixedWalls(const Field<double, D>& u) {
    for (int number = 0; number < 2 * D; ++number) {
      const grid::Face face = grid::Face::from_number(number);
      if (is_mixed(u.boundary(face)) && !u.grid().periodic(face.axis))
        conditions_[static_cast<std::size_t>(number)] = homogeneous(u.boundary(face));
    }
    for (int axis = 0; axis < D; ++axis)
      origin_[static_cast<std::size_t>(axis)] = u.grid().origin(axis);
  }
  [[nodiscard]] bool any() const {
    return std::ranges::any_of(conditions_, [](const auto& face) { return face.has_value(); });
  }
  [[nodiscard]] bool is_mixed_at(grid::Face face) const {
    return conditions_[static_cast<std::size_t>(face.number())].has_value();
  }
  /// Of corrections on the grid of `u`, and on a coarser one: positions on that mean nothing, the
  /// widths of its cells are in `geometry`.
  [[nodiscard]] grid::BoundaryCondition condition(grid::Face face) const {
    const auto& given = conditions_[static_cast<std::size_t>(face.number())];
    return given ? *given : grid::BoundaryCondition::neumann(0.0);
  }
  [[nodiscard]] grid::BoundaryCondition condition(grid::Face face,
                                                  const grid::GridDescription& coarse,
                                                  const Geometry<D>& geometry) const {
    grid::BoundaryCondition result = condition(face);
    const auto& width = geometry[static_cast<std::size_t>(face.axis)].width;
    const double ratio = (face.is_low() ? width.front() : width.back()) / coarse.spacing(face.axis);
    const auto places = places_on(face, geometry);
    for (grid::BoundaryCondition* const part : all_of(result)) {
      part->coefficient *= ratio;
      if (!part->where) continue;
      part->where = [given = std::move(part->where), places,
                     coarse](const std::array<double, 3>& at) {
        std::array<double, 3> there = at;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(D); ++axis) {
          const double number =
              (at[axis] - coarse.origin[axis]) / coarse.spacing(static_cast<int>(axis));
          const auto last = static_cast<long long>((*places)[axis].size()) - 1;
          const long long cell = std::clamp(std::llround(number - 0.5), 0LL, last);
          there[axis] = (*places)[axis][static_cast<std::size_t>(cell)];
        }
        return given(there);
      };
    }
    return result;
  }

 private:
  /// Where cells of a coarser grid are that touch a face: the same for all across it.
  using Places = std::array<std::vector<double>, static_cast<std::size_t>(D)>;
  [[nodiscard]] std::shared_ptr<const Places> places_on(grid::Face face,
                                                        const Geometry<D>& geometry) const {
    auto places = std::make_shared<Places>();
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(D); ++axis) {
      double begin = origin_[axis];
      for (const double width : geometry[axis].width) {
        (*places)[axis].push_back(begin + 0.5 * width);
        begin += width;
      }
      if (axis == static_cast<std::size_t>(face.axis))
        std::ranges::fill((*places)[axis], face.is_low() ? origin_[axis] : begin);
    }
    return places;
  }

  std::array<std::optional<grid::BoundaryCondition>, 2 * static_cast<std::size_t>(D)> conditions_;
  std::array<double, static_cast<std::size_t>(D)> origin_{};
};

}  // namespace cartwright::linear
