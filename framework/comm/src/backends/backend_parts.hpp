// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/backends/auto_backend.hpp>
#include <cartwright/comm/backends/backends.hpp>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/comm/execution/rma_messages.hpp>
#include <cartwright/comm/execution/shared_messages.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cartwright::comm {

/// The backends of one communicator, and what they live on.
struct BackendParts {
  BackendParts(const rt::Communicator& communicator, rt::ProgressEngine& progress, BackendId asked,
               std::shared_ptr<const Selection> choices, NodeView view,
               std::shared_ptr<NodeMemory> node_memory, TagShare tag_share);

  /// Null where there is none.
  [[nodiscard]] Backend* get(BackendId backend) const {
    return made[static_cast<std::size_t>(backend)].get();
  }
  /// Native in the place of one that there isn't.
  [[nodiscard]] Backend& find(BackendId wanted) const;
  /// Then whatever is said to others has to go through memory: messages of MPI's aren't delayed.
  [[nodiscard]] bool has_links() const;
  /// A later one of the same calls takes the place of the former.
  void note(CallKey key, const Decision& decision, plan::Count bytes);

  const rt::Communicator* comm;
  rt::ProgressEngine* engine;
  BackendId wanted;
  std::shared_ptr<const Selection> selection;
  std::shared_ptr<NodeMemory> memory;
  TagShare tags;
  NodeView nodes;
  std::optional<P2pChannel> channel;
  NodePaths paths;
  std::optional<SharedChannel> shared_channel;
  std::optional<LandingAreas> areas;
  std::optional<RmaChannel> rma_channel;
  std::uint64_t sequence = 0;
  Traffic traffic;
  std::vector<DecisionNote> decisions;
  static constexpr std::size_t backends = static_cast<std::size_t>(BackendId::automatic) + 1;
  std::array<std::unique_ptr<Backend>, backends> made;
  Backend* chosen = nullptr;
  AutoBackend* automatic = nullptr;  ///< among those made

 private:
  void add(BackendId backend);
  [[nodiscard]] ChooseAlgorithm usual_choice(BackendId backend);
};

/// Whether `auto` may leave calls to native.
[[nodiscard]] inline bool may_be_native(const Knowledge& knowledge) {
  return knowledge.learns || !knowledge.tuned.empty();
}

}  // namespace cartwright::comm
