// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_copy.hpp>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/field/poison.hpp>
#include <string>
#include <vector>

namespace cartwright::grid {

/// FNV-1a over the owned points, 8 bytes at a time.
[[nodiscard]] std::uint64_t hash_bytes(std::span<const std::byte> bytes);

/// The ghosts beyond one face, without edges and corners; or all edges and corners.
template <int D>
[[nodiscard]] std::vector<Box<D>> ghosts_of(const Layout<D>& layout, int face) {
  const Box<D> all = layout.with_ghosts();
  const Box<D> owned = layout.owned();
  std::vector<Box<D>> boxes;
  if (face != static_cast<int>(HaloState::corners)) {
    const int axis = face / 2;
    if (axis >= D) return boxes;
    boxes.push_back(face % 2 == 0 ? owned.with(axis, all.lower[axis], 0)
                                  : owned.with(axis, owned.upper[axis], all.upper[axis]));
    return boxes;
  }
  Box<D> cube{};
  for (int axis = 0; axis < D; ++axis) cube = cube.with(axis, -1, 2);
  for (long long number = 0; number < cube.size(); ++number) {
    const Index<D> direction = point_of(cube, number);
    Box<D> box = owned;
    int nonzero = 0;
    for (int axis = 0; axis < D; ++axis) {
      if (direction[axis] == 0) continue;
      ++nonzero;
      box = direction[axis] < 0 ? box.with(axis, all.lower[axis], 0)
                                : box.with(axis, owned.upper[axis], all.upper[axis]);
    }
    if (nonzero > 1) boxes.push_back(box);
  }
  return boxes;
}

/// What checked mode does with a storage of type T. `data` is the first owned point.
template <class T, int D>
[[nodiscard]] HaloChecks::Subject make_subject(const FieldView<T, D>& view, const Layout<D>& layout,
                                               HaloState& state, const std::string& field) {
  using Scalar = typename ElementTraits<T>::Scalar;
  const FieldView<const T, D> reading = view.reading();
  const auto owned_values = [reading, layout] {
    std::vector<std::byte> bytes(static_cast<std::size_t>(layout.owned().size()) *
                                 sizeof(ElementOf<T>));
    copy_out<T, D>(reading, layout.owned(), bytes);
    return bytes;
  };
  HaloChecks::Subject subject;
  subject.state = &state;
  subject.field = field;
  subject.content = [owned_values] { return hash_bytes(owned_values()); };
  if constexpr (std::is_floating_point_v<Scalar>) {
    subject.poison = [view, layout](int face, int field_number) {
      ElementOf<T> value{};
      for (int c = 0; c < ElementTraits<T>::components; ++c)
        component_of(value, c) = poison::make<Scalar>(face, field_number);
      for (const Box<D>& box : ghosts_of(layout, face)) set_all(view, box, value);
    };
    subject.find_poison = [owned_values]() -> std::uint64_t {
      const std::vector<std::byte> bytes = owned_values();
      for (std::size_t at = 0; at + sizeof(Scalar) <= bytes.size(); at += sizeof(Scalar)) {
        Scalar value;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        if (const auto payload = poison::payload_of(value); payload != 0) return payload;
      }
      return 0;
    };
  } else {
    subject.poison = [](int, int) {};
    subject.find_poison = [] { return std::uint64_t{0}; };
  }
  return subject;
}

}  // namespace cartwright::grid
