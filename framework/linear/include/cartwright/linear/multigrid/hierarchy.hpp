// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cartwright/linear/multigrid/transition.hpp>
#include <cartwright/linear/operators/mixed_walls.hpp>
#include <cmath>
#include <memory>
#include <vector>

namespace cartwright::linear {

/// The grids of a multigrid method, from the operator's own down to a single cell, with what is
/// done on one of them, or between two. On ranks that coarser grids have left, the last level is
/// elsewhere: nothing is to be done there.
template <int D, bool variable>
class Hierarchy {
 public:
  using Operator = LevelOperator<D, variable>;

  /// Collective.
  Hierarchy(Operator& finest, Grid<D>& grid, const MultigridOptions& options) {
    levels_.push_back(Level{});
    levels_.back().grid = &grid;
    levels_.back().a = &finest;
    note_traits(levels_.back());
    if constexpr (variable) levels_.back().own_u = with_corners(grid, "multigrid: walls");
    while (!levels_.back().is_elsewhere() && cells_of(*levels_.back().grid) > 1) add_level(options);
  }

  Hierarchy(const Hierarchy&) = delete;
  Hierarchy& operator=(const Hierarchy&) = delete;
  /// Fields before their grids, which the next finer levels own.
  ~Hierarchy() {
    while (!levels_.empty()) levels_.pop_back();
  }

  [[nodiscard]] int count() const { return static_cast<int>(levels_.size()); }
  /// How many ranks share each level that this one has a part in; 1 also where each has all of it.
  [[nodiscard]] std::vector<int> ranks() const {
    std::vector<int> ranks;
    for (const Level& level : levels_)
      if (!level.is_elsewhere()) ranks.push_back(level.grid->comm().size());
    return ranks;
  }
  /// The finest level's fields, which belong to the caller.
  void use(Field<double, D>& u, Field<double, D>& b) {
    levels_.front().u = &u;
    levels_.front().b = &b;
  }
  /// Collective. The finest operator has changed. `constant`: so will corrections be (see
  /// prolong()).
  void set(double factor, double reaction, bool constant) {
    for (std::size_t number = 1; number < levels_.size(); ++number) {
      if constexpr (variable) coarsen_coefficient(levels_[number - 1], levels_[number], constant);
      if (!levels_[number].is_elsewhere()) levels_[number].a->set(factor, reaction);
    }
  }

  void smooth(int number, Colour colour, bool from_zero) {
    Level& level = at(number);
    if (level.is_elsewhere()) return;
    // Where black points are neighbours of each other, the first ones would see what an earlier
    // cycle has left in the others.
    if (from_zero && !level.black_is_exact)
      grid::set_all(level.u->view(), level.u->layout().with_ghosts(), 0.0);
    const SmoothedRow<Kernel, D> row{level.a->kernel(), level.u->view(), level.b->view().reading(),
                                     parity_of<D>(*level.grid, colour), from_zero};
    if (is_single_cell(level)) return solve_single_cell(level);
    if (from_zero || !level.talks)
      grid::for_each_row<D>(level.u->owned(), row);
    else
      grid::exchange(*level.u).overlap(row, ByRows{});
  }
  /// The residual of level `number`, whose black points were swept last, to the next one.
  void restrict_residual(int number) { (void)restrict_from(at(number), Counted::red, false); }
  /// The same for level 0; returns its norm.
  [[nodiscard]] double restrict_with_norm(Counted counted) {
    grid::AcrossRanks<grid::Sum<double>> all(restrict_from(at(0), counted, true));
    at(0).grid->comm().allreduce(all.data, decltype(all)::op);
    return std::sqrt(all.value());
  }
  /// Adds the correction of the next level to this one's points of one colour; to all where points
  /// of the other one, which are swept next, are neighbours of each other and read what they were.
  void prolong(int number, Colour colour, bool constant) {
    Level& level = at(number);
    Level& coarse = at(number + 1);
    // Beyond walls only ghosts of mixed ones matter, here alone.
    if (coarse.talks || (!coarse.is_elsewhere() && coarse.a->has_mixed_walls()))
      grid::exchange(*coarse.u).wait();
    auto row = level.down->prolongation(coarse.u, *level.u);
    row.step = level.black_is_exact ? 2 : 1;
    row.constant = constant;
    row.parity = parity_of<D>(*level.grid, colour);
    if constexpr (variable)
      if (!constant)
        return grid::for_each_row<D>(level.u->owned(), FlowingRow<D>{row, conductors_of(level)});
    grid::for_each_row<D>(level.u->owned(), row);
  }

