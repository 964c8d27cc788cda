// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cartwright/comm/neighbour_exchange.hpp>
#include <cartwright/grid/field/message_memory.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <cartwright/grid/kernels/sweep_trial.hpp>
#include <cartwright/grid/run/halo_statistics.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <typeindex>
#include <vector>

namespace cartwright::grid {

class GridBase;

/// One field's part of one message: the points, and where they stand in it.
template <int D>
struct HaloPart {
  int field;  ///< its place in the list of exchanged fields
  Box<D> box;
  std::size_t offset;  ///< bytes
  Index<D> direction;  ///< in which the other rank lies
  Components components;
};

/// Where a field lies at present, as its rank tells the others of the node.
struct FieldPlace {
  std::int32_t number = -1;  ///< of the shared memory (see SharedFields); -1: nobody sees it
  std::array<std::int32_t, 3> extent{};  ///< owned points
};

struct TheirField {
  rt::Rank rank;
  FieldPlace place;
};

/// One direction of the talk with one neighbour: one message, whatever the number of fields, faces
/// and corners in it.
template <int D>
struct HaloMessage {
  std::vector<HaloPart<D>> parts;
  std::size_t bytes = 0;
  std::byte* kernel_side = nullptr;  ///< staged: where kernels pack and unpack, in their memory
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
  Components components;
  bool across_x_face;  ///< and across no other
};

/// What travels: owned points to ghosts of them, or ghosts to their owners.
enum class HaloWay : std::uint8_t { to_ghosts, to_owners };

/// The exchange of ghosts for a list of field shapes, planned once: neighbours, boxes, and what
/// travels between ranks. It knows no field: messages are packed from whatever field has the shape,
/// so that swapping fields costs nothing. Packing and unpacking are the caller's (they know the
/// element type).
///
/// Owned points travel from a rank to all neighbours across faces, and across edges and corners
/// where a shape asks for it. The other way round messages and copies go back: what comes is to be
/// added, say; each owned point may get something from several ghosts.
template <int D>
class HaloPlan {
 public:
  /// Collective over the grid's communicator.
  HaloPlan(const GridBase& grid, std::span<const FieldShape> shapes,
           const comm::NeighbourRegions& regions, HaloWay way = HaloWay::to_ghosts);

  [[nodiscard]] bool fits(std::span<const FieldShape> shapes) const;
  [[nodiscard]] const std::vector<HaloCopy<D>>& copies() const noexcept { return copies_; }
  /// Points whose stencil reaches no ghost that a message brings; the rest, as disjoint boxes.
  [[nodiscard]] const Box<D>& interior(Centring centring) const noexcept;
  [[nodiscard]] const std::vector<Box<D>>& shell(Centring centring) const noexcept;
  /// Of sweeps of this type and rule beside this exchange; null before begin_trial(). Valid until
  /// the next one begins.
  [[nodiscard]] SweepTrial* sweep_trial(std::type_index sweep, const StoreRule& stores) noexcept;
  SweepTrial& begin_trial(std::type_index sweep, const StoreRule& stores, bool blocks_differ);
  /// Adds one exchange's messages and bytes to `total`; `overlapped`: a kernel runs beside it.
  void count(HaloStatistics& total, bool overlapped) const noexcept;

