// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/plan/models/time_text.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cartwright/rt/error.hpp>
#include <stdexcept>
#include <utility>

namespace cartwright::comm {

namespace {

/// Where nothing was measured: a cluster of today, in round numbers.
plan::Machine typical_machine(const CommunicatorShape& shape) {
  plan::Machine machine{
      .name = "typical", .about = "round numbers", .source = "estimate", .levels = {}};
  const auto inside = plan::log_gp(0.3e-6, 0.1e-6, 0.1e-6, 0.1e-6, 1.0 / 10e9);
  const auto between = plan::log_gp(1.5e-6, 0.3e-6, 0.3e-6, 0.3e-6, 1.0 / 12e9);
  machine.levels.push_back({.name = shape.one_node ? "core" : "node",
                            .network = shape.one_node ? inside : between,
                            .leaving = {}});
  machine.reduce_byte_time = 1.0 / 20e9;
  machine.copy_byte_time = 1.0 / 20e9;
  return machine;
}

std::string text_of(double seconds) {
  return plan::time_text(plan::picoseconds(seconds));
}

rt::Error refusal_of(plan::Operation operation, const std::invalid_argument& fault) {
  return rt::input_error(
      fmt::format("comm.{}.algorithm: {}", plan::name_of(operation), fault.what()),
      "./cartwright simulate --list names all algorithms.", rt::Reach::all_ranks);
}

/// Throws std::invalid_argument where the tuning is for another number of ranks.
void require_fit(const plan::Choice& choice, const plan::Problem& problem) {
  (void)choice.maker(problem)({.ranks = problem.ranks});
}

/// A table of what was tuned may say anything.
bool fits(const plan::Choice& choice, const plan::Problem& problem) {
  try {
    require_fit(choice, problem);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

plan::Choice wanted_choice(plan::Operation operation, std::string_view name) {
  try {
    return plan::parse_choice(operation, name);
  } catch (const std::invalid_argument& fault) {
    throw refusal_of(operation, fault);
  }
}

Selection::Selection(std::shared_ptr<const Knowledge> knowledge, CommunicatorShape shape)
    : knowledge_(std::move(knowledge)),
      shape_(shape),
      machine_(knowledge_->machine ? *knowledge_->machine : typical_machine(shape)) {
  for (const auto& [operation, name] : knowledge_->wanted) (void)wanted_choice(operation, name);
}

const TunedWinner* Selection::tuned_for(const plan::Problem& problem, Waiting waiting) const {
  const TunedWinner* const winner =
      knowledge_->tuned.find(shape_, problem.operation, problem.bytes());
  if (winner == nullptr || winner->algorithm.empty() || waiting == Waiting::at_once) return winner;
  const bool is_for_others =
      goes_in_pieces(plan::parse_choice(problem.operation, winner->algorithm)) ||
      (wants_messages(problem) && winner->backend == "shared");
  return is_for_others ? nullptr : winner;
}

std::optional<plan::Choice> Selection::wanted_for(const plan::Problem& problem) const {
  const auto wanted = knowledge_->wanted.find(problem.operation);
  // One rank has nobody to talk to: what is meant for more isn't wrong.
  if (wanted == knowledge_->wanted.end() || problem.ranks == 1) return std::nullopt;
  plan::Choice choice = plan::parse_choice(problem.operation, wanted->second);
  if (!plan::may_solve(*choice.algorithm, problem)) {
    throw rt::input_error(
        fmt::format("comm.{}.algorithm: {} doesn't work for {} ranks{}",
                    plan::name_of(problem.operation), choice.name(), problem.ranks,
                    problem.commutative ? "" : " and an operator that doesn't commute"),
        "Name another one, or leave the choice to auto.", rt::Reach::all_ranks);
  }
  try {
    require_fit(choice, problem);
  } catch (const std::invalid_argument& fault) {
    throw refusal_of(problem.operation, fault);
  }
  return choice;
}

std::string_view Selection::backend_for(const plan::Problem& problem, Waiting waiting) const {
  if (shape_.ranks > 1 && knowledge_->wanted.contains(problem.operation))
    return shape_.one_node ? "shared" : "p2p";
  if (const TunedWinner* const winner = tuned_for(problem, waiting)) return winner->backend;
  if (waiting == Waiting::later && shape_.one_node && wants_messages(problem)) return "p2p";
  // The model knows what our schedules take, but not what the MPI library does: without a
  // measurement of both, only memory that is shared is a safe bet.
  return shape_.one_node && shape_.ranks > 1 ? "shared" : "native";
}

plan::Choice Selection::algorithm_for(std::string_view backend, const plan::Problem& problem,
                                      Waiting waiting) const {
  if (const auto wanted = wanted_for(problem)) return *wanted;
  if (const TunedWinner* const winner = tuned_for(problem, waiting);
      winner != nullptr && winner->backend == backend) {
    plan::Choice choice = plan::parse_choice(problem.operation, winner->algorithm);
    if (plan::may_solve(*choice.algorithm, problem) && fits(choice, problem)) return choice;
  }
  const plan::Choice quickest = backend == "shared" && shape_.one_node
                                    ? shared_memory_rule(problem, shape_.far_cores)
                                    : plan::select(problem, machine_).choice;
  return waiting == Waiting::later ? in_whole_messages(problem, quickest, backend) : quickest;
}

std::string Selection::explain(std::string_view backend, const plan::Problem& problem,
                               Waiting waiting) const {
  const TunedWinner* const winner = tuned_for(problem, waiting);
  if (backend == "native") {
    return winner != nullptr && winner->backend == backend
               ? fmt::format("native: measured as the quickest, {}", text_of(winner->seconds))
               : std::string("native: the MPI library's own choice");
  }
  const plan::Choice choice = algorithm_for(backend, problem, waiting);
  const std::string what = fmt::format("{}: {}", backend, choice.name());
  const bool is_wanted = wanted_for(problem).has_value();
  if (!is_wanted && winner != nullptr && winner->backend == backend &&
      winner->algorithm == choice.name())
    return fmt::format("{}, measured as the quickest: {} (native {})", what,
                       text_of(winner->seconds), text_of(winner->native_seconds));
  const bool is_in_memory = backend == "shared" && shape_.one_node;
  std::string why;
  if (is_wanted)
    why = ", as the deck wants it";
  else if (waiting == Waiting::later && goes_in_pieces(algorithm_for(backend, problem)))
    why = ", whole messages for what is waited for later";
  else if (is_in_memory)
    why = ", the rule for shared memory (./cartwright tune measures what is quickest here)";
  return fmt::format("{}{}, {} predicted{} on {}", what, why,
                     text_of(plan::seconds(plan::formula_time(problem, machine_, choice))),
                     is_in_memory ? " for messages" : "",
                     knowledge_->machine ? machine_.name : "a typical machine (never probed)");
}

}  // namespace cartwright::comm
