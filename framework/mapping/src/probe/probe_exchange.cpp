// SPDX-License-Identifier: Apache-2.0
#include "probe_exchange.hpp"

#include <mpi.h>

#include <algorithm>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cstring>

namespace cartwright::mapping {
namespace {

constexpr rt::Tag data_tag{1};
constexpr rt::Tag answer_tag{2};  // another, or a receive of the answer would take data

bool is_pairwise(ProbeTest test) {
  return test != ProbeTest::multicast && test != ProbeTest::copy && test != ProbeTest::combine;
}

/// By the clock: a sleep would take longer than asked for. Returns what it really took.
double spin(double seconds) {
  const rt::Ticks begin = rt::now();
  double spun = 0.0;
  while (spun < seconds) spun = rt::seconds_between(begin, rt::now());
  return spun;
}

}  // namespace

ProbeExchange::ProbeExchange(const rt::Communicator& active, const ProbeSpec& spec)
    : active_(active), spec_(spec), me_(active.rank().value) {
  const auto bytes = static_cast<std::size_t>(spec.bytes);
  const auto messages = static_cast<std::size_t>(spec.messages);
  if (spec.test == ProbeTest::combine) {
    summands_.assign(bytes / sizeof(double), 1.0);
    sums_.assign(bytes / sizeof(double), 0.0);
    return;
  }
  const bool alternates = spec.test == ProbeTest::ping_pong || spec.test == ProbeTest::scan;
  sent_.assign(std::max<std::size_t>(bytes, 1), std::byte{1});
  received_.assign(std::max<std::size_t>(alternates ? bytes : bytes * messages, 1), std::byte{0});
  messages_.reserve(2 * messages + spec.members.size());
}

std::span<std::byte> ProbeExchange::incoming(int message) {
  const auto bytes = static_cast<std::size_t>(spec_.bytes);
  return std::span(received_).subspan(static_cast<std::size_t>(message) * bytes, bytes);
}

std::span<const std::byte> ProbeExchange::outgoing() const {
  return std::span(sent_).first(static_cast<std::size_t>(spec_.bytes));
}

void ProbeExchange::post_receives(rt::Rank from) {
  for (int i = 0; i < spec_.messages; ++i)
    messages_.push_back(rt::ireceive(active_, incoming(i), from, data_tag));
}

void ProbeExchange::send_all(rt::Rank to, double delay) {
  for (int i = 0; i < spec_.messages; ++i) {
    messages_.push_back(rt::isend(active_, outgoing(), to, data_tag));
    if (delay <= 0.0 || i + 1 == spec_.messages) continue;
    spun_ += spin(delay);
    ++spins_;
  }
}

void ProbeExchange::answer(rt::Rank to) {
  rt::isend(active_, std::span<const std::byte>(sent_).first(1), to, answer_tag).wait();
}

void ProbeExchange::await_answer(rt::Rank from) {
  rt::ireceive(active_, std::span(received_).first(1), from, answer_tag).wait();
}

void ProbeExchange::wait_for_messages() {
  for (auto& message : messages_) message.wait();
  messages_.clear();
}

void ProbeExchange::prepare() {
  if (spec_.test == ProbeTest::bidirectional) return post_receives(peer());
  if (spec_.test == ProbeTest::multicast && me_ > 0) return post_receives(rt::Rank{0});
  const bool in_a_row = spec_.test == ProbeTest::window || spec_.test == ProbeTest::parametrised;
  if (in_a_row && !sends()) post_receives(peer());
}

double ProbeExchange::run() {
  const rt::Ticks begin = rt::now();
  switch (spec_.test) {
    case ProbeTest::scan:
    case ProbeTest::ping_pong:
      ping_pong();
      break;
    case ProbeTest::window:
    case ProbeTest::parametrised:
      window();
      break;
    case ProbeTest::bidirectional:
      send_all(peer(), 0.0);
      wait_for_messages();
      break;
    case ProbeTest::multicast:
      multicast();
      break;
    case ProbeTest::copy:
      copy();
      break;
    case ProbeTest::combine:
      combine();
      break;
  }
  const double time = rt::seconds_between(begin, rt::now());
  if (spec_.test == ProbeTest::bidirectional) return time;
  const bool times = is_pairwise(spec_.test) ? sends() : me_ == 0;
  if (!times) return 0.0;
  const bool alternates = spec_.test == ProbeTest::ping_pong || spec_.test == ProbeTest::scan;
  return alternates ? time / spec_.messages : time;
}

void ProbeExchange::ping_pong() {
  for (int turn = 0; turn < spec_.messages; ++turn) {
    if (sends()) rt::isend(active_, outgoing(), peer(), data_tag).wait();
    rt::ireceive(active_, incoming(0), peer(), data_tag).wait();
    if (!sends()) rt::isend(active_, outgoing(), peer(), data_tag).wait();
  }
}

void ProbeExchange::window() {
  if (!sends()) {
    wait_for_messages();
    return answer(peer());
  }
  const rt::Ticks begin = rt::now();
  send_all(peer(), spec_.delay);
  call_time_ = rt::seconds_between(begin, rt::now());
  wait_for_messages();
  await_answer(peer());
}

void ProbeExchange::multicast() {
  if (me_ == 0) {
    for (int target = 1; target < active_.size(); ++target) {
      MPI_Request request = MPI_REQUEST_NULL;
      // Synchronous: complete only when the target has it.
      rt::mpi_check(MPI_Issend(sent_.data(), static_cast<int>(spec_.bytes), MPI_BYTE, target,
                               data_tag.value, active_.handle(), &request),
                    "MPI_Issend");
      messages_.emplace_back(request, false);
    }
  }
  wait_for_messages();
}

void ProbeExchange::copy() {
  std::memcpy(received_.data(), sent_.data(), static_cast<std::size_t>(spec_.bytes));
  sent_.front() = received_.back();  // the copy can't be left out
}

void ProbeExchange::combine() {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += summands_[i];
  summands_.front() = sums_.back() > 1e300 ? 0.0 : 1.0;
}

}  // namespace cartwright::mapping
