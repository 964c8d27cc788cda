// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cartwright/comm/execution/p2p_messages.hpp>
#include <cassert>

namespace cartwright::comm {

namespace {

P2pLanding landing_for(const P2pPlan& plan, std::size_t bytes) {
  if (plan.combinations == 0) return {};
  const std::size_t fit = bytes / std::max<std::size_t>(plan.largest_operand, 64);
  const std::size_t places = std::clamp<std::size_t>(fit, 2, 8);
  return {std::min(places, plan.combinations), plan.largest_operand};
}

}  // namespace

P2pMessages::P2pMessages(P2pChannel& channel, const plan::Program& program,
                         std::size_t element_size, const Serves& serves, const Options& options)
    : channel_(&channel),
      steps_(program.steps()),
      element_size_(element_size),
      largest_count_(options.largest_count) {
  P2pPlan plan = p2p_plan(program, element_size, serves);
  landing_ = landing_for(plan, options.landing_bytes);
  receives_ = std::move(plan.receives);
  own_sends_ = std::move(plan.own_sends);
  const std::size_t open = std::bit_floor(std::max<std::size_t>(options.open_receives, 1));
  open_.assign(std::min(open, std::bit_ceil(receives_.size())), MPI_REQUEST_NULL);
  open_mask_ = open_.empty() ? 0 : open_.size() - 1;
  sends_.assign(plan.sends, MPI_REQUEST_NULL);
}

P2pMessages::~P2pMessages() {
  if (!stay_ || !rt::mpi_is_running()) return;
  bool may_still_land = false;
  for (; received_ < posted_; ++received_) {
    MPI_Request& request = open_[received_ & open_mask_];
    if (request == MPI_REQUEST_NULL) continue;  // it could not be posted
    int is_complete = 0;
    MPI_Cancel(&request);
    MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
    may_still_land = may_still_land || is_complete == 0;
  }
  if (may_still_land) landing_.abandon();
  for (; complete_ < sent_; ++complete_)
    if (sends_[complete_] != MPI_REQUEST_NULL) MPI_Request_free(&sends_[complete_]);
}

bool P2pMessages::begin(std::uint64_t sequence, const plan::Buffers& buffers) {
  assert(!stay_ && "a collective was started again before it was complete");
  stay_ = channel_->enter(sequence);
  if (!stay_) return false;
  tag_ = channel_->tag_of(sequence);
  buffers_ = buffers;
  posted_ = received_ = combined_ = sent_ = complete_ = 0;
  return true;
}

void P2pMessages::send(const plan::BoundStep& step) {
  const std::byte* const data = step.source.in(buffers_);
  const std::size_t bytes = bytes_of(step);
  MPI_Request* const request = &sends_[sent_++];
  const auto start = [&](int count, MPI_Datatype type) {
    rt::mpi_check(MPI_Isend(data, count, type, channel_->address(step.peer), tag_,
                            channel_->handle(), request),
                  "MPI_Isend");
  };
  if (bytes <= largest_count_) return start(static_cast<int>(bytes), MPI_BYTE);
  const rt::ByteType large(bytes, largest_count_);
  start(large.count(), large.type());
}

void P2pMessages::post_next() {
  const P2pReceive& receive = receives_[posted_];
  const plan::BoundStep& step = steps_[receive.step];
  std::byte* const target =
      receive.has_landing() ? landing_.at(receive.combination) : step.target.out(buffers_);
  const std::size_t bytes = bytes_of(step);
  MPI_Request* const request = &open_[posted_++ & open_mask_];
  const auto start = [&](int count, MPI_Datatype type) {
    rt::mpi_check(MPI_Irecv(target, count, type, channel_->address(step.peer), tag_,
                            channel_->handle(), request),
                  "MPI_Irecv");
  };
  if (bytes <= largest_count_) return start(static_cast<int>(bytes), MPI_BYTE);
  const rt::ByteType large(bytes, largest_count_);
  start(large.count(), large.type());
}

void P2pMessages::post_ahead(std::size_t index) {
  while (posted_ < receives_.size() && posted_ - received_ < open_.size()) {
    const P2pReceive& receive = receives_[posted_];
    if (receive.from_step > index) return;
    if (!receive.has_landing()) {
      if (sent_ < receive.after_sends || !sends_reach(receive.after_sends)) return;
    } else if (receive.combination >= combined_ + landing_.places()) {
      return;
    }
    post_next();
  }
}

}  // namespace cartwright::comm
