// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/rt/mpi_check.hpp>
#include <utility>

#include "exchange.hpp"

namespace cartwright::bench::peer {

Layer face_layer(const Extents& extents, int face, bool ghosts) {
  Layer r{0, extents[0], 0, extents[1], 0, extents[2]};
  const int axis = face / 2;
  const int extent = extents[static_cast<std::size_t>(axis)];
  const int at = face % 2 == 0 ? (ghosts ? -1 : 0) : extent - (ghosts ? 0 : 1);
  (axis == 0 ? r.x0 : axis == 1 ? r.y0 : r.z0) = at;
  (axis == 0 ? r.x1 : axis == 1 ? r.y1 : r.z1) = at + 1;
  return r;
}

void copy_layer(const std::vector<const Block*>& blocks, const Layer& from, const Layer& to) {
  const int length = to.x1 - to.x0;
  for (const Block* const block : blocks)
    for_rows(to.y0, to.y1, to.z0, to.z1, [&](int y, int z) {
      const double* const source = block->row(y - to.y0 + from.y0, z - to.z0 + from.z0) + from.x0;
      std::copy(source, source + length, block->row(y, z) + to.x0);
    });
}

PackedExchange::PackedExchange(MPI_Comm comm, const Neighbours& neighbours,
                               std::vector<const Block*> blocks)
    : blocks_(std::move(blocks)) {
  rt::mpi_check(MPI_Comm_dup(comm, &comm_), "MPI_Comm_dup");
  int me = 0;
  rt::mpi_check(MPI_Comm_rank(comm_, &me), "MPI_Comm_rank");
  for (int face = 0; face < 6; ++face) {
    Side& side = sides_[static_cast<std::size_t>(face)];
    side.neighbour = neighbours[static_cast<std::size_t>(face)];
    side.is_self = side.neighbour == me;
    side.owned = face_layer(blocks_.front()->extents(), face, false);
    side.ghosts = face_layer(blocks_.front()->extents(), face, true);
    if (side.is_self || side.neighbour == MPI_PROC_NULL) continue;
    const auto doubles = static_cast<std::size_t>(side.owned.points()) * blocks_.size();
    side.outgoing.resize(doubles);
    side.incoming.resize(doubles);
  }
}

PackedExchange::~PackedExchange() {
  MPI_Comm_free(&comm_);
}

void PackedExchange::pack(Side& side) const {
  const Layer r = side.owned;
  double* buffer = side.outgoing.data();
  const std::ptrdiff_t length = r.x1 - r.x0;
  for (const Block* const block : blocks_) {
    for_rows(r.y0, r.y1, r.z0, r.z1, [&](int y, int z) {
      const double* __restrict from = block->row(y, z) + r.x0;
      double* __restrict to = buffer + ((z - r.z0) * (r.y1 - r.y0) + (y - r.y0)) * length;
      std::copy(from, from + length, to);
    });
    buffer += r.points();
  }
}

void PackedExchange::unpack(const Side& side) const {
  const Layer r = side.ghosts;
  const double* buffer = side.incoming.data();
  const std::ptrdiff_t length = r.x1 - r.x0;
  for (const Block* const block : blocks_) {
    for_rows(r.y0, r.y1, r.z0, r.z1, [&](int y, int z) {
      const double* __restrict from = buffer + ((z - r.z0) * (r.y1 - r.y0) + (y - r.y0)) * length;
      std::copy(from, from + length, block->row(y, z) + r.x0);
    });
    buffer += r.points();
  }
}

void PackedExchange::run() {
  requests_.clear();
  const auto is_remote = [](const Side& side) {
    return side.neighbour != MPI_PROC_NULL && !side.is_self;
  };
  for (int face = 0; face < 6; ++face) {
    Side& side = sides_[static_cast<std::size_t>(face)];
    if (!is_remote(side)) continue;
    rt::mpi_check(MPI_Irecv(side.incoming.data(), static_cast<int>(side.incoming.size()),
                            MPI_DOUBLE, side.neighbour, face ^ 1, comm_, &requests_.emplace_back()),
                  "MPI_Irecv");
  }
  for (int face = 0; face < 6; ++face) {
    Side& side = sides_[static_cast<std::size_t>(face)];
    if (!is_remote(side)) continue;
    pack(side);
    rt::mpi_check(MPI_Isend(side.outgoing.data(), static_cast<int>(side.outgoing.size()),
                            MPI_DOUBLE, side.neighbour, face, comm_, &requests_.emplace_back()),
                  "MPI_Isend");
  }
  for (std::size_t face = 0; face < 6; ++face)
    if (sides_[face].is_self) copy_layer(blocks_, sides_[face ^ 1U].owned, sides_[face].ghosts);
  rt::mpi_check(
      MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
      "MPI_Waitall");
  for (const Side& side : sides_)
    if (is_remote(side)) unpack(side);
}

}  // namespace cartwright::bench::peer
