// SPDX-License-Identifier: Apache-2.0
// Carries out random programs of epochs.
#pragma once

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "program_checks.hpp"
#include "program_operations.hpp"

namespace cartwright::comm::test {

/// Carries out a program on one rank, and says what is wrong: nothing, or texts.
template <class T>
class ProgramRun {
 public:
  /// `memory`: the window's, here. `on_device`: so are other operands, every second time.
  ProgramRun(const CartComm& cart, Window<T>& window, std::span<T> memory, bool on_device,
             const RandomProgram& program, Word seed)
      : cart_(&cart),
        window_(&window),
        memory_(memory),
        program_(&program),
        model_({cart.size(), program.reorders}),
        checks_(cart, model_),
        operations_(model_, on_device),
        me_(cart.rank().value),
        random_(seed * 1'000'003 + static_cast<Word>(me_) * 77 + 1) {}
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  /// Collective.
  [[nodiscard]] std::string run() {
    for (std::size_t i = 0; i < memory_.size(); ++i)
      memory_[i] = model_.at(me_, static_cast<plan::Count>(i));
    cart_->start_barrier().wait();
    sums_.reserve(program_->steps.size());
    for (int step = 0; step < static_cast<int>(program_->steps.size()); ++step) do_step(step);
    while (!in_flight_.empty()) complete_one(next() % in_flight_.size());
    cart_->start_barrier().wait();
    checks_.check_end(operations_.reads(), memory_);
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
    operations_.begin_visit();
    for (const Action& action : visit.actions) {
      if (Read<T>* const read = operations_.carry_out(epoch, action, step, visit))
        flight.reads.push_back(read);
      if (chance(5)) cart_->engine().poll();
    }
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
      if (former) close(*former, std::exchange(former_flight, {}));
      former.reset();
      if (chance(30)) {
        former.emplace(std::move(lock));
        former_flight = std::move(flight);
      } else {
        close(lock, std::move(flight));
      }
    }
    if (former) close(*former, std::exchange(former_flight, {}));
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
      checks_.check_arrived(*visit, flight.exposed_step, memory_);
  }

  const CartComm* cart_;
  Window<T>* window_;
  std::span<T> memory_;
  const RandomProgram* program_;
  ProgramModel<T> model_;
  ProgramChecks<T> checks_;
  ProgramOperations<T> operations_;
  int me_;
  Word random_;
  std::vector<InFlight> in_flight_;
  std::vector<std::vector<long long>> sums_;
  std::size_t most_pending_ = 0;
  std::uint64_t epochs_ = 0;
};

}  // namespace cartwright::comm::test
