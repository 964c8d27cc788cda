// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <cartwright/grid/space/coordinates.hpp>
#include <cartwright/grid/space/face.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <cartwright/grid/space/vector.hpp>

namespace cartwright::grid {

/// One physical face of one field's block.
template <int D>
struct FacePlace {
  Face face;
  Layout<D> layout;
  Coordinates<D> coordinates;
  Centring centring;
};

/// The prescribed values along a face, or one value for all of it.
template <class T, int D>
struct PrescribedValues {
  T uniform;
  const T* values;  ///< nullptr: `uniform` holds everywhere
  Box<D> covered;   ///< the points that `values` belong to, x fastest; one layer along `axis`
  int axis;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Index<D>& i) const {
    if (values == nullptr) return uniform;
    std::ptrdiff_t offset = 0;
    std::ptrdiff_t stride = 1;
    for (int other = 0; other < D; ++other) {
      if (other == axis) continue;
      offset += (i[other] - covered.lower[other]) * stride;
      stride *= covered.upper[other] - covered.lower[other];
    }
    return values[offset];
  }
};

/// Nodal fields: sets the nodes on the face itself, over the tangential extents of `range`.
template <class T, int D>
void set_face_nodes(const FieldView<T, D>& view, const FacePlace<D>& place, const Box<D>& range,
                    const PrescribedValues<T, D>& given) {
  const int axis = place.face.axis;
  const int at = place.face.is_low() ? 0 : place.layout.extent[axis] - 1;
  for_each_point<D>(
      range.with(axis, at, at + 1), KOKKOS_LAMBDA(const Index<D>& i) { view(i) = given(i); });
}

/// The value of a ghost from that of the owned point which it mirrors, so that the value
/// (`dirichlet`) or the outward derivative on the face between them is the given one, to second
/// order.
template <class T>
struct Mirror {
  using Scalar = typename ElementTraits<T>::Scalar;
  bool dirichlet;
  double distance;  ///< between the two points

  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T& given, const T& inside) const {
    T outside{};
    for (int c = 0; c < ElementTraits<T>::components; ++c) {
      const auto g = static_cast<double>(component_of(given, c));
      const auto u = static_cast<double>(component_of(inside, c));
      component_of(outside, c) = static_cast<Scalar>(dirichlet ? 2 * g - u : u + distance * g);
    }
    return outside;
  }
};

/// Sets `ghosts` by mirroring. Layer by layer, because all points of a layer look equally far
/// inward: rows then vectorise.
template <class T, int D>
void mirror_face(const FieldView<T, D>& view, const FacePlace<D>& place, const Box<D>& ghosts,
                 const PrescribedValues<T, D>& given, bool dirichlet) {
  const int axis = place.face.axis;
  const bool low = place.face.is_low();
  const int node = place.centring == Centring::node ? 1 : 0;
  for (int layer = 0; layer < ghosts.extent(axis); ++layer) {
    const int at = low ? -1 - layer : place.layout.extent[axis] + layer;
    const int steps = 2 * layer + 1 + node;
    const int inward = low ? steps : -steps;
    const Mirror<T> mirror{dirichlet, steps * place.coordinates.spacing[axis]};
    const Box<D> points = ghosts.with(axis, at, at + 1);
    if (given.values != nullptr) {
      for_each_point<D>(
          points, KOKKOS_LAMBDA(const Index<D>& i) {
            view(i) = mirror(given(i), view(i.shifted(axis, inward)));
          });
      continue;
    }
    const T uniform = given.uniform;
    for_each_point<D>(
        points, KOKKOS_LAMBDA(const Index<D>& i) {
          view(i) = mirror(uniform, view(i.shifted(axis, inward)));
        });
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
