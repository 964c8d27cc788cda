// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/arguments.hpp>
#include <cartwright/comm/calls/blocks.hpp>
#include <cartwright/comm/calls/buffer.hpp>
#include <cartwright/rt/communicator.hpp>

/// Sizes and addresses of each collective's call, by the table in call.hpp: what is a collective's
/// own.
namespace cartwright::comm::detail {

// One vector on all ranks: broadcast, reductions, scans.

inline void fill_vector(Arguments& into, const rt::Communicator& /*comm*/, const Memory& input,
                        const Memory& output) {
  into.call.count = input.count;
  into.reads(input);
  into.writes(output);
  must_hold(into.call, "output", output, input.count);
  must_be_apart(into, input.count, input.count);
}
inline void fill_vector_in_place(Arguments& into, const rt::Communicator& /*comm*/,
                                 const Memory& data) {
  into.call.count = data.count;
  into.shares(data);
}
inline void fill_broadcast(Arguments& into, const rt::Communicator& comm, const Memory& data) {
  (void)is_at_root(into.call, comm);
  fill_vector_in_place(into, comm, data);
}
inline void fill_reduce(Arguments& into, const rt::Communicator& comm, const Memory& input,
                        const Memory& output) {
  if (is_at_root(into.call, comm)) return fill_vector(into, comm, input, output);
  into.call.count = input.count;
  into.reads(input);
}
inline void fill_reduce_in_place(Arguments& into, const rt::Communicator& comm,
                                 const Memory& data) {
  if (is_at_root(into.call, comm)) return fill_vector_in_place(into, comm, data);
  into.call.count = data.count;
  into.reads(data);
}

// Blocks of ranks.

/// A block to all blocks: gather (`all` null where this rank gets nothing), allgather.
inline void fill_collecting(Arguments& into, const rt::Communicator& comm, const Memory& mine,
                            const Memory* all, const Blocks& blocks) {
  set_blocks(into.call, blocks, comm.size());
  const auto n = blocks.are_even() ? mine.count : blocks.count(comm.rank().value);
  into.call.count = n;
  must_hold(into.call, "input", mine, n);
  into.reads(mine);
  if (all == nullptr) return;
  into.writes(*all);
  const auto total = elements_of_all(into.call, blocks, comm.size());
  must_hold(into.call, "output", *all, total);
  must_be_apart(into, n, total);
}
/// All blocks to one: scatter (`all` null where this rank gives nothing).
inline void fill_dealing(Arguments& into, const rt::Communicator& comm, const Memory* all,
                         const Memory& mine, const Blocks& blocks) {
  set_blocks(into.call, blocks, comm.size());
  const auto n = blocks.are_even() ? mine.count : blocks.count(comm.rank().value);
  into.call.count = n;
  must_hold(into.call, "output", mine, n);
  into.writes(mine);
  if (all == nullptr) return;
  into.reads(*all);
  const auto total = elements_of_all(into.call, blocks, comm.size());
  must_hold(into.call, "input", *all, total);
  must_be_apart(into, total, n);
}
/// The caller's own block lies among those of all.
inline void fill_all_in_place(Arguments& into, const rt::Communicator& comm, const Memory& all,
                              const Blocks& blocks) {
  set_blocks(into.call, blocks, comm.size());
  into.call.count =
      blocks.are_even() ? even_share(into.call, all, comm.size()) : blocks.count(comm.rank().value);
  must_hold(into.call, "buffer", all, elements_of_all(into.call, blocks, comm.size()));
  into.shares(all);
}
inline void fill_allgather(Arguments& into, const rt::Communicator& comm, const Memory& mine,
                           const Memory& all, const Blocks& blocks) {
  fill_collecting(into, comm, mine, &all, blocks);
}
inline void fill_gather(Arguments& into, const rt::Communicator& comm, const Memory& mine,
                        const Memory& all, const Blocks& blocks) {
  fill_collecting(into, comm, mine, is_at_root(into.call, comm) ? &all : nullptr, blocks);
}
inline void fill_gather_in_place(Arguments& into, const rt::Communicator& comm, const Memory& data,
                                 const Blocks& blocks) {
  if (is_at_root(into.call, comm)) return fill_all_in_place(into, comm, data, blocks);
  fill_collecting(into, comm, data, nullptr, blocks);
}
inline void fill_scatter(Arguments& into, const rt::Communicator& comm, const Memory& all,
                         const Memory& mine, const Blocks& blocks) {
  fill_dealing(into, comm, is_at_root(into.call, comm) ? &all : nullptr, mine, blocks);
}
inline void fill_scatter_in_place(Arguments& into, const rt::Communicator& comm, const Memory& data,
                                  const Blocks& blocks) {
  if (!is_at_root(into.call, comm)) return fill_dealing(into, comm, nullptr, data, blocks);
  fill_all_in_place(into, comm, data, blocks);
  into.reads(data);
  into.writes({});  // the root's own block stays where it is
}
inline void fill_reduce_scatter(Arguments& into, const rt::Communicator& comm, const Memory& all,
                                const Memory& mine, const Blocks& blocks) {
  set_blocks(into.call, blocks, comm.size());
  const auto n =
      blocks.are_even() ? even_share(into.call, all, comm.size()) : blocks.count(comm.rank().value);
  into.call.count = n;
  into.reads(all);
  into.writes(mine);
  const auto total = elements_of_all(into.call, blocks, comm.size());
  must_hold(into.call, "input", all, total);
  must_hold(into.call, "output", mine, n);
  must_be_apart(into, total, n);
}
inline void fill_alltoall(Arguments& into, const rt::Communicator& comm, const Memory& input,
                          const Memory& output, const Blocks& sent, const Blocks& received) {
  if (sent.are_even() != received.are_even()) [[unlikely]]
    refuse_different_blocks(into.call);
  set_blocks(into.call, received, comm.size());
  into.call.output_offsets = into.call.offsets;
  set_blocks(into.call, sent, comm.size());
  into.call.count = sent.are_even() ? even_share(into.call, input, comm.size()) : 0;
  into.reads(input);
  into.writes(output);
  const auto in = elements_of_all(into.call, sent, comm.size());
  const auto out = elements_of_all(into.call, received, comm.size());
  must_hold(into.call, "input", input, in);
  must_hold(into.call, "output", output, out);
  must_be_apart(into, in, out);
}
inline void fill_alltoall_in_place(Arguments& into, const rt::Communicator& comm,
                                   const Memory& data, const Blocks& blocks) {
  fill_all_in_place(into, comm, data, blocks);
  if (!blocks.are_even()) {
    into.call.count = 0;
    into.call.output_offsets = into.call.offsets;
  }
}

/// What an operation adds to a call of two buffers, and to one in place.
template <plan::Operation operation>
inline constexpr auto fill = fill_vector;  // allreduce, scan, exscan
template <>
inline constexpr auto fill<plan::Operation::reduce> = fill_reduce;
template <>
inline constexpr auto fill<plan::Operation::reduce_scatter> = fill_reduce_scatter;
template <>
inline constexpr auto fill<plan::Operation::gather> = fill_gather;
template <>
inline constexpr auto fill<plan::Operation::scatter> = fill_scatter;
template <>
inline constexpr auto fill<plan::Operation::allgather> = fill_allgather;
template <>
inline constexpr auto fill<plan::Operation::alltoall> = fill_alltoall;

template <plan::Operation operation>
inline constexpr auto fill_in_place = fill_vector_in_place;
template <>
inline constexpr auto fill_in_place<plan::Operation::broadcast> = fill_broadcast;
template <>
inline constexpr auto fill_in_place<plan::Operation::reduce> = fill_reduce_in_place;
template <>
inline constexpr auto fill_in_place<plan::Operation::reduce_scatter> = fill_all_in_place;
template <>
inline constexpr auto fill_in_place<plan::Operation::gather> = fill_gather_in_place;
template <>
inline constexpr auto fill_in_place<plan::Operation::scatter> = fill_scatter_in_place;
template <>
inline constexpr auto fill_in_place<plan::Operation::allgather> = fill_all_in_place;
template <>
inline constexpr auto fill_in_place<plan::Operation::alltoall> = fill_alltoall_in_place;

/// For a caller who alone knows these blocks: before the others are told.
inline void must_hold_blocks(const Call& call, const Memory& input, const Blocks& blocks,
                             int ranks) {
  if (blocks.ranks() != ranks) refuse_blocks(call, blocks.ranks(), ranks);
  must_hold(call, "input", input, blocks.total());
}

}  // namespace cartwright::comm::detail
