// SPDX-License-Identifier: Apache-2.0
// Gray and Scott's reaction, U + 2 V -> 3 V, with diffusion: spots, stripes and worms (Pearson,
// Science 261, 1993). Explicit Euler steps, second order in space.
#include <optional>

#include "solvers.hpp"

namespace cw = cartwright;

namespace pde {

/// Feed and kill rates of Pearson's classes, by what one sees.
enum class Pattern { spots, worms, stripes, mitosis, holes, chaos };
constexpr double feed_and_kill[][2] = {{0.030, 0.062},   {0.058, 0.063}, {0.042, 0.060},
                                       {0.0367, 0.0649}, {0.039, 0.058}, {0.026, 0.051}};

struct GrayScott {
  double u_diffusivity = 2.0e-5, v_diffusivity = 1.0e-5;
  Pattern pattern = Pattern::spots;
  std::optional<double> feed, kill;
};

cw::Schema<GrayScott> gray_scott_schema() {
  return {
      cw::key("u_diffusivity", &GrayScott::u_diffusivity).unit("m2/s").above(0.0).about("of U"),
      cw::key("v_diffusivity", &GrayScott::v_diffusivity).unit("m2/s").above(0.0).about("of V"),
      cw::key("pattern", &GrayScott::pattern)
          .choices({"spots", "worms", "stripes", "mitosis", "holes", "chaos"})
          .about("gives feed and kill rates where the deck doesn't"),
      cw::key("feed", &GrayScott::feed).unit("1/s").minimum(0.0).about("rate at which U comes in"),
      cw::key("kill", &GrayScott::kill).unit("1/s").minimum(0.0).about("rate at which V decays")};
}

template <int D>
using Concentrations = cw::Field<cw::Vector<double, 2>, D>;

template <int D, class Cells>
void react(const cw::Step& step, Concentrations<D>& c, Concentrations<D>& next, const GrayScott& p,
           double feed, double kill, const Cells& cells) {
  const cw::Vector<double, 2> diffusivity{p.u_diffusivity, p.v_diffusivity};
  const double dt = step.dt;
  cw::fused(
      step, c, next,
      KOKKOS_LAMBDA(const cw::FieldView<const cw::Vector<double, 2>, D>& in, cw::Index<D> i) {
        const auto spread = cw::laplacian(in, i, cells);
        const double u = in(i)[0], v = in(i)[1], reaction = u * v * v;
        return cw::Vector<double, 2>{
            u + dt * (diffusivity[0] * spread[0] - reaction + feed * (1.0 - u)),
            v + dt * (diffusivity[1] * spread[1] + reaction - (feed + kill) * v)};
      });
}

template <int D>
void gray_scott(cw::Run& run, const GrayScott& p) {
  cw::Grid<D> grid(run);
  Concentrations<D> c(grid, "concentration", {.fused = true}), next = c.like();
  run.initialize(c);

  const double* const rates = feed_and_kill[static_cast<int>(p.pattern)];
  const double feed = p.feed.value_or(rates[0]), kill = p.kill.value_or(rates[1]);
  auto steps = run.steps(c).fused();
  const double fastest = std::max(p.u_diffusivity, p.v_diffusivity);
  steps.stable_below(
      1.0 / (2.0 * fastest * grid.inverse_spacing_squared() + 0.5 * (1.0 + feed + kill)),
      "explicit diffusion and reaction");
  for (auto step : steps)
    cw::with_cells(c, [&](const auto& cells) { react(step, c, next, p, feed, kill, cells); });
}

cw::grid::SolverEntry gray_scott_solver() {
  return cw::Solver("gray_scott", "reaction and diffusion of two substances", gray_scott_schema())
      .field("concentration", {{"u", ""}, {"v", ""}})
      .default_boundary("outflow")
      .stretched_cells()
      .function(gray_scott<1>, gray_scott<2>, gray_scott<3>);
}

}  // namespace pde
