// SPDX-License-Identifier: Apache-2.0
// Compiled without contraction: a product that is rounded in one place and not in another would be
// two numbers. Nothing here depends on how loops are made into vectors: what is added are integers.
#include <algorithm>
#include <array>
#include <bit>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace cartwright::comm {
namespace {

/// Added to a number, it leaves the number's multiple of a bin's unit in the last bits of the
/// result: 1.5 times 2^52 units.
double slicer(int bin, int width) {
  const int exponent = 52 + width * bin - 1074 + 1023;
  return std::bit_cast<double>((static_cast<std::uint64_t>(exponent) << 52) |
                               (std::uint64_t{1} << 51));
}

struct Window {
  std::array<double, 3> slicer;
  double limit;  // sizes below it belong here
  /// Numbers of at least this size are multiples of the second bin's unit, since they have 53 bits:
  /// nothing of them belongs to the third.
  double least_of_two;
  double second_unit;
  static constexpr std::uint64_t units_of_least_of_two = std::uint64_t{1} << 12;

  [[nodiscard]] std::uint64_t bits(std::size_t fold) const {
    return std::bit_cast<std::uint64_t>(slicer[fold]);
  }
  [[nodiscard]] bool needs_two_bins(double number) const {
    return std::abs(number) >= least_of_two && std::abs(number) < limit;
  }
};

struct Deposit {
  std::array<std::uint64_t, 3> units{};
  bool fits = true;  // or some numbers are too large, or none
};

/// Rows of numbers, or of products of numbers; `stride` elements from one row to the next.
struct Terms {
  const double* value;
  std::ptrdiff_t stride;

  [[nodiscard]] Terms at(std::size_t row, std::size_t i) const {
    return {value + static_cast<std::ptrdiff_t>(row) * stride + i, stride};
  }
  [[nodiscard]] double number(std::size_t i) const { return value[i]; }
  template <class Lanes>
  [[gnu::always_inline]] void load(Lanes& lanes, std::size_t i, std::size_t bytes) const {
    std::memcpy(&lanes, value + i, bytes);
  }
};
struct Products {
  Terms left, right;

  [[nodiscard]] Products at(std::size_t row, std::size_t i) const {
    return {left.at(row, i), right.at(row, i)};
  }
  [[nodiscard]] double number(std::size_t i) const { return left.value[i] * right.value[i]; }
  template <class Lanes>
  [[gnu::always_inline]] void load(Lanes& lanes, std::size_t i, std::size_t bytes) const {
    Lanes factor{};
    left.load(lanes, i, bytes);
    right.load(factor, i, bytes);
    lanes *= factor;
  }
};

/// So many numbers at once.
template <std::size_t Width>
struct Vectors {
  using Lanes [[gnu::vector_size(Width * sizeof(double))]] = double;
  using Units [[gnu::vector_size(Width * sizeof(double))]] = std::uint64_t;

  Lanes first, second, third, limit;
  Units a{}, b{}, c{}, fit = ~Units{};

  [[gnu::always_inline]] explicit Vectors(const Window& window)
      : first(window.slicer[0] - Lanes{}),
        second(window.slicer[1] - Lanes{}),
        third(window.slicer[2] - Lanes{}),
        limit(window.limit - Lanes{}) {}

  /// Three slices of each number, without a branch.
  [[gnu::always_inline]] void take(const Lanes& value) {
    // NOLINTNEXTLINE(modernize-use-auto): g++ takes it for another type
    const Lanes size = reinterpret_cast<Lanes>(reinterpret_cast<Units>(value) &
                                               ~(Units{} + (std::uint64_t{1} << 63)));
    fit &= reinterpret_cast<Units>(size < limit);
    const Lanes p = value + first;
    const Lanes rest = value - (p - first);
    const Lanes q = rest + second;
    const Lanes last = (rest - (q - second)) + third;
    a += reinterpret_cast<Units>(p);
    b += reinterpret_cast<Units>(q);
    c += reinterpret_cast<Units>(last);
  }
  /// Of all lanes; a copy, so that the lanes themselves stay in registers.
  [[gnu::always_inline]] static std::uint64_t total(const Units& units) {
    std::array<std::uint64_t, Width> lanes;
    std::memcpy(lanes.data(), &units, sizeof lanes);
    std::uint64_t sum = 0;
    for (const std::uint64_t lane : lanes) sum += lane;
    return sum;
  }
};

/// The same for numbers of which nothing belongs to the third bin: half as much work.
template <std::size_t Width>
struct VectorsOfTwo {
  using Lanes = typename Vectors<Width>::Lanes;
  using Units = typename Vectors<Width>::Units;

  Lanes first;
  Lanes rest{};  // exact: less than 2^13 numbers of up to 2^39 units of the second bin
  Lanes greatest{}, least;
  Units a{};

