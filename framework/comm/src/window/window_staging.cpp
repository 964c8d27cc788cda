// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/window/window_core.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace cartwright::comm {

StagedOperand& WindowCore::stage(Epoch& epoch, int target, plan::Count elements) const {
  StagedOperand& staged = epoch.staged.emplace_back();
  staged.host = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(elements) *
                                                            element_size_);
  staged.target = target;
  staged.number = ++epoch.operands_staged;
  return staged;
}

RemoteOperation WindowCore::staged(Epoch& epoch, int target, RemoteOperation operation) const {
  const plan::Count elements = operation.elements();
  if (const DeviceCopies* const copies = std::exchange(operation.source_device, nullptr)) {
    std::byte* const host = stage(epoch, target, elements).host.get();
    pack(operation.source, operation.from, element_size_, host, *copies);
    operation.source = host;
    operation.from = contiguous(elements);
  }
  if (const DeviceCopies* const copies = std::exchange(operation.result_device, nullptr)) {
    StagedOperand& result = stage(epoch, target, elements);
    result.result = std::exchange(operation.result, result.host.get());
    result.strides = std::exchange(operation.into, contiguous(elements));
    result.copies = copies;
  }
  return operation;
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
