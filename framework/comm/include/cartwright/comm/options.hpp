// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/schema.hpp>
#include <chrono>
#include <optional>
#include <string>

namespace cartwright::rt {
class Deck;
}

namespace cartwright::comm {

/// Section `comm` of a deck.
struct Options {
  /// Section of one operation.
  struct OfOperation {
    std::string algorithm{};  ///< empty: chosen
  };

  /// Section `shared`.
  struct Shared {
    long long memory = NodeMemory::usual_bytes >> 20;  ///< MiB
  };

  std::string backend = "auto";
  AxisOrder axes = AxisOrder::automatic;
  Shared shared{};
  bool checked = false;
  bool learn = false;
  std::optional<std::chrono::duration<double>> time_limit{};
  OfOperation allreduce, reduce, reduce_scatter, scan, exscan, broadcast, scatter, gather,
      allgather, alltoall, barrier;

  [[nodiscard]] Supervision supervision() const { return {checked, time_limit}; }
};

[[nodiscard]] rt::Schema<Options> schema();

/// Throws Deck::error for backends and algorithms that don't exist.
void check_options(const rt::Deck& deck, const Options& options);

/// What a deck says of a CartComm; its dims and periodicity are left to the caller.
[[nodiscard]] CartOptions cart_options(const Options& options);

/// For programs without a deck: `options`, and in their place what the environment says of the
/// section's keys, in a deck's words (CARTWRIGHT_COMM_BACKEND=p2p). Collective: rank 0's counts.
/// Throws an input error on all ranks for what can't be read. As they are if they are from a deck.
[[nodiscard]] CartOptions with_environment(const rt::Communicator& comm, CartOptions options);

}  // namespace cartwright::comm