  [[nodiscard]] comm::NeighbourExchange& messages() noexcept { return *messages_; }
  /// `pack(part, to)` for all parts of all messages that are packed; each leaves then. `number_of`:
  /// of the memory of the field with that place in the list. `copy(part, theirs, facing, which)`:
  /// from a neighbour's field, or to it, for all parts of what isn't packed; `facing` are its
  /// points.
  template <class Pack, class NumberOf, class Copy>
  void begin(const Pack& pack, const NumberOf& number_of, const Copy& copy) {
    messages_->begin(
        [&](std::size_t n, std::byte* to) {
          const HaloMessage<D>& message = neighbours_[n].outgoing;
          std::byte* const packed = is_staged() ? message.kernel_side : to;
          for (const HaloPart<D>& part : message.parts) pack(part, packed + part.offset);
          if (is_staged()) to_host(message, to);
        },
        [&](std::span<std::byte> to) {
          bool all_are_seen = true;
          for (std::size_t field = 0; field < layouts_.size(); ++field) {
            const FieldPlace place = place_of(field, number_of(static_cast<int>(field)));
            all_are_seen = all_are_seen && place.number >= 0;
            std::memcpy(to.data() + field * sizeof place, &place, sizeof place);
          }
          return all_are_seen;
        },
        copies_by(copy));
  }
  /// `unpack(part, from)` for all parts of all messages, as they come; the seconds in which there
  /// was nothing to do. `copy`: as above.
  template <class Unpack, class Copy>
  double complete(const Unpack& unpack, const Copy& copy) {
    return messages_->complete(
        [&](std::size_t n, const std::byte* from) {
          const HaloMessage<D>& message = neighbours_[n].incoming;
          if (is_staged()) from_host(message, from);
          const std::byte* const packed = is_staged() ? message.kernel_side : from;
          for (const HaloPart<D>& part : message.parts) unpack(part, packed + part.offset);
        },
        copies_by(copy));
  }

 private:
  template <class Copy>
  [[nodiscard]] auto copies_by(const Copy& copy) const {
    return [this, &copy](std::size_t n, comm::DirectCopy which, std::span<const std::byte> places) {
      const HaloNeighbour<D>& other = neighbours_[n];
      const bool comes = which == comm::DirectCopy::from_neighbour;
      for (const HaloPart<D>& part : comes ? other.incoming.parts : other.outgoing.parts) {
        FieldPlace place;
        std::memcpy(&place, places.data() + static_cast<std::size_t>(part.field) * sizeof place,
                    sizeof place);
        copy(part, TheirField{other.rank, place}, facing(part, place, comes), which);
      }
    };
  }
  [[nodiscard]] FieldPlace place_of(std::size_t field, int number) const;
  /// The neighbour's points that `part` comes from, or goes to.
  [[nodiscard]] Box<D> facing(const HaloPart<D>& part, const FieldPlace& place, bool comes) const;
  [[nodiscard]] bool has_long_rows(const HaloNeighbour<D>& other) const;
  struct Regions {
    Box<D> interior;
    std::vector<Box<D>> shell;
  };
  struct Trial {
    std::type_index sweep;
    StoreRule stores;
    SweepTrial trial;
  };
  void add_directions(const GridBase& grid);
  void turn_round();
  /// What ghosts in `direction` hold of a field; 0: none are there.
  [[nodiscard]] Components held_in(std::size_t field, const Index<D>& direction) const;
  void append(HaloMessage<D>& message, const Index<D>& direction, bool ghosts);
  HaloNeighbour<D>& neighbour(rt::Rank rank);
  [[nodiscard]] bool is_staged() const { return memory_ == MessageMemory::staged; }
  void stage();
  void to_host(const HaloMessage<D>& message, std::byte* host) const;
  void from_host(const HaloMessage<D>& message, const std::byte* host) const;
  [[nodiscard]] ExchangeCount description(const GridBase& grid) const;
  [[nodiscard]] Regions peel(const GridBase& grid, Centring centring, int width) const;

  std::vector<FieldShape> shapes_;
  std::vector<Layout<D>> layouts_;
  std::vector<HaloNeighbour<D>> neighbours_;
  std::vector<HaloCopy<D>> copies_;
  std::array<Regions, 5> regions_;  ///< by centring
  MessageMemory memory_;
  Kokkos::View<std::byte*, Memory> staging_;
  std::size_t counted_at_ = 0;  ///< place in HaloStatistics::plans
  std::shared_ptr<comm::NeighbourExchange> messages_;
  std::vector<Trial> trials_;
};

extern template class HaloPlan<1>;
extern template class HaloPlan<2>;
extern template class HaloPlan<3>;

}  // namespace cartwright::grid
