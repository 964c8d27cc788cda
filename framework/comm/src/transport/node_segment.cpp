// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cartwright/comm/transport/node_segment.hpp>
#include <cartwright/comm/transport/shared_access.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cstring>
#include <limits>
#include <utility>

namespace cartwright::comm {

namespace {

// MPI creates the memory as a file there, and touching a page that finds no
// room kills the process.
constexpr const char* shared_memory_folder = "/dev/shm";

void require_room(const rt::Communicator& node, std::size_t bytes) {
  std::array<std::uint64_t, 1> wanted{bytes};
  rt::mpi_check(MPI_Allreduce(MPI_IN_PLACE, wanted.data(), 1, MPI_UINT64_T, MPI_SUM, node.handle()),
                "MPI_Allreduce");
  std::uint64_t available = NodeSegment::available();
  rt::mpi_check(MPI_Bcast(&available, 1, MPI_UINT64_T, 0, node.handle()), "MPI_Bcast");
  if (wanted[0] <= available) return;
  constexpr std::uint64_t mebibyte = 1U << 20U;
  throw rt::input_error(fmt::format("{} MiB of shared memory are needed on a "
                                    "node, and {} has {} MiB left",
                                    (wanted[0] + mebibyte - 1) / mebibyte, shared_memory_folder,
                                    available / mebibyte),
                        fmt::format("Make {} larger (containers: --shm-size), "
                                    "set comm.shared.memory to less, or "
                                    "comm.backend to p2p.",
                                    shared_memory_folder),
                        rt::Reach::all_ranks);
}

MPI_Win allocate(const rt::Communicator& node, std::size_t bytes) {
  MPI_Info info = MPI_INFO_NULL;
  rt::mpi_check(MPI_Info_create(&info), "MPI_Info_create");
  rt::mpi_check(MPI_Info_set(info, "alloc_shared_noncontig", "true"), "MPI_Info_set");
  MPI_Win window = MPI_WIN_NULL;
  void* mine = nullptr;
  const int code =
      MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, info, node.handle(), &mine, &window);
  rt::mpi_check(MPI_Info_free(&info), "MPI_Info_free");
  rt::mpi_check(code, "MPI_Win_allocate_shared");
  return window;
}

}  // namespace

std::size_t NodeSegment::available() noexcept {
  struct statvfs status {};
  if (statvfs(shared_memory_folder, &status) != 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(status.f_bavail) * status.f_frsize;
}

void NodeSegment::zero(std::span<std::byte> mine) {
  std::memset(mine.data(), 0, mine.size());
}

NodeSegment::NodeSegment(const rt::Communicator& node, std::size_t bytes, const Prepare& prepare) {
  bytes = (bytes + cache_line - 1) / cache_line * cache_line + cache_line;
  require_room(node, bytes);
  window_ = allocate(node, bytes);
  view_.me = node.rank().value;
  view_.parts.resize(static_cast<std::size_t>(node.size()));
  find_parts();
  prepare(view_.parts[static_cast<std::size_t>(view_.me)]);
  try_memories(node);
  node.barrier();
}

void NodeSegment::find_parts() {
  for (int member = 0; member < view_.members(); ++member) {
    MPI_Aint size = 0;
    int unit = 1;
    void* begin = nullptr;
    rt::mpi_check(MPI_Win_shared_query(window_, member, &size, &unit, &begin),
                  "MPI_Win_shared_query");
    // As much in all processes: each maps the memory at the beginning of a
    // page.
    const auto misaligned = reinterpret_cast<std::uintptr_t>(begin) % cache_line;
    const std::size_t skipped = misaligned == 0 ? 0 : cache_line - misaligned;
    view_.parts[static_cast<std::size_t>(member)] = {static_cast<std::byte*>(begin) + skipped,
                                                     static_cast<std::size_t>(size) - cache_line};
  }
}

/// Each rank tries to read the next one's memory; all do it, or nobody will.
void NodeSegment::try_memories(const rt::Communicator& node) {
  const std::uint64_t secret = 0x5EC2E7 + static_cast<std::uint64_t>(view_.me);
  const std::array<std::uint64_t, 2> mine{static_cast<std::uint64_t>(getpid()),
                                          reinterpret_cast<std::uint64_t>(&secret)};
  std::vector<std::array<std::uint64_t, 2>> all(view_.parts.size());
  rt::mpi_check(
      MPI_Allgather(mine.data(), 2, MPI_UINT64_T, all.data(), 2, MPI_UINT64_T, node.handle()),
      "MPI_Allgather");
  for (const auto& [process, address] : all)
    view_.memories.push_back({static_cast<std::int64_t>(process), process == mine[0]});
  const std::size_t other = static_cast<std::size_t>(view_.me + 1) % all.size();
  std::uint64_t read = 0;
  int works =
      view_.memories[other].read(all[other][1], reinterpret_cast<std::byte*>(&read), sizeof read) &&
              read == 0x5EC2E7 + other
          ? 1
          : 0;
  rt::mpi_check(MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, node.handle()),
                "MPI_Allreduce");
  if (works == 0) view_.memories.clear();
}

NodeSegment::~NodeSegment() {
  // Freeing waits for the other ranks, which know nothing of a failure.
  if (window_ != MPI_WIN_NULL && rt::mpi_is_running() && !rt::unwinding()) MPI_Win_free(&window_);
}

void NodeSegment::swap(NodeSegment& other) noexcept {
  std::swap(window_, other.window_);
  std::swap(view_, other.view_);
}

}  // namespace cartwright::comm
