// SPDX-License-Identifier: Apache-2.0
#include "square_sum.hpp"

#include <cartwright/rt/mpi_check.hpp>
#include <cmath>

namespace cartwright::grid {
namespace {

// Squares from 2^-1000 to 2^960 are in the middle: whole, and the sum of 2^63 of them is a number.
constexpr double smallest_in_the_middle = 0x1p-500;
constexpr double smallest_large = 0x1p480;
constexpr int shift = 600;  // small numbers times 2^600, large ones times 2^-600

}  // namespace

void SquareSum::add(double value) {
  const double size = std::abs(value);
  if (!(size < smallest_large))  // also NaN
    large_.add(value * 0x1p-600);
  else if (size >= smallest_in_the_middle)
    middle_.add(value);
  else if (size > 0)
    small_.add(value * 0x1p600);
}

SquareSum SquareSum::over(const rt::Communicator& comm) const {
  // Mostly there is nothing but the middle: then nothing else is sent.
  std::array<int, 3> empty{small_.is_empty ? 1 : 0, middle_.is_empty ? 1 : 0,
                           large_.is_empty ? 1 : 0};
  rt::mpi_blocking("MPI_Allreduce", MPI_Allreduce, MPI_IN_PLACE, empty.data(), 3, MPI_INT, MPI_MIN,
                   comm.handle());
  SquareSum all;
  if (empty[0] == 0) all.small_ = {small_.sum.over(comm), false};
  if (empty[1] == 0) all.middle_ = {middle_.sum.over(comm), false};
  if (empty[2] == 0) all.large_ = {large_.sum.over(comm), false};
  return all;
}

double SquareSum::root_mean(double count) const {
  const double middle = middle_.sum.value();
  if (!large_.is_empty) {
    const double sum = large_.sum.value() + std::ldexp(middle, -2 * shift);
    return std::ldexp(std::sqrt(sum / count), shift);
  }
  if (middle_.is_empty) return std::ldexp(std::sqrt(small_.sum.value() / count), -shift);
  return std::sqrt((middle + std::ldexp(small_.sum.value(), -2 * shift)) / count);
}

}  // namespace cartwright::grid
