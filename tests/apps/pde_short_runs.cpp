// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "pde_problems.hpp"
#include "short_runs.hpp"

namespace pde_test {
namespace {

const char* const potential = R"yaml(
solver: poisson
grid: {extent: [13, 11], length: [1.3, 1.1], periodic: [false, true]}
iteration: {tolerance: 1.0e-10}
initial: {coefficient: "1 + 9*(x < 0.6)", source: "x - sin(7*y)"}
boundary: {potential: {x_low: {dirichlet: "y"}, x_high: {robin: {coefficient: 2, value: "y*y"}}}}
output: {every: 1}
checkpoint: {every: 1, keep: 100}
)yaml";

std::string few_cells(int dimensions) {
  const std::array cells{"[29]", "[13,11]", "[9,8,7] grid.length=[3.6,3.2,2.8]"};  // cubes
  return std::string("grid.extent=") + cells.at(static_cast<std::size_t>(dimensions) - 1);
}

}  // namespace

std::vector<ShortRun> short_runs() {
  std::vector<ShortRun> runs;
  for (const Problem& problem : pde_problems())
    runs.push_back({problem.name, problem.solver, problem.deck,
                    few_cells(problem.dimensions) +
                        " time.steps=7 output.every=1 checkpoint.every=1 checkpoint.keep=100"});
  for (const char* method : {"multigrid", "cg", "bicgstab"})
    runs.push_back({std::string("poisson_by_") + method, "poisson", potential,
                    std::string("iteration.tolerance=1.0e-12 poisson.linear.method=") + method});
  runs.push_back({"poisson_by_pipelined_cg", "poisson", potential,
                  "poisson.linear.method=pipelined_cg poisson.linear.preconditioner=none "
                  "iteration.tolerance=1.0e-3 grid.extent=[5,4]"});
  return runs;
}

}  // namespace pde_test
