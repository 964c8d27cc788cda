// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/catalogue.hpp>

#include <cartwright/plan/simulation/simulate.hpp>
#include <string>
#include <vector>

namespace cartwright::plan {

/// How the time of a choice was found.
enum class CostKind : std::uint8_t { simulated, formula };

struct Candidate {
  Choice choice;
  Picoseconds time = 0;
  CostKind kind = CostKind::formula;
};

/// How much work a selection may be.
struct SelectionLimits {
  std::int64_t simulated_steps =
      0;  ///< candidates of at most so many steps are simulated; others costed by formula
  int finalists = 4;  ///< only the best so many by formula are simulated
};

/// About how many steps all ranks do together, an upper bound.
std::int64_t steps_of(const Problem& problem, const Choice& choice);

/// By the rounds of the busiest rank; see round_shape.hpp.
Picoseconds formula_time(const Problem& problem, const Machine& machine, const Choice& choice);

Simulation simulate_choice(const Problem& problem, const Machine& machine, const Choice& choice,
                           const SimulationOptions& options = {});

/// Candidates for a problem on a machine, the quickest first. The same on every rank, since times
/// are integers and ties are broken by name: give all ranks the same machine.
std::vector<Candidate> rank_candidates(const Problem& problem, const Machine& machine,
                                       const SelectionLimits& limits = {});

/// The quickest. Throws std::invalid_argument when nothing suits the problem.
Candidate select(const Problem& problem, const Machine& machine,
                 const SelectionLimits& limits = {});

/// One line: what was chosen, its time, and what the next best of another algorithm would take.
std::string explain(const Problem& problem, const Machine& machine,
                    const std::vector<Candidate>& ranked);

}  // namespace cartwright::plan
