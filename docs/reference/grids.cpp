// SPDX-License-Identifier: Apache-2.0
// A program without a deck, and without steps that a run makes: the error of a second derivative on
// ever finer grids. A test runs it.
#include <cartwright/cartwright.hpp>
#include <cmath>
#include <string>

namespace cw = cartwright;

/// The largest error of the Laplacian of sin(x) sin(y) on the square of 2 pi.
double largest_error(cw::App& app, long long cells) {
  // example: cw::GridSpec
  const double width = 2.0 * std::acos(-1.0);
  cw::Grid<2> grid(app,
                   {.extent = {cells, cells}, .length = {width, width}, .periodic = {true, true}});
  cw::Field<double, 2> u(grid, "u");
  u.set_from([](const auto& x, int /*component*/) { return std::sin(x[0]) * std::sin(x[1]); });
  // end
  double error = 0.0;
  const auto in = u.view();
  cw::exchange(u).overlap(
      KOKKOS_LAMBDA(cw::Index<2> i, double& most) {
        const double here = std::abs(cw::laplacian(in, i) + 2.0 * in(i));
        if (here > most) most = here;
      },
      cw::Max(error));
  return error;
}

// example: cw::App cw::run_app
int main(int argc, char** argv) {
  return cw::run_app(argc, argv, "the error of a second derivative", [](cw::App& app) {
    double coarser = largest_error(app, 32);
    for (const long long cells : {64, 128}) {
      const double error = largest_error(app, cells);
      app.runtime().log().entry(std::to_string(cells) + " cells",
                                "4.0 times less: " + std::to_string(coarser / error));
      if (coarser / error < 3.9)
        throw cw::numerical_failure("the second derivative is not of second order", {},
                                    cartwright::rt::Reach::all_ranks);
      coarser = error;
    }
  });
}
// end
