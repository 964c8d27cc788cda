// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/rt/communicator.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace cartwright::comm {

class TagShare;

/// A private duplicate of a communicator, on which the messages of several communicators travel:
/// its own, and those of lines of its ranks. Each has tags of its own, so that none is mistaken for
/// another's.
class TagSpace {
 public:
  /// Collective. With tags for so many channels (see TagShare).
  TagSpace(const rt::Communicator& comm, int channels)
      : duplicate_(std::make_shared<const rt::Communicator>(comm.duplicate())),
        channels_(channels) {}

  /// Number `number` of the communicators that share the space; `peers`: by rank of that
  /// communicator, its rank here (none: the same). Local.
  [[nodiscard]] TagShare share(int number, std::vector<int> peers = {}) const;

 private:
  std::shared_ptr<const rt::Communicator> duplicate_;
  int channels_;
};

/// One communicator's part of a space.
class TagShare {
 public:
  /// Of a communicator: messages of native, of schedules, of neighbours, of windows, of clocks.
  static constexpr int channels = 5;

  [[nodiscard]] P2pChannel channel(int number) const {
    return {duplicate_, first_ + number, all_, peers_};
  }

 private:
  friend class TagSpace;
  TagShare(std::shared_ptr<const rt::Communicator> duplicate, int first, int all,
           std::vector<int> peers)
      : duplicate_(std::move(duplicate)), first_(first), all_(all), peers_(std::move(peers)) {}

  std::shared_ptr<const rt::Communicator> duplicate_;
  int first_;
  int all_;
  std::vector<int> peers_;
};

inline TagShare TagSpace::share(int number, std::vector<int> peers) const {
  return {duplicate_, number * TagShare::channels, channels_, std::move(peers)};
}

}  // namespace cartwright::comm
