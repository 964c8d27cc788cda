// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/waiting.hpp>
#include <cartwright/comm/selection/decision.hpp>
#include <cartwright/comm/selection/default_tuning.hpp>
#include <cartwright/comm/selection/learned_table.hpp>
#include <cartwright/comm/selection/tuning_table.hpp>
#include <cartwright/plan/hierarchy.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::comm {

/// What choices rest on: the same on all ranks of a job.
struct Knowledge {
  std::optional<plan::Machine> machine{};  ///< measured by a probe or, shortly, at the start
  TuningTable tuned{};                     ///< measured by ./cartwright tune
  std::shared_ptr<const DefaultTuning> defaults = DefaultTuning::of_library();
  bool learns = false;     ///< candidates take turns in a key's first calls
  LearnedTable learned{};  ///< by earlier runs that did so
  /// Keeps what is learned for the next run; on one rank of the job, none on the others.
  std::function<void(const LearnedTable&)> keep_learned{};
  /// What the deck wants, by operation: "ring", "n_way_binomial(3)".
  std::map<plan::Operation, std::string> wanted{};
};

/// What a deck wants, read. Throws an input error for what doesn't exist, or is right on no number
/// of ranks.
[[nodiscard]] plan::Choice wanted_choice(plan::Operation operation, std::string_view name);

/// Chooses backends and algorithms for one communicator: the same on all its ranks. In order: what
/// the deck wants, what was learned, what was measured on this machine, rules for shared memory,
/// and between nodes what a model of the machine predicts: an algorithm of all ranks, or one by
/// nodes, between whose leaders messages travel. Of broadcasts that are waited for later others may
/// be under way, along other lines of a grid: they are compared in such a crowd. Calls that are
/// waited for later go in whole messages: measurements, which are of calls that are waited for at
/// once, don't count for them where the winner's data go in pieces.
class Selection {
 public:
  /// Throws an input error for wanted algorithms that don't exist. `nodes`: of the communicator's
  /// ranks, where known.
  Selection(std::shared_ptr<const Knowledge> knowledge, CommunicatorShape shape,
            std::shared_ptr<const plan::Hierarchy> nodes = nullptr);

  [[nodiscard]] const Knowledge& knowledge() const { return *knowledge_; }
  [[nodiscard]] const CommunicatorShape& shape() const { return shape_; }
  [[nodiscard]] const plan::Hierarchy* nodes() const { return nodes_.get(); }
  /// The measured one, or a typical one, as the ranks of the communicator see it.
  [[nodiscard]] const plan::Machine& machine() const { return machine_; }
  /// The one point of decision: who `auto` leaves such calls to, and how they carry them out.
  [[nodiscard]] Decision decide(const CallKey& key) const;
  /// The same for calls whose ranks are expected at times for which there is a plan
  /// (comm.arrivals).
  [[nodiscard]] Decision decide(const CallKey& key, const plan::Choice& for_arrivals) const;
  /// The same for a backend that was asked for by name, and runs schedules; for the very problem
  /// rather than its class of sizes. Throws an input error when the deck wants an algorithm that
  /// doesn't suit the problem.
  [[nodiscard]] Decision decide_for(BackendId backend, const plan::Problem& problem,
                                    Waiting waiting = Waiting::at_once) const;
  /// Who may be worth a try beside the usual decision, which comes first; where results must not
  /// change only who combines in the same order. One alone: there is nothing to learn.
  [[nodiscard]] std::vector<Decision> candidates(const CallKey& key) const;
  /// One line: who, how, why, and the time that is expected, if it is known.
  [[nodiscard]] std::string explain(const Decision& decision, const plan::Problem& problem,
                                    Waiting waiting = Waiting::at_once) const;

 private:
  [[nodiscard]] const TunedWinner* tuned_for(const plan::Problem& problem, Waiting waiting) const;
  [[nodiscard]] std::optional<plan::Choice> wanted_for(const plan::Problem& problem) const;
  [[nodiscard]] std::optional<Decision> learned_for(const CallKey& key) const;
  [[nodiscard]] const DefaultTuning& defaults() const { return *knowledge_->defaults; }
  [[nodiscard]] Decision usual(const CallKey& key) const;
  [[nodiscard]] BackendId usual_backend(const plan::Problem& problem, Waiting waiting) const;
  [[nodiscard]] plan::Choice chosen_by_model(BackendId backend, const plan::Problem& asked,
                                             Waiting waiting) const;
  [[nodiscard]] plan::Choice chosen_of_all_ways(BackendId backend, const plan::Problem& problem,
                                                Waiting waiting) const;
  [[nodiscard]] bool fits(const plan::Choice& choice, const plan::Problem& problem) const;
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

}  // namespace cartwright::comm
