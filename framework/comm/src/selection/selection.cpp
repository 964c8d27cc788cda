// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/plan/models/time_text.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/plan/selection/by_nodes.hpp>
#include <cartwright/plan/selection/crowd.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cartwright/rt/error.hpp>
#include <stdexcept>
#include <utility>

namespace cartwright::comm {

namespace {

bool goes_through_memory(BackendId backend) {
  return traits_of(backend).uses_memory();
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
  if (levels.size() == 1) levels.push_back(plan::typical_machine(largest).levels.back());
  levels.erase(levels.begin() + 1, levels.end() - 1);
  levels.back().units = largest;
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

/// One that plans for arrivals may be named without its tuning: the model finds that. Null: it is
/// another one, or there is something in brackets.
const plan::Algorithm* named_bare(plan::Operation operation, std::string_view name) {
  for (const plan::Algorithm& algorithm : plan::algorithms(operation))
    if (algorithm.name == name && algorithm.make_for != nullptr) return &algorithm;
  return nullptr;
}

}  // namespace

plan::Choice wanted_choice(plan::Operation operation, std::string_view name) {
  try {
    if (const plan::Algorithm* const bare = named_bare(operation, name)) return {bare, "1"};
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
      machine_(machine_for(knowledge_->machine ? *knowledge_->machine : plan::typical_machine(1),
                           shape, nodes_.get())),
      across_(plan::outermost_level(machine_)),
      flat_(nodes_ == nullptr || nodes_->consecutive() ? machine_ : across_) {
  for (const auto& [operation, name] : knowledge_->wanted) (void)wanted_choice(operation, name);
}

/// A table of what was measured may say anything.
bool Selection::fits(const plan::Choice& choice, const plan::Problem& problem) const {
  if (!plan::may_solve(*choice.algorithm, problem)) return false;
  try {
    require_fit(choice, with_nodes(problem));
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

const TunedWinner* Selection::tuned_for(const plan::Problem& problem, Waiting waiting) const {
  const TunedWinner* const winner =
      knowledge_->tuned.find_near(shape_, problem.operation, problem.bytes());
  if (winner == nullptr || winner->algorithm.empty() || waiting == Waiting::at_once) return winner;
  const bool is_for_others =
      goes_in_pieces(plan::parse_choice(problem.operation, winner->algorithm)) ||
      (defaults().wants_messages(problem) && winner->backend == BackendId::shared);
  return is_for_others ? nullptr : winner;
}

std::optional<plan::Choice> Selection::wanted_for(const plan::Problem& problem) const {
  const auto wanted = knowledge_->wanted.find(problem.operation);
  if (wanted == knowledge_->wanted.end()) return std::nullopt;
  const plan::Algorithm* const bare = named_bare(problem.operation, wanted->second);
  plan::Choice choice = bare != nullptr
                            ? plan::Choice{bare, bare->tunings(problem, machine_).front()}
                            : plan::parse_choice(problem.operation, wanted->second);
  // One rank has nobody to talk to: what is meant for more isn't wrong.
  if (problem.ranks == 1 && !fits(choice, problem)) return std::nullopt;
  if (!plan::may_solve(*choice.algorithm, problem)) {
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

BackendId Selection::usual_backend(const plan::Problem& problem, Waiting waiting) const {
  if (shape_.ranks == 1) return BackendId::p2p;  // nobody to talk to
  const BackendId usual = shape_.shares_memory ? BackendId::shared : BackendId::p2p;
  if (knowledge_->wanted.contains(problem.operation)) return usual;
  if (const TunedWinner* const winner = tuned_for(problem, waiting)) return winner->backend;
  const bool is_long_message =
      waiting == Waiting::later && shape_.nodes == 1 && defaults().wants_messages(problem);
  return is_long_message ? BackendId::p2p : usual;
}

plan::Choice Selection::chosen_by_model(BackendId backend, const plan::Problem& asked,
                                        Waiting waiting) const {
  const plan::Problem problem = with_nodes(asked);
  plan::Choice usual = chosen_of_all_ways(backend, problem, waiting);
  if (waiting == Waiting::at_once) return usual;
  return plan::quickest_in_crowd(problem, machine_, {.node_ranks = shape_.node_ranks}, usual);
}

/// Between nodes: of all ranks by messages, or by nodes.
plan::Choice Selection::chosen_of_all_ways(BackendId backend, const plan::Problem& problem,
                                           Waiting waiting) const {
  const auto fitting = [&](const plan::Problem& part, const plan::Choice& choice, BackendId by) {
    return waiting == Waiting::later ? defaults().in_whole_messages(part, choice, by) : choice;
  };
  plan::Choice all = fitting(problem, plan::select_simplest(problem, flat_), backend);
  const auto across = [&](const plan::Problem& part) {
    return fitting(part, plan::select_simplest(part, across_), BackendId::p2p);
  };
  const auto inside = [&](const plan::Problem& part) {
    return fitting(part, defaults().choose(part, shape_.far_cores), backend);
  };
  const auto by_nodes = plan::choice_by_nodes(problem, across, inside);
  if (!by_nodes) return all;
  // The model doesn't see that ranks of a node share cores and the way out of it: what keeps to the
  // node is given some credit. Of an alltoall the same bytes leave the node either way.
  const double credit = problem.operation == plan::Operation::alltoall ? 1.0 : 1.5;
  const auto time = [&](const plan::Choice& choice, const plan::Machine& machine) {
    return static_cast<double>(plan::formula_time(problem, machine, choice));
  };
  return time(*by_nodes, machine_) <= credit * time(all, flat_) ? *by_nodes : all;
}

Decision Selection::decide_for(BackendId backend, const plan::Problem& problem,
                               Waiting waiting) const {
  using enum Decision::Ground;
  if (auto choice = wanted_for(problem)) return {backend, std::move(*choice), wanted};
  if (const TunedWinner* const winner = tuned_for(problem, waiting);
      winner != nullptr && winner->backend == backend && !winner->algorithm.empty()) {
    plan::Choice choice = plan::parse_choice(problem.operation, winner->algorithm);
    if (fits(choice, problem)) return {backend, std::move(choice), measured};
  }
  const bool is_in_memory = goes_through_memory(backend) && shape_.is_in_memory();
  const auto choose = [&](Waiting when) {
    if (!is_in_memory) return chosen_by_model(backend, problem, when);
    const plan::Choice quickest = defaults().choose(problem, shape_.far_cores);
    return when == Waiting::later ? defaults().in_whole_messages(problem, quickest, backend)
                                  : quickest;
  };
  Decision decision{backend, choose(waiting), is_in_memory ? rule : model};
  // Nothing else goes in pieces: the model needn't be asked twice for it.
  const bool may_be_in_pieces = problem.operation == plan::Operation::broadcast ||
                                problem.operation == plan::Operation::reduce;
  if (waiting == Waiting::later && may_be_in_pieces && goes_in_pieces(choose(Waiting::at_once)))
    decision.ground = whole_messages;
  return decision;
}

Decision Selection::usual(const CallKey& key) const {
  const plan::Problem problem = key.problem(shape_.ranks);
  const BackendId backend = usual_backend(problem, key.waiting);
  if (backend == BackendId::native) return {backend, {}, Decision::Ground::measured};
  Decision decision = decide_for(backend, problem, key.waiting);
  if (shape_.ranks == 1 && decision.ground != Decision::Ground::wanted)
    decision.ground = Decision::Ground::only_way;
  return decision;
}

/// Where other bits are a matter of the order, only what combines as the usual way does counts:
/// that may be another one by now.
std::optional<Decision> Selection::learned_for(const CallKey& key) const {
  if (!knowledge_->learns || knowledge_->wanted.contains(key.operation)) return std::nullopt;
  const LearnedTable::Entry* const entry = knowledge_->learned.find(shape_, key);
  if (entry == nullptr) return std::nullopt;
  Decision decision{entry->backend, {}, Decision::Ground::learned};
  if (decision.backend == BackendId::shared && !shape_.shares_memory) return std::nullopt;
  if (!entry->algorithm.empty()) {
    decision.choice = plan::parse_choice(key.operation, entry->algorithm);
    if (!fits(decision.choice, key.problem(shape_.ranks))) return std::nullopt;
  } else if (decision.backend != BackendId::native) {
    return std::nullopt;
  }
  if (key.combining != Combining::exact) {
    Decision same_way = usual(key);
    same_way.backend = decision.backend;
    if (!same_way.is_as(decision)) return std::nullopt;
  }
  return decision;
}

Decision Selection::decide(const CallKey& key) const {
  if (key.memory == MemoryKind::device) return {BackendId::native, {}, Decision::Ground::memory};
  if (auto learned = learned_for(key)) return *learned;
  return usual(key);
}

/// The MPI library's own collectives know nothing of plans. What doesn't fit isn't heeded.
Decision Selection::decide(const CallKey& key, const plan::Choice& for_arrivals) const {
  if (!fits(for_arrivals, key.problem(shape_.ranks))) return decide(key);
  const BackendId who = shape_.shares_memory ? BackendId::shared : BackendId::p2p;
  return {who, for_arrivals, Decision::Ground::forecast};
}

std::vector<Decision> Selection::candidates(const CallKey& key) const {
  std::vector<Decision> all{decide(key)};
  // Only here no rank is done before the last one has come: their durations can be compared.
  using enum plan::Operation;
  const bool synchronises = key.operation == barrier || key.operation == allreduce ||
                            key.operation == allgather || key.operation == alltoall ||
                            key.operation == reduce_scatter;
  const Decision usual = all.front();
  const bool is_open = knowledge_->learns && synchronises && key.waiting == Waiting::at_once &&
                       shape_.ranks > 1 && usual.ground != Decision::Ground::wanted &&
                       usual.ground != Decision::Ground::learned &&
                       usual.ground != Decision::Ground::memory;
  if (!is_open) return all;
  const auto add = [&](Decision candidate) {
    const auto is_known = [&](const Decision& known) { return known.is_as(candidate); };
    if (std::ranges::none_of(all, is_known)) all.push_back(std::move(candidate));
  };
  const BackendId schedules = shape_.shares_memory ? BackendId::shared : BackendId::p2p;
  if (usual.choice.algorithm != nullptr)
    for (const BackendId backend : {BackendId::p2p, schedules})
      add({backend, usual.choice, Decision::Ground::learned});
  if (key.combining != Combining::exact) return all;
  add({BackendId::native, {}, Decision::Ground::learned});
  const plan::Problem problem = with_nodes(key.problem(shape_.ranks));
  if (shape_.shares_memory && !shape_.is_in_memory())
    add({schedules, chosen_by_model(schedules, problem, key.waiting), Decision::Ground::learned});
  constexpr std::size_t most = 6;
  for (const plan::Candidate& ranked : plan::rank_candidates(problem, flat_)) {
    const auto is_tried = [&](const Decision& known) {
      return known.choice.algorithm == ranked.choice.algorithm;
    };
    if (all.size() >= most) break;
    if (std::ranges::any_of(all, is_tried) || !fits(ranked.choice, problem)) continue;
    add({schedules, ranked.choice, Decision::Ground::learned});
  }
  return all;
}

std::string Selection::explain(const Decision& decision, const plan::Problem& problem,
                               Waiting waiting) const {
  using enum Decision::Ground;
  std::string text = decision.name();
  const TunedWinner* const tuned = tuned_for(problem, waiting);
  switch (decision.ground) {
    case wanted:
      text += ", as the deck wants it";
      break;
    case learned:
      return text + ", learned as the quickest in turns of calls";
    case forecast:
      return text + ", planned for when the ranks are expected to come";
    case measured:
      if (tuned == nullptr) break;
      text += fmt::format(
          ", measured as the quickest{}: {}",
          tuned->bytes == problem.bytes() ? std::string() : fmt::format(" at {} B", tuned->bytes),
          text_of(tuned->seconds));
      return decision.backend == BackendId::native
                 ? text
                 : fmt::format("{} (native {})", text, text_of(tuned->native_seconds));
    case rule:
      text += ", the rule for shared memory (./cartwright tune measures what is quickest here)";
      break;
    case whole_messages:
      text += ", whole messages for what is waited for later";
      break;
    case memory:
      return text + ", the MPI library, since the data lie on a device";
    case only_way:
    case model:
      break;
  }
  if (decision.choice.algorithm == nullptr) return text + ", the MPI library's own choice";
  const bool is_in_memory = goes_through_memory(decision.backend) && shape_.is_in_memory();
  return fmt::format(
      "{}, {} predicted{} on {}", text,
      text_of(plan::seconds(plan::formula_time(with_nodes(problem), machine_, decision.choice))),
      is_in_memory ? " for messages" : "",
      knowledge_->machine ? machine_.name : "a typical machine (never probed)");
}

}  // namespace cartwright::comm
