// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/boundary_kernels.hpp>
#include <cartwright/grid/field/row_ghosts.hpp>
#include <cartwright/grid/run/boundary_condition.hpp>
#include <functional>
#include <limits>

namespace cartwright::grid {

/// Fills the ghosts beyond one physical face of a field from its boundary condition: ghosts mirror
/// the owned points so that the value (Dirichlet) or the outward derivative (Neumann) on the face
/// is the prescribed one to second order. On nodal fields a Dirichlet face sets its own nodes, too.
template <class T, int D>
class BoundaryFace {
 public:
  using Place = FacePlace<D>;
  /// A rule of the user's own over a box of ghosts.
  using Fill = std::function<void(const FieldView<T, D>&, const Box<D>&, const Place&, double)>;

  void set(BoundaryCondition condition) {
    condition_ = std::move(condition);
    user_fill_ = nullptr;
    evaluated_at_ = never();
  }
  /// `ghost(view, i, position, time)` returns the value of ghost point `i`; runs as a kernel.
  template <class Ghost>
  void set_user(Ghost ghost) {
    user_fill_ = [ghost](const FieldView<T, D>& view, const Box<D>& ghosts, const Place& place,
                         double time) {
      fill_ghosts(view, ghosts, place.coordinates, ghost, time);
    };
  }

  /// Fills the ghosts over `tangential`: the box whose extents along the other axes are used.
  void fill(const FieldView<T, D>& view, const Place& place, const Box<D>& tangential,
            double time) {
    const int axis = place.face.axis;
    const int extent = place.layout.extent[axis];
    const Box<D> ghosts = place.face.is_low()
                              ? tangential.with(axis, -place.layout.halo, 0)
                              : tangential.with(axis, extent, extent + place.layout.halo);
    if (user_fill_) return user_fill_(view, ghosts, place, time);
    evaluate(place, time);
    const auto given = prescribed(place);
    const bool dirichlet = condition_.kind == BoundaryCondition::Kind::dirichlet;
    if (dirichlet && place.centring == Centring::node) set_face_nodes(view, place, ghosts, given);
    mirror_face(view, place, ghosts, given, dirichlet);
  }

  [[nodiscard]] bool has_users_rule() const { return static_cast<bool>(user_fill_); }
  /// The condition for one row after the other; not for a user's rule.
  [[nodiscard]] typename RowGhosts<T, D>::End row_rule(const Place& place, double time) {
    evaluate(place, time);
    return {RowGhosts<T, D>::Rule::mirror, condition_.kind == BoundaryCondition::Kind::dirichlet,
            prescribed(place)};
  }

  /// Nodal Dirichlet: sets the owned nodes on the face. Anything else: does nothing.
  void impose(const FieldView<T, D>& view, const Place& place, double time) {
    if (place.centring != Centring::node || user_fill_ ||
        condition_.kind != BoundaryCondition::Kind::dirichlet)
      return;
    evaluate(place, time);
    set_face_nodes(view, place, place.layout.owned(), prescribed(place));
  }

 private:
  static constexpr int components = ElementTraits<T>::components;
  using Scalar = typename ElementTraits<T>::Scalar;
  using Values = Kokkos::View<T*, Memory>;
  static constexpr double never() { return std::numeric_limits<double>::quiet_NaN(); }

  [[nodiscard]] static T make_uniform(double value) {
    T element{};
    for (int c = 0; c < components; ++c) component_of(element, c) = static_cast<Scalar>(value);
    return element;
  }

  [[nodiscard]] PrescribedValues<T, D> prescribed(const Place& place) const {
    const int axis = place.face.axis;
    return {make_uniform(condition_.uniform.value_or(0.0)),
            condition_.uniform ? nullptr : values_.data(),
            place.layout.with_ghosts().with(axis, 0, 1), axis};
  }

  void evaluate(const Place& place, double time);

  BoundaryCondition condition_;
  Fill user_fill_;
  Values values_;
  double evaluated_at_ = never();
};

template <class T, int D>
void BoundaryFace<T, D>::evaluate(const Place& place, double time) {
  const bool evaluated = evaluated_at_ == evaluated_at_;  // not a number: never
  if (condition_.uniform || (evaluated && (condition_.constant_in_time || evaluated_at_ == time)))
    return;
  const int axis = place.face.axis;
  const Box<D> covered = place.layout.with_ghosts().with(axis, 0, 1);
  if (values_.size() == 0)
    values_ = Values("cartwright::boundary", static_cast<std::size_t>(covered.size()));
  const auto host = Kokkos::create_mirror_view(values_);
  for (long long number = 0; number < covered.size(); ++number) {
    const Index<D> point = point_of(covered, number);
    const auto at = place.coordinates(point);
    std::array<double, 3> position{};
    for (int other = 0; other < D; ++other) position[static_cast<std::size_t>(other)] = at[other];
    // The face itself: the low edge of the first cell, or the high edge of the last one.
    const double edge =
        place.coordinates.origin[axis] +
        static_cast<double>(place.coordinates.start[axis] +
                            (place.face.is_low() ? 0 : place.layout.extent[axis]) -
                            (!place.face.is_low() && place.centring == Centring::node ? 1 : 0)) *
            place.coordinates.spacing[axis];
    position[static_cast<std::size_t>(axis)] = edge;
    for (int c = 0; c < components; ++c)
      component_of(host(static_cast<std::size_t>(number)), c) =
          static_cast<Scalar>(condition_.value(position, time, c));
  }
  Kokkos::deep_copy(values_, host);
  evaluated_at_ = time;
}

}  // namespace cartwright::grid
