// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/comm/calls/device_memory.hpp>
#include <cartwright/comm/calls/strided.hpp>
#include <cartwright/comm/window/element_updates.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::comm {

/// What an epoch does to the memory of a target. Accumulate and fetch are by an Update.
enum class RemoteKind : std::uint8_t { put, get, accumulate, fetch, compare_and_swap };

/// One behind the other.
[[nodiscard]] constexpr Strides contiguous(plan::Count elements) {
  return {.block = elements, .stride = elements, .count = elements == 0 ? 0 : 1};
}

/// One operation, type-erased. Local memory must stay as it is until it is complete at its origin;
/// few bytes are part of it.
struct RemoteOperation {
  /// The operand of one element, or what is expected and what is desired.
  using Inline = std::array<std::byte, 16>;

  RemoteKind kind = RemoteKind::put;
  Update update{};
  ScalarType type = ScalarType::uint8;
  bool is_inline = false;  ///< the source is `operand`
  plan::Count offset = 0;  ///< of the target's memory, in elements
  Strides at{};            ///< there
  const std::byte* source = nullptr;
  Strides from{};
  std::byte* result = nullptr;
  Strides into{};
  const DeviceCopies* source_device = nullptr;  ///< where the source lies; null: on the host
  const DeviceCopies* result_device = nullptr;  ///< … and the result
  Inline operand{};

  [[nodiscard]] plan::Count elements() const { return at.elements(); }
  [[nodiscard]] const std::byte* source_bytes() const {
    return is_inline ? operand.data() : source;
  }
  [[nodiscard]] bool writes_here() const {
    return kind == RemoteKind::get || kind == RemoteKind::fetch ||
           kind == RemoteKind::compare_and_swap;
  }
  [[nodiscard]] bool has_source() const {
    return kind != RemoteKind::get && !(kind == RemoteKind::fetch && update.code == Update::none);
  }
  [[nodiscard]] bool is_on_device() const {
    return source_device != nullptr || result_device != nullptr;
  }
};

/// Some consecutive elements of an operation: of its slice of the target, and of local memory.
struct OperationPart {
  plan::Count target_first = 0;
  plan::Count local_first = 0;
  plan::Count count = 0;
};

/// Where the k-th element of a slice lies, and how many follow it without a gap.
class SliceCursor {
 public:
  SliceCursor(const Strides& strides, plan::Count first)
      : strides_(strides),
        block_(strides.block == 0 ? 0 : first / strides.block),
        within_(strides.block == 0 ? 0 : first % strides.block) {}

  [[nodiscard]] plan::Count position() const { return block_ * strides_.stride + within_; }
  [[nodiscard]] plan::Count run() const { return strides_.block - within_; }
  void advance(plan::Count elements) {
    within_ += elements;
    if (within_ < strides_.block) return;
    within_ = 0;
    ++block_;
  }

 private:
  Strides strides_;
  plan::Count block_;
  plan::Count within_;
};

/// Copies elements between slices.
void copy_slice(const std::byte* from, const Strides& source, plan::Count source_first,
                std::byte* to, const Strides& target, plan::Count target_first, plan::Count count,
                std::size_t element_size);

/// Does a part of an operation, where the target's memory is at hand. `guard`: see ElementUpdate.
void carry_out(const RemoteOperation& operation, const OperationPart& part,
               std::size_t element_size, std::byte* target, std::uint64_t* guard);
/// … that lies on a device: as much as the part spans is copied here, and back if it was changed.
/// By whoever alone reaches it.
void carry_out_on_device(const RemoteOperation& operation, const OperationPart& part,
                         std::size_t element_size, std::byte* target, const DeviceCopies& copies);

}  // namespace cartwright::comm
