// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/mapping/machine/binding.hpp>

namespace cartwright::mapping {

namespace {

std::string counted(int number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace

bool Binding::is_doubtful() const noexcept {
  return sharing_ranks > 0;
}

std::string Binding::describe() const {
  const std::string who = counted(ranks, "rank");
  if (unbound_ranks == ranks && sharing_ranks > 0) {
    return fmt::format("{}, not bound to cores: they share {}{}", who,
                       counted(smallest_node_cores, "core"), nodes > 1 ? " on each node" : "");
  }
  if (sharing_ranks > 0) {
    return fmt::format("{}, of which {} share cores with others", who, sharing_ranks);
  }
  if (ranks == 1 && most_cores == smallest_node_cores) {
    return most_cores == 1 ? "1 rank on the only core"
                           : fmt::format("1 rank on all {} cores", most_cores);
  }
  if (ranks == 1)
    return fmt::format("1 rank, bound to {} of {} cores", most_cores, smallest_node_cores);
  if (fewest_cores == most_cores) {
    return fmt::format("{}, each bound to {}", who, counted(most_cores, "core"));
  }
  return fmt::format("{}, each bound to {} to {} cores", who, fewest_cores, most_cores);
}

}  // namespace cartwright::mapping
