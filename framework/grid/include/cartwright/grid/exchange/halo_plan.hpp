// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cartwright/grid/kernels/rows.hpp>
#include <cartwright/grid/run/halo_statistics.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cartwright/rt/request.hpp>
#include <span>
#include <vector>

namespace cartwright::grid {

class GridBase;

/// One field's part of one message: the points, and where they stand in it.
template <int D>
struct HaloPart {
  int field;  ///< its place in the list of exchanged fields
  Box<D> box;
  std::size_t offset;  ///< bytes
};

/// One direction of the talk with one neighbour: one message, whatever the number of fields, faces
/// and corners in it.
template <int D>
struct HaloMessage {
  std::vector<HaloPart<D>> parts;
  std::size_t bytes = 0;
  std::byte* kernel_side = nullptr;  ///< where kernels pack and unpack: the fields' memory space
  std::byte* mpi_side = nullptr;     ///< what MPI sees: the same memory, unless staged
  rt::Message message;
};

template <int D>
struct HaloNeighbour {
  rt::Rank rank;
  HaloMessage<D> outgoing, incoming;
};

/// A copy within this rank: a periodic axis that this rank owns whole.
template <int D>
struct HaloCopy {
  int field;
  Box<D> from, to;
  bool across_x_face;  ///< and across no other
};

/// The exchange of ghosts for a list of field shapes, planned once: neighbours, boxes, buffers and
/// persistent messages. It knows no field: messages are bound to packing buffers, so that swapping
/// fields costs nothing. Packing and unpacking are the caller's (they know the element type).
///
/// Owned points travel from a rank to all neighbours across faces, and across edges and corners
/// where a shape asks for it.
template <int D>
class HaloPlan final : public rt::Operation {
 public:
  /// Collective over the grid's communicator; `tag` must be unique to this plan on it.
  HaloPlan(const GridBase& grid, std::span<const FieldShape> shapes, rt::Tag tag);
  ~HaloPlan() override;
  HaloPlan(const HaloPlan&) = delete;
  HaloPlan& operator=(const HaloPlan&) = delete;

  [[nodiscard]] bool fits(std::span<const FieldShape> shapes) const;
  [[nodiscard]] std::vector<HaloNeighbour<D>>& neighbours() noexcept { return neighbours_; }
  [[nodiscard]] const std::vector<HaloCopy<D>>& copies() const noexcept { return copies_; }
  /// Points whose stencil reaches no ghost that a message brings; the rest, as disjoint boxes.
  [[nodiscard]] const Box<D>& interior(Centring centring) const noexcept;
  [[nodiscard]] const std::vector<Box<D>>& shell(Centring centring) const noexcept;
  /// Adds one exchange's messages and bytes to `total`.
  void count(HaloStatistics& total) const noexcept;

  [[nodiscard]] bool busy() const noexcept { return busy_; }
  /// Marks the plan busy and posts all receives.
  void start();
  /// Hands a packed message to MPI, through host memory where MPI can't take the kernels' memory.
  void send(HaloMessage<D>& outgoing);
  /// True when all messages of the exchange have left and arrived.
  bool advance() override;
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override {
    return {"the exchange of ghosts"};
  }
  /// Waits on the direct path: for use when nothing else is in flight.
  void wait_for_messages();
  /// Makes the arrived messages visible to kernels.
  void stage_arrived();
  /// The exchange is over: the plan may be used again.
  void finish() noexcept { busy_ = false; }

 private:
  struct Regions {
    Box<D> interior;
    std::vector<Box<D>> shell;
  };
  void add_directions(const GridBase& grid);
  void append(HaloMessage<D>& message, const Index<D>& direction, bool ghosts);
  HaloNeighbour<D>& neighbour(rt::Rank rank);
  void allocate(const GridBase& grid, rt::Tag tag);
  [[nodiscard]] Regions peel(const GridBase& grid, Centring centring, int width) const;

  std::vector<FieldShape> shapes_;
  std::vector<Layout<D>> layouts_;
  std::vector<HaloNeighbour<D>> neighbours_;
  std::vector<HaloCopy<D>> copies_;
  std::array<Regions, 5> regions_;  ///< by centring
  Kokkos::View<std::byte*, Memory> kernel_buffer_;
  Kokkos::View<std::byte*, Kokkos::HostSpace> message_buffer_;
  bool staged_ = false;
  bool busy_ = false;
  HaloStatistics per_exchange_;
};

extern template class HaloPlan<1>;
extern template class HaloPlan<2>;
extern template class HaloPlan<3>;

}  // namespace cartwright::grid
