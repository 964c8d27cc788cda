// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/linear/solve/options.hpp>
#include <cartwright/rt/communicator.hpp>
#include <memory>
#include <span>

namespace cartwright::linear {

/// A system of cells, each coupled with its neighbours along the axes, as one of hypre's multigrid
/// methods takes it. hypre's sums depend on the number of ranks: so do the bits of its results.
class HypreSystem {
 public:
  /// One rank's cells, and those of the whole grid.
  struct Cells {
    int dimensions = 3;
    std::array<long long, 3> start{}, count{}, global{};
    std::array<bool, 3> periodic{};
    [[nodiscard]] std::size_t number() const {
      return static_cast<std::size_t>(count[0] * count[1] * count[2]);
    }
  };

  /// Collective. `comm` must outlive it; `is_singular`: constants are in the system's kernel.
  HypreSystem(const rt::Communicator& comm, const Cells& cells, MultigridKind kind,
              bool is_singular);
  HypreSystem(const HypreSystem&) = delete;
  HypreSystem& operator=(const HypreSystem&) = delete;
  ~HypreSystem();

  /// Collective. For each cell, x fastest, what it is multiplied with and what its neighbours are:
  /// the cell's own, below and above along x, along y…
  void set(std::span<const double> coefficients);
  /// Collective. One cycle for A z = r, from z = 0; cells as above.
  void cycle(std::span<const double> r, std::span<double> z);

  struct Method;

 private:
  std::unique_ptr<Method> method_;
};

}  // namespace cartwright::linear
