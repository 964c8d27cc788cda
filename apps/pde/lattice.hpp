// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/cartwright.hpp>
#include <vector>

namespace pde {

/// The lattices D2Q9 and D3Q19 (Qian, d'Humières and Lallemand, Europhys. Lett. 17, 1992): the
/// points of the cube around the origin, in 3 dimensions without its corners, x fastest. So the
/// opposite of direction q is last - q. All functions of q fold to constants where loops over q are
/// unrolled.
template <int D>
struct Lattice {
  static_assert(D == 2 || D == 3);
  static constexpr int directions = D == 2 ? 9 : 19;
  static constexpr int last = directions - 1;
  using Populations = cartwright::Vector<double, directions>;

  /// The step of direction q along `axis`: -1, 0 or 1.
  KOKKOS_INLINE_FUNCTION static constexpr int along(int q, int axis) {
    int place = D == 2 ? q : in_cube(q);
    for (int other = 0; other < axis; ++other) place /= 3;
    return place % 3 - 1;
  }
  /// The steps of all directions, along all axes.
  static std::vector<cartwright::Index<3>> steps() {
    std::vector<cartwright::Index<3>> result(directions);
    for (int q = 0; q < directions; ++q)
      for (int axis = 0; axis < D; ++axis)
        result[static_cast<std::size_t>(q)][axis] = along(q, axis);
    return result;
  }
  KOKKOS_INLINE_FUNCTION static constexpr double weight(int q) {
    int square = 0;
    for (int axis = 0; axis < D; ++axis) square += along(q, axis) * along(q, axis);
    if (D == 2) return square == 0 ? 4.0 / 9.0 : square == 1 ? 1.0 / 9.0 : 1.0 / 36.0;
    return square == 0 ? 1.0 / 3.0 : square == 1 ? 1.0 / 18.0 : 1.0 / 36.0;
  }
  // Numbers: doubles, or packs of them.
  template <class Number>
  KOKKOS_INLINE_FUNCTION static constexpr Number dot(int q,
                                                     const cartwright::Vector<Number, D>& v) {
    Number sum = 0.0;
    for (int axis = 0; axis < D; ++axis) add_along(q, axis, v[axis], sum);
    return sum;
  }
  /// Adds `along(q, axis) * value` to a sum, without multiplying: by rule 0 * value may be NaN, so
  /// the compiler would.
  template <class Number>
  KOKKOS_INLINE_FUNCTION static constexpr void add_along(int q, int axis, const Number& value,
                                                         Number& sum) {
    if (along(q, axis) > 0) sum += value;
    if (along(q, axis) < 0) sum -= value;
  }
  /// Where what travels in direction q comes from.
  template <class Point>
  KOKKOS_INLINE_FUNCTION static constexpr Point source(Point i, int q) {
    for (int axis = 0; axis < D; ++axis) i[axis] -= along(q, axis);
    return i;
  }

 private:
  /// The number of direction q in the whole cube of 27.
  KOKKOS_INLINE_FUNCTION static constexpr int in_cube(int q) {
    if (q > last / 2) return 26 - in_cube(last - q);
    return q == 0 ? 1 : q < 4 ? q + 2 : q == 4 ? 7 : q + 4;
  }
};

/// The equilibrium of some density and velocity (in units of the lattice), direction by direction:
/// to second order in the velocity u, with c the direction and w its weight, w density
/// (1 + 3 c.u + 4.5 (c.u)^2 - 1.5 u.u). In two parts, each times a rate of its own: what is the
/// same in the opposite direction, and what is its negative there.
template <int D, class Number = double>
class Equilibrium {
 public:
  using Velocity = cartwright::Vector<Number, D>;

  KOKKOS_INLINE_FUNCTION Equilibrium(const Number& density, const Velocity& u,
                                     double even_rate = 1.0, double odd_rate = 1.0)
      : even_density_(even_rate * density), odd_density_(root_of_two * odd_rate * density) {
    Number square = 0.0;
    for (int axis = 0; axis < D; ++axis) {
      square += u[axis] * u[axis];
      scaled_[axis] = 3.0 / root_of_two * u[axis];  // so that 4.5 (c.u)^2 is a square
    }
    rest_ = 1.0 - 1.5 * square;
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Number even(int q) const {
    const Number along = Lattice<D>::dot(q, scaled_);
    return Lattice<D>::weight(q) * even_density_ * (rest_ + along * along);
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Number odd(int q) const {
    return Lattice<D>::weight(q) * odd_density_ * Lattice<D>::dot(q, scaled_);
  }
  /// Both parts.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION Number operator()(int q) const { return even(q) + odd(q); }

 private:
  static constexpr double root_of_two = 1.4142135623730951;
  Number even_density_, odd_density_, rest_;
  Velocity scaled_;
};

}  // namespace pde
