// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/window/window_core.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace cartwright::comm {

StagedOperand& WindowCore::stage(Epoch& epoch, int target, const Strides& strides) const {
  const std::size_t bytes = static_cast<std::size_t>(strides.elements()) * element_size_;
  StagedOperand& staged = epoch.staged.emplace_back();
  staged.host = std::make_unique_for_overwrite<std::byte[]>(bytes);
  staged.target = target;
  staged.number = ++epoch.operands_staged;
  return staged;
}

const std::byte* WindowCore::stage_source(Epoch& epoch, int target, const std::byte* device,
                                          const Strides& strides, const DeviceCopies& copies) {
  const WindowSpace::Guard guard(*space_);
  const StagedOperand& staged = stage(epoch, target, strides);
  pack(device, strides, element_size_, staged.host.get(), copies);
  return staged.host.get();
}

std::byte* WindowCore::stage_result(Epoch& epoch, int target, std::byte* device,
                                    const Strides& strides, const DeviceCopies& copies) {
  const WindowSpace::Guard guard(*space_);
  StagedOperand& staged = stage(epoch, target, strides);
  staged.result = device;
  staged.strides = strides;
  staged.copies = &copies;
  return staged.host.get();
}

void WindowCore::deliver(const StagedOperand& staged) const {
  if (staged.result == nullptr) return;
  unpack(staged.host.get(), staged.strides, element_size_, staged.result, *staged.copies);
}

/// What a flush has completed: it belongs to the program now, and is forgotten here.
void WindowCore::deliver_staged(Epoch& epoch, int target, std::uint64_t last) {
  std::erase_if(epoch.staged, [&](const StagedOperand& staged) {
    if (staged.target != target || staged.number > last) return false;
    deliver(staged);
    return true;
  });
}

void WindowCore::deliver_staged(Epoch& epoch) {
  for (const StagedOperand& staged : epoch.staged) deliver(staged);
  epoch.staged.clear();
  epoch.operands_staged = 0;
}

}  // namespace cartwright::comm
