// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/rt/communicator.hpp>
#include <cstdint>
#include <memory>
#include <vector>

namespace cartwright::comm {

/// Where messages of one communicator's collectives travel: a private duplicate of it, and tags.
/// Each collective in flight has a tag of its own, so that its messages meet no other's. Several
/// channels may share a duplicate: each has tags of its own.
class P2pChannel {
  /// Collectives in flight whose numbers lie in one stretch of consecutive ones.
  struct Stretch {
    std::uint64_t number = 0;
    int runs = 0;
  };
  struct Leave {
    void operator()(Stretch* stretch) const noexcept { --stretch->runs; }
  };

 public:
  /// While it is held, a collective is in flight.
  using Stay = std::unique_ptr<Stretch, Leave>;

  /// Collective. `tags`: how many to use at most (0: all that MPI has).
  explicit P2pChannel(const rt::Communicator& comm, std::uint64_t tags = 0);
  /// Number `share` of so many that have `duplicate` together; `peers`: by rank of whoever talks,
  /// its rank there (none: the same). Local.
  P2pChannel(std::shared_ptr<const rt::Communicator> duplicate, int share, int shares,
             std::vector<int> peers = {}, std::uint64_t tags = 0);

  [[nodiscard]] MPI_Comm handle() const noexcept { return handle_; }
  /// The duplicate, which whoever keeps messages on it keeps, too.
  [[nodiscard]] const std::shared_ptr<const rt::Communicator>& communicator() const noexcept {
    return comm_;
  }
  /// A rank, as messages on the handle are addressed.
  [[nodiscard]] int address(int rank) const noexcept {
    return peers_.empty() ? rank : peers_[static_cast<std::size_t>(rank)];
  }

  /// Null while a collective that began long before still uses the tag. Local, and safe all the
  /// same: nobody reuses a tag before its own part of the older collective is done, and MPI keeps
  /// the order of messages that have the same tag.
  [[nodiscard]] Stay enter(std::uint64_t sequence) noexcept {
    const std::uint64_t number = sequence >> log_length_;
    Stretch& stretch = stretches_[number % stretches_.size()];
    if (stretch.number != number) {
      if (stretch.runs > 0) return nullptr;
      stretch.number = number;
    }
    ++stretch.runs;
    return Stay(&stretch);
  }
  [[nodiscard]] int tag_of(std::uint64_t sequence) const noexcept {
    return first_tag_ + static_cast<int>(sequence & ((stretches_.size() << log_length_) - 1));
  }

 private:
  std::shared_ptr<const rt::Communicator> comm_;
  MPI_Comm handle_;
  std::vector<int> peers_;
  int first_tag_ = 0;
  unsigned log_length_ = 0;  // of a stretch: to divide takes longer than all else here
  std::array<Stretch, 4> stretches_{};
};

}  // namespace cartwright::comm
