// SPDX-License-Identifier: Apache-2.0
#include "random_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <thread>

namespace cartwright::comm::test {

namespace {

using Random = std::mt19937_64;

bool chance_of(Random& random, int percent) {
  return random() % 100 < static_cast<std::uint64_t>(percent);
}

/// What is written: tells where it comes from.
Word word_of(int step, int origin, int target, int index) {
  return 1'000'000'000ULL * static_cast<Word>(step + 1) + 1'000'000ULL * static_cast<Word>(origin) +
         1'000ULL * static_cast<Word>(target) + static_cast<Word>(index) + 1;
}

std::vector<Action> random_actions(Random& random, bool reorders) {
  using Kind = Action::Kind;
  std::vector<Action> actions;
  if (chance_of(random, 70))
    actions.push_back({chance_of(random, 25) ? Kind::put_strided : Kind::put_once,
                       1 + static_cast<int>(random() % Areas::once), 0});
  if (!reorders && chance_of(random, 60))
    actions.push_back({chance_of(random, 50) ? Kind::put_again : Kind::get_again,
                       1 + static_cast<int>(random() % Areas::again), 0});
  if (!reorders && chance_of(random, 12))
    actions.push_back({chance_of(random, 50) ? Kind::put_large : Kind::get_large,
                       Areas::large / 4 * (1 + static_cast<int>(random() % 4)), 0});
  if (chance_of(random, 50))
    actions.push_back(
        {Kind::add, 1 + static_cast<int>(random() % Areas::counters), random() % 1000});
  if (chance_of(random, 25)) actions.push_back({Kind::ticket, 1, 0});
  if (chance_of(random, 15)) actions.push_back({Kind::claim, 1, 0});
  std::shuffle(actions.begin(), actions.end(), random);
  return actions;
}

}  // namespace

RandomProgram RandomProgram::make(int ranks, std::uint64_t seed, bool reorders) {
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
          visit.actions = random_actions(random, reorders);
          step.visits.push_back(std::move(visit));
        }
    program.steps.push_back(std::move(step));
  }
  return program;
}

ProgramRun::ProgramRun(const CartComm& cart, Window<Word>& window, const RandomProgram& program,
                       std::uint64_t seed)
    : cart_(&cart),
      window_(&window),
      program_(&program),
      areas_{cart.size()},
      me_(cart.rank().value),
      random_(seed * 1'000'003 + static_cast<Word>(me_) * 77 + 1),
      model_(static_cast<std::size_t>(areas_.all())),
      tickets_(static_cast<std::size_t>(cart.size())) {}

Word ProgramRun::next() {
  random_ ^= random_ << 13U;
  random_ ^= random_ >> 7U;
  random_ ^= random_ << 17U;
  return random_;
}

void ProgramRun::complain(std::string text) {
  if (faults_.size() < 2000) faults_ += std::move(text) + "\n";
}

/// What the step leaves, wherever it was done: all ranks know all of it.
void ProgramRun::model(int number, const Step& step) {
  using Kind = Action::Kind;
  for (const Visit& visit : step.visits) {
    const auto write = [&](plan::Count at, Word value) {
      if (visit.target == me_) model_[static_cast<std::size_t>(at)] = value;
    };
    Written& written = written_[{visit.origin, visit.target}];
    for (const Action& action : visit.actions) {
      const auto value = [&](int i) { return word_of(number, visit.origin, visit.target, i); };
      const plan::Count once = areas_.once_at(number, visit.origin);
      if (action.kind == Kind::put_once)
        for (int i = 0; i < action.count; ++i) write(once + i, value(i));
      if (action.kind == Kind::put_strided)
        for (int i = 0; i < 2; ++i) write(once + 2 * i, value(i));
      if (action.kind == Kind::put_again)
        for (int i = 0; i < action.count; ++i) {
          written.again[static_cast<std::size_t>(i)] = value(i);
          write(areas_.again_at(visit.origin) + i, value(i));
        }
      if (action.kind == Kind::put_large)
        for (int i = 0; i < action.count; ++i) {
          written.large[static_cast<std::size_t>(i)] = value(i);
          write(areas_.large_at(visit.origin) + i, value(i));
        }
      if (action.kind == Kind::add && visit.target == me_)
        for (int i = 0; i < action.count; ++i)
          model_[static_cast<std::size_t>(areas_.counters_at() + i)] += action.value;
      if (action.kind == Kind::ticket) {
        ++tickets_[static_cast<std::size_t>(visit.target)];
        write(areas_.tickets_at(), tickets_[static_cast<std::size_t>(visit.target)]);
      }
    }
  }
}