 private:
  using Kernel = typename Operator::Kernel;
  struct Level {
    Grid<D>* grid = nullptr;
    Operator* a = nullptr;
    Field<double, D>*u = nullptr, *b = nullptr;
    bool talks = false;                   ///< ghosts matter
    bool black_is_exact = true;           ///< no two black points are neighbours
    std::unique_ptr<Transition<D>> down;  ///< to the next level
    std::unique_ptr<Operator> own_a;
    /// Of the finest grid: what is beside a wall, while the coefficient is coarsened.
    std::unique_ptr<Field<double, D>> own_u;
    std::unique_ptr<Field<double, D>> own_b, residual;

    [[nodiscard]] bool is_elsewhere() const { return grid == nullptr; }
  };

  [[nodiscard]] Level& at(int number) { return levels_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] static long long cells_of(const Grid<D>& grid) {
    return grid.block(grid::Centring::cell).global_points();
  }
  [[nodiscard]] static bool is_single_cell(const Level& level) {
    return cells_of(*level.grid) == 1;
  }
  /// For what reaches over edges.
  [[nodiscard]] static std::unique_ptr<Field<double, D>> with_corners(Grid<D>& grid,
                                                                      const char* name) {
    return std::make_unique<Field<double, D>>(grid, name, grid::FieldOptions{.corners = true});
  }
  static void note_traits(Level& level) {
    // What lies beyond a wall counts for nothing, but `checks: halos` sees that it is read.
    level.talks = level.grid->checks() != nullptr;
    for (int axis = 0; axis < D; ++axis) {
      const Grid<D>& grid = *level.grid;
      level.talks = level.talks || grid.periodic(axis) || grid.comm().dims()[axis] > 1;
      if (grid.periodic(axis) && grid.extent(axis) > 1 && grid.extent(axis) % 2 != 0)
        level.black_is_exact = false;
    }
  }
  void add_level(const MultigridOptions& options) {
    Level& fine = levels_.back();
    fine.down = std::make_unique<Transition<D>>(*fine.grid, fine.a->geometry(), options);
    if (fine.down->crosses_ranks()) fine.residual = with_corners(*fine.grid, "multigrid: residual");
    Level coarse;
    coarse.grid = fine.down->coarse();
    if (!coarse.is_elsewhere()) {
      coarse.own_a = std::make_unique<Operator>(*coarse.grid, fine.down->coarse_geometry());
      coarse.own_u = with_corners(*coarse.grid, "multigrid: u");
      coarse.own_b = std::make_unique<Field<double, D>>(*coarse.grid, "multigrid: b");
      coarse.a = coarse.own_a.get();
      coarse.u = coarse.own_u.get();
      coarse.b = coarse.own_b.get();
      note_traits(coarse);
    }
    if constexpr (variable) coarsen_walls(fine, coarse);
    levels_.push_back(std::move(coarse));
  }

  [[nodiscard]] grid::BinnedSums<double> restrict_from(Level& level, Counted counted,
                                                       bool with_squares) {
    if (!level.black_is_exact) counted = Counted::all;
    Field<double, D>* const to = (&level + 1)->b;
    const ResidualRows<Kernel, D> rows{level.a->kernel(), level.u->view().reading(),
                                       level.b->view().reading()};
    if (level.talks) grid::exchange(*level.u).wait();
    if (!level.down->crosses_ranks())
      return level.down->restrict_to(rows, counted, to, with_squares);
    const auto residual = level.residual->view();
    grid::for_each_row<D>(level.residual->owned(), [=](const Index<D>& first, int end) {
      Index<D> start = first;
      start[0] = 0;
      rows.row(start).copy_to(&residual(first), first[0], end - first[0]);
    });
    grid::exchange(*level.residual).wait();
    return level.down->restrict_to(FieldRows<D>{residual.reading()}, counted, to, with_squares);
  }

  [[nodiscard]] static Conductors<D> conductors_of(const Level& level) requires(variable) {
    Conductors<D> all;
    all.cell = level.a->cells().view().reading();
    for (int axis = 0; axis < D; ++axis) all.face[axis] = level.a->faces(axis).view().reading();
    for (int number = 0; number < 2 * D; ++number) {
      const grid::Face face = grid::Face::from_number(number);
      if (!level.grid->is_boundary(face) || level.grid->periodic(face.axis)) continue;
      const int last = level.u->owned().upper[face.axis] - 1;
      all.ends[face.axis][number % 2] = {face.is_low() ? 0 : last, level.a->is_mixed_at(face)};
    }
    return all;
  }

