// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/backends/packed_call.hpp>
#include <utility>

namespace cartwright::comm::detail {

rt::AlignedMemory PackedCall::allocate(const Call& call, const Scatter& scatter) {
  if (!scatter || call.memory == MemoryKind::device) return nullptr;
  const auto elements = std::max<plan::Count>(scatter.elements(), 1);
  return rt::aligned_memory(static_cast<std::size_t>(elements) * call.element.size);
}

PackedCall::PackedCall(const Arguments& arguments)
    : original_(arguments),
      call_(arguments.call),
      input_(allocate(arguments.call, arguments.input)),
      output_(allocate(arguments.call, arguments.output)) {
  if (input_) call_.input = input_.get();
  if (output_) call_.output = output_.get();
}

void PackedCall::pack() const {
  const auto& [call, input, output] = original_;
  if (call.memory == MemoryKind::device) {
    const DeviceCopies* const device = input ? input.device : output.device;
    if (device->settle != nullptr) device->settle();
    return;
  }
  if (input_) input.pack(call.input, call.element.size, input_.get());
  if (output_) output.pack(call.output, call.element.size, output_.get());
}

void PackedCall::unpack() const {
  const auto& [call, input, output] = original_;
  if (output_) output.unpack(output_.get(), call.element.size, call.output);
}

KeptCollective::KeptCollective(Backend& backend, const Arguments& arguments,
                               std::shared_ptr<const void> keep)
    : keep_(std::move(keep)),
      packed_(with_own_lists(arguments)),
      backend_(&backend),
      epoch_(backend.epoch()),
      inner_(backend.prepare(packed_.call())) {}

Arguments KeptCollective::with_own_lists(Arguments arguments) {
  Call& call = arguments.call;
  offsets_.assign(call.offsets.begin(), call.offsets.end());
  output_offsets_.assign(call.output_offsets.begin(), call.output_offsets.end());
  call.offsets = offsets_;
  call.output_offsets = output_offsets_;
  const auto own = [](const Pieces*& pieces, std::optional<Pieces>& kept) {
    if (pieces != nullptr) pieces = &kept.emplace(*pieces);
  };
  own(arguments.input.pieces, input_pieces_);
  own(arguments.output.pieces, output_pieces_);
  return arguments;
}

void KeptCollective::start() {
  if (const auto epoch = backend_->epoch(); epoch != epoch_) {
    inner_ = backend_->prepare(packed_.call());
    epoch_ = epoch;
  }
  packed_.pack();
  inner_->start();
}

bool KeptCollective::advance() {
  if (!inner_->advance()) return false;
  packed_.unpack();
  return true;
}

}  // namespace cartwright::comm::detail
