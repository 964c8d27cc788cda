// SPDX-License-Identifier: Apache-2.0
#include "pulled_exchange.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cartwright/rt/agreement.hpp>
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

bool read_from(pid_t process, const iovec* to, const iovec* from, std::size_t count) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) bytes += to[i].iov_len;
  const ssize_t got = ::process_vm_readv(process, to, count, from, count, 0);
  return got == static_cast<ssize_t>(bytes);
}

}  // namespace

bool PulledExchange::is_possible(const rt::Communicator& comm) {
  if (comm.split_shared_memory().size() < comm.size()) return false;
  const double told = 1.0;
  const auto processes = rt::collected(comm, ::getpid());
  const auto places = rt::collected(comm, address_of(&told));
  bool can = true;
  for (std::size_t rank = 0; rank < processes.size(); ++rank) {
    double read = 0.0;
    const iovec to{&read, sizeof read};
    // NOLINTNEXTLINE(*-no-int-to-ptr): of another process
    const iovec from{reinterpret_cast<void*>(places[rank]), sizeof read};
    can = can && read_from(processes[rank], &to, &from, 1) && read == told;
  }
  return rt::on_all_ranks(comm, can);
}

PulledExchange::PulledExchange(const rt::Communicator& comm, const Neighbours& neighbours,
                               std::vector<const Block*> blocks)
    : blocks_(std::move(blocks)), me_(comm.rank().value) {
  void* memory = nullptr;
  rt::mpi_check(
      MPI_Win_allocate_shared(sizeof(Counters), 1, MPI_INFO_NULL, comm.handle(), &memory, &window_),
      "MPI_Win_allocate_shared");
  ::new (memory) Counters;
  for (const Block* const block : blocks_)
    origins_.push_back(rt::collected(comm, address_of(block->origin())));
  processes_ = rt::collected(comm, ::getpid());  // counters are there
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
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    add_rows(*blocks_[i], address_of(blocks_[i]->origin()), face_layer(extents, face, true),
             side.ghosts);
    add_rows(*blocks_[i], origins_[i][static_cast<std::size_t>(neighbour)],
             face_layer(extents, face ^ 1, false), side.points);
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
