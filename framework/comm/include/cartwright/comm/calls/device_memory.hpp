// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/strided.hpp>
#include <cstddef>

namespace cartwright::comm {

/// How bytes get from a device's memory to the host's and back; each returns when it is done. Must
/// outlive all calls that name it: mostly a constant, which whoever knows the device has
/// (`grid::device_copies`, for Kokkos's). Called by whoever advances: with WindowOptions::thread by
/// that thread, too.
struct DeviceCopies {
  void (*to_host)(std::byte* host, const std::byte* device, std::size_t bytes) = nullptr;
  void (*to_device)(std::byte* device, const std::byte* host, std::size_t bytes) = nullptr;
};

/// Elements in memory that this processor can't reach, in place of a span: collectives and epochs
/// carry them through memory of the host, into which they copy what is read, and from which what is
/// written.
template <class T>
struct OnDevice {
  T* first = nullptr;
  Strides strides;  ///< one block, where they lie one behind the other
  const DeviceCopies* copies = nullptr;
};

/// `count` elements, one behind the other.
template <class T>
[[nodiscard]] OnDevice<T> on_device(T* first, plan::Count count, const DeviceCopies& copies) {
  return {first, {.block = count, .stride = count, .count = 1}, &copies};
}
/// Those of a slice.
template <class T>
[[nodiscard]] OnDevice<T> on_device(const Strided<T>& slice, const DeviceCopies& copies) {
  return {slice.first, slice.strides, &copies};
}

/// How many elements a slice has. Throws rt::Error where they don't lie one behind the other.
[[nodiscard]] plan::Count contiguous_elements(const Strides& strides);

/// Copies the slice that begins at `device` to contiguous memory of the host, and back; what lies
/// between its blocks stays as it is.
void pack(const std::byte* device, const Strides& strides, std::size_t element_size,
          std::byte* host, const DeviceCopies& copies);
void unpack(const std::byte* host, const Strides& strides, std::size_t element_size,
            std::byte* device, const DeviceCopies& copies);

}  // namespace cartwright::comm
