// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/operation.hpp>
#include <cartwright/plan/selection/round_shape.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::plan {

/// What one stage of a hierarchical algorithm does, between the outermost groups of ranks or inside
/// them.
struct GroupStage {
  enum class Where : std::uint8_t { across, inside };
  Operation operation = Operation::broadcast;
  Where where = Where::across;
  std::string_view usual{};  ///< the algorithm, where its tuning doesn't say
};

/// An algorithm for one operation, as selectors, decks and tables know it.
struct Algorithm {
  Operation operation = Operation::allreduce;
  std::string_view name{};  ///< as in a deck: "n_way_binomial"
  std::string_view
      tuning{};  ///< what may stand in brackets behind the name: "fan-out"; empty: nothing
  std::string_view source{};             ///< who described it
  bool any_operator = true;              ///< false: a reduction for commutative operators only
  std::span<const GroupStage> stages{};  ///< of a hierarchical one, in the order of execution

  /// Whether it works for the problem. Null: always.
  bool (*suits)(const Problem&) = nullptr;
  /// Values of the tuning worth a try, none where it is for forecasts only. Null: it has none.
  std::vector<std::string> (*tunings)(const Problem&, const Machine&) = nullptr;
  Maker (*make)(const Problem&, const std::string& tuning) = nullptr;
  /// The same for arrivals (see Choice). Null: it goes by none.
  Maker (*make_for)(const Problem&, const std::string& tuning,
                    std::span<const std::int64_t> arrivals) = nullptr;
  /// The work of its busiest rank, for costs by formula.
  std::vector<RoundShape> (*rounds)(const Problem&, const std::string& tuning) = nullptr;
};

/// All algorithms for an operation.
std::span<const Algorithm> algorithms(Operation operation);

/// The one that plans for arrivals in problems of this kind (operation, and whether the operator
/// commutes); null: there is none.
[[nodiscard]] const Algorithm* algorithm_for_arrivals(const Problem& problem);

/// An algorithm with its tuning and, where ranks aren't to take part in the order of their numbers,
/// another order: place p of the algorithm is rank order[p]'s; or when they are expected, for an
/// algorithm that plans for that. So forecasts and measurements enter.
struct Choice {
  const Algorithm* algorithm = nullptr;
  std::string tuning;
  std::vector<int> order{};              ///< empty: that of their numbers
  std::vector<std::int64_t> arrivals{};  ///< by rank, ns after the first; empty: all together

  /// `n_way_binomial(3)`, `linear in order 2,0,1`, `clairvoyant(8,2500) for arrivals 0*3,90000`:
  /// what a deck says.
  [[nodiscard]] std::string name() const;
  /// Throws std::invalid_argument for an order of other ranks, and where an order means nothing:
  /// blocks belong to ranks, scans and operators that don't commute go by their numbers; and the
  /// same for arrivals. (Sums of floating-point numbers round otherwise in another order.) A plan
  /// for arrivals is made here, once for the schedules of all ranks.
  [[nodiscard]] Maker maker(const Problem& problem) const;
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Whether an algorithm may be used for a problem: ranks, and the promises of its operator.
bool may_solve(const Algorithm& algorithm, const Problem& problem);

/// Everything worth a try for a problem. Throws std::invalid_argument for a machine without levels
/// and a problem that is none.
std::vector<Choice> choices(const Problem& problem, const Machine& machine);

/// Reads what Choice::name() writes. Throws std::invalid_argument that
/// lists what there is, or says what is wrong with the tuning on any number of ranks.
Choice parse_choice(Operation operation, std::string_view text);

}  // namespace cartwright::plan
