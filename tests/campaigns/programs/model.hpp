// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

#include "call.hpp"

namespace cartwright::campaign {

/// What a collective does, said in one process: the data of all ranks before, and one rank's after.
/// Shares no code with the framework.
template <class T>
class Model {
 public:
  using Data = std::vector<T>;

  Model(const Call& call, int ranks, int me)
      : call_(call), ranks_(ranks), me_(me), root_(call.root % ranks) {}

  [[nodiscard]] int root() const { return root_; }
  /// Elements of a rank's block.
  [[nodiscard]] int block(int rank) const {
    return call_.uneven ? static_cast<int>(mix(call_.seed, 77, static_cast<std::uint64_t>(rank)) %
                                           static_cast<std::uint64_t>(call_.count + 1))
                        : call_.count;
  }
  [[nodiscard]] std::vector<int> blocks() const {
    std::vector<int> all;
    for (int rank = 0; rank < ranks_; ++rank) all.push_back(block(rank));
    return all;
  }
  /// For alltoall: what `from` sends to `to`.
  [[nodiscard]] int pair(int from, int to) const {
    return call_.uneven ? static_cast<int>(mix(call_.seed, static_cast<std::uint64_t>(from) + 100,
                                               static_cast<std::uint64_t>(to)) %
                                           static_cast<std::uint64_t>(call_.count + 1))
                        : call_.count;
  }

  /// What `rank` puts in; `start` numbers the starts of a persistent collective.
  [[nodiscard]] Data input(int rank, int start) const {
    Data data;
    const int elements = input_size(rank);
    for (int i = 0; i < elements; ++i)
      data.push_back(element(mix(call_.seed + static_cast<std::uint64_t>(start),
                                 static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(i))));
    return data;
  }

  /// What this rank gets; nothing where its output isn't defined.
  [[nodiscard]] std::optional<Data> output(int start) const {
    switch (call_.operation) {
      case 1:
        return input(root_, start);
      case 2:
        return me_ == root_ ? std::optional(combined(0, ranks_, start)) : std::nullopt;
      case 3:
        return combined(0, ranks_, start);
      case 4:
        return combined(0, me_ + 1, start);
      case 5:
        return me_ == 0 ? std::nullopt : std::optional(combined(0, me_, start));
      case 6:
        return part(combined(0, ranks_, start), me_);
      case 7:
        return me_ == root_ ? std::optional(joined(start)) : std::nullopt;
      case 8:
        return part(input(root_, start), me_);
      case 9:
        return joined(start);
      case 10:
        return exchanged(start);
      default:
        return std::nullopt;
    }
  }

  [[nodiscard]] int total() const {
    int sum = 0;
    for (int rank = 0; rank < ranks_; ++rank) sum += block(rank);
    return sum;
  }
  [[nodiscard]] int offset(int of) const {
    int sum = 0;
    for (int rank = 0; rank < of; ++rank) sum += block(rank);
    return sum;
  }

 private:
  [[nodiscard]] int input_size(int rank) const {
    switch (call_.operation) {
      case 0:
        return 0;
      case 6:
        return total();
      case 7:
      case 9:
        return block(rank);
      case 8:
        return rank == root_ ? total() : 0;
      case 10: {
        int sum = 0;
        for (int to = 0; to < ranks_; ++to) sum += pair(rank, to);
        return sum;
      }
      default:
        return call_.count;
    }
  }
  [[nodiscard]] static T element(std::uint64_t bits) {
    if constexpr (std::is_same_v<T, Chain>)
      return {static_cast<std::uint32_t>(bits) | 1U, static_cast<std::uint32_t>(bits >> 32U)};
    else
      return static_cast<T>(static_cast<int>(bits % 2001) - 1000);
  }
  [[nodiscard]] T combine(const T& left, const T& right) const {
    if constexpr (std::is_same_v<T, Chain>) {
      return {right.factor * left.factor, right.factor * left.shift + right.shift};
    } else {
      if (call_.combination == 0) return left + right;
      return call_.combination == 1 ? std::min(left, right) : std::max(left, right);
    }
  }
  [[nodiscard]] Data combined(int first, int end, int start) const {
    Data result = input(first, start);
    for (int rank = first + 1; rank < end; ++rank) {
      const Data next = input(rank, start);
      for (std::size_t i = 0; i < result.size(); ++i) result[i] = combine(result[i], next[i]);
    }
    return result;
  }
  [[nodiscard]] Data part(const Data& all, int rank) const {
    const auto begin = all.begin() + offset(rank);
    return Data(begin, begin + block(rank));
  }
  [[nodiscard]] Data joined(int start) const {
    Data all;
    for (int rank = 0; rank < ranks_; ++rank) {
      const Data mine = input(rank, start);
      all.insert(all.end(), mine.begin(), mine.end());
    }
    return all;
  }
  [[nodiscard]] Data exchanged(int start) const {
    Data all;
    for (int from = 0; from < ranks_; ++from) {
      const Data theirs = input(from, start);
      int begin = 0;
      for (int to = 0; to < me_; ++to) begin += pair(from, to);
      all.insert(all.end(), theirs.begin() + begin, theirs.begin() + begin + pair(from, me_));
    }
    return all;
  }

  Call call_;
  int ranks_;
  int me_;
  int root_;
};

}  // namespace cartwright::campaign
