// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace cartwright::plan {

enum class StepKind : std::uint8_t {
  send,             ///< source → peer
  receive,          ///< peer → target
  receive_combine,  ///< target = received ∘ source, or source ∘ received
  combine,          ///< target = source ∘ operand
  copy,             ///< target = source
};

/// Which side of the operator a received operand takes.
enum class Side : std::uint8_t { left, right };

/// A buffer that gets its memory only when a schedule is bound. The values from `scratch` on number
/// the scratch buffers of a schedule.
enum class Buffer : std::uint16_t { input, output, scratch };

/// Number of a scratch buffer, from 0.
constexpr int scratch_number(Buffer buffer) {
  return static_cast<int>(buffer) - static_cast<int>(Buffer::scratch);
}

/// Consecutive blocks, in ring order: after the last block of the data follows block 0.
struct Extent {
  int first = 0;
  int count = 0;
  friend bool operator==(Extent, Extent) = default;
};

/// Consecutive blocks, in ring order, of one buffer.
struct Slice {
  Buffer buffer = Buffer::input;
  int first = 0;
  int count = 0;
  friend bool operator==(Slice, Slice) = default;
};

/// One thing that a rank does. All slices of a step have the same number of blocks.
struct Step {
  StepKind kind = StepKind::copy;
  Side received = Side::right;  ///< receive_combine: the side of the received operand
  Buffer source_buffer = Buffer::input;
  Buffer operand_buffer = Buffer::input;
  Buffer target_buffer = Buffer::output;
  std::int32_t source_first = 0;
  std::int32_t operand_first = 0;
  std::int32_t target_first = 0;
  std::int32_t count = 0;   ///< blocks
  std::int32_t peer = -1;   ///< rank at the other end of a message
  std::int32_t number = 0;  ///< of the message, among those of its ordered pair of ranks, from 0
  std::int32_t round = 0;   ///< no message is sent in a later round than it is received in

  [[nodiscard]] Slice source() const { return {source_buffer, source_first, count}; }
  [[nodiscard]] Slice operand() const { return {operand_buffer, operand_first, count}; }
  [[nodiscard]] Slice target() const { return {target_buffer, target_first, count}; }

  [[nodiscard]] bool sends() const { return kind == StepKind::send; }
  [[nodiscard]] bool receives() const {
    return kind == StepKind::receive || kind == StepKind::receive_combine;
  }
  [[nodiscard]] bool reads_source() const { return kind != StepKind::receive; }
  [[nodiscard]] bool reads_operand() const { return kind == StepKind::combine; }
  [[nodiscard]] bool writes() const { return kind != StepKind::send; }
};

// Simulations hold hundreds of millions of them.
static_assert(std::is_trivially_copyable_v<Step> && sizeof(Step) <= 40);

}  // namespace cartwright::plan
