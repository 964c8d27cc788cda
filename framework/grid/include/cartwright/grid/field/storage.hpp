// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_copy.hpp>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <string>

namespace cartwright::grid {

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
    set_all(FieldView<T, D>(data_.data() + layout.origin, layout.stride, {}, 0),
            layout.with_ghosts(), T{});
  }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    if (checks_ != nullptr) checks_->forget(state_);
  }

  [[nodiscard]] T* data() const { return data_.data(); }
  [[nodiscard]] HaloState& state() { return state_; }

 private:
  Kokkos::View<T*, Memory> data_;
  HaloState state_;
  HaloChecks* checks_;
};

}  // namespace cartwright::grid
