// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/transport/segment.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstddef>
#include <functional>
#include <span>

namespace cartwright::comm {

/// Memory that the ranks of a communicator share, all on one node; move-only.
/// Creation is collective, destruction too (a rank that fails leaves it to the
/// system).
class NodeSegment {
 public:
  NodeSegment() = default;
  /// What a rank does to its own part before anybody else sees it.
  using Prepare = std::function<void(std::span<std::byte> mine)>;
  static void zero(std::span<std::byte> mine);

  /// `bytes`: of this rank's part; may differ between ranks. Returns once all parts are prepared;
  /// pages that nobody touches take no memory. Throws input_error on all ranks if the node has too
  /// little shared memory.
  NodeSegment(const rt::Communicator& node, std::size_t bytes, const Prepare& prepare = zero);
  NodeSegment(const NodeSegment&) = delete;
  NodeSegment& operator=(const NodeSegment&) = delete;
  NodeSegment(NodeSegment&& other) noexcept { swap(other); }
  NodeSegment& operator=(NodeSegment&& other) noexcept {
    NodeSegment(std::move(other)).swap(*this);
    return *this;
  }
  ~NodeSegment();

  /// By rank of the communicator.
  [[nodiscard]] const SegmentView& view() const noexcept { return view_; }

  /// Bytes of shared memory that the system still has.
  [[nodiscard]] static std::size_t available() noexcept;

 private:
  void swap(NodeSegment& other) noexcept;
  void find_parts();
  void try_memories(const rt::Communicator& node);

  MPI_Win window_ = MPI_WIN_NULL;
  SegmentView view_;
};

}  // namespace cartwright::comm
