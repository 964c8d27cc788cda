// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/rank.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cartwright::rt {

/// Owns one MPI communicator; move-only. Errors are returned, not fatal.
class Communicator {
 public:
  Communicator() = default;
  /// Some ranks of `of`, this one among them, in that order. MPI makes the communicator when its
  /// handle is first asked for: then these ranks, and no others, have to ask for it together. `tag`
  /// tells apart what the same rank makes at the same time. Until then it costs nothing. Local.
  [[nodiscard]] static Communicator later(std::shared_ptr<const Communicator> of,
                                          std::vector<int> ranks, int tag = 0);
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

  [[nodiscard]] MPI_Comm handle() const {
    if (later_ != nullptr) [[unlikely]]
      make();
    return handle_;
  }
  [[nodiscard]] Rank rank() const noexcept { return Rank{rank_}; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] bool is_root() const noexcept { return rank_ == 0; }
  explicit operator bool() const noexcept { return handle_ != MPI_COMM_NULL || later_ != nullptr; }
  /// The numbers that ranks of this one have in another one; -1 for those that aren't in it. Local.
  [[nodiscard]] std::vector<int> translate(std::span<const int> ranks,
                                           const Communicator& to) const;

  /// Collective. Ranks with the same `color` form a communicator, ordered by `key`, then by rank.
  /// A negative color (MPI_UNDEFINED) gives an empty Communicator.
  [[nodiscard]] Communicator split(int color, int key) const;
  /// Collective. The ranks that can share memory with this one, in the order of this communicator.
  [[nodiscard]] Communicator split_shared_memory() const;
  [[nodiscard]] Communicator duplicate() const { return duplicate(handle()); }
  void barrier() const;

 private:
  void swap(Communicator& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(rank_, other.rank_);
    std::swap(size_, other.size_);
    std::swap(later_, other.later_);
  }
  /// Of what isn't made yet.
  struct Later {
    std::shared_ptr<const Communicator> of;
    std::vector<int> ranks;
    int tag;
  };
  void make() const;

  mutable MPI_Comm handle_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
  mutable std::unique_ptr<const Later> later_;
};

}  // namespace cartwright::rt
