// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/kernels/fused_block.hpp>
#include <vector>

namespace cartwright::grid {

/// How the ghosts beyond a block's walls follow from the values inside at one time: the field's
/// boundary conditions, set row by row and in the order in which Field::fill_boundary sets them.
/// Host only.
template <class T, int D>
class StepWalls {
 public:
  using Element = ElementOf<T>;
  using View = FieldView<Element, D>;

  /// What is prescribed at `time` is copied where it changes with time.
  StepWalls(Field<T, D>& field, const FusedBlock<D>& block, double time) : block_(block) {
    for (int number = 0; number < 2 * D; ++number) {
      if (!block.is_wall[number]) continue;
      const Face face = Face::from_number(number);
      rules_[number] = field.face_rule(face, time);
      if (!field.is_constant_in_time(face)) keep(number);
    }
  }
  StepWalls(StepWalls&&) noexcept = default;
  StepWalls(const StepWalls&) = delete;
  StepWalls& operator=(const StepWalls&) = delete;
  ~StepWalls() = default;

  /// The ghosts at both ends of the row of `row`, where `box` ends at walls.
  void set_row_ends(const View& view, const Box<D>& box, const Index<D>& row) const {
    for (const int face : {0, 1}) {
      if (!block_.is_at_wall(box, face)) continue;
      for (int layer = 0; layer < block_.reach; ++layer) {
        Index<D> inside = row, ghost = row;
        inside[0] = inner(face, layer);
        ghost[0] = outer(face, layer);
        view(ghost) = mirror(face, layer, ghost)(rules_[face].given(ghost), view(inside));
      }
    }
  }
  /// A row of ghosts across the wall `face`, `layer` points beyond it: those from `first` on, which
  /// end before `end`. `from`, `to`: the views around the point inside and around the ghost.
  void set_ghost_row(int face, int layer, const View& from, const View& to, const Index<D>& first,
                     int end) const {
    Index<D> ghost = first, inside = first;
    inside[face / 2] = inner(face, layer);
    for (int x = first[0]; x < end; ++x) {
      ghost[0] = inside[0] = x;
      to(ghost) = mirror(face, layer, ghost)(rules_[face].given(ghost), from(inside));
    }
  }
  /// The ghost in a layer beyond a wall, and the point inside that it mirrors, along the wall's
  /// axis.
  [[nodiscard]] int outer(int face, int layer) const {
    return face % 2 == 0 ? block_.owned.lower[face / 2] - 1 - layer
                         : block_.owned.upper[face / 2] + layer;
  }
  [[nodiscard]] int inner(int face, int layer) const {
    return face % 2 == 0 ? block_.owned.lower[face / 2] + layer
                         : block_.owned.upper[face / 2] - 1 - layer;
  }

 private:
  [[nodiscard]] const Mirror<Element>& mirror(int face, int layer, const Index<D>& ghost) const {
    return rules_[face].mirrors[rules_[face].given.region(ghost) * rules_[face].layers + layer];
  }
  void keep(int face) {
    PrescribedValues<Element, D>& given = rules_[face].given;
    if (given.values == nullptr) return;
    kept_[face].assign(given.values, given.values + given.covered.size());
    given.values = kept_[face].data();
  }

  FusedBlock<D> block_;
  FaceRule<T, D> rules_[std::size_t{2} * D] = {};
  std::vector<Element> kept_[std::size_t{2} * D];
};

}  // namespace cartwright::grid
