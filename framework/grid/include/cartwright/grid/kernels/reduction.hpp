// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <cartwright/comm/calls/call_site.hpp>
#include <cartwright/comm/elements/operator.hpp>
#include <limits>

namespace cartwright::grid {

/// A sum over all owned points of all ranks. The kernel adds to the reference that it is given:
/// `reduce(u, KOKKOS_LAMBDA(Index<D> i, double& total) { total += in(i); }, Sum(result))`. It is 0
/// at every point; what the kernel leaves there is the point's contribution. Reports name the
/// collective by the line where `Sum` stands.
///
/// Sums of floating-point numbers are binned (comm/binned_sum.hpp): the same bits on any number of
/// ranks and threads, rounded once. Several at once, in one collective, are a Vector:
/// `Vector<double, 2>& totals`. (Long doubles alone are rounded row by row, and depend on the
/// number of ranks.)
template <class T>
struct Sum {
  using Value = T;
  explicit Sum(T& into, comm::CallSite called_at = comm::CallSite::here())
      : result(&into), site(called_at) {}
  T* result;
  comm::CallSite site;
  static constexpr comm::Operator across_ranks = comm::Operator::sum;
  KOKKOS_INLINE_FUNCTION static T identity() { return T{}; }
  KOKKOS_INLINE_FUNCTION static void join(T& into, const T& value) { into += value; }
};

/// The least value that the kernel leaves in its reference, over all owned points of all ranks; NaN
/// if it leaves a NaN anywhere. The reference begins at infinity, of integers at the greatest one:
/// that is the result where no kernel sets it.
template <class T>
struct Min {
  using Value = T;
  explicit Min(T& into, comm::CallSite called_at = comm::CallSite::here())
      : result(&into), site(called_at) {}
  T* result;
  comm::CallSite site;
  static constexpr comm::Operator across_ranks = comm::Operator::minimum;
  KOKKOS_INLINE_FUNCTION static T identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  KOKKOS_INLINE_FUNCTION static void join(T& into, const T& value) {
    if (!(into <= value) && into == into) into = value;  // only a NaN isn't itself
  }
};

/// The greatest value that the kernel leaves in its reference, over all owned points of all ranks;
/// NaN if it leaves a NaN anywhere. The reference begins at -infinity, of integers at the least
/// one: that is the result where no kernel sets it.
template <class T>
struct Max {
  using Value = T;
  explicit Max(T& into, comm::CallSite called_at = comm::CallSite::here())
      : result(&into), site(called_at) {}
  T* result;
  comm::CallSite site;
  static constexpr comm::Operator across_ranks = comm::Operator::maximum;
  KOKKOS_INLINE_FUNCTION static T identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  KOKKOS_INLINE_FUNCTION static void join(T& into, const T& value) {
    if (!(into >= value) && into == into) into = value;
  }
};

}  // namespace cartwright::grid
