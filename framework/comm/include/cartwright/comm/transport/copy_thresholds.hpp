// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cartwright::comm {

/// When the system copies a message from the sender's memory, once, instead of both ranks through
/// staging memory.
struct CopyThresholds {
  static constexpr std::size_t never = ~std::size_t{0};

  std::size_t direct_from = never;        ///< bytes
  std::size_t moved_direct_from = never;  ///< … in collectives that don't reduce, to one receiver
  /// Messages that so many receivers can read from one staged copy are never read from the sender's
  /// memory.
  int readers_of_staged = 1 << 30;
};

}  // namespace cartwright::comm
