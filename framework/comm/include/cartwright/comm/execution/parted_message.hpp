// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cstddef>
#include <span>

namespace cartwright::plan {
struct Network;
}

namespace cartwright::comm {

/// A persistent message in one part or in two, which both its ranks know. MPI asks the receiver of
/// a long message before it sends anything; the halves of one that isn't much longer leave at once.
class PartedMessage {
 public:
  static constexpr int most_parts = 2;

  PartedMessage() = default;
  [[nodiscard]] static PartedMessage sent(const rt::Communicator& ranks,
                                          std::span<const std::byte> data, rt::Rank to, rt::Tag tag,
                                          int parts);
  [[nodiscard]] static PartedMessage received(const rt::Communicator& ranks,
                                              std::span<std::byte> data, rt::Rank from, rt::Tag tag,
                                              int parts);

  [[nodiscard]] bool is_valid() const noexcept { return parts_[0].is_valid(); }
  void start();
  /// True when complete, or never started.
  bool test();
  void wait(const rt::WaitSite& site);

 private:
  std::array<rt::Message, most_parts> parts_;
};

/// In how many parts so many bytes come soonest.
[[nodiscard]] int parts_on(const plan::Network& network, std::size_t bytes);

}  // namespace cartwright::comm
