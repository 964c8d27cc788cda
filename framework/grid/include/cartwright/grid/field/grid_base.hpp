// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/neighbour_exchange.hpp>
#include <cartwright/grid/field/shared_fields.hpp>
#include <cartwright/grid/run/boundary_condition.hpp>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/grid/space/face.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <cartwright/grid/space/grid_spec.hpp>
#include <cartwright/grid/space/joined_blocks.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/rank.hpp>
#include <cartwright/rt/trace.hpp>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::comm {
class CartComm;
}

namespace cartwright::grid {

class App;
class CellTables;
class HaloChecks;
class Run;
struct Sample;
class WorkBalance;

/// What the timeline and the report call kernels that run outside of an exchange, and the end of a
/// reduction.
struct KernelRegions {
  explicit KernelRegions(rt::Trace& trace)
      : for_each(trace.region("kernel for_each")),
        reduce(trace.region("kernel reduce")),
        across_ranks(trace.region("reduce across ranks")),
        fused(trace.region("kernel fused")) {}

  rt::RegionId for_each, reduce, across_ranks, fused;
};

/// The ranks that a grid is spread over; coarser grids share them.
class GridRanks {
 public:
  /// `run`: for checked mode, if there is one.
  GridRanks(App& app, Run* run, const GridDescription& grid, const Cuts& cuts);
  /// This rank alone: the grid is whole on every rank.
  GridRanks(App& app, Run* run, const GridDescription& grid);
  /// Those of a communicator that was made for them.
  GridRanks(Run* run, std::unique_ptr<comm::CartComm> comm);
  GridRanks(const GridRanks&) = delete;
  GridRanks& operator=(const GridRanks&) = delete;
  ~GridRanks();

  [[nodiscard]] const comm::CartComm& comm() const noexcept { return *comm_; }
  [[nodiscard]] HaloChecks* checks() const noexcept { return checks_.get(); }
  /// Collective: all ranks make the exchanges of all grids on them in the same order.
  [[nodiscard]] std::shared_ptr<comm::NeighbourExchange> make_exchange(
      const std::vector<comm::NeighbourBytes>& neighbours, rt::Trace& trace,
      const comm::NeighbourRegions& regions, std::size_t described,
      const comm::NeighbourMemory& memory = {});
  /// Where fields lie that ranks of a node see; null: their kernels don't run on the host, or the
  /// deck doesn't want that.
  [[nodiscard]] SharedFields* shared_fields() const noexcept { return shared_fields_.get(); }
  /// A neighbour has sent ghosts that this rank hasn't asked for: it makes steps that this rank
  /// doesn't.
  [[nodiscard]] bool has_unexpected_ghosts() const;

 private:
  std::unique_ptr<comm::CartComm> comm_;
  std::unique_ptr<HaloChecks> checks_;
  std::shared_ptr<SharedFields> shared_fields_;
  std::vector<std::weak_ptr<const comm::NeighbourExchange>> exchanges_;
};

/// What of a grid doesn't depend on its dimension at compile time: extents, geometry, who owns
/// what.
class GridBase {
 public:
  /// As the run's deck says.
  GridBase(Run& run, int dimensions);
  /// As `spec` says.
  GridBase(Run& run, const GridSpec& spec, int dimensions);
  GridBase(App& app, const GridSpec& spec, int dimensions);
  /// On the ranks of another grid, in the same order; the same axes are periodic. Or, with
  /// `on_every_rank`, whole on each of them.
  GridBase(const GridBase& other, const GridSpec& spec);
  /// The same on `ranks`, which are some of the other one's.
  GridBase(const GridBase& other, const GridSpec& spec, std::shared_ptr<GridRanks> ranks);
  GridBase(const GridBase&) = delete;
  GridBase& operator=(const GridBase&) = delete;
  ~GridBase();