  void solve_single_cell(Level& level) {
    const auto kernel = level.a->kernel();
    const auto u = level.u->view();
    const auto b = level.b->view();
    grid::for_each_row<D>(level.u->owned(), OneCell{kernel, u, b.reading()});
  }
  struct OneCell {
    Kernel kernel;
    FieldView<double, D> u;
    FieldView<const double, D> b;
    void operator()(const Index<D>& first, int end) const {
      if (end <= first[0]) return;
      const double centre = kernel.diagonal(u.reading(), first);
      u(first) = centre > 0.0 ? b(first) / centre : 0.0;
    }
  };

  /// Parts of a wall conduct beside each other, and what lies before the wall in series with it. In
  /// this order: coarse grids would let through too little if it were the other one, the less the
  /// finer the parts are.
  void coarsen_walls(Level& fine, Level& coarse) requires(variable) {
    const bool is_here = !coarse.is_elsewhere();
    for (int number = 0; number < 2 * D; ++number) {
      const grid::Face face = grid::Face::from_number(number);
      if (!fine.a->is_mixed_at(face)) continue;
      const auto a = static_cast<std::size_t>(face.axis);
      const auto& narrow = fine.a->geometry()[a].width;
      const Geometry<D> coarse_geometry = fine.down->coarse_geometry();
      const auto& wide = coarse_geometry[a].width;
      const double ratio =
          face.is_low() ? wide.front() / narrow.front() : wide.back() / narrow.back();
      Field<double, D> shares = new_shares(*fine.grid);
      find_shares(*fine.a, face, shares);
      std::unique_ptr<Field<double, D>> coarse_shares;
      if (is_here) coarse_shares = std::make_unique<Field<double, D>>(new_shares(*coarse.grid));
      fine.down->restrict_side(shares, face, coarse_shares.get());
      if (is_here) set_mirrors(*coarse.a, face, ratio, *coarse_shares);
    }
    if (is_here) use_mirrors(*coarse.a, *coarse.u);
  }
  [[nodiscard]] static Field<double, D> new_shares(Grid<D>& grid) {
    Field<double, D> shares(grid, "multigrid: shares of a wall", {.corners = true});
    for (int face = 0; face < 2 * D; ++face)
      shares.set_boundary(grid::Face::from_number(face), grid::BoundaryCondition::neumann(0.0));
    grid::set_all(shares.view(), shares.layout().with_ghosts(), 0.0);
    return shares;
  }

  /// Of a coarse face between cells, the mean of the finer ones that it consists of.
  void coarsen_coefficient(Level& fine, Level& coarse, bool constant) requires(variable) {
    Transition<D>& down = *fine.down;
    const bool is_here = !coarse.is_elsewhere();
    grid::exchange(fine.a->cells()).wait();
    (void)down.restrict_to(FieldRows<D>{fine.a->cells().view().reading()}, Counted::all,
                           is_here ? &coarse.a->cells() : nullptr, false);
    for (int axis = 0; axis < D; ++axis)
      down.restrict_side(fine.a->faces(axis), {axis, grid::Side::low},
                         is_here ? &coarse.a->faces(axis) : nullptr);
    if (is_here) complete_faces(*coarse.a, false);
    const Geometry<D> coarse_geometry = down.coarse_geometry();
    // What cells that aren't beside a wall hold counts for 0: it has to be a number.
    grid::set_all(fine.own_u->view(), fine.own_u->layout().with_ghosts(), 0.0);
    for (int number = 0; number < 2 * D; ++number) {
      const grid::Face face = grid::Face::from_number(number);
      if (!fine.grid->periodic(face.axis) && !fine.a->is_mixed_at(face))
        coarsen_wall(fine, coarse, face, coarse_geometry, constant);
    }
  }
  /// A constant correction changes at the wall alone: what lies behind it doesn't count then.
  void coarsen_wall(Level& fine, Level& coarse, grid::Face face, const Geometry<D>& coarse_geometry,
                    bool constant) requires(variable) {
    const bool is_here = !coarse.is_elsewhere();
    const auto axis = static_cast<std::size_t>(face.axis);
    WayFromWall way =
        way_from_wall(fine.a->geometry()[axis], coarse_geometry[axis], static_cast<int>(face.side));
    if (constant) way.beyond = 0.0;
    Field<double, D>& beside = *fine.own_u;
    find_coarser_wall(*fine.a, face, way, beside);
    fine.down->restrict_side(beside, face, is_here ? coarse.own_u.get() : nullptr);
    if (is_here) set_wall_from_beside(*coarse.a, face, *coarse.own_u);
  }

  std::vector<Level> levels_;
};

}  // namespace cartwright::linear
