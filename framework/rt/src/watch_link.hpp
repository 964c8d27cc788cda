// SPDX-License-Identifier: Apache-2.0
// What the watchers of different nodes tell each other, and how: small UDP messages, or files in a
// directory that all of them see. No MPI in here.
#pragma once

#include <netinet/in.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::rt {

/// Plain bytes, as they travel. The key is random and this run's own: others' messages are ignored.
struct WatchMessage {
  enum class Kind : std::uint32_t {
    report = 1,  ///< the sender's node lives; the text says what its ranks do
    end,         ///< to rank 0's node: the run has to end, for the reason in the text
    ended        ///< the run ends, and somebody has said why
  };
  std::array<std::uint64_t, 2> key{};
  Kind kind = Kind::report;
  std::int32_t from = 0;  ///< numbers of nodes
  std::int32_t to = 0;
  std::uint32_t has_left = 0;
  std::uint64_t number = 0;                ///< of the sender's messages
  std::uint64_t waiting_milliseconds = 0;  ///< of all ranks of the node
  std::array<char, 1280> text{};

  void set_text(std::string_view said) noexcept;
  [[nodiscard]] std::string said() const;
};

/// Where a node's watcher can be reached: plain bytes, exchanged once over MPI.
struct WatchAddress {
  std::array<char, 64> node{};           ///< its name
  std::array<std::uint32_t, 8> hosts{};  ///< IPv4, in the network's order; 0: none
  std::uint16_t port = 0;                ///< in the network's order; 0: it has no socket
};

/// Sending never blocks; what can't be sent is lost.
class WatchLink {
 public:
  WatchLink();
  WatchLink(const WatchLink&) = delete;
  WatchLink& operator=(const WatchLink&) = delete;
  ~WatchLink();

  [[nodiscard]] WatchAddress address() const;
  /// `me`: this node's number among `nodes`.
  void connect(std::vector<WatchAddress> nodes, int me, const std::array<std::uint64_t, 2>& key);
  /// To where that node was last heard from, or else to all its addresses.
  void send(int node, WatchMessage message);
  [[nodiscard]] std::optional<WatchMessage> receive();
  /// Returns when a message is there, `stop` can be read, or after that time.
  void wait(int stop, double seconds) const noexcept;
  /// Tries all addresses of a node again.
  void forget(int node) noexcept;

  /// For where UDP is forbidden: the same messages as files there. Empty: no longer.
  void use_directory(const std::string& directory);
  [[nodiscard]] bool uses_directory() const noexcept { return !prefix_.empty(); }
  /// This node's message, for all others to read.
  void leave(const WatchMessage& message) const noexcept;
  [[nodiscard]] std::optional<WatchMessage> look(int node) const noexcept;

 private:
  [[nodiscard]] bool is_ours(const WatchMessage& message, std::int64_t bytes) const noexcept;

  int socket_ = -1;
  std::uint16_t port_ = 0;
  int me_ = 0;
  std::array<std::uint64_t, 2> key_{};
  std::uint64_t sent_ = 0;
  std::vector<WatchAddress> nodes_;
  std::vector<std::optional<sockaddr_in>> heard_from_;
  std::string prefix_;
};

}  // namespace cartwright::rt
