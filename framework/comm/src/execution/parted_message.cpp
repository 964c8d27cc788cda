// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/execution/parted_message.hpp>
#include <cartwright/plan/models/network.hpp>

namespace cartwright::comm {

namespace {

/// A message of each part. Both ranks must cut alike.
template <class Byte, class Make>
std::array<rt::Message, PartedMessage::most_parts> in_parts(std::span<Byte> data, int parts,
                                                            const Make& make) {
  std::array<rt::Message, PartedMessage::most_parts> messages;
  const std::size_t first = data.size() / static_cast<std::size_t>(parts);
  messages[0] = make(data.first(first));
  if (parts > 1) messages[1] = make(data.subspan(first));
  return messages;
}

}  // namespace

PartedMessage PartedMessage::sent(const rt::Communicator& ranks, std::span<const std::byte> data,
                                  rt::Rank to, rt::Tag tag, int parts) {
  PartedMessage message;
  message.parts_ = in_parts(data, parts, [&](std::span<const std::byte> part) {
    return rt::persistent_send(ranks, part, to, tag);
  });
  return message;
}

PartedMessage PartedMessage::received(const rt::Communicator& ranks, std::span<std::byte> data,
                                      rt::Rank from, rt::Tag tag, int parts) {
  PartedMessage message;
  message.parts_ = in_parts(data, parts, [&](std::span<std::byte> part) {
    return rt::persistent_receive(ranks, part, from, tag);
  });
  return message;
}

void PartedMessage::start() {
  for (rt::Message& part : parts_)
    if (part.is_valid()) part.start();
}

bool PartedMessage::test() {
  return parts_[0].test() && (!parts_[1].is_valid() || parts_[1].test());
}

void PartedMessage::wait(const rt::WaitSite& site) {
  for (rt::Message& part : parts_)
    if (part.is_valid()) part.wait(site);
}

namespace {

/// When the last of so many equal parts has come, in seconds: they leave one behind the other.
double arrival(const plan::Network& network, std::size_t bytes, int parts) {
  const plan::Count part = (static_cast<plan::Count>(bytes) + parts - 1) / parts;
  const double on_way = static_cast<double>(part) * network.byte_time.at(part);
  const double held = network.gap.at(part) + (network.bytes_hold_port ? on_way : 0);
  const double next = std::max(network.send_overhead.at(part), held);
  return network.send_overhead.at(part) + (parts - 1) * next + network.latency.at(part) + on_way;
}

}  // namespace

int parts_on(const plan::Network& network, std::size_t bytes) {
  // Measured times aren't so exact that less would be worth a second message.
  constexpr double clearly = 0.9;
  return arrival(network, bytes, 2) < clearly * arrival(network, bytes, 1) ? 2 : 1;
}

}  // namespace cartwright::comm
