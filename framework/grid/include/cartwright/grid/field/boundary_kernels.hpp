// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/arrays_view.hpp>
#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <cartwright/grid/run/boundary_condition.hpp>
#include <cartwright/grid/space/coordinates.hpp>
#include <cartwright/grid/space/face.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <type_traits>

namespace cartwright::grid {

/// One physical face of one field's block.
template <int D>
struct FacePlace {
  Face face;
  Layout<D> layout;
  Coordinates<D> coordinates;
  Centring centring;
  const GridDescription* grid;
  /// Between a ghost of `layer` and the owned point that it mirrors.
  [[nodiscard]] double mirrored_distance(int layer) const {
    const int steps = 2 * layer + 1 + (is_nodal() ? 1 : 0);
    if (!grid->is_stretched(face.axis)) return steps * coordinates.spacing[face.axis];
    const long long first = coordinates.start[face.axis] +
                            (face.is_low() ? -1 - layer : layout.extent[face.axis] + layer - steps);
    return grid->position(face.axis, centring, first + steps) -
           grid->position(face.axis, centring, first);
  }
  /// Where the face itself is along its axis.
  [[nodiscard]] double edge() const {
    const int axis = face.axis;
    // The low edge of the first cell, or the high edge of the last one.
    const long long cell = coordinates.start[axis] + (face.is_low() ? 0 : layout.extent[axis]) -
                           (!face.is_low() && is_nodal() ? 1 : 0);
    return grid->position(axis, Centring::node, cell);
  }
  /// Of a point, on the host; of a ghost beyond the end of a periodic axis: where it comes from.
  [[nodiscard]] std::array<double, 3> position(const Index<D>& i) const {
    std::array<double, 3> at{};
    for (int axis = 0; axis < D; ++axis)
      at[static_cast<std::size_t>(axis)] =
          grid->position(axis, centring, wrapped(axis, coordinates.global(i, axis)));
    return at;
  }
  [[nodiscard]] long long wrapped(int axis, long long point) const {
    const auto a = static_cast<std::size_t>(axis);
    if (!grid->periodic[a]) return point;
    const long long extent = grid->extent[a], rest = point % extent;
    return rest < 0 ? rest + extent : rest;
  }
  /// True if the field's points live on the face itself, not half a cell from it.
  [[nodiscard]] bool is_nodal() const { return grid::is_nodal(centring, face.axis); }
};

/// The value of a ghost from that of the owned point which it mirrors, so that the condition holds
/// on the face between them, to second order: ghost = inside * own value + given * prescribed one.
template <class T>
struct Mirror {
  using Scalar = typename ElementTraits<T>::Scalar;
  static constexpr int components = ElementTraits<T>::components;
  double inside[components];
  double given[components];

  /// `distance`: between the two points. Integers aren't mirrored: a ghost has the value itself.
  [[nodiscard]] static Mirror of(const BoundaryCondition& condition, double distance) {
    using Kind = BoundaryCondition::Kind;
    const double robin = 2.0 + condition.coefficient * distance;
    Mirror mirror{};
    for (int c = 0; c < components; ++c) {
      const Kind kind = condition.kind_of(c);
      const bool is_value =
          kind == Kind::inflow || (kind == Kind::dirichlet && !std::is_floating_point_v<Scalar>);
      mirror.inside[c] = is_value                  ? 0.0
                         : kind == Kind::dirichlet ? -1.0
                         : kind == Kind::robin     ? (4.0 - robin) / robin
                                                   : 1.0;
      mirror.given[c] = is_value                  ? 1.0
                        : kind == Kind::dirichlet ? 2.0
                        : kind == Kind::robin     ? 2.0 * distance / robin
                                                  : distance;
    }
    return mirror;
  }

  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T& prescribed, const T& owned) const {
    T outside{};
    for (int c = 0; c < components; ++c) {
      const auto g = static_cast<double>(component_of(prescribed, c));
      const auto u = static_cast<double>(component_of(owned, c));
      component_of(outside, c) = static_cast<Scalar>(inside[c] * u + given[c] * g);
    }
    return outside;
  }
};

/// What is prescribed along a face: values, or one value for all of it; and, where conditions hold
/// on parts of it, which one holds where.
template <class T, int D>
struct PrescribedValues {
  T uniform;
  const T* values;               ///< nullptr: `uniform` holds everywhere
  const unsigned char* regions;  ///< numbers of conditions; nullptr: 0 everywhere
  Box<D> covered;  ///< the points that the arrays belong to, x fastest; one layer along `axis`
  int axis;

