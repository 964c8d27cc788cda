// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cartwright/grid/exact_sum.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cmath>
#include <limits>

namespace cartwright::grid {
namespace {

constexpr std::int64_t base = std::int64_t{1} << 32;
// Each addition changes a digit by less than 2^32, so this many fit beside a carried digit.
constexpr std::int64_t most_pending = std::int64_t{1} << 29;

template <std::size_t N>
void propagate(std::array<std::int64_t, N>& digit) {
  for (std::size_t i = 0; i + 1 < N; ++i) {
    const std::int64_t over = digit[i] >> 32;  // towards minus infinity
    digit[i] -= over * base;
    digit[i + 1] += over;
  }
}

template <std::size_t N>
bool bit(const std::array<std::int64_t, N>& digit, int position) {
  return position >= 0 &&
         ((digit[static_cast<std::size_t>(position / 32)] >> (position % 32)) & 1) != 0;
}

/// The number with non-negative digits, times 2^exponent, rounded to nearest, ties to even.
template <std::size_t N>
double rounded(const std::array<std::int64_t, N>& digit, int exponent) {
  int top = static_cast<int>(32 * N) - 1;
  while (top >= 0 && !bit(digit, top)) --top;
  if (top < 0) return 0.0;
  const int lowest = std::max(0, top - 52);
  std::uint64_t mantissa = 0;
  for (int i = top; i >= lowest; --i) mantissa = 2 * mantissa + (bit(digit, i) ? 1 : 0);
  bool rest = false;
  for (int i = lowest - 2; i >= 0 && !rest; --i) rest = bit(digit, i);
  if (bit(digit, lowest - 1) && (rest || mantissa % 2 == 1)) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), lowest - 1074 + exponent);
}

}  // namespace

void ExactSum::add(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<int>((bits >> 52) & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const bool negative = (bits >> 63) != 0;
  if (exponent == 0x7ff) {
    ++special_[fraction != 0 ? 0 : (negative ? 2 : 1)];
    return;
  }
  const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | (std::uint64_t{1} << 52);
  const int position = exponent == 0 ? 0 : exponent - 1;
  const auto first = static_cast<std::size_t>(position / 32);
  const int shift = position % 32;
  const std::uint64_t low = mantissa << shift;
  const std::uint64_t high = shift == 0 ? 0 : mantissa >> (64 - shift);
  const std::array<std::int64_t, 3> part{static_cast<std::int64_t>(low & 0xffffffff),
                                         static_cast<std::int64_t>(low >> 32),
                                         static_cast<std::int64_t>(high)};
  for (std::size_t i = 0; i < 3; ++i) digit_[first + i] += negative ? -part[i] : part[i];
  if (++pending_ == most_pending) carry();
}

void ExactSum::carry() {
  propagate(digit_);
  pending_ = 0;
}

ExactSum ExactSum::over(const rt::Communicator& comm) const {
  ExactSum mine = *this;
  mine.carry();
  ExactSum all;
  rt::mpi_blocking("MPI_Allreduce", MPI_Allreduce, mine.digit_.data(), all.digit_.data(), digits,
                   MPI_INT64_T, MPI_SUM, comm.handle());
  rt::mpi_blocking("MPI_Allreduce", MPI_Allreduce, mine.special_.data(), all.special_.data(), 3,
                   MPI_INT64_T, MPI_SUM, comm.handle());
  all.carry();
  return all;
}

double ExactSum::value(int exponent) const {
  const auto [nan, plus, minus] = special_;
  if (nan > 0 || (plus > 0 && minus > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (plus > 0) return std::numeric_limits<double>::infinity();
  if (minus > 0) return -std::numeric_limits<double>::infinity();
  auto digit = digit_;
  propagate(digit);
  if (digit.back() >= 0) return rounded(digit, exponent);
  for (auto& each : digit) each = -each;
  propagate(digit);
  return -rounded(digit, exponent);
}

double ExactSum::mean(double count) const {
  const double sum = value();
  if (!std::isinf(sum)) return sum / count;
  constexpr int scale = 64;  // more than the sum has room for
  return std::ldexp(value(-scale) / count, scale);
}

}  // namespace cartwright::grid
