// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/device_memory.hpp>
#include <cartwright/comm/calls/strided.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace cartwright::comm {

/// Memory of the host, contiguous, that stands for an operand of an epoch on a device.
struct StagedOperand {
  std::unique_ptr<std::byte[]> host;
  int target = 0;                        ///< of the operation
  std::uint64_t number = 0;              ///< in the order of the epoch's operations
  std::byte* result = nullptr;           ///< where it goes when it has come; null: a source
  Strides strides{};                     ///< there
  const DeviceCopies* copies = nullptr;  ///< to there
};

}  // namespace cartwright::comm
