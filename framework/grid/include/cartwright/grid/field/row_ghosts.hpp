// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/boundary_kernels.hpp>

namespace cartwright::grid {

/// The x ghosts of one field, set row by row: soon before a row is computed its ends are in cache,
/// so that ghosts on physical x faces and on a periodic x axis that this rank owns whole cost next
/// to nothing. (A pass of their own touches two cache lines a row: 8 % of a heat step of 256³.)
///
/// Right only where a kernel reads no x ghosts but those of its own row: fields without corners.
template <class T, int D>
struct RowGhosts {
  enum class Rule { none, mirror, wrap };
  struct End {
    Rule rule = Rule::none;
    FaceRule<T, D> face{};
  };

  FieldView<T, D> view;
  int extent = 0;  ///< owned points along x
  int halo = 0;
  int node = 0;  ///< 1 for nodal fields: they mirror at a point, not between two
  End low, high;

  /// `first`: the first point of a row (or a part of one) that ends before `end`.
  void operator()(const Index<D>& first, int end) const {
    Index<D> start = first;
    start[0] = 0;
    const auto row = view.row(start);
    if (first[0] == 0) set(low, start, row, -1, 0, 1);
    if (end == extent) set(high, start, row, extent, extent - 1, -1);
  }

 private:
  template <class Row>
  void set(const End& rule, const Index<D>& start, const Row& row, int ghost, int inside,
           int inward) const {
    if (rule.rule == Rule::none) return;
    if (rule.rule == Rule::wrap) {
      for (int layer = 0; layer < halo; ++layer)
        row[ghost - inward * layer] = row[ghost - inward * layer + inward * extent];
      return;
    }
    const ElementOf<T> value = rule.face.given(start);
    const Mirror<ElementOf<T>>* const mirrors =
        rule.face.mirrors + rule.face.given.region(start) * rule.face.layers;
    for (int layer = 0; layer < halo; ++layer)
      row[ghost - inward * layer] = mirrors[layer](value, row[inside + inward * (layer + node)]);
  }
};

}  // namespace cartwright::grid
