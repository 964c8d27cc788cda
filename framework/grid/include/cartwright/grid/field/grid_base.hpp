// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/grid/space/face.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <cartwright/rt/trace.hpp>
#include <memory>
#include <string>

namespace cartwright::grid {

class HaloChecks;
class Run;

/// What the timeline and the report call kernels that run outside of an exchange, and the end of a
/// reduction.
struct KernelRegions {
  explicit KernelRegions(rt::Trace& trace)
      : for_each(trace.region("kernel for_each")),
        reduce(trace.region("kernel reduce")),
        across_ranks(trace.region("reduce across ranks")) {}

  rt::RegionId for_each, reduce, across_ranks;
};

/// What of a grid doesn't depend on its dimension at compile time: extents, geometry, who owns
/// what.
class GridBase {
 public:
  GridBase(Run& run, int dimensions);
  GridBase(const GridBase&) = delete;
  GridBase& operator=(const GridBase&) = delete;
  ~GridBase();

  [[nodiscard]] Run& run() const noexcept { return run_; }
  [[nodiscard]] const comm::CartComm& comm() const noexcept { return *comm_; }
  /// A duplicate that only halo messages use, so that no tag meets a user's.
  [[nodiscard]] const rt::Communicator& halo_communicator() const noexcept { return halo_comm_; }
  /// The run's timeline.
  [[nodiscard]] rt::Trace& trace() const noexcept;
  [[nodiscard]] const KernelRegions& kernel_regions() const noexcept { return kernel_regions_; }
  /// Checked mode, or null where the deck doesn't ask for it.
  [[nodiscard]] HaloChecks* checks() const noexcept { return checks_.get(); }
  [[nodiscard]] int dimensions() const noexcept { return dimensions_; }
  /// Cells along `axis`, of the whole grid.
  [[nodiscard]] long long extent(int axis) const noexcept { return extent_[at(axis)]; }
  /// In the deck's unit of length.
  [[nodiscard]] double length(int axis) const noexcept { return length_[at(axis)]; }
  [[nodiscard]] double origin(int axis) const noexcept { return origin_[at(axis)]; }
  [[nodiscard]] double spacing(int axis) const noexcept {
    return length_[at(axis)] / static_cast<double>(extent_[at(axis)]);
  }
  [[nodiscard]] bool periodic(int axis) const noexcept { return periodic_[at(axis)]; }
  /// Sum of 1 / spacing² over the axes: what explicit diffusion is limited by.
  [[nodiscard]] double inverse_spacing_squared() const noexcept;
  /// True if another rank owns the points beyond this face of this rank's block.
  [[nodiscard]] bool is_remote(Face face) const;
  /// True if this face of this rank's block is a physical boundary.
  [[nodiscard]] bool is_boundary(Face face) const;
  /// Throws an input error unless every rank's block is at least `halo` wide (all ranks agree).
  void require_room_for(int halo, Centring centring, const std::string& field) const;
  /// Collective. Throws an input error unless every node has memory for the field: `bytes` on this
  /// rank.
  void require_memory_for(double bytes, const std::string& field) const;
  /// The same as plain numbers, for files and pictures.
  [[nodiscard]] GridDescription description() const;
  /// This rank's points of a field with this centring. A node belongs to the rank that owns the
  /// cell above it; the last rank of a bounded axis owns the closing node too.
  [[nodiscard]] Block block(Centring centring) const noexcept;

 private:
  static std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

  Run& run_;
  KernelRegions kernel_regions_;
  int dimensions_;
  std::array<long long, 3> extent_{1, 1, 1};
  std::array<double, 3> length_{1, 1, 1};
  std::array<double, 3> origin_{0, 0, 0};
  std::array<bool, 3> periodic_{false, false, false};
  std::unique_ptr<comm::CartComm> comm_;
  rt::Communicator halo_comm_;
  std::unique_ptr<HaloChecks> checks_;
};

}  // namespace cartwright::grid
