// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/catalogue.hpp>

#include <cartwright/plan/simulation/simulate.hpp>
#include <compare>
#include <optional>
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

/// How far a choice sends, by the schedules of all ranks: in this order it breaks ties.
struct Reach {
  Count messages = 0;  ///< between nodes
  Count bytes = 0;     ///< of these
  Count distance =
      0;  ///< of all messages, in ranks: near ones share a node where nobody knows more
  friend auto operator<=>(const Reach&, const Reach&) = default;
};
/// Nodes are those of the problem or, where these aren't known, the outermost units of the machine,
/// which ranks fill in order. Nothing for schedules of so many steps that making them all takes
/// long.
std::optional<Reach> reach_of(const Problem& problem, const Machine& machine, const Choice& choice);

/// Candidates for a problem on a machine, the quickest first; of those that are equally quick and
/// quicker than all others, first those that keep to the node (see Reach). The same on every rank,
/// since times are integers and what ties are left is broken by name: give all ranks the same
/// machine.
std::vector<Candidate> rank_candidates(const Problem& problem, const Machine& machine,
                                       const SelectionLimits& limits = {});

/// The quickest. Throws std::invalid_argument when nothing suits the problem.
Candidate select(const Problem& problem, const Machine& machine,
                 const SelectionLimits& limits = {});

/// A few percent of a model say nothing: of the candidates that are about as quick as the quickest,
/// the one of the fewest steps; of equal ones the one that keeps to the node (see Reach). Throws
/// std::invalid_argument when nothing suits the problem.
Choice select_simplest(const Problem& problem, const Machine& machine);

/// One line: what was chosen, its time, and what the next best of another algorithm would take.
std::string explain(const Problem& problem, const Machine& machine,
                    const std::vector<Candidate>& ranked);

}  // namespace cartwright::plan
