// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/lease.hpp>
#include <cartwright/rt/node_group.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {

/// Memory that the ranks of a node share, leased and given back. It has no name that outlives a
/// moment, so nothing is left of it when processes are killed, and nobody else can open it. What is
/// promised is there: room is asked for first, and where it is scarce the pages are taken at once;
/// else pages that nobody touches take none. Copies are the same arena.
class Arena {
 public:
  /// How the ranks of a node come by the same memory.
  enum class Way {
    descriptor,  ///< memory without a name (memfd), opened through /proc: not limited by /dev/shm
    file,        ///< a file in a temporary file system, unlinked as soon as all have opened it
  };
  struct Options {
    std::vector<Way> ways = {Way::descriptor, Way::file};  ///< in the order in which they are tried
    std::vector<std::string> folders;   ///< of files; else /dev/shm, then TMPDIR, then /tmp
    std::optional<std::size_t> room{};  ///< of this node; else what the system says
  };

  /// Shares nothing.
  Arena() = default;
  /// Collective over `world`: finds its nodes and, on each, a way that works for all its ranks.
  explicit Arena(const Communicator& world) : Arena(world, Options{}) {}
  Arena(const Communicator& world, Options options);

  /// Whether the ranks of this node can share memory; alike on all of them.
  [[nodiscard]] bool available() const noexcept { return state_ != nullptr && usable(); }
  /// The nodes of the communicator that it was made with. Not for arenas that share nothing.
  [[nodiscard]] const NodeGroup& nodes() const;
  /// The way that works, in words, or why there is none.
  [[nodiscard]] std::string describe() const;

  /// Collective over `group`, ranks of one node: a part of `bytes` (which may differ, and may be 0)
  /// for each. All of them get the lease, or none does because there is no room: then they have to
  /// go on without. The lease may outlive the arena.
  [[nodiscard]] std::optional<Lease> lease(const Communicator& group, std::size_t bytes) const;

 private:
  struct State;
  [[nodiscard]] bool usable() const noexcept;

  std::shared_ptr<const State> state_;
};

}  // namespace cartwright::rt
