// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/comm/neighbour_exchange.hpp>
#include <cartwright/comm/window.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cartwright::comm {

/// An exchange with neighbours by one-sided epochs. Each message is an epoch of its own: the
/// receiver exposes a place for the next one when it begins the present one (post), and the sender
/// puts there (start, put, complete). There are two places to land and two to pack, taken in turn.
/// So a sender finds the memory exposed unless its neighbour is a whole exchange behind, and then
/// waits only where it would need the same place to pack again.
class NeighbourEpochs {
 public:
  /// Collective over `cart`, which must outlive this. `channel` and `tag`: of its messages, while
  /// the neighbours tell each other where these may land. No neighbour with nothing to say.
  NeighbourEpochs(const CartComm& cart, const P2pChannel& channel, rt::Tag tag,
                  std::span<const NeighbourBytes> neighbours, const rt::WaitSite& site);
  NeighbourEpochs(const NeighbourEpochs&) = delete;
  NeighbourEpochs& operator=(const NeighbourEpochs&) = delete;
  ~NeighbourEpochs() = default;
  /// Collective, between exchanges: what is exposed ahead is taken back. Without it the run fails.
  void close();

  /// What was packed two exchanges ago has left.
  [[nodiscard]] bool has_room() const;
  /// The next exchange begins, and the memory for the one after it is exposed.
  void begin();
  /// Where what goes to neighbour `n` is packed.
  [[nodiscard]] std::byte* place_to_pack(std::size_t n);
  void send(std::size_t n);
  /// Where what neighbour `n` has sent lies; null: it hasn't come.
  [[nodiscard]] const std::byte* arrived(std::size_t n) const;
  /// A neighbour has sent what belongs to an exchange that this rank hasn't begun.
  [[nodiscard]] bool is_behind() const;

 private:
  struct Way {
    NeighbourBytes bytes;
    std::size_t pack = 0;              // first of its two places in `packed_`
    std::size_t landing = 0;           // … in my part of the window
    std::uint64_t their_landing = 0;   // … in the neighbour's
    int parts = 1;                     // of what goes there
    std::array<EpochRequest, 2> sent;  // by parity
    std::array<EpochRequest, 2> come;
  };

  void learn_places(const P2pChannel& channel, rt::Tag tag, const rt::WaitSite& site);
  void expose(std::uint64_t exchange);

  std::vector<Way> ways_;
  std::size_t window_bytes_ = 0;
  std::unique_ptr<std::byte[]> packed_;
  std::optional<Window<std::byte>> window_;
  std::uint64_t begun_ = 0;  // exchanges
};

}  // namespace cartwright::comm
