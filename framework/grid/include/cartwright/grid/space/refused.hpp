// SPDX-License-Identifier: Apache-2.0
// Common mistakes end in one line that says what to do: a static_assert, at once where the mistake
// is made. What can't be written at all (copies, calls) has a declaration whose noexcept() the
// compiler looks at when it is used, and finds one of these.
#pragma once

namespace cartwright::grid::refused {

template <class>
inline constexpr bool never = false;

/// Copied, or used as if it were its view: one error for both.
template <class T>
struct FieldInKernel {
  static_assert(never<T>,
                "cartwright: kernels capture and use the view of a field, not the field: auto in = "
                "u.view(); before the kernel, in(i) in it. (A Field can't be copied: hand it on as "
                "Field&; u.like() makes another one.)");
  static constexpr bool value = true;
};

template <int D>
struct CopiedGrid {
  static_assert(D < 0,
                "cartwright: a kernel captures numbers, not the grid: const double dx = "
                "grid.spacing(0); before it. (A Grid can't be copied: hand it on as Grid&.)");
  static constexpr bool value = true;
};

template <class T>
struct CopiedScalar {
  static_assert(never<T>,
                "cartwright: a kernel captures a number, not the Scalar: const double r = rho; "
                "before it. (A Scalar can't be copied: hand it on as Scalar&.)");
  static constexpr bool value = true;
};

template <class T>
struct CopiedArray {
  static_assert(never<T>,
                "cartwright: a kernel captures numbers, not the Array: const double c = h[0]; "
                "before it. (An Array can't be copied: hand it on as Array&.)");
  static constexpr bool value = true;
};

template <class T>
struct NumberAddedToIndex {
  static_assert(never<T>,
                "cartwright: the point n further along an axis is i.shifted(axis, n); one number "
                "of i is i[axis]");
  static constexpr bool value = true;
};

template <class T>
struct ViewCalledWithNumbers {
  static_assert(never<T>,
                "cartwright: a view takes an Index: in(i), in(i.shifted(axis, n)), or in({x, y})");
  static constexpr bool value = true;
};

template <int D>
struct ViewCalledWithPack {
  static_assert(D < 0,
                "cartwright: kernels that run in_packs() see fields as packs: capture "
                "cw::packs(u).reading() for u.view(), and cw::packs(next) to set something");
  static constexpr bool value = true;
};

}  // namespace cartwright::grid::refused
