// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/selection/selector.hpp>
#include <cstdio>

namespace plan = cartwright::plan;

int main() {
  const plan::Machine machine = plan::flat_machine(plan::pipelined(880e-9, 380e-9));
  const plan::Problem problem{.operation = plan::Operation::allreduce, .ranks = 64};
  const auto best = plan::select(problem, machine);
  const auto simulated = plan::simulate_choice(problem, machine, best.choice).total;
  const bool right =
      best.choice.name() == "recursive_multiplying(a4,a4,a4)" && simulated == best.time;
  std::printf("plan_consumer: %s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
