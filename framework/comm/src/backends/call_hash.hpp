// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cartwright::comm {

/// Of a sequence of words; every bit of each reaches every bit of the value.
class CallHash {
 public:
  void add(std::uint64_t word) {
    // The finaliser of MurmurHash3.
    state_ ^= word + 0x9E3779B97F4A7C15U + (state_ << 6U) + (state_ >> 2U);
    state_ = (state_ ^ (state_ >> 33U)) * 0xFF51AFD7ED558CCDU;
    state_ = (state_ ^ (state_ >> 33U)) * 0xC4CEB9FE1A85EC53U;
    state_ ^= state_ >> 33U;
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace cartwright::comm
