// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/selection/catalogue.hpp>

#include <stdexcept>
#include <utility>

#include "arrival_times.hpp"
#include "lists.hpp"
#include "orders.hpp"

namespace cartwright::plan {

using catalogue::arrivals_text;
using catalogue::in_order;
using catalogue::order_text;
using catalogue::take_arrivals;
using catalogue::take_order;

std::span<const Algorithm> algorithms(Operation operation) {
  switch (operation) {
    case Operation::allreduce:
      return catalogue::allreduce_list();
    case Operation::reduce:
      return catalogue::reduce_list();
    case Operation::reduce_scatter:
      return catalogue::reduce_scatter_list();
    case Operation::scan:
      return catalogue::scan_list();
    case Operation::exscan:
      return catalogue::exscan_list();
    case Operation::broadcast:
      return catalogue::broadcast_list();
    case Operation::scatter:
      return catalogue::scatter_list();
    case Operation::gather:
      return catalogue::gather_list();
    case Operation::allgather:
      return catalogue::allgather_list();
    case Operation::alltoall:
      return catalogue::alltoall_list();
    case Operation::barrier:
      return catalogue::barrier_list();
  }
  return {};
}

std::string Choice::name() const {
  std::string text(algorithm->name);
  if (!tuning.empty()) text += "(" + tuning + ")";
  return text + arrivals_text(arrivals) + order_text(order);
}

Maker Choice::maker(const Problem& problem) const {
  if (!arrivals.empty()) return catalogue::for_arrivals(problem, *this);
  if (order.empty()) return algorithm->make(problem, tuning);
  return in_order(problem, order,
                  [this](const Problem& part) { return algorithm->make(part, tuning); });
}

const Algorithm* algorithm_for_arrivals(const Problem& problem) {
  for (const Algorithm& algorithm : algorithms(problem.operation))
    if (algorithm.make_for != nullptr && algorithm.any_operator == !problem.commutative)
      return &algorithm;
  return nullptr;
}

bool may_solve(const Algorithm& algorithm, const Problem& problem) {
  if (is_reduction(problem.operation) && !problem.commutative && !algorithm.any_operator)
    return false;
  return algorithm.suits == nullptr || algorithm.suits(problem);
}

std::vector<Choice> choices(const Problem& problem, const Machine& machine) {
  if (machine.levels.empty()) throw std::invalid_argument("a machine needs at least one level");
  if (problem.ranks < 1 || problem.elements < 0 || problem.root.rank < 0 ||
      problem.root.rank >= problem.ranks)
    throw std::invalid_argument("a problem needs ranks, a root among them, and no negative size");
  std::vector<Choice> all;
  for (const Algorithm& algorithm : algorithms(problem.operation)) {
    if (!may_solve(algorithm, problem)) continue;
    if (algorithm.tunings == nullptr) {
      all.push_back({&algorithm, {}});
    } else {
      for (std::string& tuning : algorithm.tunings(problem, machine))
        all.push_back({&algorithm, std::move(tuning)});
    }
  }
  return all;
}

namespace {

std::string what_there_is(Operation operation) {
  std::string names;
  for (const Algorithm& algorithm : algorithms(operation)) {
    names += names.empty() ? "" : ", ";
    names += algorithm.name;
    if (!algorithm.tuning.empty()) names += "(" + std::string(algorithm.tuning) + ")";
  }
  return names;
}

}  // namespace

Choice parse_choice(Operation operation, std::string_view text) {
  std::vector<int> order = take_order(text);
  std::vector<std::int64_t> arrivals = take_arrivals(text);
  const auto bracket = text.find('(');
  const std::string_view name = text.substr(0, bracket);
  const bool closed = bracket == std::string_view::npos || text.back() == ')';
  for (const Algorithm& algorithm : algorithms(operation)) {
    if (algorithm.name != name || !closed) continue;
    Choice choice{&algorithm, {}, std::move(order), std::move(arrivals)};
    if (bracket != std::string_view::npos)
      choice.tuning = text.substr(bracket + 1, text.size() - bracket - 2);
    if (choice.tuning.empty() != algorithm.tuning.empty())
      throw std::invalid_argument(algorithm.tuning.empty()
                                      ? std::string(name) + " takes nothing in brackets"
                                      : std::string(name) + " needs its " +
                                            std::string(algorithm.tuning) + ": " +
                                            std::string(name) + "(…)");
    // Its maker reads the tuning: what is right for no number of ranks is refused here.
    if (!algorithm.tuning.empty())
      (void)algorithm.make({.operation = operation, .ranks = 2}, choice.tuning);
    return choice;
  }
  throw std::invalid_argument("there is no algorithm '" + std::string(text) + "' for " +
                              std::string(name_of(operation)) +
                              "; there are: " + what_there_is(operation));
}

}  // namespace cartwright::plan
