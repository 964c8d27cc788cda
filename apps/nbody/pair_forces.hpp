// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/axis_collectives.hpp>
#include <cartwright/comm/neighbour_exchange.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "gravity_kernel.hpp"

namespace nbody {

/// How bodies learn where all others are: by allgather (Karlsson 2012, 6.3), round a ring, or along
/// rows and columns (Driscoll et al., A communication-optimal N-body algorithm, IPDPS 2013).
using Way = cartwright::mapping::PairWay;

/// Process grid of `ranks`: as square as can be, the longer side first.
[[nodiscard]] std::vector<int> process_grid(int ranks);

/// What bodies do to each other, in whole units, so that sums don't depend on who adds when.
struct PairLaw {
  /// Adds what `sources` do to `targets`: three sums, or, with all, `sums` of them.
  std::function<void(const Bodies& targets, const Bodies& sources, bool with_all, Sums& added)> add;
  std::size_t sums = 4;
};

/// Sums over all pairs of bodies that are spread by identity over a 2-D process grid. Every
/// way gives the same bits, on any number of ranks.
///
/// By rows and columns the rank at (i, j) of a p x q grid finds what bodies of the ranks (·, j) do
/// to those of the ranks (i, ·): positions travel along both axes at once, and partial sums along
/// the shorter one. So a rank receives N/P (p - 1 + q - 1) positions and q - 1 of as many
/// sums instead of N/P (p q - 1) positions.
class PairSums {
 public:
  /// Collective. `bodies` outlive this; `masses`: of all, or none.
  PairSums(cartwright::grid::Particles& bodies, Way way, PairLaw law, std::vector<double> masses);

  /// Collective. From where the bodies are now.
  void compute(bool with_all);
  /// Of a body of this rank.
  [[nodiscard]] std::int64_t sum(std::size_t which, std::size_t body) const {
    return sums_.of[which][body];
  }
  /// Seconds of this rank that went into communication of compute().
  [[nodiscard]] double communication_seconds() const noexcept { return seconds_; }

 private:
  using Position = std::array<double, 3>;

  void pack();
  void by_allgather(bool with_all);
  void by_ring(bool with_all);
  void by_rows_and_columns(bool with_all);
  void prepare_rows_and_columns();
  void set_sources(std::span<const Position> positions, std::span<const int> ranks);

  cartwright::grid::Particles& bodies_;
  const cartwright::comm::CartComm& ranks_;
  Way way_;
  PairLaw law_;
  std::vector<double> masses_;  // of all bodies
  std::vector<Position> mine_;
  Bodies targets_, sources_;
  Sums sums_;
  double seconds_ = 0.0;

  // Of allgather:
  std::vector<Position> all_;
  std::vector<int> everybody_;
  cartwright::comm::Blocks blocks_of_all_;
  // Of the ring:
  std::vector<Position> visitors_, next_visitors_;
  std::unique_ptr<cartwright::comm::NeighbourExchange> ring_;
  // Of rows and columns:
  std::vector<Position> column_, row_;
  std::vector<int> column_ranks_, row_ranks_;
  Sums partial_;
  std::vector<std::int64_t> flat_, own_;
  cartwright::comm::Blocks blocks_of_three_, blocks_of_all_sums_;
  std::unique_ptr<cartwright::comm::AxisCollectives> positions_;
};

/// Gravity between all pairs.
class PairForces {
 public:
  /// Collective. `bodies` have the attribute "mass", which stays, and outlive this.
  PairForces(cartwright::grid::Particles& bodies, Way way, double constant, double softening);

  /// Collective. From where the bodies are now.
  void compute(bool with_potential) { sums_.compute(with_potential); }
  /// Of the bodies of this rank, along an axis; and the potential at them, if it was asked for.
  [[nodiscard]] double acceleration(std::size_t body, int axis) const {
    return law_.acceleration * static_cast<double>(sums_.sum(static_cast<std::size_t>(axis), body));
  }
  [[nodiscard]] double potential(std::size_t body) const {
    return law_.potential * static_cast<double>(sums_.sum(3, body));
  }
  [[nodiscard]] double communication_seconds() const noexcept {
    return sums_.communication_seconds();
  }

 private:
  PairForces(cartwright::grid::Particles& bodies, Way way, double constant, double softening,
             std::vector<double> masses);

  Softened law_;
  PairSums sums_;
};

}  // namespace nbody
