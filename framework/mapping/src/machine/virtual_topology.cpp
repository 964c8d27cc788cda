// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/machine/virtual_topology.hpp>
#include <cartwright/rt/error.hpp>
#include <charconv>
#include <numeric>

namespace cartwright::mapping {

namespace {

constexpr int largest_count = 1'000'000;
constexpr std::array<std::string_view, 5> level_names{"node", "package", "numa", "l3", "core"};

rt::Error bad_spec(std::string_view spec, const std::string& why) {
  return rt::input_error(
      fmt::format("the virtual topology '{}' can't be used: {}", spec, why),
      "Write the levels from the outside in, for example mapping.topology: \"node:4 core:2\".",
      rt::Reach::all_ranks);
}

std::string_view next_word(std::string_view& text) {
  constexpr std::string_view blanks = " \t,";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

int read_count(std::string_view spec, std::string_view word, std::string_view digits) {
  int count = 0;
  const char* end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, count);
  if (result.ec != std::errc{} || result.ptr != end || count < 1 || count > largest_count) {
    throw bad_spec(spec, fmt::format("'{}' needs a number from 1 to {}", word, largest_count));
  }
  return count;
}

}  // namespace

VirtualTopology VirtualTopology::parse(std::string_view spec) {
  std::array<int, level_names.size()> counts{};
  std::size_t next_level = 0;
  std::string_view rest = spec;
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const std::size_t colon = word.find(':');
    const auto* level = std::find(level_names.begin(), level_names.end(), word.substr(0, colon));
    if (colon == std::string_view::npos || level == level_names.end()) {
      throw bad_spec(spec, fmt::format("'{}' is not a level and its count (node:4; levels are "
                                       "node, package, numa, l3, core)",
                                       word));
    }
    const auto number = static_cast<std::size_t>(level - level_names.begin());
    if (number < next_level) {
      throw bad_spec(spec, fmt::format("'{}' is repeated or out of order", *level));
    }
    counts.at(number) = read_count(spec, word, word.substr(colon + 1));
    next_level = number + 1;
  }
  if (counts.front() == 0) throw bad_spec(spec, "the number of nodes is missing (node:4)");
  if (counts.back() == 0) throw bad_spec(spec, "the number of cores is missing (core:2)");
  for (int& count : counts) count = std::max(count, 1);
  const VirtualTopology topology{counts[0], counts[1], counts[2], counts[3], counts[4]};
  if (topology.cores_per_node() > largest_count) {
    throw bad_spec(spec, fmt::format("a node has more than {} cores", largest_count));
  }
  return topology;
}

long long VirtualTopology::cores_per_node() const noexcept {
  long long product = 1;
  for (const int count : {packages, numas, l3s, cores}) {
    product = std::min<long long>(product * count, 1LL << 40);  // each is a million at most
  }
  return product;
}

Place VirtualTopology::place(int rank) const noexcept {
  const auto per_node = static_cast<int>(cores_per_node());
  const int core = rank % per_node;
  const int l3 = core / cores;
  const int numa = l3 / l3s;
  return {rank / per_node, core, numa / numas, numa, l3, core};
}

void VirtualTopology::require_room(int ranks) const {
  const long long per_node = cores_per_node();
  if (nodes * per_node >= ranks) return;
  throw rt::input_error(
      fmt::format("the virtual topology has {} node{} of {} core{}: too few for {} ranks", nodes,
                  nodes == 1 ? "" : "s", per_node, per_node == 1 ? "" : "s", ranks),
      fmt::format("Give mapping.topology at least {} cores in all, or start fewer ranks.", ranks),
      rt::Reach::all_ranks);
}

void lay_over(const VirtualTopology& imagined, int rank, Topology& topology) {
  const long long per_node = imagined.cores_per_node();
  imagined.require_room(topology.ranks);
  const auto ranks_on = [&](int node) {
    return static_cast<int>(std::min(per_node, topology.ranks - node * per_node));
  };
  topology.here = imagined.place(rank);
  topology.is_virtual = true;
  topology.nodes = static_cast<int>((topology.ranks + per_node - 1) / per_node);
  topology.node_size = ranks_on(topology.here.node);
  topology.largest_node = ranks_on(0);
  topology.smallest_node = ranks_on(topology.nodes - 1);
  topology.first_slot = static_cast<int>(topology.here.node * per_node);
  topology.ranks_on_node.resize(static_cast<std::size_t>(topology.node_size));
  std::iota(topology.ranks_on_node.begin(), topology.ranks_on_node.end(), topology.first_slot);
}

}  // namespace cartwright::mapping
