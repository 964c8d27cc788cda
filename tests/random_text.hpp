// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace cartwright::test {

/// Standard distributions differ between libraries; this doesn't.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t limit) { return engine_() % limit; }
  std::string_view one_of(std::span<const std::string_view> pieces) {
    return pieces[below(pieces.size())];
  }
  char byte(std::size_t least = 0) { return static_cast<char>(least + below(256 - least)); }

 private:
  std::mt19937 engine_;
};

}  // namespace cartwright::test
