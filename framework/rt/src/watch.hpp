// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cartwright/rt/silence.hpp>
#include <cartwright/rt/wait.hpp>
#include <limits>
#include <string>
#include <vector>

#include "process_state.hpp"
#include "speaker.hpp"
#include "watch_link.hpp"
#include "watch_slot.hpp"

namespace cartwright::rt {

/// The ranks that share memory with this one (alone, where nothing can be shared), as all watchers
/// know them.
struct WatchedNode {
  std::string name{};
  std::vector<int> ranks{};          ///< of the run, ascending
  std::vector<ProcessMark> marks{};  ///< of this node only
};

/// What a watcher is told at the beginning.
struct WatchSetup {
  std::vector<WatchSlot*> slots;  ///< of the ranks of this node
  std::vector<WatchedNode> nodes;
  int node = 0;      ///< this one
  int member = 0;    ///< this rank's place on it
  FileWork files{};  ///< of the thread that computes, which makes this
};

/// Durations that may be set while the watcher runs; infinite: as long as it takes.
struct WatchLimits {
  static constexpr double none = std::numeric_limits<double>::infinity();
  /// What CARTWRIGHT_STOP_SILENCE says, or the usual minute.
  [[nodiscard]] static double silence_of_environment();

  std::atomic<double> silence{60.0};
  std::atomic<double> wait{none};

  [[nodiscard]] SilenceLimits now() const noexcept;
  /// s between two looks.
  [[nodiscard]] double period() const noexcept;
};

/// What the watcher's thread does. The lowest rank of each node talks to the lowest of node 0, and
/// gets an answer; node 0 decides for all, unless it is not heard of any more.
class Watch {
 public:
  Watch(WatchSetup setup, WatchLink& link, const WaitRecord& record, const WatchLimits& limits);

  /// Until `stop`, a file descriptor, can be read.
  void run(int stop);
  /// The last words of a rank whose run is over.
  void leave();
  /// Files will do where UDP doesn't; any thread may say so, once.
  void use_directory(const std::string& path);

 private:
  using Kind = WatchMessage::Kind;

  [[nodiscard]] bool leads() const noexcept { return setup_.member == 0; }
  [[nodiscard]] bool decides() const noexcept { return setup_.node == 0; }
  [[nodiscard]] WatchSlot& board() const noexcept { return *setup_.slots.front(); }
  /// The watched node of that number, or null.
  [[nodiscard]] NodeSight* sight_of(int node) noexcept;

  void look(double seconds);
  void look_at_myself(double seconds);
  void look_at_ranks(double seconds);
  void talk(double seconds);
  void talk_by_files(const WatchMessage& report);
  void read_messages();
  void take(const WatchMessage& report);
  [[nodiscard]] WatchMessage report() const;

  [[noreturn]] void end(const Error& error);
  void hand_over(const std::string& text);
  void speak(const std::string& text);
  [[noreturn]] void pass_on(const std::string& text);
  void tell_all_that_it_ended();
  [[nodiscard]] bool claim() noexcept;
  /// Somebody else of this node ends the run: it says why, then all go.
  void follow(double seconds);

  WatchSetup setup_;
  WatchLink* link_;
  const WaitRecord* record_;
  const WatchLimits* limits_;
  Speaker speaker_;
  Sight sight_;
  std::vector<std::uint64_t> beats_;    // of the ranks, as last seen
  std::vector<bool> is_visible_;        // in /proc
  std::vector<std::uint64_t> numbers_;  // of the nodes' messages, as last seen
  std::vector<int> sight_at_;           // by node: place in sight_.nodes, or -1
  std::uint64_t sequence_ = 0;
  std::uint64_t reports_ = 0;
  double running_ = 0.0;  // s
  double idle_ = 0.0;  // s for which this rank has been in a call for files, and done nothing there
  double ending_ = 0.0;  // s since somebody of this node has decided to end the run
  bool has_warned_ = false;
  std::atomic<bool> has_directory_{false};
  std::string directory_;
};

}  // namespace cartwright::rt
