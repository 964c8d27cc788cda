// SPDX-License-Identifier: Apache-2.0
#include "contestants.hpp"

#include <algorithm>
#include <cartwright/plan/arrivals/message_runs.hpp>
#include <cartwright/plan/selection/by_nodes.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

namespace cartwright::bench {

namespace {

constexpr int link_tag = 7;
/// Until forecasts have something to go by: twelve calls, and six for each of up to eight ways that
/// are tried, up to four times.
constexpr std::size_t turns_to_forecast = 204;

plan::ArrivalForecast forecast_of(const Arrivals& arrivals) {
  plan::ArrivalForecast forecast;
  for (const double time : arrivals) forecast.lateness.push_back(std::llround(1e9 * time));
  forecast.deviation.assign(arrivals.size(), 0);
  return forecast;
}

/// Of the schedules that this communicator runs.
comm::Backend& scheduled(const comm::Collectives& collectives) {
  const bool share = collectives.backends().selection().shape().shares_memory;
  return collectives.backends().find(share ? comm::BackendId::shared : comm::BackendId::p2p);
}

}  // namespace

Reducers::Reducers(const rt::Communicator& world, bool all_algorithms)
    : world_(&world), all_algorithms_(all_algorithms), redirected_(world) {
  engine_.set_oversubscribed(world.size() > static_cast<int>(std::thread::hardware_concurrency()));
  plain_ = std::make_unique<comm::Collectives>(world, engine_, comm::BackendId::automatic);
}

comm::Call Reducers::call() const {
  return {.operation = plan::Operation::reduce,
          .input = reinterpret_cast<const std::byte*>(input_.data()),
          .output = reinterpret_cast<std::byte*>(const_cast<std::int32_t*>(output_.data())),
          .element = comm::element_of<std::int32_t>(),
          .count = static_cast<plan::Count>(input_.size()),
          .reduction = comm::predefined(comm::Operator::sum, comm::ScalarType::int32)};
}

std::vector<Reducer> Reducers::for_pattern(const Pattern& pattern, std::size_t bytes) {
  input_.assign(std::max<std::size_t>(1, bytes / sizeof(std::int32_t)), 0);
  output_.assign(input_.size(), 0);
  // What was seen of another pattern must not count.
  comm::Context context = plain_->context();
  context.settings.arrivals = comm::ArrivalUse::on;
  context.tags = nullptr;
  forecasting_ = nullptr;
  if (context.memory != nullptr)
    context.memory = std::make_shared<comm::NodeMemory>(
        *world_, mapping::discover(*world_),
        context.settings.memory_options({world_->size()}, *context.knowledge));
  forecasting_ = std::make_unique<comm::Collectives>(*world_, engine_, context);

  std::vector<Reducer> all;
  all.push_back({.name = "MPI_Reduce", .reduce = [this] {
                   rt::mpi_check(
                       MPI_Reduce(input_.data(), output_.data(), static_cast<int>(input_.size()),
                                  MPI_INT32_T, MPI_SUM, 0, world_->handle()),
                       "MPI_Reduce");
                 }});
  all.push_back({.name = "auto", .reduce = [this] { plain_->backend().run(call()); }});
  all.push_back({.name = "forecast",
                 .reduce = [this] { forecasting_->backend().run(call()); },
                 .meet = [this] { forecasting_->barrier(); },
                 .warm_up = turns_to_forecast});
  add_told(pattern, all);
  add_redirected(all);
  add_by_nodes(all);
  if (pattern.late >= 0 && world_->size() > 1) add_bound(pattern, all);
  if (all_algorithms_) add_algorithms(all);
  return all;
}

/// The plan for what will happen.
void Reducers::add_told(const Pattern& pattern, std::vector<Reducer>& all) {
  const comm::Selection& selection = plain_->backends().selection();
  plan::Problem problem = comm::problem_of(call(), world_->size());
  problem.nodes = selection.nodes();
  plan::ArrivalPlanner planner(problem, selection.machine());
  std::vector<const plan::Choice*> of_calls;
  for (const Arrivals& arrivals : pattern.calls)
    of_calls.push_back(&choices_.emplace_back(planner.choose(forecast_of(arrivals)).choice));
  all.push_back(
      {.name = "told",
       .reduce = [this,
                  of_calls] { scheduled(*plain_).run(call(), of_calls[round_ % of_calls.size()]); },
       .warm_up = std::max<std::size_t>(2, of_calls.size())});
}

/// What can be had without forecasts; patience: as long as a vector takes that is there.
void Reducers::add_redirected(std::vector<Reducer>& all) {
  const comm::Selection& selection = plain_->backends().selection();
  plan::Problem problem = comm::problem_of(call(), world_->size());
  problem.nodes = selection.nodes();
  const std::chrono::nanoseconds patience(
      plan::PairCosts(problem, selection.machine()).round(problem.bytes()));
  all.push_back({.name = "redirect",
                 .reduce = [this, patience] { redirected_.reduce(input_, output_, patience); }});
}

void Reducers::add_algorithms(std::vector<Reducer>& all) {
  const comm::Selection& selection = plain_->backends().selection();
  plan::Problem problem = comm::problem_of(call(), world_->size());
  problem.nodes = selection.nodes();
  std::vector<const plan::Algorithm*> known;
  for (const plan::Candidate& ranked : plan::rank_candidates(problem, selection.machine())) {
    const plan::Algorithm* const algorithm = ranked.choice.algorithm;
    if (!algorithm->any_operator && algorithm->make_for != nullptr) continue;  // "told"
    if (std::ranges::find(known, algorithm) != known.end()) continue;
    known.push_back(algorithm);
    const plan::Choice* const choice = &choices_.emplace_back(ranked.choice);
    all.push_back({.name = choice->name(),
                   .reduce = [this, choice] { scheduled(*plain_).run(call(), choice); }});
  }
}

/// What keeps to nodes, and knows nothing of arrivals. None on one node.
void Reducers::add_by_nodes(std::vector<Reducer>& all) {
  const comm::Selection& selection = plain_->backends().selection();
  plan::Problem problem = comm::problem_of(call(), world_->size());
  problem.nodes = selection.nodes();
  for (plan::Choice& choice : plan::likely_by_nodes(problem, selection.machine(), 2)) {
    const plan::Choice* const kept = &choices_.emplace_back(std::move(choice));
    all.push_back({.name = kept->name(),
                   .reduce = [this, kept] { scheduled(*plain_).run(call(), kept); },
                   .is_by_nodes = true});
  }
}

/// What nobody can beat by much: the last data cross the link of the rank that is late.
void Reducers::add_bound(const Pattern& pattern, std::vector<Reducer>& all) {
  const int from = pattern.late == 0 ? world_->size() - 1 : pattern.late;
  all.push_back({.name = "its link",
                 .reduce =
                     [this, from] {
                       const int count = static_cast<int>(input_.size());
                       if (world_->rank().value == from)
                         rt::mpi_check(MPI_Send(input_.data(), count, MPI_INT32_T, 0, link_tag,
                                                world_->handle()),
                                       "MPI_Send");
                       if (world_->is_root())
                         rt::mpi_check(MPI_Recv(output_.data(), count, MPI_INT32_T, from, link_tag,
                                                world_->handle(), MPI_STATUS_IGNORE),
                                       "MPI_Recv");
                     },
                 .is_bound = true});
}

void Reducers::prepare() {
  ++number_;
  for (std::size_t i = 0; i < input_.size(); ++i)
    input_[i] = number_ + world_->rank().value + static_cast<std::int32_t>(i % 1000);
}

bool Reducers::is_right() const {
  if (!world_->is_root()) return true;
  const std::int32_t ranks = world_->size();
  for (std::size_t i = 0; i < output_.size(); ++i)
    if (output_[i] !=
        ranks * (number_ + static_cast<std::int32_t>(i % 1000)) + ranks * (ranks - 1) / 2)
      return false;
  return true;
}

std::string Reducers::decision() const {
  for (const comm::DecisionNote& note : forecasting_->backends().decisions())
    if (note.key.operation == plan::Operation::reduce) return note.decision.name();
  return "";
}

}  // namespace cartwright::bench
