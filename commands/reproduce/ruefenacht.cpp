// SPDX-License-Identifier: Apache-2.0
#include "ruefenacht.hpp"

#include <cartwright/plan/algorithms/allreduce.hpp>
#include <cmath>

#include "machines.hpp"

namespace cartwright::reproduce {

namespace ruefenacht_tables {

double chapter_5_ratio() {
  const double factor = printed_best_burst + 1.0;
  return factor * std::log(factor) - printed_best_burst;
}

plan::Machine archer() {
  return machine_named("archer");
}

plan::Machine fennel() {
  return machine_named("fennel");
}

plan::Simulation simulated(const plan::Stages& stages, const plan::Machine& machine) {
  const int ranks = plan::ranks_of(stages);
  return plan::simulate(
      ranks, [&](int me) { return plan::allreduce::staged({.ranks = ranks, .me = me}, stages); },
      plan::Layout(plan::Cuts::uniform(1, 1)), 8, machine);
}

namespace {

void extend(std::vector<int>& factors, int rest,
            const std::function<void(std::span<const int>)>& call) {
  if (rest == 1) return call(factors);
  for (int factor = 2; factor <= rest; ++factor) {
    if (rest % factor != 0) continue;
    factors.push_back(factor);
    extend(factors, rest / factor, call);
    factors.pop_back();
  }
}

}  // namespace

void for_each_factorisation(int ranks, const std::function<void(std::span<const int>)>& call) {
  std::vector<int> factors;
  extend(factors, ranks, call);
}

}  // namespace ruefenacht_tables

Document ruefenacht(Effort /*effort*/) {
  namespace tables = ruefenacht_tables;
  return {"ruefenacht",
          "M. Rüfenacht, Towards Larger Scale Collective Operations in the Message Passing "
          "Interface, PhD thesis, University of Edinburgh, 2020",
          {tables::calibration(), tables::calibration_fits(), tables::model_comparison(),
           tables::prior_algorithms(), tables::best_bursts(), tables::factorisations(),
           tables::stage_counts(), tables::heuristic_schedules(), tables::heuristic_averages(),
           tables::measured_gains(), tables::measured_times(), tables::measured_schedules(),
           tables::message_counts(), tables::other_measurements(), tables::simulator(),
           tables::queues()}};
}

}  // namespace cartwright::reproduce
