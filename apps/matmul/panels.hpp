// SPDX-License-Identifier: Apache-2.0
// All communication of the products is in this file's functions.
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/pending.hpp>
#include <cstddef>
#include <span>

namespace matmul {

/// Moves panels along the lines of a 2-D process grid, without blocking anybody.
class Panels {
 public:
  /// Collective: lines of ranks get communicators for their rolls.
  explicit Panels(const cartwright::comm::CartComm& cart) : cart_(cart) {
    for (int axis = 0; axis < cart.dimensions(); ++axis) (void)cart.axis(axis).handle();
  }

  /// To all ranks of my line along `axis`; all lines and both axes may be under way at once.
  [[nodiscard]] cartwright::comm::Pending start_broadcast(int axis, std::span<double> panel,
                                                          int root) const;

  /// One roll of a ring: `out` goes to the rank `distance` places lower on my line along `axis`,
  /// `in` comes from the rank as many places higher; ring-shaped, in messages of `segment` elements
  /// at most. What MPI_Sendrecv_replace does, but without blocking and with two buffers.
  [[nodiscard]] cartwright::comm::Pending start_shift(int axis, int distance,
                                                      std::span<const double> out,
                                                      std::span<double> in,
                                                      std::size_t segment) const;

  [[nodiscard]] const cartwright::comm::CartComm& cart() const noexcept { return cart_; }
  /// Lets everything that is under way advance.
  void poll() const { cart_.engine().poll(); }

 private:
  const cartwright::comm::CartComm& cart_;
};

}  // namespace matmul
