// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

namespace cartwright::rt {

/// From the system: another one each time, on each rank.
inline std::uint64_t random_word() {
  std::random_device device;
  return std::uint64_t{device()} << 32U | device();
}

}  // namespace cartwright::rt
