// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/operator.hpp>
#include <cartwright/comm/elements/scalar_type.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::comm {

/// What becomes of an element that somebody updates: an Operator, or one of these two.
struct Update {
  std::uint8_t code = none;

  static constexpr std::uint8_t replace = 64;  ///< the new value
  static constexpr std::uint8_t none = 65;     ///< what it was: somebody only reads it

  [[nodiscard]] static constexpr Update by(Operator op) { return {static_cast<std::uint8_t>(op)}; }
};

/// Changes elements one by one, each atomically against all others who do: ranks of the node that
/// share the memory, and its owner on behalf of ranks elsewhere. `former` (or null) gets what they
/// were. `guard`: a word beside the target, zero in the beginning, which those use that are wider
/// than a word of the machine; null: nobody else reaches the target, so nothing need be atomic.
using ElementUpdate = void (*)(std::byte* target, const std::byte* operands, std::byte* former,
                               std::size_t count, std::uint64_t* guard);

/// Throws internal_failure where the update isn't defined for the type.
[[nodiscard]] ElementUpdate element_update(Update update, ScalarType type);

/// The element, of 1, 2, 4 or 8 bytes, becomes `desired` if it has the bytes of `expected`.
void compare_and_swap(std::byte* target, const std::byte* expected, const std::byte* desired,
                      std::byte* former, std::size_t size);

}  // namespace cartwright::comm
