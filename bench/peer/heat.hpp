// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <vector>

#include "block.hpp"

namespace cartwright::bench::peer {

/// One rank's part of the problem.
struct HeatProblem {
  MPI_Comm comm;
  Neighbours neighbours;
  Extents extents;
  std::array<double, 3> inverse_spacing;
  double factor;  ///< diffusivity * dt
};

/// The explicit heat equation in 3-D as one writes it by hand with MPI and OpenMP for speed: rows,
/// restrict pointers, omp simd; packed messages that fly while the interior is computed, polled
/// between chunks of it; ghosts beyond x faces set in the row loop, where they cost nothing. The
/// value on physical faces is 0, cells are centred.
class Heat {
 public:
  enum class Arithmetic {
    as_written,  ///< u + c * laplacian(u), term by term
    folded,      ///< five constants worked out on paper: fewer operations, other rounding
    streamed     ///< the same, stored past the caches
  };

  /// Keeps a duplicate of the communicator.
  Heat(const HeatProblem& problem, Arithmetic arithmetic);
  Heat(const Heat&) = delete;
  Heat& operator=(const Heat&) = delete;
  ~Heat();

  /// The present values.
  [[nodiscard]] Block& values() noexcept { return now_; }
  void step();

 private:
  struct Range {
    int x0, x1, y0, y1, z0, z1;
  };
  struct Side {
    int neighbour = MPI_PROC_NULL;
    std::vector<double> outgoing, incoming;
  };
  [[nodiscard]] bool is_remote(int face) const { return side(face).neighbour != MPI_PROC_NULL; }
  [[nodiscard]] Side& side(int face) { return sides_[static_cast<std::size_t>(face)]; }
  [[nodiscard]] const Side& side(int face) const { return sides_[static_cast<std::size_t>(face)]; }
  [[nodiscard]] int extent(int axis) const {
    return now_.extents()[static_cast<std::size_t>(axis)];
  }
  /// The layer of owned points at a face, or of ghosts beyond it.
  [[nodiscard]] Range layer(int face, bool ghosts) const;
  void pack(int face);
  void unpack(int face);
  void post();
  void fill_physical();
  void compute(const Range& range);
  template <Arithmetic A>
  void compute_rows(const Range& range);
  void compute_interior(const Range& interior);

  MPI_Comm comm_ = MPI_COMM_NULL;
  Arithmetic arithmetic_;
  double factor_;
  std::array<double, 3> weight_{};  // of the second derivatives
  Block now_, next_;
  std::array<Side, 6> sides_;
  std::vector<MPI_Request> requests_;
};

}  // namespace cartwright::bench::peer
