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

}  // namespace cartwright::comm
