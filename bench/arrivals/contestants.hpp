// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/collectives.hpp>
#include <cartwright/plan/arrivals/arrival_planner.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "patterns.hpp"
#include "redirect.hpp"

namespace cartwright::bench {

/// A way to add up vectors of 4-byte integers at rank 0.
struct Reducer {
  std::string name;
  std::function<void()> reduce{};
  std::function<void()> meet{};  ///< a barrier of its own before each turn, where it counts calls
  bool is_bound = false;         ///< moves one vector only: what the link of the late rank sets
  bool is_by_nodes = false;      ///< a hierarchical algorithm that knows nothing of arrivals
  std::size_t warm_up = 2;       ///< turns before those that count: programs are made
};

/// All that take part, for one size and one pattern; and what they work on.
class Reducers {
 public:
  /// Collective. Made once for a program: communicators are dear.
  Reducers(const rt::Communicator& world, bool all_algorithms);

  /// Collective: for so many bytes and that pattern. The first is MPI_Reduce.
  [[nodiscard]] std::vector<Reducer> for_pattern(const Pattern& pattern, std::size_t bytes);
  /// Which of the pattern's calls comes next.
  void set_round(std::size_t round) { round_ = round; }
  /// Puts new numbers into the input.
  void prepare();
  /// Whether rank 0 holds the sums; true on the others.
  [[nodiscard]] bool is_right() const;
  /// What the one with forecasts goes by.
  [[nodiscard]] std::string decision() const;
  /// What isn't measured may go by these.
  [[nodiscard]] const comm::Collectives& collectives() const { return *plain_; }

 private:
  void add_told(const Pattern& pattern, std::vector<Reducer>& all);
  void add_redirected(std::vector<Reducer>& all);
  void add_algorithms(std::vector<Reducer>& all);
  void add_by_nodes(std::vector<Reducer>& all);
  void add_bound(const Pattern& pattern, std::vector<Reducer>& all);
  [[nodiscard]] comm::Call call() const;

  const rt::Communicator* world_;
  bool all_algorithms_;
  rt::ProgressEngine engine_;
  std::unique_ptr<comm::Collectives> plain_;
  std::unique_ptr<comm::Collectives> forecasting_;
  RedirectedTree redirected_;
  std::deque<plan::Choice> choices_;  // that backends remember
  std::vector<std::int32_t> input_, output_;
  std::int32_t number_ = 0;
  std::size_t round_ = 0;
};

}  // namespace cartwright::bench
