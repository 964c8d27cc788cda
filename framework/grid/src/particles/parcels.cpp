// SPDX-License-Identifier: Apache-2.0
#include "parcels.hpp"

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <utility>

namespace cartwright::grid {
namespace {

comm::Blocks blocks_of(const auto& rooms) {
  std::vector<long long> counts;
  counts.reserve(rooms.size());
  for (const auto& room : rooms) counts.push_back(room.doubles);
  return comm::Blocks(counts);
}

}  // namespace

/// A quarter more than is needed; less again once it was four times too much for a while.
bool Parcels::Room::suit(long long length) {
  constexpr long long grain = 64;
  constexpr int a_while = 64;
  rarely_used = 4 * length < doubles ? rarely_used + 1 : 0;
  if (length <= doubles && rarely_used <= a_while) return false;
  const long long before = doubles;
  doubles = (length + length / 4 + grain - 1) / grain * grain;
  rarely_used = 0;
  return doubles != before;
}

Parcels::Parcels(const comm::CartComm& comm) : comm_(comm) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  going_.resize(ranks);
  came_.resize(ranks);
  lengths_.resize(ranks);
  coming_.resize(ranks);
  room_out_.resize(ranks);
  room_in_.resize(ranks);
}

void Parcels::make_ready() {
  const comm::Blocks out = blocks_of(room_out_), in = blocks_of(room_in_);
  travel_ = {};
  sent_.resize(static_cast<std::size_t>(out.total()));
  received_.resize(static_cast<std::size_t>(in.total()));
  travel_ =
      comm_.all().prepare_alltoall(std::span<const double>(sent_), std::span(received_), out, in);
  is_ready_ = true;
}

void Parcels::exchange() {
  const auto me = static_cast<std::size_t>(comm_.rank().value);
  std::swap(own_, going_[me]);
  going_[me].clear();
  came_[me] = own_;
  if (came_.size() == 1) return;
  for (std::size_t rank = 0; rank < going_.size(); ++rank)
    lengths_[rank] = std::ssize(going_[rank]);
  comm_.all().alltoall(std::span<const long long>(lengths_), std::span(coming_));
  for (std::size_t rank = 0; rank < going_.size(); ++rank) {
    const bool out = room_out_[rank].suit(lengths_[rank]), in = room_in_[rank].suit(coming_[rank]);
    if (out || in) is_ready_ = false;
  }
  if (!is_ready_) make_ready();
  auto place = sent_.begin();
  for (std::size_t rank = 0; rank < going_.size(); ++rank) {
    std::ranges::copy(going_[rank], place);
    place += room_out_[rank].doubles;
    going_[rank].clear();
  }
  travel_.start();
  travel_.wait();
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < came_.size(); ++rank) {
    if (rank == me) continue;
    came_[rank] = std::span(received_).subspan(begin, static_cast<std::size_t>(coming_[rank]));
    begin += static_cast<std::size_t>(room_in_[rank].doubles);
  }
}

std::size_t Parcels::count() const {
  std::size_t doubles = 0;
  for (const std::span<const double>& each : came_) doubles += each.size();
  return doubles;
}

}  // namespace cartwright::grid
