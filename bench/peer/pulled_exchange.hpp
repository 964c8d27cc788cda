// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>
#include <sys/uio.h>

#include <atomic>
#include <cartwright/rt/communicator.hpp>
#include <cstdint>
#include <vector>

#include "exchange.hpp"

namespace cartwright::bench::peer {

/// The exchange of one ghost layer on one node, written by hand, without messages and without
/// packing: who needs ghosts reads them from its neighbour's block, row by row, by
/// process_vm_readv. Two counters of each rank, in memory that all see, say how often its points
/// may be read, and how often it has read those of others.
class PulledExchange {
 public:
  /// Collective: whether all ranks of `comm` may read each other's memory.
  [[nodiscard]] static bool is_possible(const rt::Communicator& comm);

  /// Collective, where it is possible. `blocks` must outlive this, and have the same extents on all
  /// ranks; ranks are numbered as in `comm`.
  PulledExchange(const rt::Communicator& comm, const Neighbours& neighbours,
                 std::vector<const Block*> blocks);
  PulledExchange(const PulledExchange&) = delete;
  PulledExchange& operator=(const PulledExchange&) = delete;
  ~PulledExchange();

  void run();

 private:
  struct alignas(64) Counters {
    std::atomic<std::uint64_t> ready{0};
    std::atomic<std::uint64_t> done{0};
  };
  /// Ghosts of all blocks beyond a face, and where their values are in the neighbour's memory.
  struct Side {
    int neighbour = 0;
    std::vector<iovec> ghosts, points;
  };
  void add_side(int face, int neighbour);
  void pull(const Side& side) const;

  std::vector<const Block*> blocks_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<Counters*> counters_;                  ///< of all ranks
  std::vector<pid_t> processes_;                     ///< of all ranks
  std::vector<std::vector<std::uint64_t>> origins_;  ///< [block][rank]
  std::vector<Side> sides_;
  std::vector<int> own_faces_;  ///< beyond which there is this rank again
  int me_ = 0;
  std::uint64_t calls_ = 0;
};

}  // namespace cartwright::bench::peer
