// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace cartwright::comm {

/// An address that came as a number, in a message.
[[nodiscard]] inline std::byte* address_of(std::uint64_t number) noexcept {
  return reinterpret_cast<std::byte*>(number);  // NOLINT(performance-no-int-to-ptr)
}

/// Memory of another rank of the node, by its addresses there.
struct PeerMemory {
  std::int64_t process = 0;
  bool is_mine = false;  ///< the rank is a thread of this process

  /// Copies out of it. False if the system refuses (containers may).
  [[nodiscard]] bool read(std::uint64_t address, std::byte* to, std::size_t bytes) const noexcept;
};

}  // namespace cartwright::comm
