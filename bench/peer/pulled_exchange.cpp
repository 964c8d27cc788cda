// SPDX-License-Identifier: Apache-2.0
#include "pulled_exchange.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <climits>
#include <new>
#include <utility>

namespace cartwright::bench::peer {
namespace {

void await(const std::atomic<std::uint64_t>& counter, std::uint64_t least) {
  for (int looks = 0; counter.load(std::memory_order_acquire) < least; ++looks)
    if (looks > 1000) ::sched_yield();
}

/// The same from all ranks, in their order.
template <class T>
std::vector<T> gathered(MPI_Comm comm, const std::vector<T>& mine) {
  int ranks = 0;
  rt::mpi_check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
  std::vector<T> all(mine.size() * static_cast<std::size_t>(ranks));
  const int bytes = static_cast<int>(mine.size() * sizeof(T));
  rt::mpi_check(MPI_Allgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, comm),
                "MPI_Allgather");
  return all;
}

std::uint64_t address_of(const double* point) {
  return reinterpret_cast<std::uint64_t>(point);
}

/// The rows of a layer, of a block whose first owned point is at `origin`.
void add_rows(const Block& block, std::uint64_t origin, const Layer& layer,
              std::vector<iovec>& rows) {
  const auto bytes = static_cast<std::size_t>(layer.x1 - layer.x0) * sizeof(double);
  for (int z = layer.z0; z < layer.z1; ++z)
    for (int y = layer.y0; y < layer.y1; ++y) {
      const std::ptrdiff_t points = block.row(y, z) + layer.x0 - block.origin();
      const std::uint64_t at = origin + static_cast<std::uint64_t>(points) * sizeof(double);
      rows.push_back({reinterpret_cast<void*>(at), bytes});  // NOLINT(*-no-int-to-ptr)
    }
}

bool read_from(std::int64_t process, const iovec* to, const iovec* from, std::size_t count) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) bytes += to[i].iov_len;
  const ssize_t got = ::process_vm_readv(static_cast<pid_t>(process), to, count, from, count, 0);
  return got == static_cast<ssize_t>(bytes);
}

}  // namespace

bool PulledExchange::is_possible(MPI_Comm comm) {
  MPI_Comm node = MPI_COMM_NULL;
  rt::mpi_check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
                "MPI_Comm_split_type");
  int ranks = 0;
  int here = 0;
  rt::mpi_check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
  rt::mpi_check(MPI_Comm_size(node, &here), "MPI_Comm_size");
  rt::mpi_check(MPI_Comm_free(&node), "MPI_Comm_free");
  if (here < ranks) return false;
  const double told = 1.0;
  const auto processes = gathered<std::int64_t>(comm, {::getpid()});
  const auto places = gathered<std::uint64_t>(comm, {address_of(&told)});
  int can = 1;
  for (std::size_t rank = 0; rank < processes.size(); ++rank) {
    double read = 0.0;
    const iovec to{&read, sizeof read};
    // NOLINTNEXTLINE(*-no-int-to-ptr): of another process
    const iovec from{reinterpret_cast<void*>(places[rank]), sizeof read};
    if (!read_from(processes[rank], &to, &from, 1) || read != told) can = 0;
  }
  rt::mpi_check(MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  return can == 1;
}

PulledExchange::PulledExchange(MPI_Comm comm, const Neighbours& neighbours,
                               std::vector<const Block*> blocks)
    : blocks_(std::move(blocks)) {
  rt::mpi_check(MPI_Comm_rank(comm, &me_), "MPI_Comm_rank");
  void* memory = nullptr;
  rt::mpi_check(
      MPI_Win_allocate_shared(sizeof(Counters), 1, MPI_INFO_NULL, comm, &memory, &window_),
      "MPI_Win_allocate_shared");
  ::new (memory) Counters;
  std::vector<std::uint64_t> mine;
  for (const Block* const block : blocks_) mine.push_back(address_of(block->origin()));
  origins_ = gathered(comm, mine);  // counters are there
  processes_ = gathered<std::int64_t>(comm, {::getpid()});
  for (int rank = 0; rank < static_cast<int>(processes_.size()); ++rank) {
    MPI_Aint bytes = 0;
    int unit = 0;
    void* part = nullptr;
    rt::mpi_check(MPI_Win_shared_query(window_, rank, &bytes, &unit, &part),
                  "MPI_Win_shared_query");
    counters_.push_back(static_cast<Counters*>(part));
  }
  for (int face = 0; face < 6; ++face) {
    const int neighbour = neighbours[static_cast<std::size_t>(face)];
    if (neighbour == me_)
      own_faces_.push_back(face);
    else if (neighbour != MPI_PROC_NULL)
      add_side(face, neighbour);
  }
}

PulledExchange::~PulledExchange() {
  MPI_Win_free(&window_);
}

void PulledExchange::add_side(int face, int neighbour) {
  Side side{.neighbour = neighbour, .ghosts = {}, .points = {}};
  const Extents& extents = blocks_.front()->extents();
  const std::size_t first = static_cast<std::size_t>(neighbour) * blocks_.size();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    add_rows(*blocks_[i], address_of(blocks_[i]->origin()), face_layer(extents, face, true),
             side.ghosts);
    add_rows(*blocks_[i], origins_[first + i], face_layer(extents, face ^ 1, false), side.points);
  }
  sides_.push_back(std::move(side));
}

void PulledExchange::pull(const Side& side) const {
  for (std::size_t done = 0; done < side.ghosts.size(); done += IOV_MAX) {
    const std::size_t count = std::min<std::size_t>(IOV_MAX, side.ghosts.size() - done);
    if (!read_from(processes_[static_cast<std::size_t>(side.neighbour)], &side.ghosts[done],
                   &side.points[done], count))
      throw rt::internal_failure("process_vm_readv didn't read all ghosts");
  }
}

void PulledExchange::run() {
  ++calls_;
  const auto of = [this](int rank) -> Counters& {
    return *counters_[static_cast<std::size_t>(rank)];
  };
  of(me_).ready.store(calls_, std::memory_order_release);
  const Extents& extents = blocks_.front()->extents();
  for (const int face : own_faces_)
    copy_layer(blocks_, face_layer(extents, face ^ 1, false), face_layer(extents, face, true));
  for (const Side& side : sides_) {
    await(of(side.neighbour).ready, calls_);
    pull(side);
  }
  of(me_).done.store(calls_, std::memory_order_release);
  for (const Side& side : sides_) await(of(side.neighbour).done, calls_);
}

}  // namespace cartwright::bench::peer
