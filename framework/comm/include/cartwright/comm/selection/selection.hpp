// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/selection/tuning_table.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cartwright::comm {

/// What choices rest on: the same on all ranks of a job.
struct Knowledge {
  std::optional<plan::Machine> machine{};  ///< measured by a probe
  TuningTable tuned{};                     ///< measured by ./cartwright tune
  /// What the deck wants, by operation: "ring", "n_way_binomial(3)".
  std::map<plan::Operation, std::string> wanted{};
};

/// Chooses backends and algorithms for one communicator: the same on all its ranks. In order: what
/// the deck wants, what was measured on this machine, what a model of the machine predicts, rules.
class Selection {
 public:
  /// Throws an input error for wanted algorithms that don't exist.
  Selection(std::shared_ptr<const Knowledge> knowledge, CommunicatorShape shape);

  [[nodiscard]] const CommunicatorShape& shape() const { return shape_; }
  /// "native", "p2p" or "shared": who `auto` leaves the problem to.
  [[nodiscard]] std::string_view backend_for(const plan::Problem& problem) const;
  /// For a backend that runs schedules. Throws an input error when the deck wants one that doesn't
  /// suit the problem.
  [[nodiscard]] plan::Choice algorithm_for(std::string_view backend,
                                           const plan::Problem& problem) const;
  /// One line: who, how, why, and the time that is expected, if it is known.
  [[nodiscard]] std::string explain(std::string_view backend, const plan::Problem& problem) const;

 private:
  [[nodiscard]] const TunedWinner* tuned_for(const plan::Problem& problem) const;
  [[nodiscard]] std::optional<plan::Choice> wanted_for(const plan::Problem& problem) const;

  std::shared_ptr<const Knowledge> knowledge_;
  CommunicatorShape shape_;
  plan::Machine machine_;  // the measured one, or a typical one
};

/// What is quick on one node through shared memory, where nothing was measured.
[[nodiscard]] plan::Choice shared_memory_rule(const plan::Problem& problem);

}  // namespace cartwright::comm
