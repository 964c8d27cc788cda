// SPDX-License-Identifier: Apache-2.0
// Solvers with slips that the framework must name: driven by misfit_test.sh.
#include <cartwright/cartwright.hpp>
#include <vector>

namespace cw = cartwright;

namespace {

struct Wishes {
  long long view = 0, vector = 0;  // elements
};

cw::Schema<Wishes> wishes() {
  return {cw::key("view", &Wishes::view), cw::key("vector", &Wishes::vector)};
}

void plane(cw::Run& run, const Wishes& wishes) {
  const cw::Grid<2> grid(run);
  const Kokkos::View<double*> view("greedy", static_cast<std::size_t>(wishes.view));
  const std::vector<double> vector(static_cast<std::size_t>(wishes.vector));
}

}  // namespace

int main(int argc, char** argv) {
  return cw::run(
      argc, argv,
      {cw::Solver("slip", "a plane that is registered for lines", wishes()).function(plane),
       cw::Solver("right", "a plane", wishes()).function(nullptr, plane)});
}
