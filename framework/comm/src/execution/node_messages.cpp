// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/execution/node_messages.hpp>

namespace cartwright::comm {

NodeMessages::NodeMessages(Mailboxes& mailboxes, std::span<const std::int32_t> members,
                           const plan::Program& program, std::size_t element_size)
    : mailboxes_(&mailboxes),
      members_(members),
      element_size_(element_size),
      outgoing_(mailboxes, program, element_size, [&](int rank) { return member(rank); }),
      incoming_(element_size) {
  for (const plan::BoundStep& step : program.steps()) {
    const bool receives =
        step.kind == plan::StepKind::receive || step.kind == plan::StepKind::receive_combine;
    if (receives && member(step.peer) >= 0) ++receives_;
  }
}

}  // namespace cartwright::comm
