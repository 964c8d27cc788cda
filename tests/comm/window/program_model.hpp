// SPDX-License-Identifier: Apache-2.0
// What a random program leaves in the memory of all ranks, computed one step after the other.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "random_program.hpp"

namespace cartwright::comm::test {

/// Without the code that windows use for it.
template <class T>
T combined(Operator op, T left, T right) {
  if constexpr (std::integral<T>) {
    const bool is_left = left != 0, is_right = right != 0;
    if (op == Operator::logical_and) return T{is_left && is_right};
    if (op == Operator::logical_or) return T{is_left || is_right};
    if (op == Operator::logical_xor) return T{is_left != is_right};
    if (op == Operator::bit_and) return left & right;
    if (op == Operator::bit_or) return left | right;
    if (op == Operator::bit_xor) return left ^ right;
  }
  if (op == Operator::sum) return left + right;
  if (op == Operator::product) return left * right;
  if (op == Operator::minimum) return right < left ? right : left;  // 0 and -0: the left one
  return left < right ? right : left;
}

/// Applied once more, it changes nothing.
[[nodiscard]] inline bool is_idempotent(Operator op) {
  return op == Operator::minimum || op == Operator::maximum || op == Operator::logical_and ||
         op == Operator::logical_or || op == Operator::bit_and || op == Operator::bit_or;
}

/// T: unsigned integers, which wrap around, or floating-point numbers, with which everything that
/// several origins do is exact.
template <class T>
class ProgramModel {
 public:
  explicit ProgramModel(const Areas& areas)
      : areas_(areas), memory_(static_cast<std::size_t>(areas.ranks * areas.all())) {
    for (int rank = 0; rank < areas.ranks; ++rank)
      for (int op = 0; op < Areas::operators; ++op)
        at(rank, areas.at(Place::shared, 0, 0) + op) = neutral(Operator{op});
  }

  [[nodiscard]] const Areas& areas() const { return areas_; }
  [[nodiscard]] T& at(int rank, plan::Count element) {
    return memory_[static_cast<std::size_t>(rank * areas_.all() + element)];
  }

  [[nodiscard]] plan::Count first(const Action& action, int step, int origin) const {
    return areas_.at(action.place, step, origin) + action.first;
  }
  /// Of all of an action's elements, what the origin brings.
  [[nodiscard]] std::vector<T> operands(const Action& action, int step, const Visit& visit) const {
    std::vector<T> all(static_cast<std::size_t>(action.count));
    for (int i = 0; i < action.count; ++i)
      all[static_cast<std::size_t>(i)] = operand(action, step, visit, i);
    return all;
  }
  /// What a compare_and_swap expects: mostly what there is, if that is determined.
  [[nodiscard]] T compared(const Action& action, int step, const Visit& visit) {
    if (action.place == Place::claim) return T{0};
    const T now = at(visit.target, first(action, step, visit.origin));
    return action.value % 3 == 0 ? now + 1 : now;
  }
  /// Does it, and gives what was there before.
  std::vector<T> apply(const Action& action, int step, const Visit& visit) {
    std::vector<T> former;
    const plan::Count begin = first(action, step, visit.origin);
    const T expected = compared(action, step, visit);
    for (int i = 0; i < action.count; ++i) {
      T& element = at(visit.target, begin + (action.is_strided ? 2 * i : i));
      former.push_back(element);
      element = changed(action, element, operand(action, step, visit, i), expected);
    }
    return former;
  }

 private:
  static T neutral(Operator op) {
    if (op == Operator::product || op == Operator::logical_and) return T{1};
    if (op == Operator::minimum || op == Operator::bit_and) return std::numeric_limits<T>::max();
    return T{0};
  }

  static T changed(const Action& action, T old, T operand, T expected) {
    using Deed = Action::Deed;
    if (action.deed == Deed::get || action.deed == Deed::get_atomically) return old;
    if (action.deed == Deed::compare_and_swap) return old == expected ? operand : old;
    return action.deed == Deed::put || !action.op ? operand : combined(*action.op, old, operand);
  }

  static T operand(const Action& action, int step, const Visit& visit, int index) {
    if (action.place == Place::tickets) return T{1};
    if (action.place == Place::claim) return static_cast<T>(visit.origin) + T{1};
    const Word value = action.value + static_cast<Word>(index) * 0x9E3779B97F4A7C15ULL;
    if (action.deed == Action::Deed::put || !action.op)
      return telling(step, visit, action.value % 60 * 16 + static_cast<Word>(index));
    return operand_of(*action.op, value % (Word{1} << 62U));
  }

  /// A value that tells where it comes from; float would hold it, too.
  static T telling(int step, const Visit& visit, Word index) {
    Word told = static_cast<Word>(step) + 1;
    for (const int part : {visit.origin, visit.target})
      told = told * Areas::most_ranks + static_cast<Word>(part);
    return static_cast<T>(told * 1024 + index % 1024);
  }

  /// One that makes a difference again and again.
  static T operand_of(Operator op, Word value) {
    if constexpr (std::integral<T>) {
      const T bit = T{1} << value % std::numeric_limits<T>::digits;
      if (op == Operator::bit_or) return bit;
      if (op == Operator::bit_and) return static_cast<T>(~bit);
      if (op == Operator::bit_xor) return static_cast<T>(value);
      if (op == Operator::product) return static_cast<T>(value | 1U);
      if (op == Operator::logical_and) return static_cast<T>(value % 8);
      if (op == Operator::logical_or || op == Operator::logical_xor)
        return static_cast<T>(value % 3);
    } else if (op == Operator::product) {
      return std::array{T{2}, T{0.5}, T{-1}}[value % 3];
    }
    return static_cast<T>(value % (op == Operator::sum ? 1000 : 1 << 20));
  }

  Areas areas_;
  std::vector<T> memory_;
};

}  // namespace cartwright::comm::test
