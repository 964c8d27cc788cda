// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_copy.hpp>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <string>
#include <type_traits>

namespace cartwright::grid {

/// What lies one after the other in a field's memory: elements, or numbers of Arrays.
template <class T>
using StoredOf =
    std::conditional_t<is_in_arrays<T>, typename ElementTraits<T>::Scalar, ElementOf<T>>;

/// How a field of type T lies there.
template <class T, int D>
[[nodiscard]] Layout<D> layout_of(const Index<D>& extent, int halo) {
  return {extent, halo, sizeof(StoredOf<T>), is_in_arrays<T> ? ElementTraits<T>::components : 1};
}

/// The memory of one field: points, ghosts, and what is known of the ghosts' freshness.
template <class T, int D>
class Storage {
 public:
  /// All elements are zero; every thread touches first what it will work on. `checks` may be null.
  Storage(const std::string& label, const Layout<D>& layout, HaloChecks* checks)
      : data_(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
              static_cast<std::size_t>(layout.elements)),
        state_(data_.data()),
        checks_(checks) {
    set_all(FieldView<T, D>(data_.data() + layout.origin, layout, {}, 0), layout.with_ghosts(),
            ElementOf<T>{});
  }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    if (checks_ != nullptr) checks_->forget(state_);
  }

  [[nodiscard]] StoredOf<T>* data() const { return data_.data(); }
  [[nodiscard]] HaloState& state() { return state_; }

 private:
  Kokkos::View<StoredOf<T>*, Memory> data_;
  HaloState state_;
  HaloChecks* checks_;
};

}  // namespace cartwright::grid
