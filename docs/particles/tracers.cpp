// SPDX-License-Identifier: Apache-2.0
// Dust in a flow: particles that go where the wind blows.
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

struct Dust {
  long long particles = 3000;
};

cw::Schema<Dust> schema() {
  return {cw::key("particles", &Dust::particles).minimum(0).about("how many")};
}

/// Anywhere in a strip at the left, the same on any number of ranks.
std::array<double, 3> begin(const cw::Grid<2>& grid, long long identity) {
  const auto number = static_cast<std::uint64_t>(2 * identity);
  const double x = cw::random_number(1, number), y = cw::random_number(1, number + 1);
  return {grid.origin(0) + 0.25 * x * grid.length(0), grid.origin(1) + y * grid.length(1), 0.0};
}

void dust(cw::Run& run, const Dust& parameters) {
  cw::Grid<2> grid(run);
  cw::Field<cw::Vector<double, 2>, 2> velocity(grid, "velocity", {.corners = true});
  run.initialize(velocity);
  cw::Particles dust(grid, "dust", parameters.particles, {{"speed", "m/s", 2}});
  run.on_fresh_start([&] { dust.place([&](long long i) { return begin(grid, i); }); });

  for (auto step : run.steps(velocity, dust)) {
    dust.migrate();
    cw::exchange(velocity).wait();
    const cw::Interpolation wind(velocity);
    auto x = dust.position().view(), before = dust["speed"].view();
    const double dt = step.dt, last = step.number > 1 ? -0.5 * dt : 0.0;
    cw::for_each(dust, [=](std::ptrdiff_t p) {  // Adams and Bashforth, of second order
      const cw::Vector<double, 2> now = wind(x, p);
      for (int axis = 0; axis < 2; ++axis) {
        x(p, axis) += (dt - last) * now[axis] + last * before(p, axis);
        before(p, axis) = now[axis];
      }
    });
    dust.reflect(dust["speed"]);
  }
}

int main(int argc, char** argv) {
  return cw::run(argc, argv,
                 {cw::Solver("dust", "particles in a wind", schema())
                      .field("velocity", {cw::per_axis("wind", "m/s")})
                      .function(nullptr, dust)});
}
