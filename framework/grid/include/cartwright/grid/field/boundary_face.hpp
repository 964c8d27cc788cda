// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/field/boundary_kernels.hpp>
#include <cartwright/grid/field/row_ghosts.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/grid/run/boundary_condition.hpp>
#include <cartwright/rt/error.hpp>
#include <functional>
#include <limits>
#include <vector>

namespace cartwright::grid {

/// Fills the ghosts beyond one physical face of a field from its boundary condition: ghosts mirror
/// the owned points so that the condition holds on the face to second order. On nodal fields a face
/// whose values are prescribed sets its own nodes, too. A copy has the same condition.
template <class T, int D>
class BoundaryFace {
 public:
  using Place = FacePlace<D>;
  /// A rule of the user's own over a box of ghosts.
  using Fill = std::function<void(const FieldView<T, D>&, const Box<D>&, const Place&, double)>;

  BoundaryFace() = default;
  BoundaryFace(const BoundaryFace& other)
      : conditions_(other.conditions_), user_fill_(other.user_fill_) {}
  BoundaryFace& operator=(const BoundaryFace&) = delete;
  ~BoundaryFace() = default;

  /// Throws an internal failure for more than 8 parts.
  void set(BoundaryCondition condition);
  /// `ghost(view, i, position, time)` returns the value of ghost point `i`; runs as a kernel.
  template <class Ghost>
  void set_user(Ghost ghost) {
    user_fill_ = [ghost](const FieldView<T, D>& view, const Box<D>& ghosts, const Place& place,
                         double time) {
      fill_ghosts(view, ghosts, place.coordinates, ghost, time);
    };
  }

  /// Fills `layers` of ghosts over `tangential`: the box whose extents along the other axes are
  /// used.
  void fill(const FieldView<T, D>& view, const Place& place, const Box<D>& tangential, int layers,
            double time);

  /// As it was set; not what a user's rule means.
  [[nodiscard]] BoundaryCondition condition() const {
    BoundaryCondition whole = conditions_.back();
    whole.parts.assign(conditions_.begin(), conditions_.end() - 1);
    return whole;
  }
  [[nodiscard]] bool has_users_rule() const { return static_cast<bool>(user_fill_); }
  /// The condition as kernels use it; not for a user's rule. Valid until `set`, or `rule` at
  /// another time.
  [[nodiscard]] FaceRule<T, D> rule(const Place& place, double time);

  [[nodiscard]] bool is_constant_in_time() const {
    return std::ranges::all_of(conditions_, [](const BoundaryCondition& each) {
      return each.uniform || each.constant_in_time;
    });
  }

  /// Nodal fields with prescribed values: sets the owned nodes on the face. Anything else: does
  /// nothing.
  void impose(const FieldView<T, D>& view, const Place& place, double time);

 private:
  static constexpr std::size_t most_conditions = 8;
  static constexpr int components = ElementTraits<T>::components;
  using Scalar = typename ElementTraits<T>::Scalar;
  static constexpr double never() { return std::numeric_limits<double>::quiet_NaN(); }

  [[nodiscard]] bool is_uniform() const {
    return conditions_.size() == 1 && conditions_.front().is_uniform();
  }
  /// All components, in one place.
  [[nodiscard]] static ElementOf<T> values_of(const BoundaryCondition& condition,
                                              const std::array<double, 3>& position, double time) {
    ElementOf<T> values{};
    for (int c = 0; c < components; ++c)
      component_of(values, c) = static_cast<Scalar>(
          condition.uniform ? *condition.uniform : condition.value(position, time, c));
    return values;
  }
  [[nodiscard]] std::size_t condition_at(const std::array<double, 3>& position) const {
    std::size_t number = 0;
    while (number + 1 < conditions_.size() && !conditions_[number].where(position)) ++number;
    return number;
  }
  void make_mirrors(const Place& place);
  /// Values and numbers of conditions at the points along the face.
  void evaluate(const Place& place, double time);

