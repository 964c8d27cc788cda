// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/backend.hpp>
#include <cartwright/comm/backends/node_memory.hpp>
#include <cartwright/comm/backends/node_view.hpp>
#include <cartwright/comm/backends/scheduled_backend.hpp>
#include <cartwright/comm/execution/tag_space.hpp>
#include <cartwright/comm/execution/traffic.hpp>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cartwright::comm {

/// A decision and its grounds, for reports.
struct DecisionNote {
  CallKey key;
  Decision decision;
  plan::Count bytes = 0;    ///< of the vector, or of each rank's block, when it was taken
  std::string explanation;  ///< "shared: linear, measured as the quickest: 1.2 us (native 3.4 us)"
};

/// The backends of one communicator: native always, those that run schedules where they are asked
/// for.
class Backends {
 public:
  /// Collective: the ranks get channels of their own. Without `memory` nobody shares any. Throws an
  /// input error on all ranks where there is none to share and `wanted` can't do without. `tags`:
  /// where its messages travel; none: on a duplicate of its own. `comm` and `engine` must outlive
  /// this.
  Backends(const rt::Communicator& comm, rt::ProgressEngine& engine, BackendId wanted,
           std::shared_ptr<const Knowledge> knowledge, const NodeView& nodes = NodeView::apart(),
           std::shared_ptr<NodeMemory> memory = nullptr, const TagShare* tags = nullptr);
  ~Backends();
  Backends(Backends&&) noexcept;
  Backends& operator=(Backends&&) noexcept;

  [[nodiscard]] rt::ProgressEngine& engine() const noexcept;
  /// The one that was asked for.
  [[nodiscard]] Backend& chosen() const noexcept;
  [[nodiscard]] const Selection& selection() const noexcept;
  /// In the order in which they were taken; sizes of one power of two count as one.
  [[nodiscard]] std::span<const DecisionNote> decisions() const noexcept;
  /// With `auto`, how often each key was called so far; else nothing.
  [[nodiscard]] std::vector<CallCount> calls() const;
  /// What this rank has sent for schedules so far.
  [[nodiscard]] const Traffic& traffic() const noexcept;
  /// Native is always there, p2p unless native was asked for, shared where memory is, rma where it
  /// was asked for; else native.
  [[nodiscard]] Backend& find(BackendId backend) const;
  /// One of those that this communicator has, as a caller may use it beside the chosen one. Throws
  /// an input error for others.
  [[nodiscard]] Backend& beside(BackendId wanted) const;
  /// The backends that run schedules.
  [[nodiscard]] std::vector<BackendId> scheduled() const;
  /// Another knowledge counts from now on: `auto` decides anew, and what is persistent with it. All
  /// ranks say so between the same calls.
  void decide_anew(std::shared_ptr<const Knowledge> knowledge) const;
  /// For the reports: calls of a key go so from now on.
  void note(const CallKey& key, const Decision& decision) const;
  /// A further backend over the same channels that runs what `choose` says. Must not outlive this.
  [[nodiscard]] std::unique_ptr<Backend> running(
      BackendId backend, std::function<plan::Choice(const plan::Problem&)> choose) const;

 private:
  std::unique_ptr<BackendParts> parts_;
};

}  // namespace cartwright::comm