template <class Epoch>
void ProgramRun::act(Epoch&& epoch, int step, const Visit& visit, InFlight& flight) {
  using Kind = Action::Kind;
  const rt::Rank target{visit.target};
  const auto source = [&](int count) -> std::vector<Word>& {
    auto& values = *sources_.emplace_back(
        std::make_unique<std::vector<Word>>(static_cast<std::size_t>(count)));
    for (int i = 0; i < count; ++i)
      values[static_cast<std::size_t>(i)] = word_of(step, visit.origin, visit.target, i);
    return values;
  };
  const auto read = [&](int count, Kind kind) -> Read& {
    Read& made = *reads_.emplace_back(std::make_unique<Read>());
    made.values.assign(static_cast<std::size_t>(count), ~Word{0});
    made.kind = kind;
    made.target = visit.target;
    made.step = step;
    flight.reads.push_back(&made);
    return made;
  };
  const plan::Count once = areas_.once_at(step, me_);
  for (const Action& action : visit.actions) {
    switch (action.kind) {
      case Kind::put_once:
        epoch.put(target, once, source(action.count));
        break;
      case Kind::put_strided:
        epoch.put(target, {once, {.block = 1, .stride = 2, .count = 2}}, source(2));
        break;
      case Kind::put_again:
        epoch.put(target, areas_.again_at(me_), source(action.count));
        break;
      case Kind::put_large:
        epoch.put(target, areas_.large_at(me_), source(action.count));
        break;
      case Kind::get_again:
      case Kind::get_large: {
        const bool is_large = action.kind == Kind::get_large;
        Read& got = read(action.count, action.kind);
        epoch.get(target, is_large ? areas_.large_at(me_) : areas_.again_at(me_), got.values);
        const Written& written = written_[{me_, visit.target}];
        sources_.push_back(
            std::make_unique<std::vector<Word>>(is_large ? written.large : written.again));
        got.expected = static_cast<Word>(sources_.size() - 1);
        break;
      }
      case Kind::add: {
        auto& values = source(action.count);
        std::ranges::fill(values, action.value);
        epoch.accumulate(target, areas_.counters_at(), values, Operator::sum);
        break;
      }
      case Kind::ticket:
        epoch.fetch_and_op(target, areas_.tickets_at(), Word{1}, read(1, action.kind).values[0],
                           Operator::sum);
        break;
      case Kind::claim:
        epoch.compare_and_swap(target, areas_.claim_at(step), Word{0}, static_cast<Word>(me_ + 1),
                               read(1, action.kind).values[0]);
        break;
    }
    if (chance(5)) cart_->engine().poll();
  }
}

void ProgramRun::do_general(int number, const Step& step) {
  std::vector<rt::Rank> targets, origins;
  for (const Visit& visit : step.visits) {
    if (visit.origin == me_) targets.push_back(rt::Rank{visit.target});
    if (visit.target == me_) origins.push_back(rt::Rank{visit.origin});
  }
  if (chance(50)) std::ranges::reverse(targets);
  InFlight access, exposed;
  std::optional<ExposureEpoch> exposure;
  const bool exposes_first = chance(50);
  const auto expose = [&] {
    if (!origins.empty()) exposure.emplace(window_->post(origins));
  };
  if (exposes_first) expose();
  if (!targets.empty()) {
    AccessEpoch<Word> epoch = window_->start(targets);
    for (const Visit& visit : step.visits)
      if (visit.origin == me_) act(epoch, number, visit, access);
    if (!exposes_first) expose();
    access.epoch = epoch.complete();
    ++epochs_;
  } else if (!exposes_first) {
    expose();
  }
  if (exposure) {
    exposed.epoch = exposure->wait();
    exposed.exposed_step = number;
    for (const Visit& visit : step.visits)
      if (visit.target == me_) exposed.visits.push_back(&visit);
    note(std::move(exposed));
    ++epochs_;
  }
  if (!targets.empty()) note(std::move(access));
}

