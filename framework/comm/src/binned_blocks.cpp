// SPDX-License-Identifier: Apache-2.0
// Compiled without contraction: a product that is rounded in one place and not in another would be
// two numbers. Nothing here depends on how loops are made into vectors: what is added are integers.
#include <algorithm>
#include <array>
#include <bit>
#include <cartwright/comm/binned_sum.hpp>
#include <cmath>
#include <cstddef>

namespace cartwright::comm {
namespace {

/// Added to a number, it leaves the number's multiple of a bin's unit in the last bits of the
/// result: 1.5 times 2^52 units.
double slicer(int bin, int width) {
  const auto exponent = static_cast<std::uint64_t>(52 + width * bin - 1074 + 1023);
  return std::bit_cast<double>((exponent << 52) | (std::uint64_t{1} << 51));
}

struct Window {
  std::array<double, 3> slicer;
  double limit;  // sizes below it belong here
};

struct Deposit {
  std::array<std::uint64_t, 3> units{};
  bool fits = true;  // or some numbers are too large, or none
};

/// Three slices of each number, without a branch. `units` are off by what the slicers themselves
/// contribute.
template <class Number>
[[gnu::always_inline]] inline Deposit deposit(const Number& number, std::size_t count,
                                              const Window& window) {
  const auto [first, second, third] = window.slicer;
  const double limit = window.limit;
  std::uint64_t a = 0, b = 0, c = 0, misfits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = number(i);
    misfits |= std::abs(value) < limit ? 0U : 1U;
    const double p = value + first;
    const double rest = value - (p - first);
    const double q = rest + second;
    const double last = (rest - (q - second)) + third;
    a += std::bit_cast<std::uint64_t>(p);
    b += std::bit_cast<std::uint64_t>(q);
    c += std::bit_cast<std::uint64_t>(last);
  }
  return {{a, b, c}, misfits == 0};
}

struct Terms {
  const double* value;
  [[gnu::always_inline]] double operator()(std::size_t i) const { return value[i]; }
};
struct Products {
  const double* left;
  const double* right;
  [[gnu::always_inline]] double operator()(std::size_t i) const { return left[i] * right[i]; }
};

#if defined(__x86_64__)
template <class Number>
[[gnu::target("avx2")]] Deposit with_avx2(const Number& number, std::size_t count,
                                          const Window& window) {
  return deposit(number, count, window);
}
template <class Number>
[[gnu::target("avx512f,avx512dq")]] Deposit with_avx512(const Number& number, std::size_t count,
                                                        const Window& window) {
  return deposit(number, count, window);
}
#endif

template <class Number>
Deposit quickest_deposit(const Number& number, std::size_t count, const Window& window) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") != 0) return with_avx512(number, count, window);
  if (__builtin_cpu_supports("avx2") != 0) return with_avx2(number, count, window);
#endif
  return deposit(number, count, window);
}

}  // namespace

/// Adds in blocks: first as if nothing were too large for the bins that the sum has, and if
/// something was, again with the right ones.
class BinnedBlocks {
 public:
  explicit BinnedBlocks(BinnedSum& sum) : sum_(sum) {}

  template <class Part>
  void add_all(std::size_t count, const Part& from) {
    // Few enough for 63 bits, and that doing it again costs little.
    constexpr std::size_t block = 4096;
    if (count > 0 && sum_ == BinnedSum{}) raise_to(from(0), 1);
    for (std::size_t done = 0; done < count; done += block)
      add_block(from(done), std::min(block, count - done));
  }

 private:
  static int exponent_field(double value) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52) & 0x7ff;
  }
  /// False if there are numbers that aren't finite.
  template <class Number>
  bool raise_to(const Number& number, std::size_t count) {
    int greatest = 0;
    for (std::size_t i = 0; i < count; ++i)
      greatest = std::max(greatest, exponent_field(number(i)));
    if (greatest == 0x7ff) return false;
    sum_.raise(BinnedSum::bin_of(greatest));
    return true;
  }

  template <class Number>
  void add_block(const Number& number, std::size_t count) {
    if (try_block(number, count)) return;
    if (raise_to(number, count) && try_block(number, count)) return;
    for (std::size_t i = 0; i < count; ++i) sum_.add(number(i));
  }

  template <class Number>
  bool try_block(const Number& number, std::size_t count) {
    if (sum_.highest_ == BinnedSum::greatest_bin) return false;  // its slicer would be infinite
    Window window{};
    for (int fold = 0; fold < BinnedSum::folds; ++fold)
      window.slicer[static_cast<std::size_t>(fold)] =
          slicer(sum_.highest_ - fold, BinnedSum::width);
    window.limit = std::ldexp(1.0, BinnedSum::width * (sum_.highest_ + 1) - 1 - 1074);
    const Deposit deposit = quickest_deposit(number, count, window);
    if (!deposit.fits) return false;
    for (int fold = 0; fold < BinnedSum::folds; ++fold) {
      const auto k = static_cast<std::size_t>(fold);
      const std::uint64_t units =
          deposit.units[k] - count * std::bit_cast<std::uint64_t>(window.slicer[k]);
      sum_.add_slice(fold, static_cast<std::int64_t>(units));
    }
    return true;
  }

  BinnedSum& sum_;
};

void BinnedSum::add(std::span<const double> values) {
  BinnedBlocks(*this).add_all(values.size(),
                              [&](std::size_t first) { return Terms{values.data() + first}; });
}

void BinnedSum::add_products(std::span<const double> left, std::span<const double> right) {
  BinnedBlocks(*this).add_all(std::min(left.size(), right.size()), [&](std::size_t first) {
    return Products{left.data() + first, right.data() + first};
  });
}

}  // namespace cartwright::comm
