// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <cartwright/plan/schedule.hpp>

#include <functional>
#include <string>
#include <vector>

namespace cartwright::plan::test {

/// The schedule of one rank.
using Generator = std::function<Schedule(Team)>;

/// What a reduction promises beyond the right contributions.
enum class Order {
  commutative,  ///< each contribution exactly once
  any_operator  ///< each exactly once, in rank order
};

/// A run of one operation on all its ranks in the interpreter, behind the validator. Each function
/// returns what is wrong, or an empty text. `elements`: of the whole vector. `counts`: elements of
/// each rank's block.
struct Trial {
  int ranks = 1;
  Place place = Place::separate;
  Generator make;
};

std::string check_broadcast(const Trial& trial, int root, Count elements);
std::string check_reduce(const Trial& trial, int root, Count elements, Order order);
/// Also: the same expression, so the same bits, on all ranks.
std::string check_allreduce(const Trial& trial, Count elements, Order order);
std::string check_scan(const Trial& trial, Count elements, bool inclusive);
std::string check_gather(const Trial& trial, int root, const std::vector<Count>& counts);
std::string check_scatter(const Trial& trial, int root, const std::vector<Count>& counts);
std::string check_allgather(const Trial& trial, const std::vector<Count>& counts);
std::string check_reduce_scatter(const Trial& trial, const std::vector<Count>& counts, Order order);
/// Blocks of `each` elements.
std::string check_alltoall(const Trial& trial, Count each);
/// Uneven blocks: rank a sends (a * 7 + b * 3) % 5 elements to b.
std::string check_alltoallv(const Trial& trial);
/// Nobody leaves before all have entered.
std::string check_barrier(const Trial& trial);

/// Lengths that the issue of algorithms asks for: 0, 1, P - 1, P, a prime, 1000.
std::vector<Count> lengths(int ranks);
/// Even counts, and uneven ones with zeros among them.
std::vector<std::vector<Count>> block_counts(int ranks);
/// Random numbers of ranks, up to `most`; the same ones always.
std::vector<int> random_ranks(int how_many, int most);

}  // namespace cartwright::plan::test
