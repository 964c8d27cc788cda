// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/calls/call.hpp>

namespace cartwright::comm {

rt::WaitSite wait_site_of(const Call& call) noexcept {
  // Of literals, which end with a zero.
  return {plan::name_of(call.operation).data(), call.site.file, call.site.line};
}

plan::Layout layout_of(const Call& call, int blocks, int ranks) {
  if (!call.has_uneven_blocks()) return plan::layout_of(problem_of(call, ranks), blocks);
  const plan::Cuts input = plan::Cuts::at(call.offsets);
  if (call.operation != plan::Operation::alltoall) return input;
  return {input, plan::Cuts::at(call.output_offsets), input};
}

plan::Problem problem_of(const Call& call, int ranks) {
  plan::Count elements = call.count;
  if (call.has_uneven_blocks()) {  // of alltoall, no rank knows what the others send
    const bool nobody_knows =
        call.operation == plan::Operation::alltoall || call.only_root_knows_blocks;
    elements = nobody_knows ? 1 : (call.offsets.back() + ranks - 1) / ranks;
  }
  return {.operation = call.operation,
          .ranks = ranks,
          .root = {call.root.value},
          .elements = elements,
          .element_size = static_cast<plan::Count>(call.element.size),
          .commutative = call.reduction.commutes,
          .even_blocks = !call.has_uneven_blocks()};
}

}  // namespace cartwright::comm
