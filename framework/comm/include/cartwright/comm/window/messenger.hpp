// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/node_memory.hpp>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/comm/transport/message_queue.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cartwright::comm {

/// Short records between ranks, batched by receiver, and long messages beside them. Records of a
/// pair arrive in order. Batches go through memory to ranks of the node that share some, else as
/// messages of MPI's, as do all long ones. Nothing blocks; allocates until there are as many
/// batches as are ever under way.
class Messenger {
 public:
  /// Small enough that MPI sends a batch without asking its receiver first.
  static constexpr std::size_t batch_bytes = 4000;
  static constexpr std::size_t largest_record = batch_bytes - 16;

  /// What paths for it must be like.
  [[nodiscard]] static MailboxShape shape();
  /// Local; `ranks` of the channel's communicator, this one `me`. `paths`: of that shape.
  Messenger(P2pChannel channel, int ranks, int me, std::optional<LeasedPaths> paths = {});
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;
  /// What may still come is no longer received.
  ~Messenger();

  /// Room for a record (a multiple of 8 bytes) in the batch for that rank, to be filled in before
  /// the next call.
  [[nodiscard]] std::byte* append(int to, std::size_t bytes);
  /// Sends all batches that have begun.
  void flush();
  /// Nothing waits here for room at its receiver.
  [[nodiscard]] bool is_drained();
  /// Receives what has come: `take(from, records)`, batch by batch.
  using Take = std::function<void(int, std::span<const std::byte>)>;
  void poll(const Take& take);

  /// Which way a long message goes: those of a pair, a lane and a way are sent and received in one
  /// order, as their records are; those of different lanes needn't be.
  enum class Large : std::uint8_t { operand, reply };
  static constexpr int lanes = 256;
  [[nodiscard]] rt::Message send_large(int to, std::span<const std::byte> data, Large way,
                                       int lane);
  [[nodiscard]] rt::Message receive_large(int from, std::span<std::byte> data, Large way, int lane);

 private:
  struct Head {
    std::uint32_t from = 0;
    std::uint32_t bytes = 0;  // of the whole batch
  };
  struct Batch {
    alignas(64) std::byte bytes[batch_bytes];
    std::size_t used = 0;
    rt::Message message{};
    int member = -1;           // through memory, to that one …
    std::uint64_t number = 0;  // … as this message
  };

  void send(int to);
  [[nodiscard]] bool has_left(Batch& batch);
  void recycle();
  [[nodiscard]] std::unique_ptr<Batch> free_batch();
  void poll_memory(const Take& take);
  [[nodiscard]] rt::Tag tag_of(Large way, int lane) const;

  P2pChannel channel_;
  int me_;
  std::optional<LeasedPaths> paths_;
  std::optional<MessageQueue> queue_;
  std::vector<std::unique_ptr<Batch>> arriving_;  // by member
  std::vector<std::unique_ptr<Batch>> open_;      // by receiver
  std::vector<int> begun_;                        // receivers whose batches have begun
  std::vector<std::unique_ptr<Batch>> sent_;
  std::vector<std::unique_ptr<Batch>> free_;
  std::vector<std::unique_ptr<Batch>> incoming_;  // posted, in this order from next_ on
  std::size_t next_ = 0;
};

}  // namespace cartwright::comm