void ProgramRun::do_fence(int number, const Step& step) {
  FenceEpoch<Word> fence = window_->fence();
  InFlight flight;
  for (const Visit& visit : step.visits) {
    if (visit.origin == me_) act(fence, number, visit, flight);
    if (visit.target == me_) flight.visits.push_back(&visit);
  }
  flight.epoch = fence.close();
  flight.exposed_step = number;
  ++epochs_;
  note(std::move(flight));
}

/// The lock of one target, as acts want it.
struct OfTarget {
  LockEpoch<Word>* lock;
  void put(rt::Rank /*target*/, const Slice& at, auto& values) const { lock->put(at, values); }
  void get(rt::Rank /*target*/, const Slice& at, auto& values) const { lock->get(at, values); }
  void accumulate(rt::Rank /*target*/, const Slice& at, auto& values, Operator op) const {
    lock->accumulate(at, values, op);
  }
  void fetch_and_op(rt::Rank /*target*/, plan::Count at, Word value, Word& former,
                    Operator op) const {
    lock->fetch_and_op(at, value, former, op);
  }
  void compare_and_swap(rt::Rank /*target*/, plan::Count at, Word expected, Word desired,
                        Word& former) const {
    lock->compare_and_swap(at, expected, desired, former);
  }
};

void ProgramRun::do_locks(int number, const Step& step) {
  std::optional<LockEpoch<Word>> former;  // two at a time, now and then
  InFlight former_flight;
  // Who holds a lock mustn't wait for an earlier one: all are noted behind the last.
  std::vector<InFlight> closed;
  const auto close = [&](LockEpoch<Word>& lock, InFlight flight) {
    flight.epoch = lock.unlock();
    closed.push_back(std::move(flight));
  };
  for (const Visit& visit : step.visits) {
    if (visit.origin != me_) continue;
    InFlight flight;
    LockEpoch<Word> lock = window_->lock(rt::Rank{visit.target}, visit.lock);
    ++epochs_;
    act(OfTarget{&lock}, number, visit, flight);
    if (visit.flushes && !former) lock.flush().wait();
    if (former) close(*former, std::move(former_flight));
    former.reset();
    if (chance(30)) {
      former.emplace(std::move(lock));
      former_flight = std::move(flight);
    } else {
      close(lock, std::move(flight));
    }
  }
  if (former) close(*former, std::move(former_flight));
  former.reset();
  for (InFlight& flight : closed) note(std::move(flight));
}

void ProgramRun::do_lock_all(int number, const Step& step) {
  LockAllEpoch<Word> all = window_->lock_all();
  InFlight flight;
  for (const Visit& visit : step.visits) {
    if (visit.origin != me_) continue;
    act(all, number, visit, flight);
    if (!visit.flushes) continue;
    if (chance(50))
      all.flush_local(rt::Rank{visit.target}).wait();
    else
      all.flush().wait();
  }
  flight.epoch = all.unlock();
  ++epochs_;
  note(std::move(flight));
}

void ProgramRun::do_step(int number) {
  const Step& step = program_->steps[static_cast<std::size_t>(number)];
  switch (step.kind) {
    case Step::Kind::general:
      do_general(number, step);
      break;
    case Step::Kind::fence:
      do_fence(number, step);
      break;
    case Step::Kind::lock:
      do_locks(number, step);
      break;
    case Step::Kind::lock_all:
      do_lock_all(number, step);
      break;
    case Step::Kind::collective: {
      InFlight flight;
      auto& sum = sums_.emplace_back(std::vector<long long>{me_ + number});
      flight.collective = cart_->start_allreduce(sum, Operator::sum);
      note(std::move(flight));
    }
  }
  model(number, step);
}

void ProgramRun::note(InFlight flight) {
  in_flight_.push_back(std::move(flight));
  most_pending_ = std::max(most_pending_, in_flight_.size());
  if (in_flight_.size() >= 40) complete_one(0);
  if (chance(8)) complete_one(next() % in_flight_.size());
  if (chance(2)) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void ProgramRun::complete_one(std::size_t which) {
  InFlight flight = std::move(in_flight_[which]);
  in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(which));
  if (flight.epoch) flight.epoch->wait();
  if (flight.collective) flight.collective->wait();
  check(flight);
}