  std::vector<BoundaryCondition> conditions_{1};  ///< the last one holds where no other does
  Fill user_fill_;
  std::vector<Mirror<ElementOf<T>>> host_mirrors_;
  Kokkos::View<Mirror<ElementOf<T>>*, Memory> mirrors_;
  Kokkos::View<ElementOf<T>*, Memory> values_;
  Kokkos::View<unsigned char*, Memory> regions_;
  double evaluated_at_ = never();
};

template <class T, int D>
void BoundaryFace<T, D>::set(BoundaryCondition condition) {
  conditions_ = std::move(condition.parts);
  condition.parts.clear();
  conditions_.push_back(std::move(condition));
  if (conditions_.size() > most_conditions)
    throw rt::internal_failure("a face has too many parts", "At most 8 may differ.");
  user_fill_ = nullptr;
  evaluated_at_ = never();
  mirrors_ = {};
}

template <class T, int D>
void BoundaryFace<T, D>::fill(const FieldView<T, D>& view, const Place& place,
                              const Box<D>& tangential, int layers, double time) {
  const int axis = place.face.axis;
  const int extent = place.layout.extent[axis];
  const Box<D> ghosts = place.face.is_low() ? tangential.with(axis, -layers, 0)
                                            : tangential.with(axis, extent, extent + layers);
  if (user_fill_) return user_fill_(view, ghosts, place, time);
  const FaceRule<T, D> found = rule(place, time);
  if (place.is_nodal()) set_face_nodes(view, place, ghosts, found);
  mirror_face(view, place, ghosts, found);
}

template <class T, int D>
void BoundaryFace<T, D>::impose(const FieldView<T, D>& view, const Place& place, double time) {
  if (!place.is_nodal() || user_fill_) return;
  set_face_nodes(view, place, place.layout.owned(), rule(place, time));
}

template <class T, int D>
FaceRule<T, D> BoundaryFace<T, D>::rule(const Place& place, double time) {
  make_mirrors(place);
  evaluate(place, time);
  FaceRule<T, D> found{};
  found.given.axis = place.face.axis;
  found.given.covered = place.layout.with_ghosts().with(place.face.axis, 0, 1);
  if (is_uniform()) found.given.uniform = values_of(conditions_.front(), {}, time);
  found.given.values = is_uniform() ? nullptr : values_.data();
  found.given.regions = conditions_.size() > 1 ? regions_.data() : nullptr;
  found.mirrors = mirrors_.data();
  found.layers = place.layout.halo;
  for (int layer = 0; layer < 2 && layer < found.layers; ++layer)
    found.first[layer] = host_mirrors_[static_cast<std::size_t>(layer)];
  for (std::size_t number = 0; number < conditions_.size(); ++number) {
    bool sets = true;
    for (int c = 0; c < components; ++c) {
      const auto kind = conditions_[number].kind_of(c);
      sets = sets && (kind == BoundaryCondition::Kind::dirichlet ||
                      kind == BoundaryCondition::Kind::inflow);
    }
    if (sets) found.sets_nodes |= static_cast<unsigned char>(1U << number);
  }
  return found;
}

template <class T, int D>
void BoundaryFace<T, D>::make_mirrors(const Place& place) {
  if (mirrors_.size() > 0) return;
  host_mirrors_.clear();
  for (const BoundaryCondition& condition : conditions_)
    for (int layer = 0; layer < place.layout.halo; ++layer)
      host_mirrors_.push_back(Mirror<ElementOf<T>>::of(condition, place.mirrored_distance(layer)));
  mirrors_ =
      Kokkos::View<Mirror<ElementOf<T>>*, Memory>("cartwright::mirrors", host_mirrors_.size());
  const auto host = Kokkos::create_mirror_view(mirrors_);
  for (std::size_t i = 0; i < host_mirrors_.size(); ++i) host(i) = host_mirrors_[i];
  Kokkos::deep_copy(mirrors_, host);
}

template <class T, int D>
void BoundaryFace<T, D>::evaluate(const Place& place, double time) {
  const bool evaluated = evaluated_at_ == evaluated_at_;  // not a number: never
  if (is_uniform() || (evaluated && (is_constant_in_time() || evaluated_at_ == time))) return;
  const int axis = place.face.axis;
  const Box<D> covered = place.layout.with_ghosts().with(axis, 0, 1);
  const auto points = static_cast<std::size_t>(covered.size());
  if (values_.size() == 0) {
    values_ = Kokkos::View<ElementOf<T>*, Memory>("cartwright::boundary", points);
    regions_ = Kokkos::View<unsigned char*, Memory>("cartwright::regions", points);
  }
  const auto values = Kokkos::create_mirror_view(values_);
  const auto regions = Kokkos::create_mirror_view(regions_);
  std::vector<ElementOf<T>> everywhere(conditions_.size());
  for (std::size_t which = 0; which < conditions_.size(); ++which)
    if (conditions_[which].is_uniform())
      everywhere[which] = values_of(conditions_[which], {}, time);
  const double edge = place.edge();
  for_ranges_or_throw(
      covered.size() * points_for_a_formula, covered.size(), [&](long long from, long long to) {
        for (long long number = from; number < to; ++number) {
          std::array<double, 3> position = place.position(point_of(covered, number));
          position[static_cast<std::size_t>(axis)] = edge;
          const std::size_t which = condition_at(position);
          const BoundaryCondition& condition = conditions_[which];
          regions(static_cast<std::size_t>(number)) = static_cast<unsigned char>(which);
          values(static_cast<std::size_t>(number)) =
              condition.is_uniform() ? everywhere[which] : values_of(condition, position, time);
        }
      });
  Kokkos::deep_copy(values_, values);
  Kokkos::deep_copy(regions_, regions);
  evaluated_at_ = time;
}

// Of doubles: compiled once, in src/field/double_fields.cpp.
extern template class BoundaryFace<double, 1>;
extern template class BoundaryFace<double, 2>;
extern template class BoundaryFace<double, 3>;

}  // namespace cartwright::grid
