// SPDX-License-Identifier: Apache-2.0
#include "expected_collective.hpp"

#include <algorithm>
#include <sstream>

namespace cartwright::comm::test {

namespace {

using enum plan::Operation;
using plan::Operation;
using plan::Place;

constexpr std::int64_t untouched = -7;

/// Element i of what a rank contributes.
std::int64_t given(int rank, std::int64_t i) {
  return (rank + 1) * 1000003 + i * (rank + 2) % 997;
}

/// Sum over the ranks from 0 to before `end`.
std::int64_t sum(int end, std::int64_t i) {
  std::int64_t result = 0;
  for (int rank = 0; rank < end; ++rank) result += given(rank, i);
  return result;
}

struct Shape {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t in_place_at = 0;  // where the input lies in the output then
};

Shape shape_of(const Case& call) {
  const std::int64_t n = call.count;
  const std::int64_t all = n * call.ranks;
  const bool is_root = call.me == call.root;
  const bool in_place = call.place == Place::in_place;
  switch (call.operation) {
    case barrier:
      return {};
    case broadcast:
      return {0, n, 0};
    case reduce:
      return {n, is_root ? n : 0, 0};
    case allreduce:
    case scan:
    case exscan:
      return {n, n, 0};
    case reduce_scatter:
      return {all, in_place ? all : n, 0};
    case gather:
      return {n, is_root ? all : 0, call.me * n};
    case scatter:
      return {is_root ? all : 0, in_place ? 0 : n, 0};
    case allgather:
      return {n, all, call.me * n};
    case alltoall:
      return {all, all, 0};
  }
  return {};
}

/// Element i of the output afterwards, as far as that is said.
bool expected(const Case& call, std::int64_t i, std::int64_t& value) {
  const std::int64_t n = call.count;
  const int block = n > 0 ? static_cast<int>(i / n) : 0;
  const std::int64_t within = n > 0 ? i % n : 0;
  switch (call.operation) {
    case barrier:
      return false;
    case broadcast:
      value = given(call.root, i);
      return true;
    case reduce:
    case allreduce:
      value = sum(call.ranks, i);
      return true;
    case scan:
      value = sum(call.me + 1, i);
      return true;
    case exscan:
      value = call.me == 0 ? untouched : sum(call.me, i);
      return call.me > 0 || call.place == Place::separate;
    case reduce_scatter:
      if (call.place == Place::separate) {
        value = sum(call.ranks, call.me * n + i);
        return true;
      }
      value = sum(call.ranks, i);
      return block == call.me;
    case gather:
    case allgather:
      value = given(block, within);
      return true;
    case scatter:
      value = given(call.root, call.me * n + i);
      return true;
    case alltoall:
      value = given(block, call.me * n + within);
      return true;
  }
  return false;
}

}  // namespace

plan::Place place_of(Operation operation, bool in_place, int me, int root) {
  if (!in_place || (plan::is_rooted(operation) && operation != broadcast && me != root))
    return Place::separate;
  return Place::in_place;
}

void Data::refill(const Case& call) {
  const Shape shape = shape_of(call);
  const bool separate = call.place == Place::separate && call.operation != broadcast;
  const bool scatters = call.operation == scatter;
  input_.assign(static_cast<std::size_t>(separate || scatters ? shape.input : 0), 0);
  output_.assign(static_cast<std::size_t>(shape.output), untouched);
  Numbers& filled = separate || scatters ? input_ : output_;
  if (call.operation == broadcast && call.me != call.root) return;
  const std::int64_t at = separate || scatters ? 0 : shape.in_place_at;
  const std::int64_t count = call.operation == broadcast ? call.count : shape.input;
  for (std::int64_t i = 0; i < count; ++i)
    filled[static_cast<std::size_t>(at + i)] = given(call.me, i);
}

std::string Data::fault(const Case& call) const {
  for (std::size_t i = 0; i < output_.size(); ++i) {
    std::int64_t value = 0;
    if (!expected(call, static_cast<std::int64_t>(i), value) || output_[i] == value) continue;
    std::ostringstream text;
    text << "rank " << call.me << ": element " << i << " is " << output_[i] << ", not " << value;
    return text.str();
  }
  return {};
}

}  // namespace cartwright::comm::test
