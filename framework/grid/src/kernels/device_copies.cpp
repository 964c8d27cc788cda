// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/kernels/device_copies.hpp>
#include <cartwright/grid/kernels/execution.hpp>

namespace cartwright::grid {

namespace {

template <class Space, class Byte>
auto bytes_at(Byte* first, std::size_t count) {
  return Kokkos::View<Byte*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(first, count);
}

/// In a function, as compilers for devices make constants of a file for the device, too, where
/// what these call isn't there.
comm::DeviceCopies by_kokkos() {
  return {[](std::byte* host, const std::byte* device, std::size_t bytes) {
            Kokkos::deep_copy(bytes_at<Kokkos::HostSpace>(reinterpret_cast<char*>(host), bytes),
                              bytes_at<Memory>(reinterpret_cast<const char*>(device), bytes));
          },
          [](std::byte* device, const std::byte* host, std::size_t bytes) {
            Kokkos::deep_copy(
                bytes_at<Memory>(reinterpret_cast<char*>(device), bytes),
                bytes_at<Kokkos::HostSpace>(reinterpret_cast<const char*>(host), bytes));
          },
          [] { Execution().fence(); }};
}

}  // namespace

const comm::DeviceCopies device_copies = by_kokkos();

}  // namespace cartwright::grid
