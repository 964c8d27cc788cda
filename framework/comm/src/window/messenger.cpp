// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/window/messenger.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cstring>
#include <utility>

namespace cartwright::comm {

namespace {

/// So many batches can come before this rank looks; others wait inside MPI.
constexpr std::size_t posted_receives = 32;

bool reaches_all(const LeasedPaths& paths) {
  return std::ranges::all_of(paths.paths.members, [](int member) { return member >= 0; });
}

}  // namespace

MailboxShape Messenger::shape() {
  return {.lanes = 1, .entries = 64, .staging = 128 << 10, .slot = 4096, .fragment = 4096};
}

Messenger::Messenger(P2pChannel channel, int ranks, int me, std::optional<LeasedPaths> paths)
    : channel_(std::move(channel)),
      me_(me),
      paths_(std::move(paths)),
      open_(static_cast<std::size_t>(ranks)) {
  if (paths_) {
    queue_.emplace(*paths_->paths.mailboxes);
    arriving_.resize(static_cast<std::size_t>(paths_->paths.mailboxes->members()));
    for (auto& batch : arriving_) batch = std::make_unique<Batch>();
    if (reaches_all(*paths_)) return;
  }
  const rt::Tag tag{channel_.tag_of(0)};
  for (std::size_t i = 0; i < posted_receives; ++i) {
    incoming_.push_back(std::make_unique<Batch>());
    Batch& batch = *incoming_.back();
    batch.message = rt::persistent_receive(*channel_.communicator(), std::span(batch.bytes),
                                           rt::Rank{MPI_ANY_SOURCE}, tag);
    batch.message.start();
  }
}

Messenger::~Messenger() {
  if (rt::unwinding() || !rt::mpi_is_running()) {  // MPI may still write there
    for (auto* const batches : {&incoming_, &sent_})
      for (auto& batch : *batches) {
        if (!batch->message.is_valid()) continue;
        batch->message.abandon();
        (void)batch.release();
      }
    return;
  }
  const rt::WaitScope leaving({"the end of a window's messages"});
  for (const auto& batch : incoming_) {
    MPI_Cancel(batch->message.handle());
    MPI_Wait(batch->message.handle(), MPI_STATUS_IGNORE);
  }
  for (const auto& batch : sent_)
    if (batch->message.is_valid()) MPI_Wait(batch->message.handle(), MPI_STATUS_IGNORE);
}

bool Messenger::has_left(Batch& batch) {
  return batch.member >= 0 ? queue_->has_left(batch.member, batch.number) : batch.message.test();
}

void Messenger::recycle() {
  std::size_t kept = 0;
  for (auto& batch : sent_) {
    auto& place = has_left(*batch) ? free_.emplace_back() : sent_[kept++];
    if (&place != &batch) place = std::move(batch);
  }
  sent_.resize(kept);
}

bool Messenger::is_drained() {
  recycle();
  return sent_.empty();
}

std::unique_ptr<Messenger::Batch> Messenger::free_batch() {
  recycle();
  if (free_.empty()) return std::make_unique<Batch>();
  std::unique_ptr<Batch> batch = std::move(free_.back());
  free_.pop_back();
  return batch;
}

std::byte* Messenger::append(int to, std::size_t bytes) {
  std::unique_ptr<Batch>& open = open_[static_cast<std::size_t>(to)];
  if (open != nullptr && open->used + bytes > batch_bytes) send(to);
  if (open == nullptr) {
    open = free_batch();
    open->used = sizeof(Head);
    begun_.push_back(to);
  }
  std::byte* const room = open->bytes + open->used;
  open->used += bytes;
  return room;
}

void Messenger::send(int to) {
  std::unique_ptr<Batch>& open = open_[static_cast<std::size_t>(to)];
  if (open == nullptr) return;
  const Head head{static_cast<std::uint32_t>(me_), static_cast<std::uint32_t>(open->used)};
  std::memcpy(open->bytes, &head, sizeof head);
  open->member = paths_ ? paths_->paths.members[static_cast<std::size_t>(to)] : -1;
  if (open->member >= 0) {
    open->number = queue_->send(open->member, std::span(open->bytes).first(open->used));
    const bool has_left = queue_->has_left(open->member, open->number);  // most have
    (has_left ? free_ : sent_).push_back(std::move(open));
    return;
  }
  open->message = rt::isend(*channel_.communicator(), std::span(open->bytes).first(open->used),
                            rt::Rank{channel_.address(to)}, rt::Tag{channel_.tag_of(0)});
  sent_.push_back(std::move(open));
}

void Messenger::flush() {
  for (const int to : begun_) send(to);  // one that was full is in there twice
  begun_.clear();
}

void Messenger::poll_memory(const Take& take) {
  queue_->progress();
  while (const std::optional<Envelope> next = queue_->next()) {
    Batch& batch = *arriving_[static_cast<std::size_t>(next->from)];
    if (!queue_->take(*next, std::span(batch.bytes))) continue;
    Head head;
    std::memcpy(&head, batch.bytes, sizeof head);
    take(static_cast<int>(head.from),
         std::span<const std::byte>(batch.bytes).subspan(sizeof head, head.bytes - sizeof head));
  }
}

void Messenger::poll(const Take& take) {
  if (queue_) poll_memory(take);
  if (incoming_.empty()) return;
  // Messages match receives in the order in which these were posted: looking at the first one
  // keeps the order of each sender.
  while (incoming_[next_]->message.test()) {
    Batch& batch = *incoming_[next_];
    Head head;
    std::memcpy(&head, batch.bytes, sizeof head);
    take(static_cast<int>(head.from),
         std::span<const std::byte>(batch.bytes).subspan(sizeof head, head.bytes - sizeof head));
    batch.message.start();
    next_ = (next_ + 1) % incoming_.size();
  }
}

rt::Tag Messenger::tag_of(Large way, int lane) const {
  const std::uint64_t reply = way == Large::reply ? 1 : 0;
  return rt::Tag{channel_.tag_of(1 + 2 * static_cast<std::uint64_t>(lane) + reply)};
}

rt::Message Messenger::send_large(int to, std::span<const std::byte> data, Large way, int lane) {
  return rt::isend(*channel_.communicator(), data, rt::Rank{channel_.address(to)},
                   tag_of(way, lane));
}

rt::Message Messenger::receive_large(int from, std::span<std::byte> data, Large way, int lane) {
  return rt::ireceive(*channel_.communicator(), data, rt::Rank{channel_.address(from)},
                      tag_of(way, lane));
}

}  // namespace cartwright::comm
