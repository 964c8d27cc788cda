// SPDX-License-Identifier: Apache-2.0
// What watchers conclude from what they see: pure thought, no clock, no thread, no network.
#pragma once

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/wait.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {

/// What the system says of a process.
enum class ProcessState { runs, stopped, traced, gone };

/// What a rank does, as its own watcher says.
struct Activity {
  WaitKind kind = WaitKind::none;
  double seconds = 0.0;   ///< so long in one and the same wait
  std::string where{};    ///< "MPI_Bcast (root_only.cpp:57)"
  bool has_left = false;  ///< its run is over: it isn't watched any more
  /// With WaitKind::files: it has done nothing there but wait for other ranks, for these seconds.
  bool only_waits = false;

  [[nodiscard]] bool waits() const noexcept { return kind == WaitKind::ranks || only_waits; }
};

/// A rank of the observer's own node. All times are those during which the observer itself ran.
struct RankSight {
  int rank = 0;
  long process = 0;
  double silent = 0.0;  ///< s since its watcher was last seen to run
  ProcessState state = ProcessState::runs;
  Activity activity{};
};

/// Another node, as its messages say.
struct NodeSight {
  std::string name{};
  std::vector<int> ranks;
  double silent = 0.0;       ///< s since it was last heard of
  double waits = 0.0;        ///< s for which all its ranks have been waiting for ranks
  std::string activities{};  ///< lines of a table: who does what
  bool is_known = false;     ///< it was heard of at least once
  bool has_left = false;
};

/// All that one watcher sees.
struct Sight {
  std::string node;
  std::vector<RankSight> ranks;
  std::vector<NodeSight> nodes;
  bool sees_all = true;  ///< `nodes` are all other nodes of the run
};

struct SilenceLimits {
  std::optional<double> silence = 60.0;  ///< s; nothing: as long as it takes
  /// s by which a node may be silent longer than a rank: who sees a rank stop speaks first.
  double margin = 0.0;
  std::optional<double> wait;  ///< s that a rank may wait for others (comm.time_limit)
  double grace = 0.0;          ///< s for who waits to end the run by itself: it may know more
};

/// Why the run has to end, if it has to: a rank that is gone or stopped, a node that can't be
/// reached, ranks that all wait for each other, or one that has waited for too long.
[[nodiscard]] std::optional<Error> judge(const Sight& sight, const SilenceLimits& limits);

/// The ranks of the observer's own node, one line for those that do the same:
/// "  ranks 0-2: wait in MPI_Bcast (root_only.cpp:57)".
[[nodiscard]] std::string activities_of(const std::vector<RankSight>& ranks,
                                        const SilenceLimits& limits);

/// s for which all of them have been waiting for other ranks; those that have left don't count.
[[nodiscard]] double common_wait(const std::vector<RankSight>& ranks);

}  // namespace cartwright::rt
