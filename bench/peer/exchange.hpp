// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <vector>

#include "block.hpp"

namespace cartwright::bench::peer {

/// A layer of rows at a face: the owned points that leave, or the ghosts that are filled.
struct Layer {
  int x0, x1, y0, y1, z0, z1;
  [[nodiscard]] int points() const { return (x1 - x0) * (y1 - y0) * (z1 - z0); }
};
[[nodiscard]] Layer face_layer(const Extents& extents, int face, bool ghosts);
/// Within each block: `from` and `to` have the same shape.
void copy_layer(const std::vector<const Block*>& blocks, const Layer& from, const Layer& to);

/// The exchange of one ghost layer of several blocks, written by hand: one packed message a face
/// for all blocks, MPI_Isend and MPI_Irecv. Axes that a rank owns whole and that are periodic (it
/// is its own neighbour) are copied without MPI.
class PackedExchange {
 public:
  /// Keeps a duplicate of `comm`; `blocks` must outlive this.
  PackedExchange(MPI_Comm comm, const Neighbours& neighbours, std::vector<const Block*> blocks);
  PackedExchange(const PackedExchange&) = delete;
  PackedExchange& operator=(const PackedExchange&) = delete;
  ~PackedExchange();

  void run();

 private:
  struct Side {
    int neighbour = MPI_PROC_NULL;
    bool is_self = false;
    Layer owned{}, ghosts{};
    std::vector<double> outgoing, incoming;
  };
  void pack(Side& side) const;
  void unpack(const Side& side) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<const Block*> blocks_;
  std::array<Side, 6> sides_;
  std::vector<MPI_Request> requests_;
};

/// The same exchange as one call of MPI_Neighbor_alltoallw with subarray datatypes.
class DatatypeExchange {
 public:
  /// Collective. `dims`: ranks along x, y, z; all axes are periodic; rank x + p (y + q z) of `comm`
  /// sits at (x, y, z).
  DatatypeExchange(MPI_Comm comm, const std::array<int, 3>& dims, std::vector<const Block*> blocks);
  DatatypeExchange(const DatatypeExchange&) = delete;
  DatatypeExchange& operator=(const DatatypeExchange&) = delete;
  ~DatatypeExchange();

  void run();
  /// Where one rank is both neighbours along an axis, MPI libraries disagree on which message
  /// belongs to which side; this takes the other reading.
  void exchange_sides_of_short_axes();

 private:
  [[nodiscard]] MPI_Datatype make_type(int face, bool ghosts) const;

  MPI_Comm cart_ = MPI_COMM_NULL;
  std::array<int, 3> dims_;
  std::vector<const Block*> blocks_;
  std::array<MPI_Datatype, 6> outgoing_{}, incoming_{};
};

}  // namespace cartwright::bench::peer
