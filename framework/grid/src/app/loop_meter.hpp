// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/rt/ticks.hpp>

namespace cartwright::grid {

class GridBase;

/// What a rank does from some moment on, as far as the framework carries it out: so every solver is
/// measured alike, without a word of its own.
class LoopMeter {
 public:
  /// From now on. Both must outlive this.
  LoopMeter(Run& run, const GridBase& grid);
  /// Seconds since then.
  [[nodiscard]] double seconds() const { return rt::seconds_between(begin_.when, rt::now()); }
  /// What has been done in so many steps.
  [[nodiscard]] Sample::Loop read(long long steps) const;
  /// Collective. The longest time since the begin on any rank; not counted as the loop's.
  [[nodiscard]] double longest();

 private:
  struct Reading {
    rt::Ticks when{};
    std::map<std::string, double> regions;
    std::vector<ExchangeCount> exchanges;
    std::vector<comm::CallCount> collectives;
  };
  [[nodiscard]] Reading take() const;

  Run& run_;
  const GridBase& grid_;
  Reading begin_;
  std::int64_t own_ = 0;  // reductions that measuring itself has taken
};

}  // namespace cartwright::grid
