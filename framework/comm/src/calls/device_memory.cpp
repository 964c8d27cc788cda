// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/calls/device_memory.hpp>
#include <vector>

namespace cartwright::comm {

namespace {

std::size_t bytes_of(plan::Count elements, std::size_t element_size) {
  return static_cast<std::size_t>(elements) * element_size;
}

}  // namespace

// A slice is copied with what lies between its blocks: one copy takes less than one for each.

void pack(const std::byte* device, const Strides& strides, std::size_t element_size,
          std::byte* host, const DeviceCopies& copies) {
  if (strides.elements() == 0) return;
  if (strides.is_contiguous())
    return copies.to_host(host, device, bytes_of(strides.elements(), element_size));
  std::vector<std::byte> extent(bytes_of(strides.extent(), element_size));
  copies.to_host(extent.data(), device, extent.size());
  pack(extent.data(), strides, element_size, host);
}

void unpack(const std::byte* host, const Strides& strides, std::size_t element_size,
            std::byte* device, const DeviceCopies& copies) {
  if (strides.elements() == 0) return;
  if (strides.is_contiguous())
    return copies.to_device(device, host, bytes_of(strides.elements(), element_size));
  std::vector<std::byte> extent(bytes_of(strides.extent(), element_size));
  copies.to_host(extent.data(), device, extent.size());
  unpack(host, strides, element_size, extent.data());
  copies.to_device(device, extent.data(), extent.size());
}

}  // namespace cartwright::comm
