// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include "lists.hpp"

namespace cartwright::plan::catalogue {

int positive_number(const std::string& tuning) {
  int number = 0;
  const char* end = tuning.data() + tuning.size();
  const auto [stop, error] = std::from_chars(tuning.data(), end, number);
  if (error != std::errc() || stop != end || number < 1)
    throw std::invalid_argument("'" + tuning + "' should be a whole number from 1 on");
  return number;
}

Tunings segment_tunings(const Problem& problem, const Machine&) {
  Tunings tunings{"1"};
  for (Count segments = 2; segments <= std::min<Count>(problem.elements, 4096); segments *= 2)
    tunings.push_back(std::to_string(segments));
  return tunings;
}

Tunings fan_out_tunings(const Problem& problem, const Machine&) {
  Tunings tunings;
  for (int k = 1; k <= std::min(8, std::max(1, problem.ranks - 1)); ++k)
    tunings.push_back(std::to_string(k));
  return tunings;
}

Tunings group_tunings(const Problem& problem, const Machine& machine) {
  Tunings tunings;
  if (problem.nodes != nullptr) return tunings;  // they are the groups: see by_nodes.hpp
  std::string all;
  std::set<int> seen{1};
  for (std::size_t level = 0; level < machine.levels.size() && level < 2; ++level) {
    const int group = machine.ranks_in_unit(level);
    if (group >= problem.ranks || !seen.insert(group).second) continue;
    tunings.push_back(std::to_string(group));
    all += (all.empty() ? "" : ",") + std::to_string(group);
  }
  if (tunings.size() > 1) tunings.push_back(all);
  return tunings;
}

std::vector<int> group_sizes(const std::string& tuning) {
  std::vector<int> sizes;
  for (std::size_t begin = 0; begin <= tuning.size();) {
    const std::size_t comma = std::min(tuning.find(',', begin), tuning.size());
    sizes.push_back(positive_number(tuning.substr(begin, comma - begin)));
    if (sizes.size() > 1 && sizes[sizes.size() - 2] % sizes.back() != 0)
      throw std::invalid_argument("groups of '" + tuning + "' don't divide those before them");
    begin = comma + 1;
  }
  return sizes;
}

int levels_of(int ranks, int base) {
  int levels = 0;
  for (Count reached = 1; reached < ranks; reached *= base) ++levels;
  return levels;
}

int power_of_two_below(int ranks) {
  int power = 1;
  while (power <= ranks / 2) power *= 2;
  return power;
}

Count part_of(Count bytes, Count parts) {
  return (bytes + parts - 1) / parts;
}

void append(Rounds& rounds, const Rounds& more) {
  rounds.insert(rounds.end(), more.begin(), more.end());
}

Rounds tree_rounds(int ranks, int fan_out, Count bytes) {
  Rounds rounds;
  Count distance = 1;
  for (int level = 0; level < levels_of(ranks, fan_out + 1); ++level) {
    rounds.push_back({.sends = std::min(fan_out, ranks - 1),
                      .bytes = bytes,
                      .distance = distance,
                      .span = distance * (fan_out + 1)});
    distance *= fan_out + 1;
  }
  std::ranges::reverse(rounds);
  return rounds;
}

Rounds tree_rounds_up(int ranks, int fan_out, Count bytes, bool combined) {
  return reversed(tree_rounds(ranks, fan_out, bytes), combined);
}

Rounds reversed(Rounds rounds, bool combined) {
  std::ranges::reverse(rounds);
  for (RoundShape& round : rounds) {
    std::swap(round.sends, round.receives);
    if (combined) round.combined = round.receives * round.bytes;
  }
  return rounds;
}

Rounds scatter_rounds(int ranks, int fan_out, Count block) {
  Rounds rounds;
  for (Count held = ranks; held > 1;) {
    const Count part = part_of(held, fan_out + 1);
    rounds.push_back({.sends = static_cast<int>(std::min<Count>(fan_out, held - 1)),
                      .bytes = part * block,
                      .distance = part,
                      .span = held});
    held = part;
  }
  return rounds;
}

Rounds gather_rounds(int ranks, int fan_out, Count block) {
  return reversed(scatter_rounds(ranks, fan_out, block), false);
}

Rounds burst_rounds(const Problem& problem, int sends, int receives) {
  if (problem.ranks == 1) return {};
  return {
      {.sends = sends, .receives = receives, .bytes = problem.bytes(), .distance = problem.ranks}};
}

RoundShape ring_rounds(Count times, Count bytes, bool combined) {
  return {.times = times, .bytes = bytes, .distance = 1, .combined = combined ? bytes : 0};
}

Rounds pipeline_rounds(int hops, int segments, Count bytes, bool combined) {
  if (hops < 1) return {};
  RoundShape full = ring_rounds(segments - 1, bytes, combined);
  full.overlapped = true;
  return {ring_rounds(hops, bytes, combined), full};
}

Rounds doubling_rounds(int ranks, Count bytes, bool combined) {
  Rounds rounds;
  for (Count distance = 1; distance < ranks; distance *= 2)
    rounds.push_back({.bytes = bytes,
                      .distance = distance,
                      .span = 2 * distance,
                      .combined = combined ? bytes : 0});
  return rounds;
}

namespace {

RoundShape halving_round(Count bytes, Count distance, bool combined) {
  return {
      .bytes = bytes, .distance = distance, .span = 2 * distance, .combined = combined ? bytes : 0};
}

}  // namespace

Rounds far_halving_rounds(int ranks, Count bytes, bool combined) {
  Rounds rounds;
  for (Count distance = ranks / 2; distance >= 1; distance /= 2)
    rounds.push_back(halving_round(part_of(bytes * distance, ranks), distance, combined));
  return rounds;
}

Rounds near_halving_rounds(int ranks, Count bytes, bool combined) {
  Rounds rounds;
  for (Count distance = 1; distance < ranks; distance *= 2)
    rounds.push_back(halving_round(part_of(bytes, 2 * distance), distance, combined));
  return rounds;
}

}  // namespace cartwright::plan::catalogue
