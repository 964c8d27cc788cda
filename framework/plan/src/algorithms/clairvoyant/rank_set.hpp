// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

// Sets of ranks and of segments, as bits.
namespace cartwright::plan::clairvoyant {

using Word = std::uint64_t;
inline constexpr int word_bits = 64;

inline std::size_t words_for(int bits) {
  return static_cast<std::size_t>((bits + word_bits - 1) / word_bits);
}
inline std::size_t word_of(int bit) {
  return static_cast<std::size_t>(bit) / word_bits;
}
inline Word mask_of(int bit) {
  return Word{1} << (static_cast<unsigned>(bit) % word_bits);
}
/// The same in the word where it stands, 0 in others.
inline Word mask_in(std::size_t word, int bit) {
  return word == word_of(bit) ? mask_of(bit) : 0;
}
/// Of the first so many bits, what stands in a word.
inline Word first_bits(int bits, std::size_t word) {
  const int left = bits - static_cast<int>(word) * word_bits;
  if (left <= 0) return 0;
  return left >= word_bits ? ~Word{0} : mask_of(left) - 1;
}

/// A number that the compiler knows, where it isn't 0: most plans are of few ranks and segments,
/// and words that are known to be few stay in registers.
template <std::size_t known>
class Words {
 public:
  explicit Words(std::size_t words) : words_(words) {}
  [[nodiscard]] std::size_t count() const {
    if constexpr (known != 0) return known;
    return words_;
  }

 private:
  std::size_t words_;
};

/// A set of ranks.
template <std::size_t known_words>
class RankSet {
 public:
  explicit RankSet(std::size_t /*words*/) {}
  [[nodiscard]] Word operator[](std::size_t word) const { return words_[word]; }
  [[nodiscard]] bool has(int rank) const { return (words_[word_of(rank)] & mask_of(rank)) != 0; }
  void add(int rank) {
    for (std::size_t word = 0; word < known_words; ++word) words_[word] |= mask_in(word, rank);
  }
  void remove(int rank) {
    for (std::size_t word = 0; word < known_words; ++word) words_[word] &= ~mask_in(word, rank);
  }
  void remove(const std::array<Word, known_words>& ranks) {
    for (std::size_t word = 0; word < known_words; ++word) words_[word] &= ~ranks[word];
  }
  /// The first so many ranks, and no others.
  void set_first(int ranks) {
    for (std::size_t word = 0; word < known_words; ++word) words_[word] = first_bits(ranks, word);
  }

 private:
  std::array<Word, known_words> words_{};
};
template <>
class RankSet<0> {
 public:
  explicit RankSet(std::size_t words) : words_(words) {}
  [[nodiscard]] Word operator[](std::size_t word) const { return words_[word]; }
  [[nodiscard]] bool has(int rank) const { return (words_[word_of(rank)] & mask_of(rank)) != 0; }
  void add(int rank) { words_[word_of(rank)] |= mask_of(rank); }
  void remove(int rank) { words_[word_of(rank)] &= ~mask_of(rank); }
  void set_first(int ranks) {
    for (std::size_t word = 0; word < words_.size(); ++word) words_[word] = first_bits(ranks, word);
  }

 private:
  std::vector<Word> words_;
};

}  // namespace cartwright::plan::clairvoyant
