// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/execution/messages.hpp>
#include <cartwright/comm/execution/p2p_messages.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

/// How the ranks of one communicator reach each other: on my node through memory, elsewhere by
/// messages of MPI's.
template <class Memory>
struct NearAndFarChannel {
  Memory& memory;
  /// By rank of the communicator: its number among the members of the memory, or -1.
  std::vector<std::int32_t> members;
  P2pChannel& remote;
};

/// The messages of a program: those between ranks of a node by `Near`, which knows whom it serves,
/// the others through MPI.
template <class Near, class Memory>
class NearAndFarMessages {
 public:
  /// `channel` and `program` must outlive this.
  NearAndFarMessages(NearAndFarChannel<Memory>& channel, const plan::Program& program,
                     std::size_t element_size)
      : near_(channel.memory, channel.members, program, element_size),
        far_(channel.remote, program, element_size,
             [&](int peer) { return channel.members[static_cast<std::size_t>(peer)] < 0; }),
        is_all_near_(far_.serves_nobody()) {}

  [[nodiscard]] bool begin(std::uint64_t sequence, const plan::Buffers& buffers) {
    if (is_all_near_) return near_.begin(sequence, buffers);
    near_has_begun_ = near_has_begun_ || near_.begin(sequence, buffers);
    if (!near_has_begun_ || !far_.begin(sequence, buffers)) return false;
    near_has_begun_ = false;
    return true;
  }
  void reached(std::size_t step) {
    if (!is_all_near_) far_.reached(step);
  }
  void send(const plan::BoundStep& step) {
    if (!near_.send(step)) far_.send(step);
  }
  [[nodiscard]] bool receive(const plan::BoundStep& step) {
    return is_near(step) ? near_.receive(step) : far_.receive(step);
  }
  [[nodiscard]] bool receive_combine(const plan::BoundStep& step, const Reduction& reduction) {
    return is_near(step) ? near_.receive_combine(step, reduction)
                         : far_.receive_combine(step, reduction);
  }
  [[nodiscard]] bool sends_are_complete(std::int32_t sends) {
    const bool are_near_complete = near_.sends_are_complete(sends);
    return (is_all_near_ || far_.sends_are_complete(sends)) && are_near_complete;
  }
  /// Whoever waits for a rank of this node tests no request of MPI's, and that rank may wait for
  /// one that waits for a long message of ours.
  void progress() {
    near_.progress();
    if (!is_all_near_) far_.keep_moving();
  }
  [[nodiscard]] std::uint64_t moves() const noexcept { return near_.moves() + far_.moves(); }

 private:
  [[nodiscard]] bool is_near(const plan::BoundStep& step) const {
    return is_all_near_ || near_.serves(step.peer);
  }

  Near near_;
  P2pMessages far_;
  bool is_all_near_;
  bool near_has_begun_ = false;
};

}  // namespace cartwright::comm
