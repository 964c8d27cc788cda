// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/tree.hpp>
#include <cartwright/plan/schedule.hpp>

/// The root's output goes into the output of all. Any P, any root; no input and no scratch memory.
///
/// With segments the data are cut into so many blocks, which follow each other down the tree:
/// P - 1 messages for each. Rounds then are those of one segment plus (segments - 1) times the
/// period of the tree: 1 for chain and k_ary, else its number of rounds, since the root is busy
/// that long with each.
namespace cartwright::plan::broadcast {

/// The root sends to each, starting behind itself. One round.
Schedule linear(Team team, Root root);

/// The parent of a virtual rank is that rank without its lowest bit, and goes to the far child
/// first; ceil(log2 P) rounds. Subtrees are consecutive ranks. With exclusive_or, P that aren't a
/// power of two take the aligned_tree, which keeps groups together all the same.
/// (Karlsson 2012, chapter 5)
Schedule binomial_low_bit_first(Team team, Root root, RootPlacement placement, int segments = 1);

/// The parent of a virtual rank is that rank without its highest bit, and goes to the near child
/// first (Open MPI's broadcast); ceil(log2 P) rounds. With exclusive_or, P that aren't a power of
/// two rotate.
Schedule binomial_high_bit_first(Team team, Root root, RootPlacement placement, int segments = 1);

/// The children of virtual rank v are k v + 1 … k v + k, served in one round; as many rounds as
/// the tree is deep.
Schedule k_ary(Team team, Root root, int k, int segments = 1);

/// Binomial with digits of base `radix` for bits, radix - 1 children a round:
/// ceil(log_radix P) rounds.
Schedule k_nomial(Team team, Root root, int radix, int segments = 1);

/// A pipeline: P - 2 + segments rounds. (Karlsson 2012, chapter 5)
Schedule chain(Team team, Root root, int segments);

/// How the parts come to all after a scatter.
enum class Spread : std::uint8_t {
  ring,               ///< P - 1 rounds between neighbours
  recursive_doubling  ///< log2 P rounds; where P isn't a power of two, the ring
};

/// P blocks: scattered along the n_way_tree of fan-out 1, then gathered by all. What a rank already
/// holds from the scatter isn't sent to it again, so that fewer than P (P - 1) blocks travel.
/// ceil(log2 P) rounds and those of the spread. (Barnett et al. 1994; Zhou et al. 2015 for what is
/// spared)
Schedule scatter_allgather(Team team, Root root, Spread spread = Spread::ring);

}  // namespace cartwright::plan::broadcast
