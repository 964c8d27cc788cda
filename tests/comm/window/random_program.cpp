// SPDX-License-Identifier: Apache-2.0
#include "random_program.hpp"

#include <algorithm>
#include <random>

namespace cartwright::comm::test {

namespace {

using Deed = Action::Deed;
using Random = std::mt19937_64;

bool chance_of(Random& random, int percent) {
  return random() % 100 < static_cast<std::uint64_t>(percent);
}

/// From 1 to `most`.
int count_of(Random& random, int most) {
  return 1 + static_cast<int>(random() % static_cast<std::uint64_t>(most));
}

Operator operator_of(Random& random, ScalarType type) {
  for (;;) {
    const Operator op{static_cast<int>(random() % Areas::operators)};
    if (is_defined(op, type)) return op;
  }
}

Deed deed_of(Random& random, std::initializer_list<Deed> all) {
  return all.begin()[random() % all.size()];
}

Action put_once(Random& random) {
  Action action{.deed = Deed::put, .place = Place::once};
  action.is_strided = chance_of(random, 25);
  action.count = action.is_strided ? 2 : count_of(random, Areas::once);
  return action;
}

Action put_or_get_again(Random& random) {
  Action action{.deed = deed_of(random, {Deed::put, Deed::get}), .place = Place::again};
  action.is_strided = chance_of(random, 30);
  action.is_strided_here = action.deed == Deed::get && chance_of(random, 30);
  action.count = count_of(random, action.is_strided ? Areas::again / 2 : Areas::again);
  return action;
}

/// One of them in an epoch: plain ones and atomic ones of the same elements have no order.
Action large(Random& random, ScalarType type) {
  return {.deed = deed_of(random, {Deed::put, Deed::get, Deed::put, Deed::get, Deed::accumulate,
                                   Deed::get_accumulate, Deed::get_atomically}),
          .place = Place::large,
          .count = Areas::large / 4 * count_of(random, 4),
          .op = operator_of(random, type),
          .value = random()};
}

Action update_own(Random& random, ScalarType type) {
  Action action{
      .deed = deed_of(random, {Deed::accumulate, Deed::get_accumulate, Deed::get_atomically,
                               Deed::fetch_and_op, Deed::compare_and_swap}),
      .place = Place::own,
      .value = random()};
  const bool is_single = action.deed == Deed::fetch_and_op || action.deed == Deed::compare_and_swap;
  action.is_strided = !is_single && chance_of(random, 30);
  action.count = is_single ? 1 : count_of(random, action.is_strided ? Areas::own / 2 : 4);
  const int length = action.is_strided ? 2 * action.count - 1 : action.count;
  action.first = count_of(random, Areas::own - length + 1) - 1;
  action.is_strided_here = !is_single && chance_of(random, 20);
  if (action.deed == Deed::get_accumulate || chance_of(random, 70))
    action.op = operator_of(random, type);
  return action;
}

Action update_shared(Random& random, ScalarType type) {
  Action action{.deed = deed_of(random, {Deed::accumulate, Deed::get_accumulate,
                                         Deed::get_atomically, Deed::fetch_and_op}),
                .place = Place::shared,
                .op = operator_of(random, type),
                .value = random()};
  action.first = static_cast<plan::Count>(*action.op);
  return action;
}

std::vector<Action> random_actions(Random& random, bool reorders, ScalarType type) {
  std::vector<Action> actions;
  if (chance_of(random, 70)) actions.push_back(put_once(random));
  if (!reorders && chance_of(random, 60)) actions.push_back(put_or_get_again(random));
  if (!reorders && chance_of(random, 12)) actions.push_back(large(random, type));
  if (chance_of(random, 30))
    for (int left = count_of(random, 4); left > 0; --left)
      actions.push_back(update_own(random, type));
  if (chance_of(random, 40))
    actions.push_back({.deed = Deed::accumulate,
                       .place = Place::counters,
                       .count = count_of(random, Areas::counters),
                       .op = Operator::sum,
                       .value = random()});
  if (chance_of(random, 30))
    for (int left = count_of(random, 2); left > 0; --left)
      actions.push_back(update_shared(random, type));
  if (chance_of(random, 25))
    actions.push_back({.deed = Deed::fetch_and_op, .place = Place::tickets, .op = Operator::sum});
  if (chance_of(random, 15))
    actions.push_back({.deed = Deed::compare_and_swap, .place = Place::claim});
  if (chance_of(random, 10))
    actions.push_back({.deed = Deed::fetch_and_op, .place = Place::swapped, .value = random()});
  std::shuffle(actions.begin(), actions.end(), random);
  return actions;
}

}  // namespace

plan::Count Areas::at(Place place, int step, int origin) const {
  const plan::Count many = ranks, steps = most_steps;
  const plan::Count again_begin = steps * many * once, large_begin = again_begin + many * again,
                    own_begin = large_begin + many * large,
                    counters_begin = own_begin + steps * many * own,
                    shared_begin = counters_begin + counters,
                    tickets_begin = shared_begin + operators;
  switch (place) {
    case Place::once:
      return (step * many + origin) * once;
    case Place::again:
      return again_begin + plan::Count{origin} * again;
    case Place::large:
      return large_begin + plan::Count{origin} * large;
    case Place::own:
      return own_begin + ((reorders ? step : 0) * many + origin) * own;
    case Place::counters:
      return counters_begin;
    case Place::shared:
      return shared_begin;
    case Place::tickets:
      return tickets_begin;
    case Place::swapped:
      return tickets_begin + 1;
    case Place::claim:
      break;
  }
  return tickets_begin + 2 + step;
}

RandomProgram RandomProgram::make(int ranks, std::uint64_t seed, bool reorders, ScalarType type) {
  Random random(seed * 7919 + static_cast<std::uint64_t>(ranks));
  RandomProgram program;
  program.reorders = reorders;
  const int steps = 5 + static_cast<int>(random() % (Areas::most_steps - 5));
  const int density = static_cast<int>(100 / std::max(2, ranks)) + static_cast<int>(random() % 30);
  const std::uint64_t alone = random() % 3 == 0 ? 6 : 1;  // mostly locks, or mostly general
  for (int i = 0; i < steps; ++i) {
    Step step;
    const std::uint64_t kind = random() % (9 + alone);
    step.kind = kind < 5   ? Step::Kind::general
                : kind < 6 ? Step::Kind::fence
                : kind < 7 ? Step::Kind::lock_all
                : kind < 8 ? Step::Kind::collective
                           : Step::Kind::lock;
    for (int origin = 0; origin < ranks; ++origin)
      for (int target = 0; target < ranks; ++target)
        if (step.kind != Step::Kind::collective && chance_of(random, density)) {
          Visit visit{.origin = origin, .target = target, .actions = {}};
          visit.lock = chance_of(random, 50) ? Lock::exclusive : Lock::shared;
          visit.flushes = chance_of(random, 20);
          visit.actions = random_actions(random, reorders, type);
          step.visits.push_back(std::move(visit));
        }
    program.steps.push_back(std::move(step));
  }
  return program;
}

}  // namespace cartwright::comm::test
