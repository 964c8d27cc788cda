// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/selection/tuning_table.hpp>
#include <cartwright/comm/waiting.hpp>
#include <cartwright/plan/hierarchy.hpp>
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
  std::optional<plan::Machine> machine{};  ///< measured by a probe or, shortly, at the start
  TuningTable tuned{};                     ///< measured by ./cartwright tune
  /// What the deck wants, by operation: "ring", "n_way_binomial(3)".
  std::map<plan::Operation, std::string> wanted{};
};

/// What a deck wants, read. Throws an input error for what doesn't exist, or is right on no number
/// of ranks.
[[nodiscard]] plan::Choice wanted_choice(plan::Operation operation, std::string_view name);

/// Chooses backends and algorithms for one communicator: the same on all its ranks. In order: what
/// the deck wants, what was measured on this machine, rules for shared memory, and between nodes
/// what a model of the machine predicts: an algorithm of all ranks, or one by nodes, between whose
/// leaders messages travel. Calls that are waited for later go in whole messages: measurements,
/// which are of calls that are waited for at once, don't count for them where the winner's data go
/// in pieces.
class Selection {
 public:
  /// Throws an input error for wanted algorithms that don't exist. `nodes`: of the communicator's
  /// ranks, where known.
  Selection(std::shared_ptr<const Knowledge> knowledge, CommunicatorShape shape,
            std::shared_ptr<const plan::Hierarchy> nodes = nullptr);

  [[nodiscard]] const CommunicatorShape& shape() const { return shape_; }
  [[nodiscard]] const plan::Hierarchy* nodes() const { return nodes_.get(); }
  /// "native", "p2p" or "shared": who `auto` leaves the problem to.
  [[nodiscard]] std::string_view backend_for(const plan::Problem& problem,
                                             Waiting waiting = Waiting::at_once) const;
  /// For a backend that runs schedules. Throws an input error when the deck wants one that doesn't
  /// suit the problem.
  [[nodiscard]] plan::Choice algorithm_for(std::string_view backend, const plan::Problem& problem,
                                           Waiting waiting = Waiting::at_once) const;
  /// One line: who, how, why, and the time that is expected, if it is known.
  [[nodiscard]] std::string explain(std::string_view backend, const plan::Problem& problem,
                                    Waiting waiting = Waiting::at_once) const;

 private:
  [[nodiscard]] const TunedWinner* tuned_for(const plan::Problem& problem, Waiting waiting) const;
  [[nodiscard]] std::optional<plan::Choice> wanted_for(const plan::Problem& problem) const;
  [[nodiscard]] plan::Choice chosen_by_model(std::string_view backend, const plan::Problem& problem,
                                             Waiting waiting) const;
  [[nodiscard]] plan::Problem with_nodes(plan::Problem problem) const {
    problem.nodes = nodes_.get();
    return problem;
  }

  std::shared_ptr<const Knowledge> knowledge_;
  CommunicatorShape shape_;
  std::shared_ptr<const plan::Hierarchy> nodes_;
  plan::Machine
      machine_;           // the measured one, or a typical one; as wide as the communicator's nodes
  plan::Machine across_;  // between its nodes
  plan::Machine flat_;    // as algorithms see it that know no nodes: no two ranks are near if they
                          // aren't in order
};

/// What is quick on one node through shared memory, where nothing was measured.
[[nodiscard]] plan::Choice shared_memory_rule(const plan::Problem& problem, bool far_cores);

/// Whether a broadcast or a reduction cuts its data into parts, each of which is passed on when its
/// rank polls.
[[nodiscard]] bool goes_in_pieces(const plan::Choice& choice);
/// Large broadcasts: from three receivers on they share staged pieces in shared memory, for each of
/// which the sender must poll. What waits for later polls too rarely for that; and for one receiver
/// messages were measured to take as long.
[[nodiscard]] bool wants_messages(const plan::Problem& problem);
/// For calls that are waited for later, where polls are rare: what moves whole messages, in few
/// steps, in place of a choice that doesn't.
[[nodiscard]] plan::Choice in_whole_messages(const plan::Problem& problem,
                                             const plan::Choice& choice, std::string_view backend);

}  // namespace cartwright::comm
