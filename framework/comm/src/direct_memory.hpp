// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/node_memory.hpp>
#include <cartwright/comm/transport/direct_way.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace cartwright::comm {

class CartComm;

/// The words of one exchange that ranks of a node share: where each one's memory lies, and who
/// copies. A place isn't written again before the exchange after next: nobody can be further ahead,
/// as an exchange ends only when both have begun it.
class DirectMemory {
 public:
  /// Collective over the ranks of each node; null where a node has no room. `described`: bytes.
  [[nodiscard]] static std::unique_ptr<DirectMemory> make(const CartComm& cart,
                                                          std::size_t described);

  /// Whether a rank shares them.
  [[nodiscard]] bool reaches(int rank) const;
  [[nodiscard]] DirectPlace& place(int rank, std::uint64_t exchange) const;
  [[nodiscard]] std::span<std::byte> description(int rank, std::uint64_t exchange) const;
  /// From the memory of `from` to that of `to`.
  [[nodiscard]] DirectWay<>& way(int from, int to) const;

 private:
  DirectMemory(const CartComm& cart, LeasedMemory leased, std::size_t described);
  [[nodiscard]] std::byte* part(int rank) const;
  [[nodiscard]] std::size_t place_bytes() const {
    return sizeof(DirectPlace) + in_lines(described_);
  }

  const CartComm* cart_;
  LeasedMemory leased_;
  std::size_t described_;
};

}  // namespace cartwright::comm
