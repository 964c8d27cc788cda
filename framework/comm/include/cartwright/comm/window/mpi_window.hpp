// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cartwright/rt/rank.hpp>
#include <cstddef>
#include <memory>
#include <span>

namespace cartwright::comm {

class CartComm;

/// A window of MPI's over memory of all ranks, open to all as long as it lives: a network that
/// reaches memory by itself carries contiguous bytes there and back. Nothing else of MPI's epochs
/// is used: who may reach what, and who hears when it is done, is for a Window's records to say.
class MpiWindow {
 public:
  /// Collective, blocking. Null on all ranks if MPI makes none for one of them.
  [[nodiscard]] static std::unique_ptr<MpiWindow> make(const rt::Communicator& ranks,
                                                       std::span<std::byte> mine);
  MpiWindow(const MpiWindow&) = delete;
  MpiWindow& operator=(const MpiWindow&) = delete;
  /// Local: what wasn't freed stays with MPI, as in a run that fails.
  ~MpiWindow() = default;
  /// Collective, blocking; behind the last message that it was used for.
  void free();

  /// To byte `first` of a rank's memory on. When it is complete `data` may be used again.
  [[nodiscard]] rt::Message put(rt::Rank target, std::size_t first,
                                std::span<const std::byte> data) const;
  /// When it is complete the data are here.
  [[nodiscard]] rt::Message get(rt::Rank target, std::size_t first,
                                std::span<std::byte> data) const;
  /// Behind puts that are complete: returns when their data are there, which takes the network
  /// one way and back, and waits for the target where the network needs its processor.
  void flush(rt::Rank target) const;

 private:
  explicit MpiWindow(MPI_Win handle) noexcept : handle_(handle) {}

  MPI_Win handle_;
};

/// Collective, blocking: some 70 ms. Whether what such windows do goes on while their target
/// computes. Rank 0 tries that with a rank of another node, if there are some.
[[nodiscard]] bool mpi_windows_need_no_target(const CartComm& cart);

}  // namespace cartwright::comm