  [[nodiscard]] App& app() const noexcept { return app_; }
  /// Throws an internal failure if it was made without one.
  [[nodiscard]] Run& run() const;
  /// Of the run, while --dry-run or --check make one; else null.
  [[nodiscard]] Sample* sample() const noexcept;
  /// Of the run; null where nobody watches who has how much to do.
  [[nodiscard]] WorkBalance* work() const noexcept;
  /// The time that boundary conditions hold at: the run's, or 0 without one.
  [[nodiscard]] double time() const noexcept;
  /// Its ranks; their collectives are in <cartwright/comm/cart_comm.hpp>.
  [[nodiscard]] const comm::CartComm& comm() const noexcept { return ranks_->comm(); }
  [[nodiscard]] GridRanks& ranks() const noexcept { return *ranks_; }
  /// The run's timeline.
  [[nodiscard]] rt::Trace& trace() const noexcept;
  [[nodiscard]] const KernelRegions& kernel_regions() const noexcept { return kernel_regions_; }
  /// Checked mode, or null where the deck doesn't ask for it.
  [[nodiscard]] HaloChecks* checks() const noexcept { return ranks_->checks(); }
  [[nodiscard]] int dimensions() const noexcept { return grid_.dimensions; }
  /// Where the blocks of the ranks begin.
  [[nodiscard]] const Cuts& cuts() const noexcept { return cuts_; }
  /// What fields on it don't say of their boundary conditions is in the deck, under their name.
  [[nodiscard]] bool has_boundaries_of_deck() const noexcept { return boundaries_of_deck_; }
  /// Cells along `axis`, of the whole grid.
  [[nodiscard]] long long extent(int axis) const noexcept { return grid_.extent[at(axis)]; }
  /// In the deck's unit of length.
  [[nodiscard]] double length(int axis) const noexcept { return grid_.length[at(axis)]; }
  [[nodiscard]] double origin(int axis) const noexcept { return grid_.origin[at(axis)]; }
  /// The width of all cells along `axis`. Throws an input error (all ranks) where they are
  /// stretched: who asks assumes that they aren't.
  [[nodiscard]] double spacing(int axis) const;
  /// The width of a cell, by its global number.
  [[nodiscard]] double spacing(int axis, long long cell) const noexcept {
    return grid_.is_stretched(axis) ? grid_.edges[at(axis)][static_cast<std::size_t>(cell) + 1] -
                                          grid_.edges[at(axis)][static_cast<std::size_t>(cell)]
                                    : grid_.spacing(axis);
  }
  /// The middle of a cell, and where it begins, by its global number.
  [[nodiscard]] double centre(int axis, long long cell) const {
    return grid_.position(axis, Centring::cell, cell);
  }
  [[nodiscard]] double edge(int axis, long long cell) const {
    return grid_.position(axis, Centring::node, cell);
  }
  /// True if cells along some axis, or along this one, have widths of their own.
  [[nodiscard]] bool is_stretched() const noexcept { return tables_ != nullptr; }
  [[nodiscard]] bool is_stretched(int axis) const noexcept { return grid_.is_stretched(axis); }
  [[nodiscard]] bool periodic(int axis) const noexcept { return grid_.periodic[at(axis)]; }
  /// Sum of 1 / spacing² of the smallest cells over the axes: what explicit diffusion is limited
  /// by.
  [[nodiscard]] double inverse_spacing_squared() const noexcept;
  /// True if another rank owns the points beyond this face of this rank's block.
  [[nodiscard]] bool is_remote(Face face) const;
  /// True if this face of this rank's block is a physical boundary.
  [[nodiscard]] bool is_boundary(Face face) const;
  /// Throws an input error unless every rank's block is at least `halo` wide (all ranks agree).
  void require_room_for(int halo, Centring centring, const std::string& field) const;
  /// How many steps fields make at once, each reading as far as `reach`: as the
  /// deck's `time.fuse` says, or at most as many; the same on all ranks. Throws an input error (all
  /// ranks) if blocks are too narrow for what it says.
  [[nodiscard]] int steps_at_once(int reach, Centring centring) const;
  /// Collective. Throws an input error unless every node has memory for the field: `bytes` on this
  /// rank.
  void require_memory_for(double bytes, const std::string& field) const;
  /// Collective. Memory for a field of so many bytes on this rank that the ranks of the node see;
  /// none where there is none to share.
  [[nodiscard]] FieldRoom room_for(std::size_t bytes) const;
  /// The same as plain numbers, for files and pictures.
  [[nodiscard]] const GridDescription& description() const noexcept { return grid_; }
  /// This rank's points of a field with this centring. A node belongs to the rank that owns the
  /// cell above it; the last rank of a bounded axis owns the closing node too.
  [[nodiscard]] Block block(Centring centring) const noexcept;

  /// Collective: of the other ranks' too, in one communicator, those whose blocks begin a group;
  /// placed as here. Nothing on the other ranks.
  [[nodiscard]] std::shared_ptr<GridRanks> ranks_of(const BlockGroups& groups) const;
  /// Collective. What groups are chosen by.
  [[nodiscard]] OffNodePairs off_node_pairs() const;

  // What a run knows of its fields, by name; without one they have no unit and Dirichlet 0.
  [[nodiscard]] std::string unit_of(const std::string& field) const;
  [[nodiscard]] std::array<BoundaryCondition, 6> boundary_conditions(const std::string& field,
                                                                     int components) const;
  /// Called by every new field storage: see Run::note_storage.
  void note_storage(std::size_t bytes_per_point, int halo, int reach) const;
  /// How many storages of fields there were before: the new one's number.
  [[nodiscard]] int number_storage() noexcept { return storages_++; }

 protected:
  /// Positions and widths of stretched cells; nullptr where all are equal.
  [[nodiscard]] const CellTables* tables() const noexcept { return tables_.get(); }

 private:
  static std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

  GridBase(App& app, Run* run, const GridSpec& spec, int dimensions);
  GridBase(App& app, Run* run, GridDescription grid, bool boundaries_of_deck);
  void set_cuts(const Cuts& cuts);

  void set_cuts(const GridSpec& spec);

  App& app_;
  Run* run_;
  KernelRegions kernel_regions_;
  int storages_ = 0;
  GridDescription grid_;
  std::shared_ptr<const CellTables> tables_;  ///< where cells are stretched
  bool boundaries_of_deck_;
  std::shared_ptr<GridRanks> ranks_;
  Cuts cuts_;
};

}  // namespace cartwright::grid
