// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/selection/operation.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace cartwright::plan {

namespace {

constexpr std::array operation_list{
    Operation::allreduce, Operation::reduce,    Operation::reduce_scatter, Operation::scan,
    Operation::exscan,    Operation::broadcast, Operation::scatter,        Operation::gather,
    Operation::allgather, Operation::alltoall,  Operation::barrier};

constexpr std::array<std::string_view, operation_list.size()> operation_names{
    "allreduce", "reduce", "reduce_scatter", "scan",     "exscan", "broadcast",
    "scatter",   "gather", "allgather",      "alltoall", "barrier"};

}  // namespace

std::span<const Operation> operations() {
  return operation_list;
}

std::string_view name_of(Operation operation) {
  return operation_names[static_cast<std::size_t>(operation)];
}

std::optional<Operation> operation_named(std::string_view name) {
  const auto found = std::ranges::find(operation_names, name);
  if (found == operation_names.end()) return std::nullopt;
  return operation_list[static_cast<std::size_t>(found - operation_names.begin())];
}

bool has_rank_blocks(Operation operation) {
  return operation == Operation::reduce_scatter || operation == Operation::scatter ||
         operation == Operation::gather || operation == Operation::allgather ||
         operation == Operation::alltoall;
}

bool is_rooted(Operation operation) {
  return operation == Operation::reduce || operation == Operation::broadcast ||
         operation == Operation::scatter || operation == Operation::gather;
}

bool is_reduction(Operation operation) {
  return operation == Operation::allreduce || operation == Operation::reduce ||
         operation == Operation::reduce_scatter || operation == Operation::scan ||
         operation == Operation::exscan;
}

Layout layout_of(const Problem& problem, int blocks) {
  if (problem.operation == Operation::barrier) return Cuts::uniform(blocks, 0);
  if (has_rank_blocks(problem.operation)) return Cuts::uniform(blocks, problem.elements);
  return Cuts::balanced(blocks, problem.elements);
}

}  // namespace cartwright::plan
