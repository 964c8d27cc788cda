// SPDX-License-Identifier: Apache-2.0
// A collective as plan's interpreter runs it: what every rank has before, and
// must have after, bit for bit.
#pragma once

#include <cartwright/comm/elements/reduction.hpp>
#include <cartwright/plan/interpret.hpp>
#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/models/network.hpp>
#include <cartwright/plan/program.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <random>
#include <string>
#include <vector>

namespace cartwright::comm::test {

/// An element of any size whose operator neither commutes nor associates: the
/// order of operands and of combinations shows.
template <std::size_t Words, class Word = std::uint32_t>
struct Token {
  Word words[Words];
  friend bool operator==(const Token&, const Token&) = default;
};

template <class T>
T combined(const T& left, const T& right) {
  T result = left;
  for (std::size_t i = 0; i < std::size(left.words); ++i)
    result.words[i] = static_cast<std::remove_cvref_t<decltype(left.words[0])>>(
        left.words[i] * 31 + right.words[i] * 17 + 5);
  return result;
}

template <class T>
Reduction token_reduction() {
  Reduction reduction;
  reduction.commutes = false;
  reduction.function = [](const std::byte* left, const std::byte* right, std::byte* target,
                          std::size_t count, const void*) {
    const T* const l = reinterpret_cast<const T*>(left);
    const T* const r = reinterpret_cast<const T*>(right);
    T* const t = reinterpret_cast<T*>(target);
    for (std::size_t i = 0; i < count; ++i) t[i] = combined(l[i], r[i]);
  };
  return reduction;
}

/// Levels of a node for the catalogue's tunings.
inline plan::Machine small_machine() {
  plan::Machine machine{.name = "small", .about = "", .source = "", .levels = {}};
  for (const int units : {0, 2})
    machine.levels.push_back({.name = units == 0 ? "node" : "core",
                              .units = units,
                              .network = plan::log_gp(1e-6, 0.3e-6, 0.3e-6, 0.2e-6, 0.1e-9),
                              .leaving = {}});
  return machine;
}

template <class T>
class InterpretedCollective {
 public:
  InterpretedCollective(const plan::Problem& problem, const plan::Choice& choice, bool in_place,
                        std::uint64_t seed)
      : name_(choice.name() + " of " + std::to_string(problem.elements) + " elements of " +
              std::to_string(sizeof(T)) + " bytes on " + std::to_string(problem.ranks) +
              " ranks, root " + std::to_string(problem.root.rank) +
              (in_place ? ", in place" : "")) {
    const plan::Maker make = choice.maker(problem);
    std::mt19937_64 random(seed);
    for (int rank = 0; rank < problem.ranks; ++rank) {
      const bool here =
          in_place && (!plan::is_rooted(problem.operation) || rank == problem.root.rank);
      schedules_.push_back(make({.ranks = problem.ranks,
                                 .me = rank,
                                 .place = here ? plan::Place::in_place : plan::Place::separate}));
      layouts_.push_back(plan::layout_of(problem, schedules_.back().blocks()));
      plan::Memory<T> memory;
      memory.input = tokens(random, rank, plan::Buffer::input);
      memory.output = tokens(random, rank, plan::Buffer::output);
      before_.push_back(memory);
    }
    after_ = before_;
    plan::interpret<T>(schedules_, layouts_, after_, combined<T>);
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const plan::Memory<T>& before(int rank) const { return before_[at(rank)]; }
  [[nodiscard]] const plan::Memory<T>& after(int rank) const { return after_[at(rank)]; }
  [[nodiscard]] plan::Program program(int rank) const {
    return {schedules_[at(rank)], layouts_[at(rank)], sizeof(T)};
  }
  [[nodiscard]] std::size_t scratch_bytes(int rank) const {
    return plan::scratch_bytes(schedules_[at(rank)], layouts_[at(rank)], sizeof(T));
  }

 private:
  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
  std::vector<T> tokens(std::mt19937_64& random, int rank, plan::Buffer buffer) {
    std::vector<T> values(
        static_cast<std::size_t>(plan::length(schedules_[at(rank)], layouts_[at(rank)], buffer)));
    for (T& value : values)
      for (auto& word : value.words)
        word = static_cast<std::remove_reference_t<decltype(word)>>(random());
    return values;
  }

  std::string name_;
  std::vector<plan::Schedule> schedules_;
  std::vector<plan::Layout> layouts_;
  std::vector<plan::Memory<T>> before_;
  std::vector<plan::Memory<T>> after_;
};

/// One rank's part of it, run by messages of the kind M.
template <class T, class M, class Run>
class CollectiveRun {
 public:
  template <class MakeMessages>
  CollectiveRun(const InterpretedCollective<T>& collective, int rank, const MakeMessages& make)
      : collective_(&collective),
        rank_(rank),
        program_(collective.program(rank)),
        memory_(collective.before(rank)),
        scratch_(collective.scratch_bytes(rank) / 64 + 1),
        run_(program_, sizeof(T), make(program_)) {}
  CollectiveRun(const CollectiveRun&) = delete;
  CollectiveRun& operator=(const CollectiveRun&) = delete;
  ~CollectiveRun() = default;

  void start(std::uint64_t sequence) {
    memory_ = collective_->before(rank_);
    run_.start(sequence, {reinterpret_cast<const std::byte*>(memory_.input.data()),
                          reinterpret_cast<std::byte*>(memory_.output.data()),
                          reinterpret_cast<std::byte*>(scratch_.data())});
  }
  bool advance() { return run_.advance(reduction_); }
  /// Empty if all is as it must be.
  [[nodiscard]] std::string fault() const {
    if (memory_.output == collective_->after(rank_).output) return {};
    return "rank " + std::to_string(rank_) + " has a wrong result of " + collective_->name();
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  const InterpretedCollective<T>* collective_;
  int rank_;
  plan::Program program_;
  plan::Memory<T> memory_;
  std::vector<Line> scratch_;
  Run run_;
  Reduction reduction_ = token_reduction<T>();
};

}  // namespace cartwright::comm::test
