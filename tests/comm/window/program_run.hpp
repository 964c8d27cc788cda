// SPDX-License-Identifier: Apache-2.0
// Carries out random programs of epochs.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "program_checks.hpp"

namespace cartwright::comm::test {

/// The lock of one target, as acts want it.
template <class T>
struct OfTarget {
  LockEpoch<T>* lock;
  void put(rt::Rank /*target*/, const Slice& at, auto&& values) const { lock->put(at, values); }
  void get(rt::Rank /*target*/, const Slice& at, auto&& values) const { lock->get(at, values); }
  void accumulate(rt::Rank /*target*/, const Slice& at, auto& values, auto op) const {
    lock->accumulate(at, values, op);
  }
  void get_accumulate(rt::Rank /*target*/, const Slice& at, auto& values, auto&& former,
                      Operator op) const {
    lock->get_accumulate(at, values, former, op);
  }
  void get_atomically(rt::Rank /*target*/, const Slice& at, auto&& values) const {
    lock->get_atomically(at, values);
  }
  void fetch_and_op(rt::Rank /*target*/, plan::Count at, T value, T& former, auto op) const {
    lock->fetch_and_op(at, value, former, op);
  }
  void compare_and_swap(rt::Rank /*target*/, plan::Count at, T expected, T desired,
                        T& former) const {
    lock->compare_and_swap(at, expected, desired, former);
  }
};

/// Carries out a program on one rank, and says what is wrong: nothing, or texts.
template <class T>
class ProgramRun {
 public:
  ProgramRun(const CartComm& cart, Window<T>& window, const RandomProgram& program, Word seed)
      : cart_(&cart),
        window_(&window),
        program_(&program),
        model_({cart.size(), program.reorders}),
        checks_(cart, model_),
        me_(cart.rank().value),
        random_(seed * 1'000'003 + static_cast<Word>(me_) * 77 + 1) {}
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  /// Collective.
  [[nodiscard]] std::string run() {
    const auto memory = window_->local();
    for (std::size_t i = 0; i < memory.size(); ++i)
      memory[i] = model_.at(me_, static_cast<plan::Count>(i));
    cart_->start_barrier().wait();
    sums_.reserve(program_->steps.size());
    for (int step = 0; step < static_cast<int>(program_->steps.size()); ++step) do_step(step);
    while (!in_flight_.empty()) complete_one(next() % in_flight_.size());
    cart_->start_barrier().wait();
    checks_.check_end(reads_, memory);
    return checks_.faults();
  }
  /// The most that were pending at a time.
  [[nodiscard]] std::size_t most_pending() const { return most_pending_; }
  [[nodiscard]] std::uint64_t epochs() const { return epochs_; }

 private:
  struct InFlight {
    std::optional<EpochRequest> epoch;
    std::optional<Pending> collective;
    std::vector<Read<T>*> reads;
    int exposed_step = -1;  // what came in this step is checked then
    std::vector<const Visit*> visits;
  };

  [[nodiscard]] bool chance(int percent) { return next() % 100 < static_cast<Word>(percent); }
  [[nodiscard]] Word next() {
    random_ ^= random_ << 13U;
    random_ ^= random_ >> 7U;
    random_ ^= random_ << 17U;
    return random_;
  }

  template <class Epoch>
  void act(Epoch&& epoch, int step, const Visit& visit, InFlight& flight) {
    if (program_->reorders) done_to_shared_.clear();
    for (const Action& action : visit.actions) {
      carry_out(epoch, action, step, visit, flight);
      if (chance(5)) cart_->engine().poll();
    }
  }

  /// Here and in the model.
  template <class Epoch>
  void carry_out(Epoch& epoch, const Action& action, int step, const Visit& visit,
                 InFlight& flight) {
    using Deed = Action::Deed;
    const rt::Rank target{visit.target};
    const plan::Count first = model_.first(action, step, me_);
    const Slice at = action.is_strided
                         ? Slice(first, {.block = 1, .stride = 2, .count = action.count})
                         : Slice(first);
    const T compared = model_.compared(action, step, visit);
    std::vector<T>& operands = *sources_.emplace_back(
        std::make_unique<std::vector<T>>(model_.operands(action, step, visit)));
    Read<T>* const read = new_read(action, step, visit, operands, flight);
    switch (action.deed) {
      case Deed::put:
        return epoch.put(target, at, operands);
      case Deed::get:
        return into(*read, [&](const auto& values) { epoch.get(target, at, values); });
      case Deed::accumulate:
        return by_update(action, [&](auto op) { epoch.accumulate(target, at, operands, op); });
      case Deed::get_accumulate:
        return into(*read, [&](const auto& values) {
          epoch.get_accumulate(target, at, operands, values, *action.op);
        });
      case Deed::get_atomically:
        return into(*read, [&](const auto& values) { epoch.get_atomically(target, at, values); });
      case Deed::fetch_and_op:
        return by_update(action, [&](auto op) {
          epoch.fetch_and_op(target, first, operands[0], read->values[0], op);
        });
      case Deed::compare_and_swap:
        return epoch.compare_and_swap(target, first, compared, operands[0], read->values[0]);
    }
  }

