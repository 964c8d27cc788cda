// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cartwright/comm/elements/both_sides.hpp>
#include <cartwright/comm/elements/user_operator.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cartwright::comm {

/// A sum of doubles with the same bits whoever adds what, in whatever order: on any number of
/// ranks, threads and nodes, by any algorithm. Elementwise binned (Demmel and Nguyen, Parallel
/// reproducible summation, IEEE Transactions on Computers 64, 2015; Ahrens, Demmel and Nguyen, ACM
/// Transactions on Mathematical Software 46, 2020): exponents are cut into bins 40 wide, at places
/// that no number changes; each number is cut into slices, multiples of a bin's unit; the slices of
/// the three highest bins that the greatest number reaches are added, as integers.
///
/// Each number loses at most 2^-80 of the greatest one's size; nothing is rounded but the result,
/// once. So value() is off by at most n 2^-80 max|x|, and half a unit in its own last place: less
/// than a plain loop.
///
/// Trivially copyable, 40 bytes; equal sums have equal bytes. Several are an array of them; across
/// ranks they are combined by `binned_sum`.
class BinnedSum {
 public:
  /// One number. Infinities and NaN count as in plain sums; there is no overflow on the way.
  CARTWRIGHT_BOTH_SIDES void add(double value);
  /// The same sum as one by one, but quick. Compiled here: no option of the caller's changes it.
  void add(std::span<const double> values);
  /// Rounded products, of ranges of one length: a dot product.
  void add_products(std::span<const double> left, std::span<const double> right);
  /// Of `rows` rows of `count` numbers, which lie `stride` elements apart.
  struct Rows {
    const double* first = nullptr;
    std::ptrdiff_t stride = 0;
  };
  void add_products(const Rows& left, const Rows& right, std::size_t rows, std::size_t count);
  CARTWRIGHT_BOTH_SIDES BinnedSum& operator+=(const BinnedSum& other);

  [[nodiscard]] bool is_nan() const noexcept {
    return (special_ & nan) != 0 || special_ == (plus_infinity | minus_infinity);
  }
  /// The sum times 2^exponent, rounded once to nearest, ties to even (twice where the result is
  /// subnormal because of the exponent); 0, if it is one, is positive. NaN if a NaN was added, or
  /// infinities of both signs.
  [[nodiscard]] double value(int exponent = 0) const;
  /// The sum divided by `count`, which is a number also where the sum is too large for one.
  [[nodiscard]] double mean(double count) const;

  friend bool operator==(const BinnedSum&, const BinnedSum&) = default;

 private:
  friend class BinnedBlocks;
  static constexpr int width = 40;  ///< of a bin: bin b counts units of 2^(40 b - 1074)
  static constexpr int folds = 3;   ///< bins that are kept
  static constexpr int greatest_bin = 52;
  enum Special : std::uint16_t { nan = 1, plus_infinity = 2, minus_infinity = 4 };

  /// The lowest bin (of those that may be the highest) with numbers of this exponent field: slices
  /// there are below 2^39, and in all bins above there are none.
  CARTWRIGHT_BOTH_SIDES static constexpr int bin_of(int exponent_field) {
    const int bin = (exponent_field + 52) / width;
    return bin < folds - 1 ? folds - 1 : bin;
  }
  CARTWRIGHT_BOTH_SIDES void raise(int bin);
  CARTWRIGHT_BOTH_SIDES void add_units(int fold, std::uint64_t low, std::int32_t high) {
    low_[fold] += low;
    high_[fold] += high + (low_[fold] < low ? 1 : 0);
  }
  CARTWRIGHT_BOTH_SIDES void add_slice(int fold, std::int64_t units) {
    add_units(fold, static_cast<std::uint64_t>(units), units < 0 ? -1 : 0);
  }

  // Fold k: units of bin highest - k, as low + 2^64 high: enough for 2^55 numbers.
  std::uint64_t low_[folds]{};
  std::int32_t high_[folds]{};
  std::int16_t highest_ = folds - 1;
  std::uint16_t special_ = 0;
};

/// Moves to a higher window: what lies below it is dropped, which is the same units for everybody.
CARTWRIGHT_BOTH_SIDES inline void BinnedSum::raise(int bin) {
  const int shift = bin - highest_;
  if (shift <= 0) return;
  for (int fold = folds - 1; fold >= 0; --fold) {
    const bool stays = fold >= shift;
    low_[fold] = stays ? low_[fold - shift] : 0;
    high_[fold] = stays ? high_[fold - shift] : 0;
  }
  highest_ = static_cast<std::int16_t>(bin);
}

CARTWRIGHT_BOTH_SIDES inline void BinnedSum::add(double value) {
  // In integers: options such as -ffast-math mean nothing to them.
#if defined(__CUDA_ARCH__)  // clang, for AMD's devices, calls constexpr functions there
  const auto bits = static_cast<std::uint64_t>(__double_as_longlong(value));
#else
  const auto bits = std::bit_cast<std::uint64_t>(value);
#endif
  const int exponent = static_cast<int>(bits >> 52) & 0x7ff;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const bool is_negative = (bits >> 63) != 0;
  if (exponent == 0x7ff) {
    const Special kind = is_negative ? minus_infinity : plus_infinity;
    special_ = static_cast<std::uint16_t>(special_ | (fraction != 0 ? nan : kind));
    return;
  }
  raise(bin_of(exponent));
  auto rest =
      static_cast<std::int64_t>(exponent == 0 ? fraction : fraction | (std::uint64_t{1} << 52));
  if (is_negative) rest = -rest;
  const int position = exponent == 0 ? 0 : exponent - 1;
  for (int fold = 0; fold < folds && rest != 0; ++fold) {
    const int below = width * (highest_ - fold) - position;  // bits of the rest below one unit
    if (below > 53) continue;                                // less than half a unit
    if (below <= 0) return add_slice(fold, rest * (std::int64_t{1} << -below));
    std::int64_t units = rest >> below;  // towards minus infinity, then to nearest, ties to even
    rest -= units * (std::int64_t{1} << below);
    const std::int64_t half = std::int64_t{1} << (below - 1);
    if (rest > half || (rest == half && (units & 1) != 0)) {
      ++units;
      rest -= 2 * half;
    }
    add_slice(fold, units);
  }
}

CARTWRIGHT_BOTH_SIDES inline BinnedSum& BinnedSum::operator+=(const BinnedSum& other) {
  raise(other.highest_);
  const int shift = highest_ - other.highest_;
  for (int fold = shift; fold < folds; ++fold)
    add_units(fold, other.low_[fold - shift], other.high_[fold - shift]);
  special_ = static_cast<std::uint16_t>(special_ | other.special_);
  return *this;
}

namespace detail {

struct AddBinnedSums {
  static constexpr bool is_exact = true;  // what is dropped is the same for everybody
  BinnedSum operator()(BinnedSum left, const BinnedSum& right) const { return left += right; }
};

}  // namespace detail

/// The operator of BinnedSums: `comm.allreduce(sums, comm::binned_sum)`. Exact: any algorithm, any
/// order gives the same bytes.
inline constexpr UserOperator<detail::AddBinnedSums, true> binned_sum{};

}  // namespace cartwright::comm
