// SPDX-License-Identifier: Apache-2.0
#include "mpi_window.hpp"

namespace cartwright::bench {

MpiWindow::MpiWindow(const rt::Communicator& comm, std::size_t bytes) {
  void* memory = nullptr;
  // Open MPI takes its quickest component for this (osc/sm), and not always for MPI_Win_allocate.
  const auto allocate =
      comm.split_shared_memory().size() == comm.size() ? MPI_Win_allocate_shared : MPI_Win_allocate;
  rt::mpi_check(
      allocate(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, comm.handle(), &memory, &window_),
      "MPI_Win_allocate");
  memory_ = static_cast<std::byte*>(memory);
  rt::mpi_check(MPI_Comm_group(comm.handle(), &all_), "MPI_Comm_group");
}

MpiWindow::~MpiWindow() {
  MPI_Group_free(&all_);
  MPI_Win_free(&window_);
}

MPI_Group MpiWindow::group_of(const std::vector<int>& ranks) const {
  MPI_Group group = MPI_GROUP_NULL;
  rt::mpi_check(MPI_Group_incl(all_, static_cast<int>(ranks.size()), ranks.data(), &group),
                "MPI_Group_incl");
  return group;
}

void MpiWindow::post(const std::vector<int>& origins) const {
  MPI_Group group = group_of(origins);
  rt::mpi_check(MPI_Win_post(group, 0, window_), "MPI_Win_post");
  MPI_Group_free(&group);
}

void MpiWindow::wait() const {
  rt::mpi_check(MPI_Win_wait(window_), "MPI_Win_wait");
}

void MpiWindow::start(const std::vector<int>& targets) const {
  MPI_Group group = group_of(targets);
  rt::mpi_check(MPI_Win_start(group, 0, window_), "MPI_Win_start");
  MPI_Group_free(&group);
}

void MpiWindow::complete() const {
  rt::mpi_check(MPI_Win_complete(window_), "MPI_Win_complete");
}

void MpiWindow::fence() const {
  rt::mpi_check(MPI_Win_fence(0, window_), "MPI_Win_fence");
}

void MpiWindow::close_fence() const {
  rt::mpi_check(MPI_Win_fence(MPI_MODE_NOSUCCEED, window_), "MPI_Win_fence");
}

void MpiWindow::lock(int target, bool exclusive) const {
  rt::mpi_check(MPI_Win_lock(exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, target, 0, window_),
                "MPI_Win_lock");
}

void MpiWindow::unlock(int target) const {
  rt::mpi_check(MPI_Win_unlock(target, window_), "MPI_Win_unlock");
}

void MpiWindow::put(int target, const void* data, std::size_t bytes, std::size_t at) const {
  const int count = static_cast<int>(bytes);
  rt::mpi_check(
      MPI_Put(data, count, MPI_BYTE, target, static_cast<MPI_Aint>(at), count, MPI_BYTE, window_),
      "MPI_Put");
}

void MpiWindow::lock_all() const {
  rt::mpi_check(MPI_Win_lock_all(0, window_), "MPI_Win_lock_all");
}

void MpiWindow::unlock_all() const {
  rt::mpi_check(MPI_Win_unlock_all(window_), "MPI_Win_unlock_all");
}

void MpiWindow::flush(int target) const {
  rt::mpi_check(MPI_Win_flush(target, window_), "MPI_Win_flush");
}

void MpiWindow::flush_all() const {
  rt::mpi_check(MPI_Win_flush_all(window_), "MPI_Win_flush_all");
}

void MpiWindow::add(int target, const long long* values, int count, std::size_t at) const {
  rt::mpi_check(MPI_Accumulate(values, count, MPI_LONG_LONG, target, static_cast<MPI_Aint>(at),
                               count, MPI_LONG_LONG, MPI_SUM, window_),
                "MPI_Accumulate");
}

void MpiWindow::fetch_and_add(int target, int value, int& found, std::size_t at) const {
  rt::mpi_check(MPI_Fetch_and_op(&value, &found, MPI_INT, target, static_cast<MPI_Aint>(at),
                                 MPI_SUM, window_),
                "MPI_Fetch_and_op");
  flush(target);
}

void MpiWindow::compare_and_swap(int target, const std::uint64_t& expected,
                                 const std::uint64_t& desired, std::uint64_t& found,
                                 std::size_t at) const {
  rt::mpi_check(MPI_Compare_and_swap(&desired, &expected, &found, MPI_UINT64_T, target,
                                     static_cast<MPI_Aint>(at), window_),
                "MPI_Compare_and_swap");
}

}  // namespace cartwright::bench
