// SPDX-License-Identifier: Apache-2.0
#include "collective_check.hpp"

#include "provenance.hpp"

#include <cartwright/plan/interpret.hpp>
#include <cartwright/plan/validate.hpp>

#include <algorithm>
#include <exception>
#include <map>
#include <numeric>
#include <random>

namespace cartwright::plan::test {

namespace {

std::vector<Count> offsets_of(const std::vector<Count>& counts) {
  std::vector<Count> offsets{0};
  for (const Count count : counts) offsets.push_back(offsets.back() + count);
  return offsets;
}

// One interpreted run.
class Run {
 public:
  explicit Run(const Trial& trial) : trial_(trial), provenance_(trial.ranks) {
    for (int r = 0; r < trial.ranks; ++r)
      schedules_.push_back(trial.make({trial.ranks, r, trial.place}));
  }

  int ranks() const { return trial_.ranks; }
  bool in_place() const { return trial_.place == Place::in_place; }
  const Schedule& schedule(int rank) const { return schedules_[static_cast<std::size_t>(rank)]; }
  Provenance& provenance() { return provenance_; }
  Memory<Term>& memory(int rank) { return memories_[static_cast<std::size_t>(rank)]; }
  const Layout& layout(int rank) const { return layouts_[static_cast<std::size_t>(rank)]; }

  void lay_out(const Layout& layout) {
    layouts_.assign(schedules_.size(), layout);
    make_memories();
  }
  void lay_out(std::vector<Layout> layouts) {
    layouts_ = std::move(layouts);
    make_memories();
  }

  // Fills the buffer that holds the contribution: term(element of the buffer).
  template <class MakeTerm>
  void contribute(int rank, MakeTerm term, bool into_output) {
    auto& buffer = into_output ? memory(rank).output : memory(rank).input;
    for (std::size_t i = 0; i < buffer.size(); ++i) buffer[i] = term(static_cast<Count>(i));
  }

  std::string go() {
    const auto inputs = memories_;
    if (const auto found = faults(schedules_, layouts_); !found.empty()) return found.front();
    try {
      interpret<Term>(schedules_, layouts_, memories_,
                      [this](Term a, Term b) { return provenance_.combine(a, b); });
    } catch (const std::exception& error) {
      return error.what();
    }
    for (std::size_t r = 0; r < inputs.size(); ++r)
      if (inputs[r].input != memories_[r].input)
        return "the input of rank " + std::to_string(r) + " was written";
    return {};
  }

 private:
  void make_memories() {
    memories_.resize(schedules_.size());
    for (std::size_t r = 0; r < schedules_.size(); ++r) {
      memories_[r].input.resize(
          static_cast<std::size_t>(length(schedules_[r], layouts_[r], Buffer::input)));
      memories_[r].output.resize(
          static_cast<std::size_t>(length(schedules_[r], layouts_[r], Buffer::output)));
    }
  }

  Trial trial_;
  Provenance provenance_;
  std::vector<Schedule> schedules_;
  std::vector<Layout> layouts_;
  std::vector<Memory<Term>> memories_;
};

std::string at(int rank, Count element, const std::string& what) {
  return "rank " + std::to_string(rank) + ", element " + std::to_string(element) + ": " + what;
}

std::string wrong_size(int rank, std::size_t is, Count expected) {
  return "rank " + std::to_string(rank) + " has " + std::to_string(is) +
         " elements of result, not " + std::to_string(expected);
}

// Whether trees hold the contributions of ranks [first, last), remembering those already looked at.
class TreeCheck {
 public:
  TreeCheck(const Provenance& provenance, Order order) : provenance_(provenance), order_(order) {}

  bool holds(std::int32_t tree, int first, int last) {
    if (tree < 0) return false;
    if (provenance_.range(tree) == Provenance::Range{first, last}) return true;
    if (order_ == Order::any_operator) return false;
    const auto [known, is_new] = seen_.try_emplace(std::tuple(tree, first, last), false);
    if (is_new) {
      std::vector<int> leaves = provenance_.contributions(tree);
      std::ranges::sort(leaves);
      std::vector<int> expected(static_cast<std::size_t>(last - first));
      std::iota(expected.begin(), expected.end(), first);
      known->second = leaves == expected;
    }
    return known->second;
  }

