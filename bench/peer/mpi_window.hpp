// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cartwright::bench {

/// A window of the MPI library's own, in memory that it allocates; epochs are closed by waiting.
class MpiWindow {
 public:
  /// Collective.
  MpiWindow(const rt::Communicator& comm, std::size_t bytes);
  MpiWindow(const MpiWindow&) = delete;
  MpiWindow& operator=(const MpiWindow&) = delete;
  ~MpiWindow();

  void post(const std::vector<int>& origins) const;
  void wait() const;
  void start(const std::vector<int>& targets) const;
  void complete() const;
  void fence() const;
  void close_fence() const;
  void lock(int target, bool exclusive = true) const;
  void unlock(int target) const;
  void lock_all() const;
  void unlock_all() const;
  void flush(int target) const;
  void flush_all() const;
  /// This rank's.
  [[nodiscard]] std::byte* memory() const noexcept { return memory_; }
  void put(int target, const void* data, std::size_t bytes, std::size_t at = 0) const;
  void add(int target, const long long* values, int count, std::size_t at = 0) const;
  void fetch_and_add(int target, int value, int& found, std::size_t at = 0) const;
  void compare_and_swap(int target, const std::uint64_t& expected, const std::uint64_t& desired,
                        std::uint64_t& found, std::size_t at) const;

 private:
  [[nodiscard]] MPI_Group group_of(const std::vector<int>& ranks) const;

  std::byte* memory_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
  MPI_Group all_ = MPI_GROUP_NULL;
};

}  // namespace cartwright::bench
