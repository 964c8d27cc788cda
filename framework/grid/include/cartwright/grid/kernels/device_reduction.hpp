// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/kernels/execution.hpp>

namespace cartwright::grid {

/// What Kokkos wants to know of a reduction on a device, from what joins two partial results:
/// `Join::identity()` and `Join::join(into, value)`. (Its own Min and Max lose a NaN.)
template <class Value, class Join>
class DeviceReducer {
 public:
  using reducer = DeviceReducer;
  using value_type = Value;
  using result_view_type =
      Kokkos::View<Value, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  KOKKOS_INLINE_FUNCTION explicit DeviceReducer(Value& into) : into_(&into) {}
  KOKKOS_INLINE_FUNCTION void join(Value& into, const Value& other) const {
    Join::join(into, other);
  }
#if KOKKOS_VERSION < 40000
  KOKKOS_INLINE_FUNCTION void join(volatile Value& into, const volatile Value& other) const {
    Join::join(const_cast<Value&>(into), const_cast<const Value&>(other));
  }
#endif
  KOKKOS_INLINE_FUNCTION void init(Value& value) const {
    value = Join::identity();
  }
  KOKKOS_INLINE_FUNCTION Value& reference() const {
    return *into_.data();
  }
  KOKKOS_INLINE_FUNCTION result_view_type view() const {
    return into_;
  }
  KOKKOS_INLINE_FUNCTION static constexpr bool references_scalar() {
    return true;
  }

 private:
  result_view_type into_;
};

/// What `kernel(number, value)` makes of the numbers 0 … count - 1 on the device. The order is
/// Kokkos' own. Waits for the result.
template <class Value, class Join, class Kernel>
[[nodiscard]] Value reduce_on_device(long long count, const Kernel& kernel) {
  Value result = Join::identity();
  Kokkos::parallel_reduce("cartwright::reduce",
                          Kokkos::RangePolicy<Execution, Kokkos::IndexType<long long>>(0, count),
                          kernel, DeviceReducer<Value, Join>(result));
  return result;
}

}  // namespace cartwright::grid
