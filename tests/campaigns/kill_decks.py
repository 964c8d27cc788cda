# SPDX-License-Identifier: Apache-2.0
"""A deck of each solver of pde, for campaign_kills.py: some seconds on two ranks, a checkpoint every few steps. Of heat there are
two, since its implicit steps are another program; poisson makes iterations, which go on between any two."""

OUTPUT = """
output: {every: 50, diagnostics: 10, pictures: {every: 100}}
checkpoint: {every: 7}
"""
DECKS = {
    "advection": """
solver: advection
grid: {extent: [121, 97], length: [1.0, 0.8]}
time: {steps: 200}
initial: {tracer: {random: {low: 0, high: 1, seed: 5}}, velocity: ["0.4-y", "x-0.5"]}
boundary: {tracer: {all: {inflow: "sin(t)"}}}
""",
    "euler": """
solver: euler
grid: {extent: [81, 57], length: [1.0, 0.7], periodic: [true, false]}
time: {steps: 200}
initial: {gas: {density: {random: {low: 1, high: 1.2, seed: 5}}, velocity: ["0.3*sin(2*pi*x)", 0], pressure: 2.5}}
boundary: {gas: {y_low: slip, y_high: {density: outflow, velocity: outflow, pressure: {dirichlet: "2.5 + 0.1*sin(10*t)"}}}}
""",
    "gray_scott": """
solver: gray_scott
gray_scott: {pattern: mitosis}
grid: {extent: [121, 97], length: [2.4, 1.9], periodic: [true, false]}
time: {steps: 200}
initial: {concentration: {u: {random: {low: 0.4, high: 1, seed: 5}}, v: "0.3*(abs(x-1) < 0.4)"}}
""",
    "heat": """
solver: heat
heat: {diffusivity: 1.0e-4}
grid: {extent: [61, 47, 13], length: [1.0, 0.7, 0.2], periodic: [false, true, false]}
time: {steps: 200}
initial: {temperature: {random: {low: 300, high: 400, seed: 7}}}
boundary: {temperature: {x_low: {dirichlet: "350 + 10*sin(t)*y"}, all: {neumann: 3}}}
exact: {temperature: "350"}
""",
    "heat, implicit": """
solver: heat
heat: {diffusivity: 1.0e-4, scheme: crank_nicolson}
grid: {extent: [60, 44], length: [1.0, 0.7]}
time: {steps: 120, step: 0.5}
initial: {temperature: {random: {low: 300, high: 400, seed: 7}}}
boundary: {temperature: {x_low: {dirichlet: "350 + 10*sin(t)*y"}, all: {neumann: 3}}}
""",
    "lattice_boltzmann": """
solver: lattice_boltzmann
lattice_boltzmann: {viscosity: 0.01}
grid: {extent: [60, 30], length: [2.0, 1.0]}
time: {steps: 200}
initial: {flow: {density: 1, velocity: ["4*y*(ly-y)", 0]}, solid: "(x-0.5)^2 + (y-0.45)^2 < 0.02"}
boundary: {flow: {x_low: {density: outflow, velocity: {inflow: ["4*y*(ly-y)", 0]}}, x_high: {density: {dirichlet: 1}, velocity: outflow}},
           solid: {y_low: {dirichlet: 1}, y_high: {dirichlet: 1}}}
""",
    "life": """
solver: life
grid: {extent: [201, 151], length: [201, 151], periodic: [true, false]}
time: {steps: 200, step: 1}
initial: {alive: {random: {low: 0, high: 1.5, seed: 4}}}
""",
    "navier_stokes": """
solver: navier_stokes
grid: {extent: [40, 32], length: [1.0, 0.8]}
time: {steps: 100}
initial: {solid: "(x-0.5)^2 + (y-0.3)^2 < 0.01"}
boundary: {velocity_x: {y_high: {dirichlet: "1 + 0.1*sin(t)"}}}
""",
    "poisson": """
solver: poisson
poisson: {linear: {method: cg, preconditioner: jacobi}}
grid: {extent: [128, 96], length: [2.0, 1.5]}
iteration: {tolerance: 1.0e-9}
initial: {coefficient: "1 + 19*((x-1)^2 + (y-0.75)^2 < 0.1)", source: {random: {low: -1, high: 1, seed: 5}}}
""",
    "porous_medium": """
solver: porous_medium
porous_medium: {exponent: 3}
grid: {extent: [48, 36], length: [4.0, 3.0]}
time: {steps: 100, step: 0.005}
initial: {density: "1.2*((x-1)^2 + (y-1)^2 < 0.16) + 1.5*(abs(x-3) < 0.2)"}
boundary: {density: {all: {neumann: 0}}}
""",
    "wave": """
solver: wave
wave: {speed: 2.0}
grid: {extent: [61, 47, 13], periodic: [false, false, true]}
time: {steps: 200}
initial: {displacement: {random: {seed: 3}}, velocity: "x - y"}
boundary: {displacement: {y_high: {neumann: "x"}}}
""",
}


def text_of(name):
    return DECKS[name] + OUTPUT
