// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/stages.hpp>
#include <cartwright/plan/algorithms/transfer_plan.hpp>
#include <cartwright/plan/schedule.hpp>

#include <memory>
#include <span>
#include <vector>

/// Everybody gets the combination of all contributions, the same bits on all ranks. With P ranks,
/// and K the largest power of two up to P.
namespace cartwright::plan::allreduce {

/// Binomial reduction to rank 0 and binomial broadcast from it. 2 ceil(log2 P) rounds, 2 (P - 1)
/// messages. Any operator. (Rüfenacht 2020, 5.1.1)
Schedule fan_in_fan_out(Team team);

/// Rank 0 combines all contributions, in rank order, and sends the result to everybody. 2 rounds,
/// 2 (P - 1) messages. For ranks that share cores: each but rank 0 needs one turn. Any operator.
Schedule star(Team team);

/// Butterfly on K ranks; the first 2 (P - K) ranks fold in pairs before, and get the result after.
/// log2 K rounds, and two more when P != K; K log2 K + 2 (P - K) messages. Any operator.
/// (Thakur, Rabenseifner and Gropp 2005; Rüfenacht 2020, 5.1.2)
Schedule recursive_doubling(Team team);

/// Reduce-scatter by halving the vector, nearest ranks first, and allgather by doubling, on K ranks
/// and blocks; folded as recursive_doubling. Twice its rounds and messages on the K ranks; a rank
/// sends 2 (K - 1) / K of the vector. Any operator. (Rabenseifner 2004)
Schedule rabenseifner(Team team);

/// Reduce-scatter and allgather around a ring, a block for each rank. 2 (P - 1) rounds, in each of
/// which a rank sends a P-th of the vector. Commutative operators only.
/// (Patarasuk and Yuan 2009)
Schedule ring(Team team);

/// A stage for each factor f, in which groups of f ranks exchange their values all to all and
/// combine them in digit order. Sum of P (f - 1) messages. Any operator. Throws
/// std::invalid_argument unless the factors, each at least 2, multiply to P. (Rüfenacht 2020, 5.2)
Schedule recursive_multiplying(Team team, std::span<const int> factors);

/// Any schedule of the notation: factors, between a collapse and an expansion, or with remaining
/// ranks that ride along with the first factor and are served by the last. A round for each stage.
/// On a core of C ranks with factors f_1 … f_q: C (f - 1) messages a factor, (T / M) (M - 1) a
/// collapse or expansion, R (f_1 + f_q) for the merged ranks, which stand before the group with
/// which they ride. Any operator. Throws std::invalid_argument unless ranks_of(stages) is P.
/// (Rüfenacht 2020, 5.3-5.4)
Schedule staged(Team team, const Stages& stages);

/// 2-1 and 3-2 elimination: of x pairs one rank folds into the other, of y threes one rank
/// multicasts to the other two while these exchange; the K ranks that are left finish a butterfly,
/// and the others get the result. y = min(P - K, 2 K - P), x = P - K - y. At most
/// ceil(log2 P) + 1 rounds, K log2 K + 2 x + 3 y messages. Any operator.
/// (Rabenseifner and Träff 2004; Rüfenacht 2020, 5.1.4)
Schedule elimination(Team team);

/// Recursive multiplying that splits the vector: in the stage of a factor f each rank of a group
/// combines an f-th of what the group works on; then the stages in reverse, as allgather. P blocks,
/// two rounds a factor, sum of 2 P (f - 1) messages, 2 (P - 1) / P of the vector sent by a rank.
/// With all factors 2 it is `rabenseifner`, with the only factor P pairwise exchange. Any operator.
/// Throws as recursive_multiplying.
Schedule split_multiplying(Team team, std::span<const int> factors);

/// Who does what when one rank is late, made once for the schedules of all ranks.
class OneLatePlan {
 public:
  /// Throws std::invalid_argument for fewer than two ranks, and a late rank that isn't among them.
  OneLatePlan(int ranks, int late, int segments);

 private:
  friend Schedule one_late(Team team, const OneLatePlan& plan);

  int late_ = 0, collector_ = 0;
  std::shared_ptr<const SharedPlan> reduction_;  // of the others, to the collector
  std::vector<int> fed_;          // segments in the order in which the late rank gets them
  std::vector<Transfer> handed_;  // the results, from the late rank to all
};

/// The others reduce to one of them, which gives the late rank segment after segment; a round later
/// it hands them out, in the order of a balanced reduction backwards. About ceil(log2 P) + 1 rounds
/// more than segments from when it arrives. Commutative operators only. (After Marendić et al.
/// 2016, for one rank that is late.)
Schedule one_late(Team team, const OneLatePlan& plan);

}  // namespace cartwright::plan::allreduce
