// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/catalogue.hpp>
#include <string>
#include <vector>

// The algorithms of each operation, one file each, and what these files have in common.
namespace cartwright::plan::catalogue {

std::span<const Algorithm> allreduce_list();
std::span<const Algorithm> reduce_list();
std::span<const Algorithm> reduce_scatter_list();
std::span<const Algorithm> scan_list();
std::span<const Algorithm> exscan_list();
std::span<const Algorithm> broadcast_list();
std::span<const Algorithm> scatter_list();
std::span<const Algorithm> gather_list();
std::span<const Algorithm> allgather_list();
std::span<const Algorithm> alltoall_list();
std::span<const Algorithm> barrier_list();

using Rounds = std::vector<RoundShape>;
using Tunings = std::vector<std::string>;

/// Makers of generators that take nothing but the team, and the team and the root.
template <Schedule (*generate)(Team)>
Maker plain(const Problem&, const std::string&) {
  return generate;
}
template <Schedule (*generate)(Team, Root)>
Maker rooted(const Problem& problem, const std::string&) {
  return [root = problem.root](Team team) { return generate(team, root); };
}

/// A tuning that is one positive number. Throws std::invalid_argument.
int positive_number(const std::string& tuning);

/// The makers that also take the number in the tuning.
template <Schedule (*generate)(Team, Root, int)>
Maker rooted_with_number(const Problem& problem, const std::string& tuning) {
  return [root = problem.root, number = positive_number(tuning)](Team team) {
    return generate(team, root, number);
  };
}

/// Segments worth a try: powers of two, no more than there are elements.
Tunings segment_tunings(const Problem& problem, const Machine& machine);
/// Fan-outs, or ports, worth a try.
Tunings fan_out_tunings(const Problem& problem, const Machine& machine);
/// Groups of ranks of the machine's levels: "24" (nodes), "24,12" (nodes and sockets).
Tunings group_tunings(const Problem& problem, const Machine& machine);
/// The sizes of groups in a tuning, outermost first. Throws std::invalid_argument unless each
/// divides the one before.
std::vector<int> group_sizes(const std::string& tuning);

/// ceil(log_base(ranks)).
int levels_of(int ranks, int base);
int power_of_two_below(int ranks);
/// ceil(bytes / parts).
Count part_of(Count bytes, Count parts);

void append(Rounds& rounds, const Rounds& more);

/// A tree in which each holder sends to `fan_out` ranks a round, the same bytes always, far ranks
/// first.
Rounds tree_rounds(int ranks, int fan_out, Count bytes);
/// The same upwards; `combined` says whether what arrives is combined.
Rounds tree_rounds_up(int ranks, int fan_out, Count bytes, bool combined);
/// A tree in which each holder of a range of ranks' blocks passes parts of it on.
Rounds scatter_rounds(int ranks, int fan_out, Count block);
Rounds gather_rounds(int ranks, int fan_out, Count block);
/// One round in which the busiest rank sends to, or receives from, all others.
Rounds burst_rounds(const Problem& problem, int sends, int receives);
/// Rounds between direct neighbours.
RoundShape ring_rounds(Count times, Count bytes, bool combined);
/// `segments` messages of so many bytes follow each other over `hops` hops.
Rounds pipeline_rounds(int hops, int segments, Count bytes, bool combined);
/// Exchange of a vector with a partner at 1, 2, 4, … (the number of ranks is a power of two).
Rounds doubling_rounds(int ranks, Count bytes, bool combined);
/// Exchange of halves, quarters, … of a vector, with the farthest or the nearest partner first.
Rounds far_halving_rounds(int ranks, Count bytes, bool combined);
Rounds near_halving_rounds(int ranks, Count bytes, bool combined);
Rounds reversed(Rounds rounds, bool combined);

}  // namespace cartwright::plan::catalogue
