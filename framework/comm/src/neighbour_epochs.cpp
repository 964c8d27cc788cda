// SPDX-License-Identifier: Apache-2.0
#include "neighbour_epochs.hpp"

#include <algorithm>
#include <cartwright/comm/transport/shared_access.hpp>
#include <string>
#include <utility>

#include "neighbour_parts.hpp"

namespace cartwright::comm {

namespace {

constexpr std::size_t places_in_turn = 2;

/// Nothing waits for anything else: what is open at the same time uses different places.
constexpr Reorder in_any_order{.access_after_access = true,
                               .access_after_exposure = true,
                               .exposure_after_exposure = true,
                               .exposure_after_access = true};

}  // namespace

NeighbourEpochs::NeighbourEpochs(const CartComm& cart, const P2pChannel& channel, rt::Tag tag,
                                 std::span<const NeighbourBytes> neighbours,
                                 const rt::WaitSite& site) {
  std::size_t packed = 0;
  for (const NeighbourBytes& bytes : neighbours) {
    Way& way = ways_.emplace_back();
    way.bytes = bytes;
    way.parts = parts_of_message(cart, bytes.rank, bytes.outgoing);
    way.pack = packed;
    way.landing = window_bytes_;
    packed += places_in_turn * in_lines(bytes.outgoing);
    window_bytes_ += places_in_turn * in_lines(bytes.incoming);
  }
  packed_.reset(new std::byte[packed + cache_line]);
  learn_places(channel, tag, site);
  window_.emplace(
      Window<std::byte>::allocate(cart, static_cast<plan::Count>(window_bytes_),
                                  {.name = std::string(site.name), .reorder = in_any_order}));
  expose(0);
}

void NeighbourEpochs::learn_places(const P2pChannel& channel, rt::Tag tag,
                                   const rt::WaitSite& site) {
  const rt::Communicator& messenger = *channel.communicator();
  std::vector<rt::Message> messages;
  for (Way& way : ways_) {
    const rt::Rank peer{channel.address(way.bytes.rank.value)};
    if (way.bytes.outgoing > 0)
      messages.push_back(rt::ireceive(messenger, std::span(&way.their_landing, 1), peer, tag));
  }
  std::vector<std::uint64_t> mine(ways_.size());
  for (std::size_t n = 0; n < ways_.size(); ++n) {
    const rt::Rank peer{channel.address(ways_[n].bytes.rank.value)};
    mine[n] = ways_[n].landing;
    if (ways_[n].bytes.incoming > 0)
      messages.push_back(rt::isend(messenger, std::span(&mine[n], 1), peer, tag));
  }
  for (rt::Message& message : messages) message.wait(site);
}

bool NeighbourEpochs::has_room() const {
  return std::ranges::all_of(
      ways_, [this](const Way& way) { return way.sent[begun_ % places_in_turn].is_complete(); });
}

void NeighbourEpochs::begin() {
  ++begun_;
  expose(begun_);
}

/// What lies there of the exchange before the present one has been unpacked.
void NeighbourEpochs::expose(std::uint64_t exchange) {
  for (Way& way : ways_)
    if (way.bytes.incoming > 0)
      way.come[exchange % places_in_turn] = window_->post({way.bytes.rank}).wait();
}

std::byte* NeighbourEpochs::place_to_pack(std::size_t n) {
  const Way& way = ways_[n];
  return packed_.get() + way.pack + (begun_ - 1) % places_in_turn * in_lines(way.bytes.outgoing);
}

void NeighbourEpochs::send(std::size_t n) {
  Way& way = ways_[n];
  const std::size_t parity = (begun_ - 1) % places_in_turn;
  const std::size_t at = way.their_landing + parity * in_lines(way.bytes.outgoing);
  const std::span<const std::byte> data(place_to_pack(n), way.bytes.outgoing);
  auto access = window_->start({way.bytes.rank});
  const std::size_t half = data.size() / static_cast<std::size_t>(way.parts);
  access.put(way.bytes.rank, static_cast<plan::Count>(at), data.first(half));
  if (way.parts > 1)
    access.put(way.bytes.rank, static_cast<plan::Count>(at + half), data.subspan(half));
  way.sent[parity] = access.complete();
}

const std::byte* NeighbourEpochs::arrived(std::size_t n) const {
  const Way& way = ways_[n];
  const std::size_t parity = (begun_ - 1) % places_in_turn;
  if (!way.come[parity].is_complete()) return nullptr;
  return window_->local().data() + way.landing + parity * in_lines(way.bytes.incoming);
}

bool NeighbourEpochs::is_behind() const {
  return std::ranges::any_of(ways_, [this](const Way& way) {
    return way.bytes.incoming > 0 && way.come[begun_ % places_in_turn].is_complete();
  });
}

void NeighbourEpochs::close() {
  for (const Way& way : ways_)
    if (way.bytes.outgoing > 0) window_->start({way.bytes.rank}).complete().wait();
  for (Way& way : ways_)
    for (std::size_t parity = 0; parity < places_in_turn; ++parity) {
      way.sent[parity].wait();
      way.come[parity].wait();
    }
  window_->free();
}

}  // namespace cartwright::comm
