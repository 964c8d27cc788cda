// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/selection/selection.hpp>

namespace cartwright::comm {

namespace {

using plan::Operation;

/// One rank may well serve so many; beyond, its messages leave one after the other.
constexpr int most_direct = 4;

}  // namespace

bool goes_in_pieces(const plan::Choice& choice) {
  const Operation operation = choice.algorithm->operation;
  if (operation != Operation::broadcast && operation != Operation::reduce) return false;
  return choice.algorithm->tuning == "segments" || choice.algorithm->name == "ring" ||
         choice.algorithm->name == "scatter_allgather";
}

plan::Choice in_whole_messages(const plan::Problem& problem, const plan::Choice& choice) {
  if (!goes_in_pieces(choice)) return choice;
  if (problem.operation == Operation::reduce)
    return plan::parse_choice(problem.operation, "n_way_binomial(2)");
  return plan::parse_choice(problem.operation,
                            problem.ranks <= most_direct ? "linear" : "binomial_low_bit_first");
}

}  // namespace cartwright::comm
