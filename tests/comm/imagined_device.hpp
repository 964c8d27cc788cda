// SPDX-License-Identifier: Apache-2.0
// A device whose memory nobody but its copies can reach: addresses are those of the host with a bit
// more, which no process has memory at.
#pragma once

#include <cartwright/comm/calls/device_memory.hpp>
#include <cstdint>
#include <cstring>

namespace cartwright::comm::test {

inline constexpr std::uintptr_t device_bit = std::uintptr_t{1} << 62;

template <class T>
T* on_imagined_device(T* host) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): that is what it is for
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(host) ^ device_bit);
}

inline constexpr DeviceCopies imagined_copies{
    [](std::byte* host, const std::byte* device, std::size_t bytes) {
      std::memcpy(host, on_imagined_device(device), bytes);
    },
    [](std::byte* device, const std::byte* host, std::size_t bytes) {
      std::memcpy(on_imagined_device(device), host, bytes);
    }};

}  // namespace cartwright::comm::test
