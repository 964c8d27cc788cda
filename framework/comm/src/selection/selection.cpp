// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/plan/models/time_text.hpp>
#include <cartwright/plan/selection/by_nodes.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cartwright/rt/error.hpp>
#include <stdexcept>
#include <utility>

namespace cartwright::comm {

namespace {

plan::Level typical_node(int ranks) {
  return {.name = "core",
          .units = ranks,
          .network = plan::log_gp(0.3e-6, 0.1e-6, 0.1e-6, 0.1e-6, 1.0 / 10e9),
          .leaving = {}};
}

/// Where nothing was measured: a cluster of today, in round numbers.
plan::Machine typical_machine() {
  plan::Machine machine{
      .name = "typical", .about = "round numbers", .source = "estimate", .levels = {}};
  machine.levels.push_back({.name = "node",
                            .network = plan::log_gp(1.5e-6, 0.3e-6, 0.3e-6, 0.3e-6, 1.0 / 12e9),
                            .leaving = {}});
  machine.levels.push_back(typical_node(1));
  machine.reduce_byte_time = 1.0 / 20e9;
  machine.copy_byte_time = 1.0 / 20e9;
  return machine;
}

/// The machine as the ranks of a communicator see it, of which so many are on each node.
plan::Machine machine_for(plan::Machine machine, const CommunicatorShape& shape,
                          const plan::Hierarchy* nodes) {
  auto& levels = machine.levels;
  if (shape.nodes == 1) {
    if (levels.front().name == "node" && levels.size() > 1) levels.erase(levels.begin());
    levels.front().units = 0;
    return machine;
  }
  const int largest = nodes == nullptr ? 1 : nodes->largest_member(0);
  if (largest == 1) return plan::outermost_level(machine);
  if (levels.size() == 1) levels.push_back(typical_node(largest));
  levels.erase(levels.begin() + 1, levels.end() - 1);
  levels.back().units = largest;
  return machine;
}

/// A few percent of a model say nothing: of the candidates that are about as quick as the quickest,
/// the one of the fewest steps.
plan::Choice simplest_of_quick(const plan::Problem& problem, const plan::Machine& machine) {
  constexpr double about_as_quick = 1.05;
  const auto ranked = plan::rank_candidates(problem, machine);
  const double limit = about_as_quick * static_cast<double>(ranked.at(0).time);
  const auto slower = std::ranges::find_if(ranked, [&](const plan::Candidate& candidate) {
    return static_cast<double>(candidate.time) > limit;
  });
  const auto steps = [&](const plan::Candidate& candidate) {
    return plan::steps_of(problem, candidate.choice);
  };
  return std::ranges::min_element(ranked.begin(), slower, {}, steps)->choice;
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

Selection::Selection(std::shared_ptr<const Knowledge> knowledge, CommunicatorShape shape,
                     std::shared_ptr<const plan::Hierarchy> nodes)
    : knowledge_(std::move(knowledge)),
      shape_(shape),
      nodes_(std::move(nodes)),
      machine_(machine_for(knowledge_->machine ? *knowledge_->machine : typical_machine(), shape,
                           nodes_.get())),
      across_(plan::outermost_level(machine_)),
      flat_(nodes_ == nullptr || nodes_->consecutive() ? machine_ : across_) {
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
  if (wanted == knowledge_->wanted.end()) return std::nullopt;
  plan::Choice choice = plan::parse_choice(problem.operation, wanted->second);
  // One rank has nobody to talk to: what is meant for more isn't wrong.
  const bool suits = plan::may_solve(*choice.algorithm, problem);
  if (problem.ranks == 1 && !(suits && fits(choice, with_nodes(problem)))) return std::nullopt;
  if (!suits) {
    throw rt::input_error(
        fmt::format("comm.{}.algorithm: {} doesn't work for {} ranks{}",
                    plan::name_of(problem.operation), choice.name(), problem.ranks,
                    problem.commutative ? "" : " and an operator that doesn't commute"),
        "Name another one, or leave the choice to auto.", rt::Reach::all_ranks);
  }
  try {
    require_fit(choice, with_nodes(problem));
  } catch (const std::invalid_argument& fault) {
    throw refusal_of(problem.operation, fault);
  }
  return choice;
}

std::string_view Selection::backend_for(const plan::Problem& problem, Waiting waiting) const {
  if (shape_.ranks == 1) return "p2p";  // nobody to talk to
  const std::string_view usual = shape_.shares_memory ? "shared" : "p2p";
  if (knowledge_->wanted.contains(problem.operation)) return usual;
  if (const TunedWinner* const winner = tuned_for(problem, waiting)) return winner->backend;
  if (waiting == Waiting::later && shape_.nodes == 1 && wants_messages(problem)) return "p2p";
  return usual;
}

/// Between nodes: of all ranks by messages, or by nodes.
plan::Choice Selection::chosen_by_model(std::string_view backend, const plan::Problem& asked,
                                        Waiting waiting) const {
  const plan::Problem problem = with_nodes(asked);
  const auto fitting = [&](const plan::Problem& part, const plan::Choice& choice,
                           std::string_view by) {
    return waiting == Waiting::later ? in_whole_messages(part, choice, by) : choice;
  };
  const plan::Choice all = fitting(problem, simplest_of_quick(problem, flat_), backend);
  const auto across = [&](const plan::Problem& part) {
    return fitting(part, simplest_of_quick(part, across_), "p2p");
  };
  const auto inside = [&](const plan::Problem& part) {
    return fitting(part, shared_memory_rule(part, shape_.far_cores), backend);
  };
  const auto by_nodes = plan::choice_by_nodes(problem, across, inside);
  if (!by_nodes) return all;
  // The model doesn't see that ranks of a node share cores and the way out of it: what keeps to the
  // node is given some credit.
  constexpr double credit = 1.25;
  const auto time = [&](const plan::Choice& choice, const plan::Machine& machine) {
    return static_cast<double>(plan::formula_time(problem, machine, choice));
  };
  return time(*by_nodes, machine_) <= credit * time(all, flat_) ? *by_nodes : all;
}

plan::Choice Selection::algorithm_for(std::string_view backend, const plan::Problem& problem,
                                      Waiting waiting) const {
  if (const auto wanted = wanted_for(problem)) return *wanted;
  if (const TunedWinner* const winner = tuned_for(problem, waiting);
      winner != nullptr && winner->backend == backend) {
    plan::Choice choice = plan::parse_choice(problem.operation, winner->algorithm);
    if (plan::may_solve(*choice.algorithm, problem) && fits(choice, with_nodes(problem)))
      return choice;
  }
  const bool is_in_memory = backend == "shared" && shape_.is_in_memory();
  if (!is_in_memory) return chosen_by_model(backend, problem, waiting);
  const plan::Choice quickest = shared_memory_rule(problem, shape_.far_cores);
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
  const bool is_in_memory = backend == "shared" && shape_.is_in_memory();
  std::string why;
  if (is_wanted)
    why = ", as the deck wants it";
  else if (waiting == Waiting::later && goes_in_pieces(algorithm_for(backend, problem)))
    why = ", whole messages for what is waited for later";
  else if (is_in_memory)
    why = ", the rule for shared memory (./cartwright tune measures what is quickest here)";
  return fmt::format(
      "{}{}, {} predicted{} on {}", what, why,
      text_of(plan::seconds(plan::formula_time(with_nodes(problem), machine_, choice))),
      is_in_memory ? " for messages" : "",
      knowledge_->machine ? machine_.name : "a typical machine (never probed)");
}

}  // namespace cartwright::comm