  KOKKOS_FORCEINLINE_FUNCTION std::ptrdiff_t offset(const Index<D>& i) const {
    std::ptrdiff_t offset = 0;
    std::ptrdiff_t stride = 1;
    for (int other = 0; other < D; ++other) {
      if (other == axis) continue;
      offset += (i[other] - covered.lower[other]) * stride;
      stride *= covered.upper[other] - covered.lower[other];
    }
    return offset;
  }
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Index<D>& i) const {
    return values == nullptr ? uniform : values[offset(i)];
  }
  KOKKOS_FORCEINLINE_FUNCTION int region(const Index<D>& i) const {
    return regions == nullptr ? 0 : regions[offset(i)];
  }
};

/// How the ghosts of a face follow from what is prescribed: for each condition a Mirror a layer.
template <class T, int D>
struct FaceRule {
  PrescribedValues<ElementOf<T>, D> given;
  const Mirror<ElementOf<T>>* mirrors;  ///< [condition * layers + layer], where kernels run
  Mirror<ElementOf<T>>
      first[2];  ///< of the first condition's first two layers: most faces need no more
  int layers;
  unsigned char sets_nodes;  ///< bit r: condition r prescribes values on nodes of the face itself
};

/// Nodal fields: sets the nodes on the face itself, over the tangential extents of `range`, where
/// values are prescribed for whole elements.
template <class T, int D>
void set_face_nodes(const FieldView<T, D>& view, const FacePlace<D>& place, const Box<D>& range,
                    const FaceRule<T, D>& rule) {
  if (rule.sets_nodes == 0) return;
  const int axis = place.face.axis;
  const int at = place.face.is_low() ? 0 : place.layout.extent[axis] - 1;
  const PrescribedValues<ElementOf<T>, D> given = rule.given;
  const unsigned sets = rule.sets_nodes;
  for_each_point<D>(
      range.with(axis, at, at + 1), KOKKOS_LAMBDA(const Index<D>& i) {
        if ((sets >> given.region(i) & 1U) != 0) view(i) = given(i);
      });
}

/// Sets `ghosts` by mirroring. Layer by layer, because all points of a layer look equally far
/// inward: rows then vectorise.
template <class T, int D>
void mirror_face(const FieldView<T, D>& view, const FacePlace<D>& place, const Box<D>& ghosts,
                 const FaceRule<T, D>& rule) {
  const int axis = place.face.axis;
  const bool low = place.face.is_low();
  const int node = place.is_nodal() ? 1 : 0;
  const PrescribedValues<ElementOf<T>, D> given = rule.given;
  for (int layer = 0; layer < ghosts.extent(axis); ++layer) {
    const int at = low ? -1 - layer : place.layout.extent[axis] + layer;
    const int steps = 2 * layer + 1 + node;
    // Not `view(i.shifted(axis, …))`: an index by an axis that is no constant goes through memory.
    const FieldView<T, D> inside = view.shifted(axis, low ? steps : -steps);
    const Box<D> points = ghosts.with(axis, at, at + 1);
    if (given.regions != nullptr || layer > 1) {
      const Mirror<ElementOf<T>>* const mirrors = rule.mirrors + layer;
      const int layers = rule.layers;
      for_each_point<D>(
          points, KOKKOS_LAMBDA(const Index<D>& i) {
            view(i) = mirrors[given.region(i) * layers](given(i), inside(i));
          });
      continue;
    }
    const Mirror<ElementOf<T>> mirror = rule.first[layer];
    if (given.values != nullptr) {
      for_each_point<D>(
          points, KOKKOS_LAMBDA(const Index<D>& i) { view(i) = mirror(given(i), inside(i)); });
      continue;
    }
    const ElementOf<T> uniform = given.uniform;
    for_each_point<D>(
        points, KOKKOS_LAMBDA(const Index<D>& i) { view(i) = mirror(uniform, inside(i)); });
  }
}

/// Sets each of `ghosts` to what a user's rule returns.
template <class T, int D, class Ghost>
void fill_ghosts(const FieldView<T, D>& view, const Box<D>& ghosts,
                 const Coordinates<D>& coordinates, const Ghost& ghost, double time) {
  for_each_point<D>(
      ghosts, KOKKOS_LAMBDA(const Index<D>& i) { view(i) = ghost(view, i, coordinates(i), time); });
}

}  // namespace cartwright::grid
