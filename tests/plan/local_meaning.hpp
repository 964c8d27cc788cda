// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collective_check.hpp"

#include <cartwright/plan/schedule.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace cartwright::plan::test {

/// What a rank does, as seen by the others and by its caller: the expressions that it sends, in
/// terms of its input and of what it receives, and those that it leaves in its output. Two
/// schedules with equal meanings can stand for each other, if neither deadlocks.
class LocalMeaning {
 public:
  /// Numbers of expressions: equal for those that are equal because operators are associative, and
  /// commutative if `order` says so. Meanings are compared that share a table.
  class Expressions {
   public:
    explicit Expressions(Order order) : order_(order) {}
    int leaf(int kind, int a, int b, int c) {
      return number(
          {leaves_.try_emplace({kind, a, b, c}, static_cast<int>(leaves_.size())).first->second});
    }
    int combined(int left, int right) {
      std::vector<int> both = terms_[static_cast<std::size_t>(left)];
      const auto& more = terms_[static_cast<std::size_t>(right)];
      both.insert(both.end(), more.begin(), more.end());
      if (order_ == Order::commutative) std::ranges::sort(both);
      return number(both);
    }

   private:
    int number(const std::vector<int>& terms) {
      const auto [found, is_new] = numbers_.try_emplace(terms, static_cast<int>(terms_.size()));
      if (is_new) terms_.push_back(terms);
      return found->second;
    }

    Order order_;
    std::map<std::array<int, 4>, int> leaves_;
    std::map<std::vector<int>, int> numbers_;
    std::vector<std::vector<int>> terms_;  // by number: leaves from left to right
  };

  /// `result`: the blocks of the output that count.
  LocalMeaning(const Schedule& schedule, Expressions& expressions, Extent result) {
    Contents contents(schedule, expressions);
    for (const Step& step : schedule.steps()) {
      if (step.sends()) {
        sends_.emplace_back(step.peer, step.number, contents.read(step.source()));
      } else if (step.receives()) {
        receives_.emplace_back(step.peer, step.number, step.count);
        std::vector<int> data;
        for (int i = 0; i < step.count; ++i)
          data.push_back(expressions.leaf(1, step.peer, step.number, i));
        if (step.kind == StepKind::receive_combine) {
          const std::vector<int> own = contents.read(step.source());
          data = step.received == Side::left ? contents.combine(data, own)
                                             : contents.combine(own, data);
        }
        contents.write(step.target(), data);
      } else if (step.kind == StepKind::combine) {
        contents.write(step.target(), contents.combine(contents.read(step.source()),
                                                       contents.read(step.operand())));
      } else {
        contents.write(step.target(), contents.read(step.source()));
      }
    }
    output_ = contents.read({Buffer::output, result.first, result.count});
    std::ranges::sort(sends_);
    std::ranges::sort(receives_);
  }

  friend bool operator==(const LocalMeaning&, const LocalMeaning&) = default;

 private:
  class Contents {
   public:
    Contents(const Schedule& schedule, Expressions& expressions)
        : schedule_(schedule), expressions_(expressions) {
      for (int b = 0; b < static_cast<int>(Buffer::scratch) + schedule.scratch_buffers(); ++b) {
        auto& blocks = buffers_.emplace_back();
        for (int i = 0; i < schedule.extent(static_cast<Buffer>(b)).count; ++i)
          blocks.push_back(expressions.leaf(0, b, i, 0));
      }
    }

    std::vector<int> read(Slice slice) {
      std::vector<int> data;
      for (int i = 0; i < slice.count; ++i) data.push_back(at(slice, i));
      return data;
    }
    void write(Slice slice, const std::vector<int>& data) {
      for (int i = 0; i < slice.count; ++i) at(slice, i) = data[static_cast<std::size_t>(i)];
    }
    std::vector<int> combine(std::vector<int> left, const std::vector<int>& right) {
      for (std::size_t i = 0; i < left.size(); ++i)
        left[i] = expressions_.combined(left[i], right[i]);
      return left;
    }

   private:
    int& at(Slice slice, int i) {
      const int distance = slice.first - schedule_.extent(slice.buffer).first;
      auto& blocks = buffers_[static_cast<std::size_t>(slice.buffer)];
      return blocks.at(
          static_cast<std::size_t>((distance < 0 ? distance + schedule_.blocks() : distance) + i));
    }

    const Schedule& schedule_;
    Expressions& expressions_;
    std::vector<std::vector<int>> buffers_;
  };

  std::vector<std::tuple<int, int, std::vector<int>>> sends_;  // peer, number, expressions
  std::vector<std::tuple<int, int, int>> receives_;            // peer, number, blocks
  std::vector<int> output_;
};

}  // namespace cartwright::plan::test
