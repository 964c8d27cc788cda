// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace cartwright::grid {

class Particles;

/// Some of a rank's particles, to be gone through together.
template <int D>
struct SomeParticles {
  static constexpr int at_once = 128;

  int count = 0;
  std::array<std::size_t, at_once> particle;
  std::array<const double*, static_cast<std::size_t>(D)> position;  ///< of them, axis by axis
  std::array<std::array<int, at_once>, static_cast<std::size_t>(D)> cell;  ///< as HomeCells finds
};

/// Finds the cells of a rank's particles among the rank's own.
template <int D>
class HomeCells {
 public:
  /// Local.
  explicit HomeCells(const Particles& particles);

  /// The place of one among them that is in no cell of this rank, then taken for one in the first
  /// cell: it must migrate. -1: there is none.
  [[nodiscard]] int find(SomeParticles<D>& some) const;
  /// Throws an internal failure that names the particle.
  [[noreturn]] static void refuse(const Particles& particles, std::size_t particle);

 private:
  /// This rank's cells along one axis.
  struct Axis {
    double origin, inverse_spacing, length;
    long long start, count;
    bool is_periodic;
  };
  using Flags = std::array<int, static_cast<std::size_t>(SomeParticles<D>::at_once)>;
  static void find_clear(const Axis& here, const double* position, int count, int* cell,
                         Flags& is_clear);
  [[nodiscard]] bool find_by_edges(SomeParticles<D>& some, std::size_t k) const;

  const Particles& particles_;
  std::array<Axis, static_cast<std::size_t>(D)> axes_{};
};

extern template class HomeCells<1>;
extern template class HomeCells<2>;
extern template class HomeCells<3>;

}  // namespace cartwright::grid
