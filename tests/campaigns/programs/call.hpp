// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace cartwright::campaign {

/// Elements that are combined exactly in any order, and one kind that isn't commutative.
enum class Kind { int64, int32, real, chain };
enum class Form { blocking, started, persistent };

/// x -> factor x + shift, modulo 2^32: an associative operation that doesn't commute.
struct Chain {
  std::uint32_t factor = 1, shift = 0;
  bool operator==(const Chain&) const = default;
};

struct Compose {
  Chain operator()(const Chain& first, const Chain& second) const {
    return {second.factor * first.factor, second.factor * first.shift + second.shift};
  }
};

/// A collective of a random program, the same on all ranks.
struct Call {
  static constexpr int operations = 11;
  int operation = 0;     ///< as in plan::Operation
  int communicator = 0;  ///< 0: all ranks; else the line along that axis, from 1
  Kind kind = Kind::int64;
  Form form = Form::blocking;
  bool in_place = false;
  bool uneven = false;
  int combination = 0;  ///< sum, minimum, maximum
  int count = 0;        ///< of a block
  int root = 0;         ///< modulo the number of ranks
  int starts = 1;       ///< of persistent forms
  std::uint64_t seed = 0;

  [[nodiscard]] std::string text() const;
};

[[nodiscard]] Call draw_call(std::mt19937_64& dice, int axes);

/// From 0 to `limit` - 1, alike with every standard library.
[[nodiscard]] inline int draw(std::mt19937_64& dice, int limit) {
  return static_cast<int>(dice() % static_cast<std::uint64_t>(limit));
}

/// A number that depends on all of them, for data that every rank can compute of every other.
[[nodiscard]] std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c);

}  // namespace cartwright::campaign
