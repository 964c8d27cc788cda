// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/persistent.hpp>
#include <utility>
#include <vector>

namespace cartwright::comm {

/// Collectives along several axes of a grid as one: each axis a collective of its own, all at the
/// same time, or one after the other.
///
///     comm::AxisCollectives panels(cart);
///     panels.add(cart.along(0).prepare_broadcast(a, owner_of_column));
///     panels.add(cart.along(1).prepare_broadcast(b, owner_of_row));
///     panels.run();
///
/// They mustn't depend on each other: nothing that one writes may be read or written by another
/// one. Can be started again and again. Karlsson 2012, chapter 5, where the axes take turns. In
/// turn, `start` returns when the last one has begun: collectives of a communicator begin in the
/// same order on all ranks, whatever else is called.
class AxisCollectives {
 public:
  /// `typical_bytes` of a collective: for AxisOrder::automatic, which asks a model of the machine.
  explicit AxisCollectives(const CartComm& cart, AxisOrder order = AxisOrder::automatic,
                           double typical_bytes = 1 << 20);
  /// All ranks add them in the same order.
  void add(Persistent collective) { collectives_.push_back(std::move(collective)); }
  void start();
  /// Polls; true when all are complete.
  bool test();
  void wait();
  void run() {
    start();
    wait();
  }
  [[nodiscard]] bool overlapped() const noexcept { return overlapped_; }

 private:
  bool overlapped_;
  std::vector<Persistent> collectives_;
};

}  // namespace cartwright::comm
