// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/calls/call.hpp>
#include <cartwright/rt/rank_text.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace cartwright::comm {

/// What a rank tells the others of a call: plain bytes, of one size. Two ranks take part in the
/// same collective if their records agree in all but the call site.
struct CallRecord {
  std::uint64_t sequence = 0;  ///< number among the communicator's collectives; 0: none yet
  std::int64_t count = 0;
  std::int64_t total = 0;     ///< of blocks of different length
  std::uint64_t offsets = 0;  ///< a hash of where they begin
  std::uint64_t element_size = 0;
  std::int32_t type = -1;       ///< a ScalarType; negative: bytes
  std::int32_t root = -1;       ///< negative: there is none
  std::int32_t reduction = -1;  ///< an Operator; negative: none, or a caller's
  std::int32_t line = 0;
  std::uint8_t operation = 0;
  std::uint8_t place = 0;
  std::uint8_t is_own_operator = 0;
  std::uint8_t commutes = 1;
  std::uint8_t waiting = 0;
  std::uint8_t memory = 0;      ///< a MemoryKind
  std::array<char, 42> file{};  ///< the end of its name

  [[nodiscard]] static CallRecord of(const Call& call, std::uint64_t sequence);
  /// A hash of what must be the same on all ranks.
  [[nodiscard]] std::uint64_t hash() const;
  /// Both records have blocks of different length, and the rest is the same.
  [[nodiscard]] bool agrees_but_for_blocks(const CallRecord& other) const;
  /// "allreduce (sum) of 5 doubles at solver.cpp:42".
  [[nodiscard]] std::string describe() const;
};

/// One line for each group of ranks that have called the same: "  ranks 0-2, 4: allreduce …".
/// Nothing: a rank of which nothing is known. `numbered`: with how many collectives it has begun.
[[nodiscard]] std::string table_of(std::span<const std::optional<CallRecord>> by_rank,
                                   bool numbered);

using rt::ranks_text;

}  // namespace cartwright::comm
