// SPDX-License-Identifier: Apache-2.0
#include "splits.hpp"

#include <array>
#include <charconv>
#include <stdexcept>

namespace cartwright::plan::catalogue {

namespace {

SplitCosts costs_of(const std::string& tuning) {
  std::array<Picoseconds, 3> numbers{};
  const char* at = tuning.data();
  const char* end = at + tuning.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && at != end && *at == ',') ++at;
    const auto [stop, error] = std::from_chars(at, end, numbers[i]);
    const bool ends_well = i + 1 < numbers.size() ? stop != end && *stop == ',' : stop == end;
    if (error != std::errc() || !ends_well)
      throw std::invalid_argument(
          "'" + tuning +
          "' should be three times in picoseconds: of a message, of the gap "
          "to the next, and of the bytes of a block");
    at = stop;
  }
  return {.message = numbers[0], .gap = numbers[1], .block = numbers[2]};
}

}  // namespace

bool splits_are_cheap(const Problem& problem) {
  return problem.ranks <= 1 << 22;
}

Tunings split_tunings(const Problem& problem, const Machine& machine) {
  const SplitCosts costs = split_costs(machine.levels.front().network, problem.bytes());
  return {std::to_string(costs.message) + "," + std::to_string(costs.gap) + "," +
          std::to_string(costs.block)};
}

std::shared_ptr<const SplitTable> split_table(const Problem& problem, const std::string& tuning) {
  return std::make_shared<const SplitTable>(problem.ranks, costs_of(tuning));
}

Rounds split_rounds(const Problem& problem, const std::string& tuning) {
  const SplitCosts costs = costs_of(tuning);
  const SplitTable table(problem.ranks, costs);
  Rounds rounds;
  for (int held = problem.ranks; held > 1;) {
    const int sent = table.split(held);
    const bool waits_for_sent =
        costs.message + table.time(sent) >= costs.gap + table.time(held - sent);
    rounds.push_back({.receives = waits_for_sent ? 1 : 0,
                      .bytes = sent * problem.bytes(),
                      .distance = sent,
                      .span = held});
    held = waits_for_sent ? sent : held - sent;
  }
  return rounds;
}

}  // namespace cartwright::plan::catalogue