  [[gnu::always_inline]] explicit VectorsOfTwo(const Window& window)
      : first(window.slicer[0] - Lanes{}), least(window.limit - Lanes{}) {}

  [[gnu::always_inline]] void take(const Lanes& value) {
    // NOLINTNEXTLINE(modernize-use-auto): g++ takes it for another type
    const Lanes size = reinterpret_cast<Lanes>(reinterpret_cast<Units>(value) &
                                               ~(Units{} + (std::uint64_t{1} << 63)));
    greatest = size > greatest ? size : greatest;
    least = size < least ? size : least;
    const Lanes p = value + first;
    rest += value - (p - first);  // NaN, if one is
    a += reinterpret_cast<Units>(p);
  }
};

/// Gives all numbers to `sums`, and behind each row as many of `padding` as fill up its last lanes:
/// returns how many these are.
template <std::size_t Width, class Sums, class Numbers>
[[gnu::always_inline]] inline std::size_t take_rows(Sums& sums, const Numbers& numbers,
                                                    std::size_t rows, std::size_t count,
                                                    double padding) {
  using Lanes = typename Vectors<Width>::Lanes;
  const std::size_t whole = count - count % Width;
  for (std::size_t row = 0; row < rows; ++row) {
    const Numbers here = numbers.at(row, 0);
    for (std::size_t i = 0; i < whole; i += Width) {
      Lanes value{};
      here.load(value, i, sizeof value);
      sums.take(value);
    }
    if (whole == count) continue;
    Lanes last = padding - Lanes{};
    here.load(last, whole, (count - whole) * sizeof(double));
    sums.take(last);
  }
  return whole < count ? Width - (count - whole) : 0;
}

template <std::size_t Width, class Numbers>
[[gnu::always_inline]] inline Deposit deposit(const Numbers& numbers, std::size_t rows,
                                              std::size_t count, const Window& window) {
  using V = Vectors<Width>;
  V sums(window);
  const std::size_t taken = rows * (count + take_rows<Width>(sums, numbers, rows, count, 0.0));
  return {.units = {V::total(sums.a) - taken * window.bits(0),
                    V::total(sums.b) - taken * window.bits(1),
                    V::total(sums.c) - taken * window.bits(2)},
          .fits = V::total(sums.fit) + Width == 0};  // each lane is 0, or -1
}

/// They fit where none is too large or so small that it needs a third bin.
template <std::size_t Width, class Numbers>
[[gnu::always_inline]] inline Deposit deposit_in_two(const Numbers& numbers, std::size_t rows,
                                                     std::size_t count, const Window& window) {
  VectorsOfTwo<Width> sums(window);
  const std::size_t padding = take_rows<Width>(sums, numbers, rows, count, window.least_of_two);
  Deposit result;
  result.units[0] = Vectors<Width>::total(sums.a) - rows * (count + padding) * window.bits(0) -
                    rows * padding * Window::units_of_least_of_two;
  for (std::size_t lane = 0; lane < Width; ++lane) {
    const bool is_number = sums.rest[lane] == sums.rest[lane];
    result.fits = result.fits && is_number && sums.greatest[lane] < window.limit &&
                  sums.least[lane] >= window.least_of_two;
    if (!result.fits) return result;
    result.units[1] +=
        static_cast<std::uint64_t>(static_cast<std::int64_t>(sums.rest[lane] / window.second_unit));
  }
  return result;
}

enum class Bins { two, three };

template <std::size_t Width, class Numbers>
[[gnu::always_inline]] inline Deposit deposit_in(Bins bins, const Numbers& numbers,
                                                 std::size_t rows, std::size_t count,
                                                 const Window& window) {
  return bins == Bins::two ? deposit_in_two<Width>(numbers, rows, count, window)
                           : deposit<Width>(numbers, rows, count, window);
}

#if defined(__x86_64__)
template <class Numbers>
[[gnu::target("avx2")]] Deposit with_avx2(Bins bins, const Numbers& numbers, std::size_t rows,
                                          std::size_t count, const Window& window) {
  return deposit_in<4>(bins, numbers, rows, count, window);
}
template <class Numbers>
[[gnu::target("avx512f,avx512dq")]] Deposit with_avx512(Bins bins, const Numbers& numbers,
                                                        std::size_t rows, std::size_t count,
                                                        const Window& window) {
  return deposit_in<8>(bins, numbers, rows, count, window);
}
#endif

template <class Numbers>
Deposit quickest_deposit(Bins bins, const Numbers& numbers, std::size_t rows, std::size_t count,
                         const Window& window) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") != 0)
    return with_avx512(bins, numbers, rows, count, window);
  if (__builtin_cpu_supports("avx2") != 0) return with_avx2(bins, numbers, rows, count, window);
#endif
  return deposit_in<2>(bins, numbers, rows, count, window);
}

}  // namespace

