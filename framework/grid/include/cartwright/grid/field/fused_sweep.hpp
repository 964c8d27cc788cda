// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/new_values.hpp>
#include <cartwright/grid/field/plane_ring.hpp>
#include <cartwright/grid/field/step_walls.hpp>
#include <span>
#include <vector>

namespace cartwright::grid {

/// Several steps of one part of a block, while its values are in cache: planes across the last axis
/// are computed one after the other, of each step one that is `reach` behind the one of the step
/// before it (a wavefront; Lamport 1974, Wellein et al. 2009). What a step has computed stays in a
/// ring of planes until the next one has read it; the last step writes to the field. Along the
/// other axes parts overlap: what lies between two of them is computed twice.
template <class T, int D, class Kernel>
class FusedSweep {
 public:
  using Element = ElementOf<T>;

  /// `walls`: after each step but the last. `manner`: how the first one reads, and the last stores.
  FusedSweep(const FusedBlock<D>& block, const FieldView<const T, D>& from,
             const FieldView<T, D>& to, const std::vector<StepWalls<T, D>>& walls,
             const Kernel& kernel, const RowManner& manner)
      : block_(block),
        from_(from),
        to_(to),
        walls_(walls),
        kernel_(kernel),
        first_{false, manner.ahead},
        last_{manner.past_caches, 0} {
    for (int axis = 0; axis < D; ++axis) inverse_spacing_[axis] = from.inverse_spacing(axis);
  }

  /// How the rings lie; `part`: the widest.
  [[nodiscard]] static RingLayout<Element, D> ring_layout(const FusedBlock<D>& block,
                                                          const Index<D>& widest) {
    Index<D> extent = widest;
    for (int axis = 0; axis < D; ++axis) extent[axis] += 2 * block.steps * block.reach;
    return {extent, block.reach};
  }

  /// `rings`: memory for each step but the last, this thread's alone.
  void run(const Box<D>& part, const RingLayout<Element, D>& layout,
           std::span<const rt::RingMemory> rings) const {
    constexpr int last = D - 1;
    Index<D> lowest = part.lower;
    for (int axis = 0; axis < D; ++axis) lowest[axis] -= block_.steps * block_.reach;
    const auto view = [&](int step, int plane) {
      return layout.view(rings[static_cast<std::size_t>(step) - 1], lowest, inverse_spacing_, step,
                         plane);
    };
    if constexpr (D == 1) {
      for (int step = 1; step <= block_.steps; ++step)
        make_plane(step, block_.box_of(part, step), 0, view);
    } else {
      const int begin = block_.box_of(part, 1).lower[last];
      const int end = part.upper[last] + (block_.steps - 1) * block_.reach;
      for (int front = begin; front < end; ++front)
        for (int step = 1; step <= block_.steps; ++step) {
          const Box<D> box = block_.box_of(part, step);
          const int plane = front - (step - 1) * block_.reach;
          if (plane >= box.lower[last] && plane < box.upper[last])
            make_plane(step, box, plane, view);
          else if (step < block_.steps && plane >= box.upper[last])
            make_ghost_plane(step, box, plane, view);
        }
    }
  }

 private:
  template <class ViewOf>
  void make_plane(int step, const Box<D>& box, int plane, const ViewOf& view) const {
    if (step == block_.steps)
      return for_rows(box, plane, [&, from = view(step - 1, plane).reading()](const auto& row) {
        run_new_row<T, D>(kernel_, from, to_, row, box.upper[0], last_);
      });
    const FieldView<const T, D> from = step == 1 ? from_ : view(step - 1, plane).reading();
    const FieldView<T, D> to = view(step, plane);
    const RowManner manner = step == 1 ? first_ : RowManner{};
    const StepWalls<T, D>& walls = walls_[static_cast<std::size_t>(step) - 1];
    const bool ends_at_wall = block_.is_at_wall(box, 0) || block_.is_at_wall(box, 1);
    for_rows(box, plane, [&](const Index<D>& row) {
      run_new_row<T, D>(kernel_, from, to, row, box.upper[0], manner);
      if (ends_at_wall) walls.set_row_ends(to, box, row);  // while they are near
    });
    set_ghosts(step, box, plane, view);
  }

  /// The rows of a plane; those of one row in two dimensions, and of all points in one.
  template <class Body>
  static void for_rows(const Box<D>& box, int plane, const Body& body) {
    Index<D> row = box.lower;
    if constexpr (D > 1) row[D - 1] = plane;
    if constexpr (D < 3)
      body(row);
    else
      for (row[1] = box.lower[1]; row[1] < box.upper[1]; ++row[1]) body(row);
  }
  /// The box with the ghosts beyond walls across axes before `axis`.
  [[nodiscard]] Box<D> with_ghosts(Box<D> box, int axis) const {
    for (int face = 0; face < 2 * axis; ++face)
      if (block_.is_at_wall(box, face))
        (face % 2 == 0 ? box.lower : box.upper)[face / 2] +=
            face % 2 == 0 ? -block_.reach : block_.reach;
    return box;
  }
  /// Of a plane whose rows have theirs at both ends.
  template <class ViewOf>
  void set_ghosts(int step, const Box<D>& box, int plane, const ViewOf& view) const {
    const StepWalls<T, D>& walls = walls_[static_cast<std::size_t>(step) - 1];
    const auto here = view(step, plane);
    if constexpr (D == 3) {
      const Box<D> wide = with_ghosts(box, 1);
      for (const int face : {2, 3})
        for (int layer = 0; block_.is_at_wall(box, face) && layer < block_.reach; ++layer) {
          Index<D> ghost = wide.lower;
          ghost[1] = walls.outer(face, layer);
          ghost[2] = plane;
          walls.set_ghost_row(face, layer, here, here, ghost, wide.upper[0]);
        }
    }
    if constexpr (D > 1) {
      constexpr int low = 2 * (D - 1);
      const int layer = plane - block_.owned.lower[D - 1];
      if (block_.is_at_wall(box, low) && layer < block_.reach)
        set_plane(step, box, low, layer, view);
    }
  }
  /// Beyond the upper end of the last axis, when its turn comes: until then others need the place.
  template <class ViewOf>
  void make_ghost_plane(int step, const Box<D>& box, int plane, const ViewOf& view) const {
    constexpr int high = 2 * D - 1;
    const int layer = plane - box.upper[D - 1];
    if (block_.is_at_wall(box, high) && layer < block_.reach)
      set_plane(step, box, high, layer, view);
  }
  template <class ViewOf>
  void set_plane(int step, const Box<D>& box, int face, int layer, const ViewOf& view) const {
    const StepWalls<T, D>& walls = walls_[static_cast<std::size_t>(step) - 1];
    const int plane = walls.outer(face, layer);
    const auto from = view(step, walls.inner(face, layer)), to = view(step, plane);
    const Box<D> wide = with_ghosts(box, D - 1);
    for_rows(wide, plane, [&](const Index<D>& row) {
      walls.set_ghost_row(face, layer, from, to, row, wide.upper[0]);
    });
  }

  FusedBlock<D> block_;
  FieldView<const T, D> from_;
  FieldView<T, D> to_;
  const std::vector<StepWalls<T, D>>& walls_;
  Kernel kernel_;
  RowManner first_, last_;
  double inverse_spacing_[D];
};

}  // namespace cartwright::grid