  static void by_update(const Action& action, const auto& issue) {
    if (action.op)
      issue(*action.op);
    else
      issue(replace);
  }
  static void into(Read<T>& read, const auto& issue) {
    const auto count = static_cast<plan::Count>(read.values.size()) / read.stride;
    if (read.stride == 1)
      issue(std::span<T>(read.values));
    else
      issue(strided(read.values.data(), {.block = 1, .stride = read.stride, .count = count}));
  }

  /// What will come of it, if something does; it is done in the model.
  Read<T>* new_read(const Action& action, int step, const Visit& visit,
                    const std::vector<T>& operands, InFlight& flight) {
    using Deed = Action::Deed;
    std::vector<T> former = model_.apply(action, step, visit);
    std::optional<T> earlier;
    if (action.place == Place::shared) {
      std::optional<T>& done = done_to_shared_[{visit.target, *action.op}];
      earlier = done;
      if (action.deed != Deed::get_atomically)
        done = done ? combined(*action.op, *done, operands[0]) : operands[0];
    }
    if (action.deed == Deed::put || action.deed == Deed::accumulate) return nullptr;
    Read<T>& read = *reads_.emplace_back(std::make_unique<Read<T>>());
    read.stride = action.is_strided_here ? 2 : 1;
    read.values.assign(former.size() * static_cast<std::size_t>(read.stride), Read<T>::untouched);
    if (is_of_one_origin(action.place)) read.expected = std::move(former);
    read.action = &action;
    read.target = visit.target;
    read.step = step;
    read.operand = operands[0];
    read.earlier = earlier;
    flight.reads.push_back(&read);
    return &read;
  }

  void do_general(int number, const Step& step) {
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
      AccessEpoch<T> epoch = window_->start(targets);
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

  void do_fence(int number, const Step& step) {
    FenceEpoch<T> fence = window_->fence();
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

  void do_locks(int number, const Step& step) {
    std::optional<LockEpoch<T>> former;  // two at a time, now and then
    InFlight former_flight;
    // Who holds a lock mustn't wait for an earlier one: all are noted behind the last.
    std::vector<InFlight> closed;
    const auto close = [&](LockEpoch<T>& lock, InFlight flight) {
      flight.epoch = lock.unlock();
      closed.push_back(std::move(flight));
    };
    for (const Visit& visit : step.visits) {
      if (visit.origin != me_) continue;
      InFlight flight;
      LockEpoch<T> lock = window_->lock(rt::Rank{visit.target}, visit.lock);
      ++epochs_;
      act(OfTarget<T>{&lock}, number, visit, flight);
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

  void do_lock_all(int number, const Step& step) {
    LockAllEpoch<T> all = window_->lock_all();
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

  void do_step(int number) {
    const Step& step = program_->steps[static_cast<std::size_t>(number)];
    // All ranks know all of it. What this one does itself, the model does when it is issued.
    for (const Visit& visit : step.visits)
      if (visit.origin != me_)
        for (const Action& action : visit.actions) (void)model_.apply(action, number, visit);
    switch (step.kind) {
      case Step::Kind::general:
        return do_general(number, step);
      case Step::Kind::fence:
        return do_fence(number, step);
      case Step::Kind::lock:
        return do_locks(number, step);
      case Step::Kind::lock_all:
        return do_lock_all(number, step);
      case Step::Kind::collective: {
        InFlight flight;
        auto& sum = sums_.emplace_back(std::vector<long long>{me_ + number});
        flight.collective = cart_->start_allreduce(sum, Operator::sum);
        note(std::move(flight));
      }
    }
  }

  void note(InFlight flight) {
    in_flight_.push_back(std::move(flight));
    most_pending_ = std::max(most_pending_, in_flight_.size());
    if (in_flight_.size() >= 40) complete_one(0);
    if (chance(8)) complete_one(next() % in_flight_.size());
    if (chance(2)) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }

  void complete_one(std::size_t which) {
    InFlight flight = std::move(in_flight_[which]);
    in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(which));
    if (flight.epoch) flight.epoch->wait();
    if (flight.collective) flight.collective->wait();
    for (const Read<T>* const read : flight.reads) checks_.check_determined(*read);
    for (const Visit* const visit : flight.visits)
      checks_.check_arrived(*visit, flight.exposed_step, window_->local());
  }

  const CartComm* cart_;
  Window<T>* window_;
  const RandomProgram* program_;
  ProgramModel<T> model_;
  ProgramChecks<T> checks_;
  int me_;
  Word random_;
  std::map<std::pair<int, Operator>, std::optional<T>> done_to_shared_;  // by this rank
  std::vector<std::unique_ptr<std::vector<T>>> sources_;
  typename ProgramChecks<T>::Reads reads_;
  std::vector<InFlight> in_flight_;
  std::vector<std::vector<long long>> sums_;
  std::size_t most_pending_ = 0;
  std::uint64_t epochs_ = 0;
};

}  // namespace cartwright::comm::test
