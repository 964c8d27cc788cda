// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/rank.hpp>
#include <utility>

namespace cartwright::rt {

/// Owns one MPI communicator (or borrows a caller's); move-only. Errors are returned, not fatal.
class Communicator {
 public:
  Communicator() = default;
  /// Takes ownership of `handle`: it is freed with this object, unless MPI was finalised before.
  [[nodiscard]] static Communicator own(MPI_Comm handle);
  /// A private duplicate of `handle`, so that our messages never meet the caller's. Collective.
  [[nodiscard]] static Communicator duplicate(MPI_Comm handle);

  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  Communicator(Communicator&& other) noexcept { swap(other); }
  Communicator& operator=(Communicator&& other) noexcept {
    Communicator(std::move(other)).swap(*this);
    return *this;
  }
  ~Communicator();

  [[nodiscard]] MPI_Comm handle() const noexcept { return handle_; }
  [[nodiscard]] Rank rank() const noexcept { return Rank{rank_}; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] bool is_root() const noexcept { return rank_ == 0; }
  explicit operator bool() const noexcept { return handle_ != MPI_COMM_NULL; }

  /// Collective. Ranks with the same `color` form a communicator, ordered by `key`, then by rank.
  /// A negative color (MPI_UNDEFINED) gives an empty Communicator.
  [[nodiscard]] Communicator split(int color, int key) const;
  /// Collective. The ranks that can share memory with this one, in the order of this communicator.
  [[nodiscard]] Communicator split_shared_memory() const;
  [[nodiscard]] Communicator duplicate() const { return duplicate(handle_); }
  void barrier() const;

 private:
  void swap(Communicator& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(rank_, other.rank_);
    std::swap(size_, other.size_);
  }

  MPI_Comm handle_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace cartwright::rt
