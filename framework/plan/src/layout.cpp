// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/layout.hpp>

namespace cartwright::plan {

namespace {

constexpr std::size_t alignment = 64;

std::size_t aligned_bytes(const Schedule& schedule, const Layout& layout, std::size_t element_size,
                          int number) {
  const auto buffer = static_cast<Buffer>(static_cast<int>(Buffer::scratch) + number);
  const auto bytes = static_cast<std::size_t>(length(schedule, layout, buffer)) * element_size;
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

std::size_t scratch_bytes(const Schedule& schedule, const Layout& layout,
                          std::size_t element_size) {
  std::size_t bytes = 0;
  for (int i = 0; i < schedule.scratch_buffers(); ++i)
    bytes += aligned_bytes(schedule, layout, element_size, i);
  return bytes;
}

std::vector<std::size_t> scratch_offsets(const Schedule& schedule, const Layout& layout,
                                         std::size_t element_size) {
  std::vector<std::size_t> offsets;
  offsets.reserve(static_cast<std::size_t>(schedule.scratch_buffers()));
  std::size_t bytes = 0;
  for (int i = 0; i < schedule.scratch_buffers(); ++i) {
    offsets.push_back(bytes);
    bytes += aligned_bytes(schedule, layout, element_size, i);
  }
  return offsets;
}

}  // namespace cartwright::plan
