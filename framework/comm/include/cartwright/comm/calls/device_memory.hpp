// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/strided.hpp>
#include <cstddef>
#include <cstdint>

namespace cartwright::comm {

/// Where the addresses of a call are valid.
enum class MemoryKind : std::uint8_t {
  host,    ///< for this processor; what lies on a device was copied there (staged)
  device,  ///< on a device, which the MPI library reads and writes itself
};

/// How messages get at the memory of a device.
enum class DeviceMemory : std::uint8_t {
  automatic,  ///< those of neighbours directly where the MPI library says that it can; else staged
  staged,     ///< through memory of the host, into which it is copied
  direct,     ///< by the MPI library, which takes its addresses
};

/// How bytes get from a device's memory to the host's and back; each returns when it is done. Must
/// outlive all calls that name it: mostly a constant, which whoever knows the device has
/// (`grid::device_copies`, for Kokkos's). Called by whoever advances: with WindowOptions::thread by
/// that thread, too.
struct DeviceCopies {
  void (*to_host)(std::byte* host, const std::byte* device, std::size_t bytes) = nullptr;
  void (*to_device)(std::byte* device, const std::byte* host, std::size_t bytes) = nullptr;
  /// Returns when the device has done what it was given, before MPI reads its memory; null: there
  /// is nothing to wait for.
  void (*settle)() = nullptr;
};

/// Elements in memory that this processor can't reach, in place of a span: collectives and epochs
/// carry them through memory of the host, into which they copy what is read, and from which what is
/// written. With `comm.device_memory: direct` the MPI library gets their addresses instead where
/// data are only moved (broadcast, gather, scatter, allgather, alltoall), in equal blocks, and have
/// no gaps: all ranks' buffers of such a call must then lie on devices.
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

/// Copies the slice that begins at `device` to contiguous memory of the host, and back; what lies
/// between its blocks stays as it is.
void pack(const std::byte* device, const Strides& strides, std::size_t element_size,
          std::byte* host, const DeviceCopies& copies);
void unpack(const std::byte* host, const Strides& strides, std::size_t element_size,
            std::byte* device, const DeviceCopies& copies);

}  // namespace cartwright::comm
