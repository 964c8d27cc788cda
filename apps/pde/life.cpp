// SPDX-License-Identifier: Apache-2.0
// Conway's game of life, and others of its kind in 2 and 3 dimensions: a cell lives on, or is born,
// by the number of its neighbours, diagonal ones too, that are alive.
#include <vector>

#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

struct Life {
  std::vector<int> birth{3}, survival{2, 3};
};

cw::Schema<Life> life_schema() {
  return {cw::key("birth", &Life::birth)
              .minimum(1)
              .maximum(26)
              .about("numbers of living neighbours with which a dead cell comes to life"),
          cw::key("survival", &Life::survival)
              .minimum(0)
              .maximum(26)
              .about("numbers of living neighbours with which a living cell stays alive")};
}

/// Bit n is set if n is among `numbers`.
unsigned bits_of(const std::vector<int>& numbers) {
  unsigned bits = 0;
  for (const int number : numbers) bits |= 1U << number;
  return bits;
}

template <int D>
void life(cw::Run& run, const Life& rule) {
  cw::Grid<D> grid(run);
  cw::Field<unsigned char, D> cells(grid, "alive", {.corners = true}), next = cells.like();
  run.initialize(cells);
  const unsigned birth = bits_of(rule.birth), survival = bits_of(rule.survival);
  for ([[maybe_unused]] auto step : run.steps(cells)) {
    auto in = cells.view();
    auto out = next.view();
    cw::exchange(cells).overlap(KOKKOS_LAMBDA(cw::Index<D> i) {
      int alive = -in(i);
      const int depth = D > 2 ? 1 : 0;
      for (int z = -depth; z <= depth; ++z)
        for (int y = -1; y <= 1; ++y)
          for (int x = -1; x <= 1; ++x)
            alive += in(i.shifted(0, x).shifted(1, y).shifted(D - 1, D > 2 ? z : 0));
      out(i) = ((in(i) != 0 ? survival : birth) >> alive & 1U) != 0 ? 1 : 0;
    });
    swap(cells, next);
  }
}

cw::grid::SolverEntry life_solver() {
  return cw::Solver("life", "Conway's game of life", life_schema())
      .field("alive")
      .function(nullptr, life<2>, life<3>);
}

}  // namespace pde
