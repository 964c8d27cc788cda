// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/reduce.hpp>
#include <cartwright/plan/builder.hpp>

#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

namespace cartwright::plan::reduce {

namespace {

// The ranks that take part in the exchanges, numbered in rank order. Of the first 2 · `extra`
// ranks each two neighbours make one, the root where it is one of the two.
class Folded {
 public:
  Folded(Team team, Root root, std::int64_t participants)
      : extra_(team.ranks - static_cast<int>(participants)), root_(root.rank) {}

  [[nodiscard]] int extra() const { return extra_; }
  [[nodiscard]] bool in_pair(int rank) const { return rank < 2 * extra_; }
  [[nodiscard]] int index(int rank) const { return in_pair(rank) ? rank / 2 : rank - extra_; }
  [[nodiscard]] int rank(int index) const {
    if (index >= extra_) return index + extra_;
    return 2 * index + (root_ == 2 * index + 1 ? 1 : 0);
  }

 private:
  int extra_;
  int root_;
};

std::int64_t participants(Team team, std::span<const int> factors) {
  std::int64_t product = 1;
  for (const int factor : factors) {
    if (factor < 2) throw std::invalid_argument("a factor of " + std::to_string(factor));
    product *= factor;
    if (product > team.ranks) break;
  }
  if (product > team.ranks || 2 * product < team.ranks)
    throw std::invalid_argument("the product of the factors is neither " +
                                std::to_string(team.ranks) + " ranks nor at least half of it");
  return product;
}

// One rank's part. `slice_` is what it holds: the sum of its group's contributions to it.
class RadixReduce {
 public:
  RadixReduce(Team team, Root root, std::span<const int> factors)
      : factors_(factors),
        root_(root),
        blocks_(static_cast<int>(participants(team, factors))),
        folded_(team, root, blocks_),
        build_(team, {.blocks = blocks_,
                      .input = {0, blocks_},
                      .output = {0, team.me == root.rank ? blocks_ : 0}}),
        slice_(build_.input(0, blocks_)) {}

  Schedule make() && {
    const Team team = build_.team();
    const int rounds = (folded_.extra() > 0 ? 1 : 0) + 2 * static_cast<int>(factors_.size());
    if (folded_.in_pair(team.me) && folded_.rank(team.me / 2) != team.me) {
      build_.send(folded_.rank(team.me / 2), slice_);
      return std::move(build_).finish(rounds);
    }
    at_ = folded_.index(team.me);
    choose_memory();
    if (folded_.extra() > 0) fold();
    int stride = 1;
    for (const int factor : factors_) {
      exchange(factor, stride);
      stride *= factor;
    }
    if (team.ranks == 1) build_.copy(slice_, build_.output(0));
    gather(stride);
    return std::move(build_).finish(rounds);
  }

 private:
  void choose_memory() {
    const Team team = build_.team();
    if (team.me == root_.rank) return;
    if (folded_.in_pair(team.me)) {
      sums_ = build_.scratch(0, blocks_);
    } else {
      const int piece = blocks_ / factors_.front();
      sums_ = build_.scratch(at_ % factors_.front() * piece, piece);
    }
  }

  void fold() {
    const int me = build_.team().me;
    if (folded_.in_pair(me)) {
      const int neighbour = me ^ 1;
      const Slice sum{sums_, 0, blocks_};
      build_.receive_combine(neighbour, neighbour < me ? Side::left : Side::right, slice_, sum);
      slice_ = sum;
    }
    build_.next_round();
  }

  // Digits on both sides join from the nearest on, so that what is joined stays consecutive.
  void exchange(int factor, int stride) {
    const int digit = at_ / stride % factor;
    const int piece = slice_.count / factor;
    const auto peer = [&](int other) { return folded_.rank(at_ + (other - digit) * stride); };
    for (int i = 1; i < factor; ++i) {
      const int other = (digit + i) % factor;
      build_.send(peer(other), {slice_.buffer, slice_.first + other * piece, piece});
    }
    const Slice sum{sums_, slice_.first + digit * piece, piece};
    slice_ = {slice_.buffer, sum.first, piece};
    for (int i = 1; i < factor; ++i) {
      const bool left = i <= digit;
      build_.receive_combine(peer(left ? digit - i : i), left ? Side::left : Side::right, slice_,
                             sum);
      slice_ = sum;
    }
    build_.next_round();
  }

  void gather(int stride) {
    const int root = folded_.index(root_.rank);
    for (std::size_t left = factors_.size(); left > 0; --left) {
      const int factor = factors_[left - 1];
      stride /= factor;
      const int digit = at_ / stride % factor;
      const int wanted = root / stride % factor;
      if (digit != wanted)
        return build_.send(folded_.rank(at_ + (wanted - digit) * stride), slice_);
      const int begin = slice_.first - digit * slice_.count;
      for (int i = 1; i < factor; ++i) {
        const int other = (digit + i) % factor;
        build_.receive(folded_.rank(at_ + (other - digit) * stride),
                       {sums_, begin + other * slice_.count, slice_.count});
      }
      slice_ = {sums_, begin, slice_.count * factor};
      build_.next_round();
    }
  }

  std::span<const int> factors_;
  Root root_;
  int blocks_;
  Folded folded_;
  Builder build_;
  Slice slice_;
  Buffer sums_ = Buffer::output;
  int at_ = 0;  // among the participants
};

}  // namespace

Schedule radix(Team team, Root root, std::span<const int> factors) {
  require_root(team, root);
  return RadixReduce(team, root, factors).make();
}

Schedule butterfly(Team team, Root root) {
  const auto halvings = std::bit_width(static_cast<unsigned>(team.ranks)) - 1;
  return radix(team, root, std::vector<int>(static_cast<std::size_t>(halvings), 2));
}

}  // namespace cartwright::plan::reduce