 private:
  const Provenance& provenance_;
  Order order_;
  std::map<std::tuple<std::int32_t, int, int>, bool> seen_;
};

Term term(int rank, Count element) {
  return {rank, static_cast<std::int32_t>(element)};
}

}  // namespace

std::string check_broadcast(const Trial& trial, int root, Count elements) {
  Run run(trial);
  run.lay_out(Cuts::balanced(run.schedule(0).blocks(), elements));
  run.contribute(
      root, [&](Count i) { return term(root, i); }, true);
  if (auto wrong = run.go(); !wrong.empty()) return wrong;
  for (int r = 0; r < run.ranks(); ++r) {
    const auto& output = run.memory(r).output;
    if (std::cmp_not_equal(output.size(), elements)) return wrong_size(r, output.size(), elements);
    for (Count i = 0; i < elements; ++i)
      if (output[static_cast<std::size_t>(i)] != term(root, i)) return at(r, i, "isn't the root's");
  }
  return {};
}

namespace {

void contribute_vectors(Run& run, Count elements) {
  run.lay_out(Cuts::balanced(run.schedule(0).blocks(), elements));
  for (int r = 0; r < run.ranks(); ++r)
    run.contribute(
        r, [&](Count i) { return term(r, i); }, run.in_place() && !run.memory(r).output.empty());
}

std::string check_vector(Run& run, TreeCheck& trees, int rank, Count elements, int first,
                         int last) {
  const auto& output = run.memory(rank).output;
  if (std::cmp_not_equal(output.size(), elements)) return wrong_size(rank, output.size(), elements);
  for (Count i = 0; i < elements; ++i) {
    const Term result = output[static_cast<std::size_t>(i)];
    if (result.element != i) return at(rank, i, "holds element " + std::to_string(result.element));
    if (!trees.holds(result.tree, first, last))
      return at(rank, i, "hasn't each contribution once, in order");
  }
  return {};
}

}  // namespace

std::string check_reduce(const Trial& trial, int root, Count elements, Order order) {
  Run run(trial);
  contribute_vectors(run, elements);
  if (auto wrong = run.go(); !wrong.empty()) return wrong;
  TreeCheck trees(run.provenance(), order);
  return check_vector(run, trees, root, elements, 0, run.ranks());
}

std::string check_allreduce(const Trial& trial, Count elements, Order order) {
  Run run(trial);
  contribute_vectors(run, elements);
  if (auto wrong = run.go(); !wrong.empty()) return wrong;
  TreeCheck trees(run.provenance(), order);
  for (int r = 0; r < run.ranks(); ++r) {
    if (auto wrong = check_vector(run, trees, r, elements, 0, run.ranks()); !wrong.empty())
      return wrong;
    if (run.memory(r).output != run.memory(0).output)
      return "rank " + std::to_string(r) + " has another expression than rank 0";
  }
  return {};
}

std::string check_scan(const Trial& trial, Count elements, bool inclusive) {
  Run run(trial);
  contribute_vectors(run, elements);
  if (auto wrong = run.go(); !wrong.empty()) return wrong;
  TreeCheck trees(run.provenance(), Order::any_operator);
  for (int r = inclusive ? 0 : 1; r < run.ranks(); ++r)
    if (auto wrong = check_vector(run, trees, r, elements, 0, inclusive ? r + 1 : r);
        !wrong.empty())
      return wrong;
  return {};
}

namespace {

std::string check_blocks(Run& run, int rank, const std::vector<Count>& counts) {
  const auto& output = run.memory(rank).output;
  const auto offsets = offsets_of(counts);
  if (std::cmp_not_equal(output.size(), offsets.back()))
    return wrong_size(rank, output.size(), offsets.back());
  for (std::size_t b = 0; b < counts.size(); ++b)
    for (Count i = 0; i < counts[b]; ++i)
      if (output[static_cast<std::size_t>(offsets[b] + i)] != term(static_cast<int>(b), i))
        return at(rank, offsets[b] + i,
                  "isn't element " + std::to_string(i) + " of rank " + std::to_string(b));
  return {};
}

// Each rank contributes its own block; in place it lies in the output, where there is one.
void contribute_own_blocks(Run& run, const std::vector<Count>& counts,
                           const std::vector<Count>& offsets) {
  run.lay_out(Cuts::at(offsets));
  for (int r = 0; r < run.ranks(); ++r) {
    const auto own = static_cast<std::size_t>(r);
    if (run.in_place() && !run.memory(r).output.empty()) {
      for (Count i = 0; i < counts[own]; ++i)
        run.memory(r).output[static_cast<std::size_t>(offsets[own] + i)] = term(r, i);
    } else {
      run.contribute(
          r, [&](Count i) { return term(r, i); }, false);
    }
  }
}

}  // namespace

std::string check_gather(const Trial& trial, int root, const std::vector<Count>& counts) {
  Run run(trial);
  const auto offsets = offsets_of(counts);
  contribute_own_blocks(run, counts, offsets);
  if (auto wrong = run.go(); !wrong.empty()) return wrong;
  return check_blocks(run, root, counts);
}

std::string check_scatter(const Trial& trial, int root, const std::vector<Count>& counts) {
  Run run(trial);
  const auto offsets = offsets_of(counts);
  run.lay_out(Cuts::at(offsets));
  run.contribute(
      root, [&](Count i) { return term(root, i); }, false);
  if (auto wrong = run.go(); !wrong.empty()) return wrong;
  for (int r = 0; r < run.ranks(); ++r) {
    if (r == root && run.in_place()) continue;
    const auto own = static_cast<std::size_t>(r);
    const auto& output = run.memory(r).output;
    if (std::cmp_not_equal(output.size(), counts[own]))
      return wrong_size(r, output.size(), counts[own]);
    for (Count i = 0; i < counts[own]; ++i)
      if (output[static_cast<std::size_t>(i)] != term(root, offsets[own] + i))
        return at(r, i, "isn't its block's");
  }
  return {};
}

std::string check_allgather(const Trial& trial, const std::vector<Count>& counts) {
  Run run(trial);
  const auto offsets = offsets_of(counts);
  contribute_own_blocks(run, counts, offsets);
  if (auto wrong = run.go(); !wrong.empty()) return wrong;
  for (int r = 0; r < run.ranks(); ++r)
    if (auto wrong = check_blocks(run, r, counts); !wrong.empty()) return wrong;
  return {};
}

std::string check_reduce_scatter(const Trial& trial, const std::vector<Count>& counts,
                                 Order order) {
  Run run(trial);
  const auto offsets = offsets_of(counts);
  run.lay_out(Cuts::at(offsets));
  for (int r = 0; r < run.ranks(); ++r)
    run.contribute(
        r, [&](Count i) { return term(r, i); }, run.in_place());
  if (auto wrong = run.go(); !wrong.empty()) return wrong;
  TreeCheck trees(run.provenance(), order);
  for (int r = 0; r < run.ranks(); ++r) {
    const auto own = static_cast<std::size_t>(r);
    const auto skipped = static_cast<std::size_t>(run.in_place() ? offsets[own] : 0);
    const auto& output = run.memory(r).output;
    if (std::cmp_less(output.size(), skipped + static_cast<std::size_t>(counts[own])))
      return wrong_size(r, output.size(), counts[own]);
    for (Count i = 0; i < counts[own]; ++i) {
      const Term result = output[skipped + static_cast<std::size_t>(i)];
      if (result.element != offsets[own] + i) return at(r, i, "holds another element");
      if (!trees.holds(result.tree, 0, run.ranks()))
        return at(r, i, "hasn't each contribution once, in order");
    }
  }
  return {};
}

namespace {

Count uneven(int from, int to) {
  return (from * 7 + to * 3) % 5;
}

std::string check_exchange(const Trial& trial, const std::function<Count(int, int)>& elements,
                           bool even) {
  Run run(trial);
  const auto ranks = static_cast<std::size_t>(trial.ranks);
  std::vector<std::vector<Count>> sent(ranks);
  std::vector<std::vector<Count>> received(ranks);
  std::vector<Layout> layouts;
  for (std::size_t r = 0; r < ranks; ++r) {
    std::vector<Count> to;
    std::vector<Count> from;
    for (int p = 0; p < trial.ranks; ++p) {
      to.push_back(elements(static_cast<int>(r), p));
      from.push_back(elements(p, static_cast<int>(r)));
    }
    sent[r] = offsets_of(to);
    received[r] = offsets_of(from);
    layouts.emplace_back(
        Cuts::at(sent[r]), Cuts::at(received[r]),
        even ? Cuts::uniform(run.schedule(0).blocks(), elements(0, 0)) : Cuts::at(sent[r]));
  }
  run.lay_out(layouts);
  for (int r = 0; r < trial.ranks; ++r)
    run.contribute(
        r, [&](Count i) { return term(r, i); }, run.in_place());
  if (auto wrong = run.go(); !wrong.empty()) return wrong;
  for (std::size_t r = 0; r < ranks; ++r)
    for (std::size_t p = 0; p < ranks; ++p)
      for (Count i = 0; i < received[r][p + 1] - received[r][p]; ++i)
        if (run.memory(static_cast<int>(r)).output[static_cast<std::size_t>(received[r][p] + i)] !=
            term(static_cast<int>(p), sent[p][r] + i))
          return at(static_cast<int>(r), received[r][p] + i,
                    "isn't what rank " + std::to_string(p) + " sent");
  return {};
}

}  // namespace

std::string check_alltoall(const Trial& trial, Count each) {
  return check_exchange(
      trial, [each](int, int) { return each; }, true);
}

std::string check_alltoallv(const Trial& trial) {
  return check_exchange(trial, uneven, false);
}

std::string check_barrier(const Trial& trial) {
  Run run(trial);
  if (!run.schedule(0).signals()) return "a barrier is made of signals";
  run.lay_out(Cuts::uniform(run.schedule(0).blocks(), 0));
  if (auto wrong = run.go(); !wrong.empty()) return wrong;
  // Who is known to have entered when a rank leaves: rank by rank, round by round.
  using Known = std::vector<bool>;
  const auto ranks = static_cast<std::size_t>(trial.ranks);
  std::vector<Known> known(ranks, Known(ranks, false));
  std::vector<std::size_t> next(ranks, 0);
  std::map<std::tuple<int, int, int>, Known> sent;
  for (std::size_t r = 0; r < ranks; ++r) known[r][r] = true;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t r = 0; r < ranks; ++r)
      for (const auto steps = run.schedule(static_cast<int>(r)).steps(); next[r] < steps.size();
           ++next[r]) {
        const Step& step = steps[next[r]];
        if (step.sends()) sent[{static_cast<int>(r), step.peer, step.number}] = known[r];
        if (step.receives()) {
          const auto found = sent.find({step.peer, static_cast<int>(r), step.number});
          if (found == sent.end()) break;
          for (std::size_t p = 0; p < ranks; ++p) known[r][p] = known[r][p] || found->second[p];
        }
        moved = true;
      }
  }
  for (std::size_t r = 0; r < ranks; ++r)
    if (std::ranges::find(known[r], false) != known[r].end())
      return "rank " + std::to_string(r) + " leaves before all have entered";
  return {};
}

std::vector<Count> lengths(int ranks) {
  std::vector<Count> all{0, 1, ranks - 1, ranks, 97, 1000};
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

std::vector<std::vector<Count>> block_counts(int ranks) {
  const auto size = static_cast<std::size_t>(ranks);
  std::vector<std::vector<Count>> all{std::vector<Count>(size, 0), std::vector<Count>(size, 1),
                                      std::vector<Count>(size, 3), std::vector<Count>(size)};
  for (std::size_t i = 0; i < size; ++i) all.back()[i] = static_cast<Count>((i * i + 3 * i) % 7);
  return all;
}

std::vector<int> random_ranks(int how_many, int most) {
  std::minstd_rand random(20200521);
  std::vector<int> all;
  for (int i = 0; i < how_many; ++i)
    all.push_back(65 + static_cast<int>(random() % static_cast<unsigned>(most - 64)));
  return all;
}

}  // namespace cartwright::plan::test
