// SPDX-License-Identifier: Apache-2.0
#include "call.hpp"

#include <fmt/format.h>

#include <array>

namespace cartwright::campaign {
namespace {

constexpr std::array<const char*, Call::operations> names{
    "barrier",        "broadcast", "reduce",  "allreduce", "scan",    "exscan",
    "reduce_scatter", "gather",    "scatter", "allgather", "alltoall"};

}  // namespace

std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15ULL + b * 0xBF58476D1CE4E5B9ULL + c + 1;
  for (int turn = 0; turn < 2; ++turn) {
    x ^= x >> 30U;
    x *= 0xBF58476D1CE4E5B9ULL;
    x ^= x >> 27U;
    x *= 0x94D049BB133111EBULL;
    x ^= x >> 31U;
  }
  return x;
}

Call draw_call(std::mt19937_64& dice, int axes) {
  Call call;
  call.operation = draw(dice, Call::operations);
  call.communicator = draw(dice, axes + 1);
  call.kind = static_cast<Kind>(draw(dice, 4));
  call.form = static_cast<Form>(draw(dice, 3));
  call.in_place = draw(dice, 3) == 0;
  call.uneven = draw(dice, 4) == 0;
  call.combination = draw(dice, 3);
  const std::array<int, 6> limits{1, 2, 9, 70, 1200, 12000};
  call.count =
      draw(dice, limits[static_cast<std::size_t>(draw(dice, 24) == 0 ? 5 : draw(dice, 5))]);
  call.root = draw(dice, 64);
  call.starts = 1 + draw(dice, 3);
  call.seed = dice();
  return call;
}

std::string Call::text() const {
  constexpr std::array<const char*, 4> kinds{"int64", "int32", "real", "chain"};
  constexpr std::array<const char*, 3> forms{"blocking", "started", "persistent"};
  return fmt::format("{} {} of {} {}{}{}, root {}, combination {}, {} starts, on {}",
                     forms[static_cast<std::size_t>(form)],
                     names[static_cast<std::size_t>(operation)], count,
                     kinds[static_cast<std::size_t>(kind)], in_place ? ", in place" : "",
                     uneven ? ", uneven" : "", root, combination, starts,
                     communicator == 0 ? "all ranks" : fmt::format("axis {}", communicator - 1));
}

}  // namespace cartwright::campaign
