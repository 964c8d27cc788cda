// SPDX-License-Identifier: Apache-2.0
#include "pde_problems.hpp"

namespace pde_test {
namespace {

const char* const heat = R"(
solver: heat
heat: {diffusivity: 1.0e-4}
grid: {extent: [101, 67, 13], length: [1.0, 0.7, 0.2], periodic: [false, true, false]}
time: {steps: 30}
initial: {temperature: {random: {low: 300, high: 400, seed: 7}}}
boundary: {temperature: {x_low: {dirichlet: "350 + 10*sin(t)*y"}, all: {neumann: 3}}}
exact: {temperature: "350"}
output: {every: 10}
checkpoint: {every: 10}
)";

const char* const wave = R"(
solver: wave
wave: {speed: 2.0}
grid: {extent: [101, 67, 13], periodic: [false, false, true]}
time: {steps: 30}
initial: {displacement: {random: {seed: 3}}, velocity: "x - y"}
boundary: {displacement: {y_high: {neumann: "x"}}}
output: {every: 10}
checkpoint: {every: 10}
)";

const char* const rod = R"yaml(
solver: heat
grid: {extent: [997]}
time: {steps: 30}
initial: {temperature: random}
boundary: {temperature: {x_low: {dirichlet: "sin(t)"}, x_high: {neumann: 3}}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const ground = R"yaml(
solver: heat
heat: {scheme: crank_nicolson, linear: {method: cg, tolerance: 1.0e-6}}
grid: {extent: [101, 67], periodic: [true, false]}
time: {steps: 30, step: 1.0e-3}
initial: {temperature: {random: {seed: 4}}}
boundary: {temperature: {y_low: {dirichlet: "sin(99*t)*x"}, y_high: {robin: {coefficient: 2, value: "x"}}}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const basin = R"yaml(
solver: wave
grid: {extent: [101, 67], periodic: [true, false]}
time: {steps: 30}
initial: {displacement: random, velocity: "y"}
boundary: {displacement: {y_high: {neumann: "x"}}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const flow = R"yaml(
solver: navier_stokes
navier_stokes: {viscosity: 0.005}
grid: {extent: [26, 18], length: [1.3, 0.9], periodic: [true, false]}
time: {steps: 30}
initial:
  velocity_x: "1 + 0.3*sin(9*y)"
  velocity_y: "0.2*sin(2*pi*x/1.3)*y*(0.9-y)"
boundary:
  velocity_x: {y_high: {dirichlet: "1 + 0.1*sin(9*t)"}, all: {dirichlet: 0}}
  velocity_y: {all: {dirichlet: 0}}
  pressure: {all: {neumann: 0}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const obstacle = R"yaml(
solver: navier_stokes
navier_stokes: {viscosity: 0.005}
grid: {extent: [26, 18], length: [1.3, 0.9]}
time: {steps: 30}
initial: {velocity_x: 1, solid: "(x-0.4)^2 + (y-0.4)^2 < 0.03 || y<0.05 && x>1"}
boundary:
  velocity_x: {x_low: {dirichlet: "1 + 0.1*sin(9*t)"}, x_high: outflow, all: {dirichlet: 0}}
  velocity_y: {x_high: outflow, all: {dirichlet: 0}}
  pressure: {x_high: {dirichlet: 0}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

/// Cells are narrow at walls; bodies of whole cells stand in the way.
const char* const clustered = R"yaml(
solver: navier_stokes
navier_stokes: {viscosity: 0.005}
grid:
  extent: [27, 18]
  length: [1.3, 0.9]
  coordinates: {x: "1.3*(x/1.3)^1.5", y: "0.45*(1-cos(pi*y/0.9))"}
time: {steps: 30}
initial: {velocity_x: 1, solid: "(x-0.4)^2 + (y-0.4)^2 < 0.03 || y<0.05 && x>1"}
boundary:
  velocity_x: {x_low: {dirichlet: "1 + 0.1*sin(9*t)"}, x_high: outflow, all: {dirichlet: 0}}
  velocity_y: {x_high: outflow, all: {dirichlet: 0}}
  pressure: {x_high: {dirichlet: 0}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const reaction = R"yaml(
solver: gray_scott
gray_scott: {pattern: worms}
grid: {extent: [101, 67], periodic: [true, false]}
time: {steps: 30, step: 0.1}
initial: {concentration: {u: random, v: {random: {seed: 5}}}}
boundary: {concentration: {y_low: {u: {dirichlet: "x*t"}, v: outflow}, y_high: {robin: {coefficient: 2, value: "x"}}}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const stream = R"yaml(
solver: advection
grid: {extent: [61, 47, 11], periodic: [false, true, false]}
time: {steps: 30}
initial: {tracer: {random: {seed: 5}}, velocity: ["1 + y", "sin(6*x)", "0.3 - z"]}
boundary: {tracer: {x_low: {dirichlet: "sin(9*t)*y"}, all: outflow}, velocity: {all: outflow}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const gas = R"yaml(
solver: euler
grid: {extent: [67, 43], periodic: [false, false]}
time: {end: 0.06, steps: 30}
initial: {gas: {density: {random: {low: 1, high: 2}}, velocity: ["y", "0.3*sin(9*x)"], pressure: "1 + x*x"}}
boundary:
  gas:
    x_low: {inflow: {density: 1.5, velocity: ["y", "t"], pressure: 1}}
    x_high: outflow
    y_low: [{where: "x<0.5", slip: }, no_slip]
    all: slip
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const cells = R"yaml(
solver: life
grid: {extent: [71, 53], periodic: [false, true]}
time: {steps: 30, step: 1}
initial: {alive: {random: {low: 0, high: 1.5, seed: 4}}}
boundary: {alive: {x_low: {dirichlet: 1}}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const channel = R"yaml(
solver: lattice_boltzmann
lattice_boltzmann: {viscosity: 0.01, acceleration: [0.1, 0.0, 0.05]}
grid: {extent: [41, 31, 17], length: [4.1, 3.1, 1.7], periodic: [false, false, true]}
time: {steps: 30}
initial:
  flow: {density: "1 + 0.01*sin(7*x*y)", velocity: ["y", "0.1*sin(x)", "0.1*cos(x*y)"]}
  solid: "(x-1)^2 + (y-1.5)^2 < 0.25"
boundary:
  flow: {x_low: {density: outflow, velocity: {inflow: ["y + t", 0, 0]}}, x_high: outflow, y_high: outflow}
  solid: {y_low: {dirichlet: 1}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

/// Cells are stretched along both axes, around one that is periodic, too.
const char* const stretched_stream = R"yaml(
solver: advection
grid: {extent: [61, 47], length: [1, 1], periodic: [false, true], coordinates: {x: "x^1.5", y: "y-0.1*sin(2*pi*y)"}}
time: {steps: 30}
initial: {tracer: {random: {seed: 5}}, velocity: ["1 + y", "sin(6*x)"]}
boundary: {tracer: {x_low: {dirichlet: "sin(9*t)*y"}, all: outflow}, velocity: {all: outflow}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const stretched_gas = R"yaml(
solver: euler
grid: {extent: [53, 43], length: [1, 1], coordinates: {x: "x+0.1*sin(2*pi*x)", y: "y^1.5"}}
time: {end: 0.06, steps: 30}
initial: {gas: {density: {random: {low: 1, high: 2}}, velocity: ["y", "0.3*sin(9*x)"], pressure: "1 + x*x"}}
boundary:
  gas:
    x_low: {inflow: {density: 1.5, velocity: ["y", "t"], pressure: 1}}
    x_high: outflow
    y_low: [{where: "x<0.5", slip: }, no_slip]
    all: slip
output: {every: 10}
checkpoint: {every: 10}
)yaml";

const char* const gas_in_sand = R"yaml(
solver: porous_medium
porous_medium: {exponent: 3}
grid: {extent: [41, 29], length: [1, 0.7], periodic: [false, true], coordinates: {x: "x^1.2"}}
time: {steps: 30, step: 0.01}
initial: {density: "max(0, 0.3 - (x-0.4)^2 - (y-0.3)^2)"}
boundary: {density: {x_low: {dirichlet: "0.2*sin(9*t)^2"}, x_high: {neumann: 0}}}
output: {every: 10}
checkpoint: {every: 10}
)yaml";

}  // namespace

std::vector<Problem> pde_problems() {
  return {{"heat_3d", "heat", "temperature", heat, 3},
          {"wave_3d", "wave", "displacement", wave, 3},
          {"heat_1d", "heat", "temperature", rod, 1},
          {"heat_implicit_2d", "heat", "temperature", ground, 2},
          {"advection_stretched_2d", "advection", "tracer", stretched_stream, 2},
          {"euler_stretched_2d", "euler", "gas.density", stretched_gas, 2},
          {"wave_2d", "wave", "displacement", basin, 2},
          {"advection_3d", "advection", "tracer", stream, 3},
          {"euler_2d", "euler", "gas.pressure", gas, 2},
          {"life_2d", "life", "alive", cells, 2},
          {"lattice_boltzmann_3d", "lattice_boltzmann", "flow.velocity", channel, 3},
          {"obstacle_2d", "navier_stokes", "velocity_y", obstacle, 2},
          {"clustered_2d", "navier_stokes", "velocity_y", clustered, 2},
          {"navier_stokes_2d", "navier_stokes", "velocity_y", flow, 2},
          {"gray_scott_2d", "gray_scott", "concentration.v", reaction, 2},
          {"porous_medium_2d", "porous_medium", "density", gas_in_sand, 2}};
}

}  // namespace pde_test
