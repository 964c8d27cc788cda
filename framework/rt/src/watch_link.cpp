// SPDX-License-Identifier: Apache-2.0
#include "watch_link.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace cartwright::rt {
namespace {

constexpr auto message_bytes = static_cast<std::int64_t>(sizeof(WatchMessage));

/// All that are up, those of the machine itself last: they serve ranks that share no memory.
std::vector<std::uint32_t> hosts_of_this_node() {
  std::vector<std::uint32_t> hosts;
  std::vector<std::uint32_t> own;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return hosts;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET) continue;
    if ((entry->ifa_flags & IFF_UP) == 0U) continue;
    sockaddr_in address{};
    std::memcpy(&address, entry->ifa_addr, sizeof address);
    const bool is_loop = (entry->ifa_flags & IFF_LOOPBACK) != 0U;
    (is_loop ? own : hosts).push_back(address.sin_addr.s_addr);
  }
  ::freeifaddrs(list);
  hosts.resize(std::min(hosts.size(), WatchAddress{}.hosts.size() - 1));
  if (!own.empty()) hosts.push_back(own.front());
  return hosts;
}

sockaddr_in socket_address(std::uint32_t host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = host;
  address.sin_port = port;
  return address;
}

}  // namespace

void WatchMessage::set_text(std::string_view said) noexcept {
  text = {};
  std::memcpy(text.data(), said.data(), std::min(said.size(), text.size() - 1));
}

std::string WatchMessage::said() const {
  const auto* const end = std::find(text.begin(), text.end(), '\0');
  return {text.begin(), end};
}

WatchLink::WatchLink() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  sockaddr_in any = socket_address(htonl(INADDR_ANY), 0);
  socklen_t size = sizeof any;
  if (socket_ < 0 || ::bind(socket_, reinterpret_cast<const sockaddr*>(&any), size) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&any), &size) != 0)
    return;
  port_ = any.sin_port;
}

WatchLink::~WatchLink() {
  if (socket_ >= 0) ::close(socket_);
  if (uses_directory()) std::remove(fmt::format("{}{}", prefix_, me_).c_str());
}

WatchAddress WatchLink::address() const {
  WatchAddress address;
  ::gethostname(address.node.data(), address.node.size() - 1);
  if (port_ == 0) return address;
  const auto hosts = hosts_of_this_node();
  std::copy(hosts.begin(), hosts.end(), address.hosts.begin());
  address.port = port_;
  return address;
}

void WatchLink::connect(std::vector<WatchAddress> nodes, int me,
                        const std::array<std::uint64_t, 2>& key) {
  nodes_ = std::move(nodes);
  heard_from_.assign(nodes_.size(), std::nullopt);
  me_ = me;
  key_ = key;
}

void WatchLink::send(int node, WatchMessage message) {
  if (port_ == 0) return;
  message.key = key_;
  message.from = me_;
  message.to = node;
  message.number = ++sent_;
  const auto send_to = [&](const sockaddr_in& address) {
    (void)::sendto(socket_, &message, sizeof message, MSG_NOSIGNAL,
                   reinterpret_cast<const sockaddr*>(&address), sizeof address);
  };
  const auto at = static_cast<std::size_t>(node);
  if (heard_from_[at]) return send_to(*heard_from_[at]);
  if (nodes_[at].port == 0) return;
  for (const std::uint32_t host : nodes_[at].hosts)
    if (host != 0) send_to(socket_address(host, nodes_[at].port));
}

bool WatchLink::is_ours(const WatchMessage& message, std::int64_t bytes) const noexcept {
  return bytes == message_bytes && message.key == key_ && message.from >= 0 &&
         message.from < static_cast<std::int32_t>(nodes_.size()) &&
         message.kind >= WatchMessage::Kind::report && message.kind <= WatchMessage::Kind::ended;
}

std::optional<WatchMessage> WatchLink::receive() {
  WatchMessage message;
  sockaddr_in from{};
  for (;;) {
    socklen_t size = sizeof from;
    const auto bytes = ::recvfrom(socket_, &message, sizeof message, MSG_DONTWAIT,
                                  reinterpret_cast<sockaddr*>(&from), &size);
    if (bytes < 0) return std::nullopt;
    if (!is_ours(message, bytes) || message.to != me_) continue;
    heard_from_[static_cast<std::size_t>(message.from)] = from;
    return message;
  }
}

void WatchLink::forget(int node) noexcept {
  heard_from_[static_cast<std::size_t>(node)].reset();
}

void WatchLink::wait(int stop, double seconds) const noexcept {
  std::array<pollfd, 2> look{{{stop, POLLIN, 0}, {socket_, POLLIN, 0}}};
  const nfds_t count = port_ == 0 ? 1 : 2;
  (void)::poll(look.data(), count, static_cast<int>(std::ceil(seconds * 1e3)));
}

void WatchLink::use_directory(const std::string& directory) {
  prefix_ = fmt::format("{}/.watch-{:016x}-", directory, key_[0]);
}

void WatchLink::leave(const WatchMessage& message) const noexcept {
  WatchMessage copy = message;
  copy.key = key_;
  copy.from = me_;
  try {
    const std::string name = fmt::format("{}{}", prefix_, me_);
    const std::string part = name + ".part";
    const int file =
        ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return;
    const bool whole = ::write(file, &copy, sizeof copy) == message_bytes;
    ::close(file);
    if (whole) (void)std::rename(part.c_str(), name.c_str());
  } catch (...) {
    return;  // no memory for a name: the next one may come through
  }
}

std::optional<WatchMessage> WatchLink::look(int node) const noexcept {
  try {
    const std::string name = fmt::format("{}{}", prefix_, node);
    const int file = ::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    WatchMessage message;
    const auto bytes = ::read(file, &message, sizeof message);
    ::close(file);
    if (!is_ours(message, bytes) || message.from != node) return std::nullopt;
    return message;
  } catch (...) {
    return std::nullopt;
  }
}

}  // namespace cartwright::rt
