// SPDX-License-Identifier: Apache-2.0
// Whether what a random program has read and left is what it may.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "program_model.hpp"

namespace cartwright::comm::test {

/// What an action has brought to its origin.
template <class T>
struct Read {
  std::vector<T> values;
  plan::Count stride = 1;   ///< in `values`; nothing comes between
  std::vector<T> expected;  ///< empty: not determined
  const Action* action = nullptr;
  int target = 0;
  int step = 0;
  T operand{};                 ///< the first one
  std::optional<T> earlier{};  ///< what this rank itself has made of a shared element before

  static constexpr T untouched = std::numeric_limits<T>::max();
};

template <class T>
class ProgramChecks {
 public:
  using Reads = std::vector<std::unique_ptr<Read<T>>>;

  ProgramChecks(const CartComm& cart, ProgramModel<T>& model)
      : cart_(&cart), model_(&model), areas_(model.areas()), me_(cart.rank().value) {}

  [[nodiscard]] const std::string& faults() const { return faults_; }

  /// When its epoch is complete.
  void check_determined(const Read<T>& read) {
    for (std::size_t i = 0; i < read.values.size() && !read.expected.empty(); ++i) {
      const auto stride = static_cast<std::size_t>(read.stride);
      const T expected = i % stride == 0 ? read.expected[i / stride] : Read<T>::untouched;
      if (read.values[i] != expected)
        complain(fmt::format("rank {} reads {} of rank {} in step {} (deed {}, place {}), not {}",
                             me_, read.values[i], read.target, read.step,
                             static_cast<int>(read.action->deed),
                             static_cast<int>(read.action->place), expected));
    }
  }
  /// When this rank's side of the epoch is complete: what nothing else ever changes is here.
  void check_arrived(const Visit& visit, int step, std::span<const T> memory) {
    for (const Action& action : visit.actions) {
      const bool is_last =
          action.place == Place::once || (action.place == Place::own && areas_.reorders);
      for (int i = 0; i < action.count && is_last; ++i)
        check_element(memory,
                      model_->first(action, step, visit.origin) + (action.is_strided ? 2 * i : i));
    }
  }
  /// Collective, when all is over.
  void check_end(const Reads& reads, std::span<const T> memory) {
    check_tickets(reads);
    check_swaps(reads, memory);
    check_claims(reads);
    for (const auto& read : reads)
      if (read->action->place == Place::shared) check_shared(*read);
    for (plan::Count element = 0; element < areas_.all(); ++element) check_element(memory, element);
  }

 private:
  void complain(std::string text) {
    if (faults_.size() < 2000) faults_ += std::move(text) + "\n";
  }

  void check_element(std::span<const T> memory, plan::Count element) {
    const T found = memory[static_cast<std::size_t>(element)], expected = model_->at(me_, element);
    if (found != expected)
      complain(fmt::format("rank {} has {} at {}, not {}", me_, found, element, expected));
  }

  /// Each ticket was given out once.
  void check_tickets(const Reads& reads) {
    const auto ranks = static_cast<std::size_t>(cart_->size());
    std::vector<Word> sums(2 * ranks), last(ranks, 0);
    for (const auto& read : reads) {
      if (read->action->place != Place::tickets) continue;
      const auto target = static_cast<std::size_t>(read->target);
      const Word ticket = static_cast<Word>(read->values[0]);
      sums[2 * target] += ticket;
      sums[2 * target + 1] += ticket * ticket;
      if (!areas_.reorders && ticket + 1 <= last[target])
        complain(fmt::format("rank {} got ticket {} of rank {} behind ticket {}", me_, ticket,
                             target, last[target] - 1));
      last[target] = ticket + 1;
    }
    cart_->start_allreduce(sums, Operator::sum).wait();
    for (std::size_t target = 0; target < ranks; ++target) {
      const Word n =
          static_cast<Word>(model_->at(static_cast<int>(target), areas_.at(Place::tickets, 0, 0)));
      if (n > 0 && (sums[2 * target] != n * (n - 1) / 2 ||
                    sums[2 * target + 1] != (n - 1) * n * (2 * n - 1) / 6))
        complain(fmt::format("the {} tickets of rank {} weren't given out once each", n, target));
    }
  }

  /// What was left there came back once each, but for what is there at the end.
  void check_swaps(const Reads& reads, std::span<const T> memory) {
    std::vector<Word> left(2 * static_cast<std::size_t>(cart_->size()));
    for (const auto& read : reads) {
      if (read->action->place != Place::swapped) continue;
      const auto target = static_cast<std::size_t>(read->target);
      const Word gave = static_cast<Word>(read->operand), got = static_cast<Word>(read->values[0]);
      left[2 * target] += gave - got;
      left[2 * target + 1] += gave * gave - got * got;
    }
    cart_->start_allreduce(left, Operator::sum).wait();
    const plan::Count element = areas_.at(Place::swapped, 0, 0);
    const T found = memory[static_cast<std::size_t>(element)];
    const Word last = static_cast<Word>(found);
    const auto mine = 2 * static_cast<std::size_t>(me_);
    if (left[mine] != last || left[mine + 1] != last * last)
      complain(fmt::format("of what was swapped on rank {} some was lost, or came twice", me_));
    model_->at(me_, element) = found;
  }

  /// One has each claim, and all who came later have seen who.
  void check_claims(const Reads& reads) {
    const auto ranks = static_cast<std::size_t>(cart_->size());
    std::vector<Word> winners(ranks * Areas::most_steps), wins(winners.size());
    const auto place = [&](const Read<T>& read) {
      return static_cast<std::size_t>(read.step) * ranks + static_cast<std::size_t>(read.target);
    };
    for (const auto& read : reads)
      if (read->action->place == Place::claim && read->values[0] == T{0}) {
        winners[place(*read)] += static_cast<Word>(me_ + 1);
        ++wins[place(*read)];
      }
    cart_->start_allreduce(winners, Operator::sum).wait();
    cart_->start_allreduce(wins, Operator::sum).wait();
    for (const auto& read : reads) {
      if (read->action->place != Place::claim) continue;
      const Word seen = static_cast<Word>(read->values[0]);
      if (wins[place(*read)] != 1 || (seen != 0 && seen != winners[place(*read)]))
        complain(fmt::format("rank {} lost the claim of step {} on rank {} to {}, and {} have won",
                             me_, read->step, read->target, seen, wins[place(*read)]));
    }
    for (int step = 0; step < Areas::most_steps; ++step)
      model_->at(me_, areas_.at(Place::claim, step, 0)) = static_cast<T>(
          winners[static_cast<std::size_t>(step) * ranks + static_cast<std::size_t>(me_)]);
  }

  /// Who else has been there before isn't determined; but this rank was, and the end is known.
  void check_shared(const Read<T>& read) {
    const Operator op = *read.action->op;
    const T last = model_->at(read.target, model_->first(*read.action, 0, 0)), got = read.values[0];
    bool is_possible = true;
    if (is_idempotent(op))
      is_possible = combined(op, last, got) == last &&
                    (!read.earlier || combined(op, got, *read.earlier) == got);
    else if (op == Operator::sum)
      is_possible = got <= last && (!read.earlier || *read.earlier <= got);
    if (!is_possible)
      complain(fmt::format("rank {} got {} by {} of rank {} in step {}, which ends with {}", me_,
                           got, name(op), read.target, read.step, last));
  }

  const CartComm* cart_;
  ProgramModel<T>* model_;
  Areas areas_;
  int me_;
  std::string faults_;
};

}  // namespace cartwright::comm::test