void ProgramRun::check(const InFlight& flight) {
  for (const Read* const read : flight.reads) {
    if (read->kind != Action::Kind::get_again && read->kind != Action::Kind::get_large) continue;
    const auto& expected = *sources_[read->expected];
    for (std::size_t i = 0; i < read->values.size(); ++i)
      if (read->values[i] != expected[i])
        complain(fmt::format("rank {} reads {} of rank {} in step {}, not {}", me_, read->values[i],
                             read->target, read->step, expected[i]));
  }
  // What was written once in this step must be here.
  for (const Visit* const visit : flight.visits)
    for (const Action& action : visit->actions) {
      const plan::Count once = areas_.once_at(flight.exposed_step, visit->origin);
      const bool is_strided = action.kind == Action::Kind::put_strided;
      if (action.kind != Action::Kind::put_once && !is_strided) continue;
      for (int i = 0; i < (is_strided ? 2 : action.count); ++i) {
        const auto at = static_cast<std::size_t>(once + (is_strided ? 2 * i : i));
        const Word expected = word_of(flight.exposed_step, visit->origin, me_, i);
        if (window_->local()[at] != expected)
          complain(fmt::format("rank {} has {} of rank {} after step {}, not {}", me_,
                               window_->local()[at], visit->origin, flight.exposed_step, expected));
      }
    }
}

/// Each ticket was given out once.
void ProgramRun::check_tickets() {
  const auto ranks = static_cast<std::size_t>(cart_->size());
  std::vector<Word> sums(2 * ranks);
  std::vector<Word> last(ranks, 0);
  for (const auto& read : reads_) {
    if (read->kind != Action::Kind::ticket) continue;
    const auto target = static_cast<std::size_t>(read->target);
    const Word ticket = read->values[0];
    sums[2 * target] += ticket;
    sums[2 * target + 1] += ticket * ticket;
    if (!program_->reorders && ticket + 1 <= last[target])
      complain(fmt::format("rank {} got ticket {} of rank {} behind ticket {}", me_, ticket, target,
                           last[target] - 1));
    last[target] = ticket + 1;
  }
  Pending sum = cart_->start_allreduce(sums, Operator::sum);
  sum.wait();
  for (std::size_t target = 0; target < ranks; ++target) {
    const Word n = tickets_[target];
    if (n > 0 && (sums[2 * target] != n * (n - 1) / 2 ||
                  sums[2 * target + 1] != (n - 1) * n * (2 * n - 1) / 6))
      complain(fmt::format("the {} tickets of rank {} weren't given out once each", n, target));
  }
}

/// One has each claim, and all who came later have seen who.
void ProgramRun::check_claims() {
  const auto ranks = static_cast<std::size_t>(cart_->size());
  std::vector<Word> winners(ranks * Areas::most_steps), wins(winners.size());
  const auto place = [&](const Read& read) {
    return static_cast<std::size_t>(read.step) * ranks + static_cast<std::size_t>(read.target);
  };
  for (const auto& read : reads_)
    if (read->kind == Action::Kind::claim && read->values[0] == 0) {
      winners[place(*read)] += static_cast<Word>(me_ + 1);
      ++wins[place(*read)];
    }
  cart_->start_allreduce(winners, Operator::sum).wait();
  cart_->start_allreduce(wins, Operator::sum).wait();
  for (const auto& read : reads_)
    if (read->kind == Action::Kind::claim &&
        (wins[place(*read)] != 1 ||
         (read->values[0] != 0 && read->values[0] != winners[place(*read)])))
      complain(fmt::format("rank {} lost the claim of step {} on rank {} to {}, and {} have won",
                           me_, read->step, read->target, read->values[0], wins[place(*read)]));
  for (int step = 0; step < Areas::most_steps; ++step)
    model_[static_cast<std::size_t>(areas_.claim_at(step))] =
        winners[static_cast<std::size_t>(step) * ranks + static_cast<std::size_t>(me_)];
}

void ProgramRun::check_memory() {
  const auto memory = window_->local();
  for (std::size_t i = 0; i < model_.size(); ++i)
    if (memory[i] != model_[i])
      complain(fmt::format("rank {} has {} at {}, not {}", me_, memory[i], i, model_[i]));
}

std::string ProgramRun::run() {
  sums_.reserve(program_->steps.size());
  for (int step = 0; step < static_cast<int>(program_->steps.size()); ++step) do_step(step);
  while (!in_flight_.empty()) complete_one(next() % in_flight_.size());
  cart_->start_barrier().wait();
  check_tickets();
  check_claims();
  check_memory();
  return faults_;
}

}  // namespace cartwright::comm::test
