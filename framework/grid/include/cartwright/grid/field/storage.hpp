// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_copy.hpp>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/field/shared_fields.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <cartwright/rt/large_pages.hpp>
#include <string>
#include <type_traits>
#include <utility>

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
  using Data = Kokkos::View<StoredOf<T>*, Memory>;

  /// All elements are zero; every thread touches first what it will work on. `checks` may be null.
  /// `room`: for all elements, where others see it; or none: then memory of its own, of the grid's
  /// storage `number`.
  Storage(const std::string& label, const Layout<D>& layout, HaloChecks* checks, FieldRoom room,
          int number)
      : room_(std::move(room)),
        data_(room_ ? Data(reinterpret_cast<StoredOf<T>*>(room_.data()), count_of(layout))
                    : make_data(label, count_of(layout), number)),
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
  /// Of the memory that it shares (see SharedFields), or none.
  [[nodiscard]] int shared_number() const noexcept { return room_.number(); }

 private:
  static std::size_t count_of(const Layout<D>& layout) {
    return static_cast<std::size_t>(layout.elements);
  }
  // Views count who holds them by bits of a pointer, which clang's analyzer doesn't follow.
  // NOLINTBEGIN(clang-analyzer-cplusplus.NewDeleteLeaks)
  static Data make_data(const std::string& label, std::size_t elements, int number) {
    if constexpr (!kernels_run_on_host) {
      return Data(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), elements);
    } else {
      constexpr std::size_t spare = page_bytes / sizeof(StoredOf<T>);
      const Data made(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), elements + spare);
      // Stencils walk along many rows at once, each in a page of its own.
      rt::prefer_large_pages(made.data(), made.size() * sizeof(StoredOf<T>));
      const std::size_t before = bytes_before_place(made.data(), number) / sizeof(StoredOf<T>);
      return Kokkos::subview(made, std::pair(before, before + elements));
    }
  }
  // NOLINTEND(clang-analyzer-cplusplus.NewDeleteLeaks)

  FieldRoom room_;
  Data data_;
  HaloState state_;
  HaloChecks* checks_;
};

}  // namespace cartwright::grid
