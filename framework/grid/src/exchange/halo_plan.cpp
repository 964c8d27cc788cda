// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/exchange/halo_plan.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/run/run.hpp>

namespace cartwright::grid {

namespace {

/// Packed parts start at cache lines, so that any element type may stand there.
constexpr std::size_t alignment = 64;

std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// All 3^D - 1 directions, in an order whose reverse is the order of the opposite directions.
template <int D>
std::vector<Index<D>> all_directions() {
  const Box<D> cube = [] {
    Box<D> box{};
    for (int axis = 0; axis < D; ++axis) box = box.with(axis, -1, 2);
    return box;
  }();
  std::vector<Index<D>> directions;
  for (long long number = 0; number < cube.size(); ++number)
    if (number != cube.size() / 2) directions.push_back(point_of(cube, number));
  return directions;
}

template <int D>
Index<D> opposite(const Index<D>& direction) {
  Index<D> result{};
  for (int axis = 0; axis < D; ++axis) result[axis] = -direction[axis];
  return result;
}

template <int D>
bool crosses_one_face(const Index<D>& direction) {
  int nonzero = 0;
  for (int axis = 0; axis < D; ++axis) nonzero += direction[axis] != 0 ? 1 : 0;
  return nonzero == 1;
}

/// The owned points that a neighbour in `direction` needs, or the ghosts that it fills.
template <int D>
Box<D> halo_box(const Layout<D>& layout, const Index<D>& direction, bool ghosts) {
  Box<D> box = layout.owned();
  for (int axis = 0; axis < D; ++axis) {
    const int extent = layout.extent[axis];
    const int shift = ghosts ? layout.halo : 0;
    if (direction[axis] < 0) box = box.with(axis, -shift, layout.halo - shift);
    if (direction[axis] > 0) box = box.with(axis, extent - layout.halo + shift, extent + shift);
  }
  return box;
}

}  // namespace

template <int D>
HaloPlan<D>::HaloPlan(const GridBase& grid, std::span<const FieldShape> shapes,
                      const comm::NeighbourRegions& regions, HaloWay way)
    : shapes_(shapes.begin(), shapes.end()), memory_(message_memory_of(grid.app(), grid.comm())) {
  int width = 0;
  for (const FieldShape& shape : shapes_) {
    const Block block = grid.block(shape.centring);
    Index<D> extent{};
    for (int axis = 0; axis < D; ++axis)
      extent[axis] = static_cast<int>(block.count[static_cast<std::size_t>(axis)]);
    layouts_.emplace_back(extent, shape.halo, shape.element_bytes);
    width = std::max(width, shape.halo);
  }
  add_directions(grid);
  if (way == HaloWay::to_owners) turn_round();
  if (is_staged()) stage();
  std::vector<comm::NeighbourBytes> bytes;
  for (const auto& known : neighbours_)
    bytes.push_back({known.rank, known.outgoing.bytes, known.incoming.bytes, has_long_rows(known)});
  comm::NeighbourMemory packed;
  if (memory_ == MessageMemory::direct) {
    const Kokkos::View<std::byte*, Memory> room(
        "cartwright::halo", std::max(comm::NeighbourExchange::bytes_of(bytes), alignment));
    packed = {.data = {room.data(), [room](const std::byte*) {}},
              .settle = [] { Execution().fence(); }};
  }
  const bool may_be_seen = way == HaloWay::to_ghosts && grid.ranks().shared_fields() != nullptr;
  messages_ = grid.ranks().make_exchange(
      bytes, grid.trace(), regions, may_be_seen ? shapes_.size() * sizeof(FieldPlace) : 0, packed);
  for (std::size_t centring = 0; centring < regions_.size(); ++centring)
    regions_[centring] = peel(grid, static_cast<Centring>(centring), width);
  std::vector<ExchangeCount>& counted = grid.app().halo_statistics().plans;
  counted_at_ = counted.size();
  counted.push_back(description(grid));
}

template <int D>
ExchangeCount HaloPlan<D>::description(const GridBase& grid) const {
  ExchangeCount result;
  for (int axis = 0; axis < D; ++axis)
    result.extents[static_cast<std::size_t>(axis)] = grid.extent(axis);
  for (const FieldShape& shape : shapes_) {
    std::size_t bytes = 0;
    for (int face = 0; face < 2 * D; ++face)
      bytes += bytes_of(shape.crossing.across(Face::from_number(face)), shape);
    result.layer_bytes +=
        static_cast<std::size_t>(shape.halo) * bytes / (std::size_t{2} * D);  // on average
    result.corners = result.corners || shape.corners;
  }
  return result;
}

template <int D>
bool HaloPlan<D>::fits(std::span<const FieldShape> shapes) const {
  return std::equal(shapes.begin(), shapes.end(), shapes_.begin(), shapes_.end());
}

template <int D>
const Box<D>& HaloPlan<D>::interior(Centring centring) const noexcept {
  return regions_[static_cast<std::size_t>(centring)].interior;
}

template <int D>
SweepTrial* HaloPlan<D>::sweep_trial(std::type_index sweep, const StoreRule& stores) noexcept {
  for (Trial& each : trials_)
    if (each.sweep == sweep && each.stores == stores) return &each.trial;
  return nullptr;
}

template <int D>
SweepTrial& HaloPlan<D>::begin_trial(std::type_index sweep, const StoreRule& stores,
                                     bool blocks_differ) {
  return trials_.emplace_back(Trial{sweep, stores, SweepTrial(stores, blocks_differ)}).trial;
}

template <int D>
const std::vector<Box<D>>& HaloPlan<D>::shell(Centring centring) const noexcept {
  return regions_[static_cast<std::size_t>(centring)].shell;
}

template <int D>
void HaloPlan<D>::count(HaloStatistics& total, bool overlapped) const noexcept {
  total.exchanges += 1;
  total.plans[counted_at_].times += 1;
  total.plans[counted_at_].overlapped += overlapped ? 1 : 0;
  total.traffic += messages_->traffic();
}

template <int D>
HaloNeighbour<D>& HaloPlan<D>::neighbour(rt::Rank rank) {
  const auto found = std::find_if(neighbours_.begin(), neighbours_.end(),
                                  [rank](const auto& known) { return known.rank == rank; });
  if (found != neighbours_.end()) return *found;
  neighbours_.emplace_back();
  neighbours_.back().rank = rank;
  return neighbours_.back();
}

template <int D>
Components HaloPlan<D>::held_in(std::size_t field, const Index<D>& direction) const {
  if (!shapes_[field].corners && !crosses_one_face(direction)) return 0;
  return shapes_[field].crossing.held_in(direction);
}

template <int D>
void HaloPlan<D>::append(HaloMessage<D>& message, const Index<D>& direction, bool ghosts) {
  for (std::size_t field = 0; field < shapes_.size(); ++field) {
    const Components held = held_in(field, ghosts ? direction : opposite(direction));
    if (held == 0) continue;
    const Box<D> box = halo_box(layouts_[field], direction, ghosts);
    message.parts.push_back({static_cast<int>(field), box, message.bytes, direction, held});
    message.bytes += aligned(static_cast<std::size_t>(box.size()) * bytes_of(held, shapes_[field]));
  }
}

template <int D>
FieldPlace HaloPlan<D>::place_of(std::size_t field, int number) const {
  FieldPlace place{.number = number};
  for (int axis = 0; axis < D; ++axis)
    place.extent[static_cast<std::size_t>(axis)] = layouts_[field].extent[axis];
  return place;
}

template <int D>
Box<D> HaloPlan<D>::facing(const HaloPart<D>& part, const FieldPlace& place, bool comes) const {
  const FieldShape& shape = shapes_[static_cast<std::size_t>(part.field)];
  Index<D> extent{};
  for (int axis = 0; axis < D; ++axis) extent[axis] = place.extent[static_cast<std::size_t>(axis)];
  return halo_box(Layout<D>(extent, shape.halo, shape.element_bytes), opposite(part.direction),
                  !comes);
}

/// Each row of a neighbour's field is a cache line or more that comes from another core, and that
/// core wants it back: measured (Xeon, two cores), faces of whole rows take 0.3 to 0.8 of the time
/// that packing and unpacking takes, and columns, of a line for each point, twice that time.
template <int D>
bool HaloPlan<D>::has_long_rows(const HaloNeighbour<D>& other) const {
  constexpr double long_row = 128;  // bytes, on the average
  double bytes = 0, rows = 0;
  for (const HaloMessage<D>* const message : {&other.outgoing, &other.incoming})
    for (const HaloPart<D>& part : message->parts) {
      const auto points = static_cast<double>(part.box.size());
      bytes += points * static_cast<double>(bytes_of(
                            part.components, shapes_[static_cast<std::size_t>(part.field)]));
      rows += points / std::max(part.box.extent(0), 1);
    }
  return bytes >= long_row * rows;
}

/// A message lists its parts in the order of the sender's directions. The receiver sees the same
/// directions reversed, so it goes through them backwards: this stays right where one rank is the
/// neighbour in several directions (periodic axes of one or two ranks).
template <int D>
void HaloPlan<D>::add_directions(const GridBase& grid) {
  const comm::CartComm& comm = grid.comm();
  const auto neighbour_in = [&comm](const Index<D>& direction) {
    return comm.neighbour(std::span<const int>(direction.along, D));
  };
  const std::vector<Index<D>> directions = all_directions<D>();
  for (const Index<D>& direction : directions) {
    const auto rank = neighbour_in(direction);
    if (rank && *rank != comm.rank()) append(neighbour(*rank).outgoing, direction, false);
    if (!rank || *rank != comm.rank()) continue;
    for (std::size_t field = 0; field < shapes_.size(); ++field)
      if (const Components held = held_in(field, direction); held != 0)
        copies_.push_back({static_cast<int>(field),
                           halo_box(layouts_[field], opposite(direction), false),
                           halo_box(layouts_[field], direction, true), held,
                           crosses_one_face(direction) && direction[0] != 0});
  }
  std::for_each(directions.rbegin(), directions.rend(), [&](const Index<D>& direction) {
    const auto rank = neighbour_in(direction);
    if (rank && *rank != comm.rank()) append(neighbour(*rank).incoming, direction, true);
  });
  std::erase_if(neighbours_, [](const auto& known) {
    return known.outgoing.bytes == 0 && known.incoming.bytes == 0;
  });
}

template <int D>
void HaloPlan<D>::turn_round() {
  for (auto& known : neighbours_) std::swap(known.outgoing, known.incoming);
  for (auto& copy : copies_) std::swap(copy.from, copy.to);
}

template <int D>
void HaloPlan<D>::stage() {
  std::size_t bytes = 0;
  for (const auto& known : neighbours_) bytes += known.outgoing.bytes + known.incoming.bytes;
  staging_ = Kokkos::View<std::byte*, Memory>("cartwright::halo", bytes);
  std::byte* next = staging_.data();
  for (auto& known : neighbours_)
    for (HaloMessage<D>* const message : {&known.outgoing, &known.incoming}) {
      message->kernel_side = next;
      next += message->bytes;
    }
}

template <int D>
void HaloPlan<D>::to_host(const HaloMessage<D>& message, std::byte* host) const {
  using Device = Kokkos::View<const std::byte*, Memory, Kokkos::MemoryUnmanaged>;
  using Host = Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Kokkos::deep_copy(Host(host, message.bytes), Device(message.kernel_side, message.bytes));
}

template <int D>
void HaloPlan<D>::from_host(const HaloMessage<D>& message, const std::byte* host) const {
  using Device = Kokkos::View<std::byte*, Memory, Kokkos::MemoryUnmanaged>;
  using Host = Kokkos::View<const std::byte*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Kokkos::deep_copy(Device(message.kernel_side, message.bytes), Host(host, message.bytes));
}

/// Cuts layers off the owned box where a remote neighbour's ghosts are read: outer axes first, so
/// that the long rows of the interior stay whole wherever x isn't divided between ranks.
template <int D>
typename HaloPlan<D>::Regions HaloPlan<D>::peel(const GridBase& grid, Centring centring,
                                                int width) const {
  const Block block = grid.block(centring);
  Regions regions;
  Box<D> rest{};
  for (int axis = 0; axis < D; ++axis)
    rest.upper[axis] = static_cast<int>(block.count[static_cast<std::size_t>(axis)]);
  for (int axis = D - 1; axis >= 0; --axis) {
    for (const Side side : {Side::low, Side::high}) {
      if (!grid.is_remote({axis, side})) continue;
      const int low = rest.lower[axis];
      const int high = rest.upper[axis];
      const int cut = side == Side::low ? std::min(low + width, high) : std::max(high - width, low);
      const Box<D> layer =
          side == Side::low ? rest.with(axis, low, cut) : rest.with(axis, cut, high);
      rest = side == Side::low ? rest.with(axis, cut, high) : rest.with(axis, low, cut);
      if (!layer.empty()) regions.shell.push_back(layer);
    }
  }
  regions.interior = rest;
  return regions;
}

template class HaloPlan<1>;
template class HaloPlan<2>;
template class HaloPlan<3>;

}  // namespace cartwright::grid
