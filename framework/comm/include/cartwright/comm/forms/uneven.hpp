// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/forms/description.hpp>
#include <cstddef>
#include <utility>
#include <vector>

/// Collectives of blocks whose lengths the ranks tell each other first.
namespace cartwright::comm {

namespace detail {

/// For a caller who alone knows these blocks: before the others are told.
inline void must_hold_blocks(const Call& call, const Memory& input, const Blocks& blocks,
                             int ranks) {
  if (blocks.ranks() != ranks) refuse_blocks(call, blocks.ranks(), ranks);
  must_hold(call, "input", input, blocks.total());
}

}  // namespace detail

template <Buffer Mine>
Collected<detail::ElementOf<Mine>> Collectives::gather_uneven(const Mine& mine, rt::Rank root,
                                                              At at) const {
  Blocks blocks = blocks_of_all(detail::input_memory(mine).count, at);
  Collected<detail::ElementOf<Mine>> all;
  if (comm_->rank() == root) all.elements.resize(static_cast<std::size_t>(blocks.total()));
  gather(mine, all.elements, root, blocks, at);
  if (comm_->rank() == root) all.blocks = std::move(blocks);
  return all;
}
template <Buffer Mine>
Collected<detail::ElementOf<Mine>> Collectives::allgather_uneven(const Mine& mine, At at) const {
  Collected<detail::ElementOf<Mine>> all;
  all.blocks = blocks_of_all(detail::input_memory(mine).count, at);
  all.elements.resize(static_cast<std::size_t>(all.blocks.total()));
  allgather(mine, all.elements, all.blocks, at);
  return all;
}
template <Buffer All>
std::vector<detail::ElementOf<All>> Collectives::scatter_uneven(const All& all,
                                                                const Blocks& blocks, rt::Rank root,
                                                                At at) const {
  const Call call{.operation = plan::Operation::scatter, .root = root, .site = at};
  if (detail::is_at_root(call, *comm_))
    detail::must_hold_blocks(call, detail::input_memory(all), blocks, comm_->size());
  const Blocks known = blocks_of_root(blocks, root, at);
  std::vector<detail::ElementOf<All>> mine(
      static_cast<std::size_t>(known.count(comm_->rank().value)));
  scatter(all, mine, root, known, at);
  return mine;
}
template <Buffer Input>
Collected<detail::ElementOf<Input>> Collectives::alltoall_uneven(const Input& input,
                                                                 const Blocks& sent, At at) const {
  detail::must_hold_blocks({.operation = plan::Operation::alltoall, .site = at},
                           detail::input_memory(input), sent, comm_->size());
  Collected<detail::ElementOf<Input>> received;
  received.blocks = blocks_to_me(sent, at);
  received.elements.resize(static_cast<std::size_t>(received.blocks.total()));
  alltoall(input, received.elements, sent, received.blocks, at);
  return received;
}

// The nonblocking ones. What they pass on is described before the lengths are known.

template <Buffer Mine>
PendingResult<Collected<detail::ElementOf<Mine>>> Collectives::start_gather_uneven(Mine&& mine,
                                                                                   rt::Rank root,
                                                                                   At at) const {
  using Result = Collected<detail::ElementOf<Mine>>;
  detail::must_outlive_call<decltype(mine)>();
  auto call = detail::describe<decltype(mine)>(plan::Operation::gather, at);
  call.call.root = root;
  const bool is_root = detail::is_at_root(call.call, *comm_);
  const detail::Memory memory = detail::input_memory(mine);
  auto result = std::make_unique<Result>();
  auto transfer = [call, memory, is_root, comm = comm_, to = result.get()](const Blocks& blocks) {
    if (is_root) to->elements.resize(static_cast<std::size_t>(blocks.total()));
    if (is_root) to->blocks = blocks;
    auto known = call;
    detail::fill_gather(known, *comm, memory, detail::output_memory(to->elements), blocks);
    return known;
  };
  return {start_after_counts_of_all(memory.count, std::move(transfer), at), std::move(result)};
}
template <Buffer Mine>
PendingResult<Collected<detail::ElementOf<Mine>>> Collectives::start_allgather_uneven(Mine&& mine,
                                                                                      At at) const {
  using Result = Collected<detail::ElementOf<Mine>>;
  detail::must_outlive_call<decltype(mine)>();
  const auto call = detail::describe<decltype(mine)>(plan::Operation::allgather, at);
  const detail::Memory memory = detail::input_memory(mine);
  auto result = std::make_unique<Result>();
  auto transfer = [call, memory, comm = comm_, to = result.get()](const Blocks& blocks) {
    to->elements.resize(static_cast<std::size_t>(blocks.total()));
    to->blocks = blocks;
    auto known = call;
    detail::fill_allgather(known, *comm, memory, detail::output_memory(to->elements), blocks);
    return known;
  };
  return {start_after_counts_of_all(memory.count, std::move(transfer), at), std::move(result)};
}
template <Buffer All>
PendingResult<std::vector<detail::ElementOf<All>>> Collectives::start_scatter_uneven(
    All&& all, const Blocks& blocks, rt::Rank root, At at) const {
  using Result = std::vector<detail::ElementOf<All>>;
  detail::must_outlive_call<decltype(all)>();
  auto call = detail::describe<decltype(all)>(plan::Operation::scatter, at);
  call.call.root = root;
  const detail::Memory memory = detail::input_memory(all);
  if (detail::is_at_root(call.call, *comm_))
    detail::must_hold_blocks(call.call, memory, blocks, comm_->size());
  auto result = std::make_unique<Result>();
  auto transfer = [call, memory, comm = comm_, to = result.get()](const Blocks& known_blocks) {
    to->resize(static_cast<std::size_t>(known_blocks.count(comm->rank().value)));
    auto known = call;
    detail::fill_scatter(known, *comm, memory, detail::output_memory(*to), known_blocks);
    return known;
  };
  return {start_after_counts_of_root(blocks, root, std::move(transfer), at), std::move(result)};
}
template <Buffer Input>
PendingResult<Collected<detail::ElementOf<Input>>> Collectives::start_alltoall_uneven(
    Input&& input, const Blocks& sent, At at) const {
  using Result = Collected<detail::ElementOf<Input>>;
  detail::must_outlive_call<decltype(input)>();
  const auto call = detail::describe<decltype(input)>(plan::Operation::alltoall, at);
  const detail::Memory memory = detail::input_memory(input);
  detail::must_hold_blocks(call.call, memory, sent, comm_->size());
  auto result = std::make_unique<Result>();
  auto transfer = [call, memory, sent, comm = comm_, to = result.get()](const Blocks& received) {
    to->elements.resize(static_cast<std::size_t>(received.total()));
    to->blocks = received;
    auto known = call;
    detail::fill_alltoall(known, *comm, memory, detail::output_memory(to->elements), sent,
                          received);
    return known;
  };
  return {start_after_counts_to_me(sent, std::move(transfer), at), std::move(result)};
}

}  // namespace cartwright::comm
