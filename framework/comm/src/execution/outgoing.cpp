// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/execution/outgoing.hpp>
#include <ranges>

namespace cartwright::comm {

namespace {

// So often a receiver that has taken everything is passed over for want of staging memory.
constexpr std::int32_t stalls_before_slot = 16;
constexpr std::size_t remembered_blocks = 32;

std::size_t whole_elements(std::size_t bytes, std::size_t element_size) {
  return element_size <= bytes ? bytes - bytes % element_size : bytes;
}

}  // namespace

Outgoing::Outgoing(const Mailboxes& mailboxes, const plan::Program& program,
                   std::size_t element_size, const MemberOf& member_of)
    : fragment_(whole_elements(std::min(mailboxes.shape().fragment, mailboxes.shape().staging),
                               element_size)),
      slot_(whole_elements(std::min(mailboxes.shape().slot, fragment_), element_size)),
      queues_(static_cast<std::size_t>(mailboxes.members())),
      shared_(remembered_blocks) {
  transfers_.reserve(static_cast<std::size_t>(program.sends()));
  busy_.reserve(queues_.size());
  const plan::BoundStep* before = nullptr;
  for (const plan::BoundStep& step : program.steps()) {
    if (step.kind != plan::StepKind::send) {
      before = nullptr;
      continue;
    }
    const auto number = static_cast<std::int32_t>(transfers_.size());
    Transfer& transfer = transfers_.emplace_back();
    transfer.to = member_of(step.peer);
    transfer.bytes = static_cast<std::size_t>(step.count) * element_size;
    transfer.group = number;
    const bool is_same_data = before != nullptr && before->count == step.count &&
                              before->source.memory == step.source.memory &&
                              before->source.bytes == step.source.bytes;
    if (is_same_data && transfer.to >= 0 && transfers_[transfers_.size() - 2].to >= 0) {
      transfer.group = transfers_[transfers_.size() - 2].group;
      transfers_[transfers_.size() - 2].is_last_of_group = false;
    }
    before = &step;
  }
  look_ahead(program, mailboxes.shape());
}

// Several receivers may read one staged copy, if they take it about the same time. Where a receive
// follows, ranks exchange, and some take it late: then it must not fill the staging memory.
void Outgoing::look_ahead(const plan::Program& program, const MailboxShape& shape) {
  auto number = static_cast<std::int32_t>(transfers_.size());
  std::int32_t receivers = 1;
  bool ranks_exchange = false;
  const auto steps = program.steps();
  const bool reduces = std::ranges::any_of(steps, [](const plan::BoundStep& step) {
    return step.kind == plan::StepKind::combine || step.kind == plan::StepKind::receive_combine;
  });
  for (const plan::BoundStep& step : std::views::reverse(steps)) {
    ranks_exchange = ranks_exchange || step.kind == plan::StepKind::receive ||
                     step.kind == plan::StepKind::receive_combine;
    if (step.kind != plan::StepKind::send) continue;
    Transfer& transfer = transfers_[static_cast<std::size_t>(--number)];
    if (transfer.is_last_of_group) receivers = number - transfer.group + 1;
    transfer.is_shared = receivers > 1;
    const bool is_read_together = receivers >= shape.copies.readers_of_staged &&
                                  (!ranks_exchange || transfer.bytes <= shape.staging);
    const bool is_moved = !reduces && !transfer.is_shared;
    const std::size_t direct_from =
        is_moved ? shape.copies.moved_direct_from : shape.copies.direct_from;
    transfer.is_direct = !is_read_together && transfer.bytes >= direct_from;
  }
}

void Outgoing::send_in_pieces(int to, const std::byte* data) {
  const std::int32_t number = next_;
  Transfer& transfer = transfers_[static_cast<std::size_t>(number)];
  transfer.data = data;
  transfer.sent = 0;
  transfer.is_complete = false;
  const bool is_one_piece = transfer.bytes <= fragment_ && !transfer.is_direct;
  if (is_one_piece && !waits_for(to) && push(transfer) && transfer.sent == transfer.bytes) {
    pass();
    return;
  }
  ++next_;
  wait_in_queue(number);
  // All receivers of the same data are served together, so that each piece is
  // staged once.
  if (transfer.is_last_of_group) push_all();
}

void Outgoing::wait_in_queue(std::int32_t number) {
  Transfer& transfer = transfers_[static_cast<std::size_t>(number)];
  transfer.next = none;
  Queue& queue = queues_[static_cast<std::size_t>(transfer.to)];
  if (queue.first == none) {
    queue = {number, number, 0};
    busy_.push_back(transfer.to);
  } else {
    transfers_[static_cast<std::size_t>(queue.last)].next = number;
    queue.last = number;
  }
}

void Outgoing::push_all() {
  for (bool is_moving = true; is_moving;) {
    is_moving = false;
    for (std::size_t i = 0; i < busy_.size();) {
      Queue& queue = queues_[static_cast<std::size_t>(busy_[i])];
      Transfer& transfer = transfers_[static_cast<std::size_t>(queue.first)];
      if (push(transfer)) {
        is_moving = true;
        ++moves_;
        const bool is_done = transfer.sent == transfer.bytes;
        if (is_done) {
          transfer.is_complete = !transfer.is_direct;
          queue.first = transfer.next;
        }
      }
      if (queue.first != none) {
        ++i;
      } else {
        busy_[i] = busy_.back();
        busy_.pop_back();
      }
    }
  }
}

bool Outgoing::push(Transfer& transfer) {
  Path& path = lane_->path(transfer.to);
  if (!path.has_room()) return false;
  const std::size_t left = transfer.bytes - transfer.sent;
  if (left <= Entry::capacity) {
    path.post_inside(transfer.data + transfer.sent, left, true);
    transfer.sent += left;
    return true;
  }
  if (!transfer.is_direct) return push_staged(transfer);
  path.post_direct(transfer.data, transfer.bytes);
  transfer.number = path.posted();
  transfer.sent = transfer.bytes;
  return true;
}

bool Outgoing::push_staged(Transfer& transfer) {
  const std::size_t bytes =
      std::min(transfer.bytes - transfer.sent, fragment_ - transfer.sent % fragment_);
  const Staging::Block block = staged(transfer, bytes);
  Queue& queue = queues_[static_cast<std::size_t>(transfer.to)];
  if (block == Staging::none) {
    if (!lane_->path(transfer.to).is_drained()) return false;
    return ++queue.stalls > stalls_before_slot && push_in_slot(transfer);
  }
  queue.stalls = 0;
  lane_->path(transfer.to).post_staged(block, bytes, transfer.sent + bytes == transfer.bytes);
  transfer.sent += bytes;
  return true;
}

// Slower than larger pieces, but in nobody's way: ranks can't wait in a circle.
bool Outgoing::push_in_slot(Transfer& transfer) {
  const std::size_t left = transfer.bytes - transfer.sent;
  const std::size_t bytes = std::min(left, slot_);
  lane_->path(transfer.to).post_in_slot(transfer.data + transfer.sent, bytes, bytes == left);
  transfer.sent += bytes;
  return true;
}

Staging::Block Outgoing::staged(const Transfer& transfer, std::size_t bytes) {
  const bool is_for_others =  // not behind a piece of another length
      transfer.is_shared && transfer.sent % fragment_ == 0;
  if (is_for_others)
    for (const SharedBlock& known : shared_)
      if (known.run == run_ && known.group == transfer.group && known.begin == transfer.sent &&
          lane_->is_live(known.block))
        return known.block;
  const Staging::Block block = lane_->stage(transfer.data + transfer.sent, bytes);
  if (is_for_others && block != Staging::none)
    shared_[shared_next_++ % remembered_blocks] = {run_, transfer.group, transfer.sent, block};
  return block;
}

bool Outgoing::become_complete(std::int32_t sends) {
  for (; complete_ < std::min(sends, next_); ++complete_) {
    Transfer& transfer = transfers_[static_cast<std::size_t>(complete_)];
    if (transfer.is_complete) continue;
    const bool is_posted = transfer.is_direct && transfer.sent == transfer.bytes;
    if (!is_posted || lane_->path(transfer.to).done_with() < transfer.number) return false;
  }
  return complete_ >= sends;
}

}  // namespace cartwright::comm
