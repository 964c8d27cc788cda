// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/persistent.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace cartwright::comm {
class CartComm;
}

namespace cartwright::grid {

/// What particles send to each other's ranks: numbers of doubles, rank by rank. First all that is
/// put in, then one exchange, again and again.
///
/// Ranks first tell each other how much there is. The numbers travel in blocks with some room to
/// spare, which both ends of each way choose from the lengths that both know: so blocks stay while
/// lengths vary a little, the exchange is made ready once, and nothing is allocated in a steady
/// flow.
class Parcels {
 public:
  /// `comm` outlives this.
  explicit Parcels(const comm::CartComm& comm);

  [[nodiscard]] std::vector<double>& to(int rank) { return going_[static_cast<std::size_t>(rank)]; }
  /// Collective. Parcels are empty then; what came is there until the next exchange.
  void exchange();
  [[nodiscard]] std::span<const double> from(int rank) const {
    return came_[static_cast<std::size_t>(rank)];
  }
  /// Of all ranks.
  [[nodiscard]] std::size_t count() const;

 private:
  /// How many doubles a way to another rank carries each time.
  struct Room {
    long long doubles = 0;
    int rarely_used = 0;  ///< times in turn
    /// True if it changes.
    bool suit(long long length);
  };

  void make_ready();

  const comm::CartComm& comm_;
  std::vector<std::vector<double>> going_;
  std::vector<std::span<const double>> came_;
  std::vector<double> own_;                  // to this rank itself
  std::vector<long long> lengths_, coming_;  // by rank
  std::vector<Room> room_out_, room_in_;
  std::vector<double> sent_, received_;
  comm::Persistent travel_;
  bool is_ready_ = false;
};

}  // namespace cartwright::grid
