// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/communicator.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {

class WatchSlot;

/// Notices that nobody will come: a thread of each rank that makes no call of MPI. It sees a
/// process that is gone or stopped (by words in the node's shared memory), a node that can't be
/// reached (by small messages), and ranks that have all been waiting for too long (by what
/// WaitScope publishes). Then it ends the run everywhere, each process by itself, with one message
/// and exit code 3. Kernels and files may take as long as they like.
class Watcher {
 public:
  using Duration = std::chrono::duration<double>;

  Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  /// Not collective, and needs no MPI: tells the others that this rank has left.
  ~Watcher();

  /// Collective. From here on the waits of this thread are watched. Rank 0's environment says for
  /// how long silence is borne (CARTWRIGHT_STOP_SILENCE).
  void start(const Communicator& world, const Arena& arena);
  /// How long somebody may be silent; nothing: for ever. The same on every rank.
  void bear_silence(std::optional<Duration> limit) noexcept;
  /// How long a rank may wait for others; nothing: as long as it takes. The same on every rank.
  void bear_waiting(std::optional<Duration> limit) noexcept;
  /// For where the nodes' messages don't get through: heartbeats as files in this directory, which
  /// all nodes see.
  void use_directory(const std::string& path);

 private:
  struct State;
  static std::vector<WatchSlot*> slots_of(State& state);
  std::unique_ptr<State> state_;
};

}  // namespace cartwright::rt
