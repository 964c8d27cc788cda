// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/transport/outgoing.hpp>

namespace cartwright::comm {

namespace {

// So often a receiver that has taken everything is passed over for want of
// staging memory. Then its data go through the ring alone: slow, but in
// nobody's way, so that ranks can't wait in a circle.
constexpr std::int32_t stalls_before_inside = 16;
constexpr std::size_t remembered_blocks = 32;

std::size_t whole_elements(std::size_t bytes, std::size_t element_size) {
  return element_size <= bytes ? bytes - bytes % element_size : bytes;
}

}  // namespace

Outgoing::Outgoing(const Mailboxes& mailboxes, const plan::Program& program,
                   std::size_t element_size, const MemberOf& member_of)
    : fragment_(whole_elements(std::min(mailboxes.shape().fragment, mailboxes.shape().staging),
                               element_size)),
      inside_(whole_elements(Entry::capacity, element_size)),
      direct_from_(mailboxes.shape().direct_from),
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
}

void Outgoing::send_in_pieces(int to, const std::byte* data) {
  const std::int32_t number = next_;
  Transfer& transfer = transfers_[static_cast<std::size_t>(number)];
  transfer.data = data;
  transfer.sent = 0;
  transfer.is_complete = transfer.is_direct = false;
  const bool is_one_piece = transfer.bytes <= fragment_ && transfer.bytes < direct_from_;
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
  if (!lane_->has_room(transfer.to)) return false;
  const std::size_t left = transfer.bytes - transfer.sent;
  if (left <= Entry::capacity) return push_inside(transfer);
  if (transfer.sent > 0 || transfer.bytes < direct_from_) return push_staged(transfer);
  lane_->post_direct(transfer.to, transfer.data, transfer.bytes);
  transfer.is_direct = true;
  transfer.number = lane_->posted(transfer.to);
  transfer.sent = transfer.bytes;
  return true;
}

bool Outgoing::push_inside(Transfer& transfer) {
  const std::size_t left = transfer.bytes - transfer.sent;
  const std::size_t bytes = left <= Entry::capacity ? left : inside_;
  lane_->post_inside(transfer.to, transfer.data + transfer.sent, bytes, bytes == left);
  transfer.sent += bytes;
  return true;
}

bool Outgoing::push_staged(Transfer& transfer) {
  Queue& queue = queues_[static_cast<std::size_t>(transfer.to)];
  const std::size_t bytes =
      std::min(transfer.bytes - transfer.sent, fragment_ - transfer.sent % fragment_);
  const Staging::Block block = staged(transfer, bytes);
  if (block == Staging::none) {
    if (queue.stalls < stalls_before_inside) {
      if (lane_->is_drained(transfer.to)) ++queue.stalls;
      return false;
    }
    return push_inside(transfer);
  }
  queue.stalls = 0;
  lane_->post_staged(transfer.to, block, bytes, transfer.sent + bytes == transfer.bytes);
  transfer.sent += bytes;
  return true;
}

Staging::Block Outgoing::staged(const Transfer& transfer, std::size_t bytes) {
  const bool is_shared =
      transfer.group != static_cast<std::int32_t>(&transfer - transfers_.data()) ||
      !transfer.is_last_of_group;
  const bool is_whole = transfer.sent % fragment_ == 0;  // not behind a piece of another length
  if (is_shared && is_whole)
    for (const SharedBlock& known : shared_)
      if (known.run == run_ && known.group == transfer.group && known.begin == transfer.sent &&
          lane_->is_live(known.block))
        return known.block;
  const Staging::Block block = lane_->stage(transfer.data + transfer.sent, bytes);
  if (is_shared && is_whole && block != Staging::none)
    shared_[shared_next_++ % remembered_blocks] = {run_, transfer.group, transfer.sent, block};
  return block;
}

bool Outgoing::become_complete(std::int32_t sends) {
  for (; complete_ < std::min(sends, next_); ++complete_) {
    Transfer& transfer = transfers_[static_cast<std::size_t>(complete_)];
    if (transfer.is_complete) continue;
    if (!transfer.is_direct || lane_->done_with(transfer.to) < transfer.number) return false;
  }
  return complete_ >= sends;
}

}  // namespace cartwright::comm
