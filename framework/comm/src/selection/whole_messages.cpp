// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/selection/selection.hpp>

namespace cartwright::comm {

namespace {

using plan::Operation;

/// One rank may well serve so many; beyond, its messages leave one after the other.
constexpr int most_direct = 4;
/// Less is in one piece, or in few, however it travels.
constexpr plan::Count large_broadcast = plan::Count{128} << 10;

}  // namespace

bool goes_in_pieces(const plan::Choice& choice) {
  const Operation operation = choice.algorithm->operation;
  if (operation != Operation::broadcast && operation != Operation::reduce) return false;
  return choice.algorithm->tuning == "segments" || choice.algorithm->name == "ring" ||
         choice.algorithm->name == "scatter_allgather";
}

bool wants_messages(const plan::Problem& problem) {
  return problem.operation == Operation::broadcast && problem.ranks > 1 &&
         problem.bytes() >= large_broadcast;
}

plan::Choice in_whole_messages(const plan::Problem& problem, const plan::Choice& choice,
                               std::string_view backend) {
  if (!goes_in_pieces(choice) && !wants_messages(problem)) return choice;
  if (problem.operation == Operation::reduce)
    return plan::parse_choice(problem.operation, "n_way_binomial(2)");
  if (problem.ranks > 2 && backend == "shared")
    return plan::parse_choice(problem.operation, "k_ary(2)");  // two readers: a copy by the system
  return plan::parse_choice(problem.operation,
                            problem.ranks <= most_direct ? "linear" : "binomial_low_bit_first");
}

}  // namespace cartwright::comm
