// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <cartwright/plan/hierarchy.hpp>
#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/schedule.hpp>
#include <cartwright/plan/team.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace cartwright::plan {

enum class Operation : std::uint8_t {
  allreduce,
  reduce,
  reduce_scatter,
  scan,
  exscan,
  broadcast,
  scatter,
  gather,
  allgather,
  alltoall,
  barrier
};

std::span<const Operation> operations();
std::string_view name_of(Operation operation);
std::optional<Operation> operation_named(std::string_view name);
/// True for those whose blocks belong to ranks (gather, alltoall, …), rather than one vector on
/// all.
bool has_rank_blocks(Operation operation);
bool is_rooted(Operation operation);
bool is_reduction(Operation operation);

/// What is asked for.
struct Problem {
  Operation operation = Operation::allreduce;
  int ranks = 1;
  Root root{};
  Count elements = 1;      ///< of the vector; with rank blocks: of the block of each rank
  Count element_size = 8;  ///< bytes
  bool commutative = true;
  bool even_blocks = true;           ///< blocks of ranks have one length
  const Hierarchy* nodes = nullptr;  ///< which ranks share memory; null: unknown. Must outlive this

  [[nodiscard]] Count bytes() const { return elements * element_size; }
};

/// Makes the schedule of one rank.
using Maker = std::function<Schedule(Team)>;

/// How a problem's data are cut, for a schedule of that many blocks.
Layout layout_of(const Problem& problem, int blocks);

}  // namespace cartwright::plan
