// SPDX-License-Identifier: Apache-2.0
#include "short_runs.hpp"

namespace pde_test {
namespace {

const char* const cluster = R"(
solver: gravity
gravity: {bodies: 41, softening: 0.05, energies: 2, initial: {kind: plummer, seed: 3}}
grid: {extent: [6, 6, 6], length: [8, 8, 8], origin: [-4, -4, -4]}
time: {steps: 7, step: 0.01}
output: {every: 1}
checkpoint: {every: 1, keep: 100}
)";

/// Particles are fast: they change ranks in these few steps, and the thermostat ends within them.
const char* const fluid = R"(
solver: lennard_jones
lennard_jones:
  particles: 150
  cutoff: 1.5
  energies: 2
  thermostat: {temperature: 40, until: 4}
  initial: {kind: lattice, temperature: 40, seed: 5}
grid: {extent: [6, 6, 6], length: [6.5, 6, 5.5], periodic: [true, true, false]}
time: {steps: 7, step: 0.004}
output: {every: 1}
checkpoint: {every: 1, keep: 100}
)";

}  // namespace

std::vector<ShortRun> short_runs() {
  std::vector<ShortRun> runs;
  for (const char* way : {"allgather", "ring", "rows_and_columns"})
    runs.push_back({std::string("gravity_by_") + way, "gravity", cluster,
                    std::string("gravity.forces=") + way});
  for (const char* way : {"cells", "ring"})
    runs.push_back({std::string("lennard_jones_by_") + way, "lennard_jones", fluid,
                    std::string("lennard_jones.forces=") + way});
  return runs;
}

}  // namespace pde_test