/// Adds in blocks: first as if nothing were too large for the bins that the sum has, and if
/// something was, again with the right ones.
class BinnedBlocks {
 public:
  explicit BinnedBlocks(BinnedSum& sum) : sum_(sum) {}

  template <class Numbers>
  void add_all(const Numbers& numbers, std::size_t rows, std::size_t count) {
    if (rows == 0 || count == 0) return;
    if (sum_ == BinnedSum{}) raise_to(numbers, 1, 1);
    // Few enough for 63 bits, and that doing it again costs little.
    constexpr std::size_t most = 4096;
    const std::size_t width = std::min(count, most);
    const std::size_t height = most / width;
    for (std::size_t row = 0; row < rows; row += height)
      for (std::size_t i = 0; i < count; i += width)
        add_block(numbers.at(row, i), std::min(height, rows - row), std::min(width, count - i));
  }

 private:
  static int exponent_field(double value) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52) & 0x7ff;
  }
  template <class Numbers, class Visit>
  static void for_each(const Numbers& numbers, std::size_t rows, std::size_t count,
                       const Visit& visit) {
    for (std::size_t row = 0; row < rows; ++row) {
      const Numbers here = numbers.at(row, 0);
      for (std::size_t i = 0; i < count; ++i) visit(here.number(i));
    }
  }
  /// False if there are numbers that aren't finite.
  template <class Numbers>
  bool raise_to(const Numbers& numbers, std::size_t rows, std::size_t count) {
    int greatest = 0;
    for_each(numbers, rows, count,
             [&](double number) { greatest = std::max(greatest, exponent_field(number)); });
    if (greatest == 0x7ff) return false;
    sum_.raise(BinnedSum::bin_of(greatest));
    return true;
  }

  template <class Numbers>
  void add_block(const Numbers& numbers, std::size_t rows, std::size_t count) {
    if (try_block(numbers, rows, count)) return;
    if (raise_to(numbers, rows, count) && try_block(numbers, rows, count)) return;
    for_each(numbers, rows, count, [&](double number) { sum_.add(number); });
  }

  [[nodiscard]] Window window() const {
    Window result{};
    for (int fold = 0; fold < BinnedSum::folds; ++fold)
      result.slicer[static_cast<std::size_t>(fold)] =
          slicer(sum_.highest_ - fold, BinnedSum::width);
    const int unit = BinnedSum::width * sum_.highest_ - 1074;  // its exponent, of the first bin
    result.limit = std::ldexp(1.0, unit + BinnedSum::width - 1);
    result.second_unit = std::ldexp(1.0, unit - BinnedSum::width);
    result.least_of_two = std::ldexp(1.0, unit - BinnedSum::width + 52);
    return result;
  }
  bool add(const Deposit& deposit) {
    if (!deposit.fits) return false;
    for (int fold = 0; fold < BinnedSum::folds; ++fold)
      sum_.add_slice(fold,
                     static_cast<std::int64_t>(deposit.units[static_cast<std::size_t>(fold)]));
    return true;
  }
  template <class Numbers>
  bool try_block(const Numbers& numbers, std::size_t rows, std::size_t count) {
    if (sum_.highest_ == BinnedSum::greatest_bin) return false;  // its slicer would be infinite
    const Window bins = window();
    if (looks_like_two_bins(numbers, rows, count, bins) && try_two_bins(numbers, rows, count, bins))
      return true;
    return add(quickest_deposit(Bins::three, numbers, rows, count, bins));
  }

  /// A guess, from a few of the numbers.
  template <class Numbers>
  static bool looks_like_two_bins(const Numbers& numbers, std::size_t rows, std::size_t count,
                                  const Window& bins) {
    constexpr std::size_t samples = 8;
    for (std::size_t sample = 0; sample < samples; ++sample)
      if (!bins.needs_two_bins(
              numbers.at(sample * rows / samples, 0).number(sample * count / samples)))
        return false;
    return true;
  }
  template <class Numbers>
  bool try_two_bins(const Numbers& numbers, std::size_t rows, std::size_t count,
                    const Window& bins) {
    if (sum_.highest_ < BinnedSum::folds + 1) return false;  // no unit is subnormal
    return add(quickest_deposit(Bins::two, numbers, rows, count, bins));
  }

  BinnedSum& sum_;
};

void BinnedSum::add(std::span<const double> values) {
  BinnedBlocks(*this).add_all(Terms{values.data(), 0}, 1, values.size());
}

void BinnedSum::add_products(std::span<const double> left, std::span<const double> right) {
  add_products({left.data(), 0}, {right.data(), 0}, 1, std::min(left.size(), right.size()));
}

void BinnedSum::add_products(const Rows& left, const Rows& right, std::size_t rows,
                             std::size_t count) {
  BinnedBlocks(*this).add_all(Products{{left.first, left.stride}, {right.first, right.stride}},
                              rows, count);
}

}  // namespace cartwright::comm
