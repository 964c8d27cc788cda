// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/blocks.hpp>
#include <cartwright/comm/buffer.hpp>
#include <cartwright/comm/call.hpp>
#include <cartwright/comm/strided.hpp>
#include <cartwright/rt/communicator.hpp>
#include <functional>
#include <string_view>

/// From buffers to a `Call`, with all that this rank can find wrong by itself. Inline, since small
/// collectives take tens of nanoseconds; what complains is not.
namespace cartwright::comm::detail {

/// A call whose buffers may have to be packed first.
struct Arguments {
  Call call;
  Strides input{};  ///< no element: contiguous
  Strides output{};

  [[nodiscard]] bool is_strided() const { return input.count != 0 || output.count != 0; }
  void reads(const Memory& memory) {
    call.input = memory.data;
    input = memory.strides;
  }
  void writes(const Memory& memory) {
    call.output = memory.data;
    output = memory.strides;
  }
  void shares(const Memory& memory) {
    call.place = plan::Place::in_place;
    writes(memory);
  }
};

[[noreturn]] void refuse_short(const Call& call, std::string_view which, plan::Count has,
                               plan::Count needs);
[[noreturn]] void refuse_root(const Call& call, int ranks);
[[noreturn]] void refuse_overlap(const Call& call);
[[noreturn]] void refuse_uneven(const Call& call, plan::Count elements, int ranks);
[[noreturn]] void refuse_blocks(const Call& call, int blocks, int ranks);
[[noreturn]] void refuse_different_blocks(const Call& call);

inline void must_hold(const Call& call, std::string_view which, const Memory& memory,
                      plan::Count needs) {
  if (memory.count < needs) [[unlikely]]
    refuse_short(call, which, memory.count, needs);
}

/// What is read and what is written must lie apart; packed memory does.
inline void must_be_apart(const Arguments& arguments, plan::Count in, plan::Count out) {
  const Call& call = arguments.call;
  if (in == 0 || out == 0 || arguments.is_strided()) return;
  const auto size = static_cast<plan::Count>(call.element.size);
  const std::less<const std::byte*> before{};
  if (before(call.input, call.output + out * size) && before(call.output, call.input + in * size))
      [[unlikely]]
    refuse_overlap(call);
}

inline bool is_at_root(const Call& call, const rt::Communicator& comm) {
  if (call.root.value < 0 || call.root.value >= comm.size()) [[unlikely]]
    refuse_root(call, comm.size());
  return call.root == comm.rank();
}

/// Elements of the block of each rank, in memory for the blocks of all.
inline plan::Count even_share(const Call& call, const Memory& all, int ranks) {
  if (all.count % ranks != 0) [[unlikely]]
    refuse_uneven(call, all.count, ranks);
  return all.count / ranks;
}

inline void set_blocks(Call& call, const Blocks& blocks, int ranks) {
  if (blocks.are_even()) return;
  if (blocks.ranks() != ranks) [[unlikely]]
    refuse_blocks(call, blocks.ranks(), ranks);
  call.offsets = blocks.offsets();
}

inline plan::Count elements_of_all(const Call& call, const Blocks& blocks, int ranks) {
  return blocks.are_even() ? call.count * ranks : blocks.total();
}

// One vector on all ranks: broadcast, reductions, scans.

inline void fill_vector(Arguments& into, const Memory& input, const Memory& output) {
  into.call.count = input.count;
  into.reads(input);
  into.writes(output);
  must_hold(into.call, "output", output, input.count);
  must_be_apart(into, input.count, input.count);
}
inline void fill_vector_in_place(Arguments& into, const Memory& data) {
  into.call.count = data.count;
  into.shares(data);
}
inline void fill_broadcast(Arguments& into, const rt::Communicator& comm, const Memory& data) {
  (void)is_at_root(into.call, comm);
  fill_vector_in_place(into, data);
}
inline void fill_reduce(Arguments& into, const rt::Communicator& comm, const Memory& input,
                        const Memory& output) {
  if (is_at_root(into.call, comm)) return fill_vector(into, input, output);
  into.call.count = input.count;
  into.reads(input);
}
inline void fill_reduce_in_place(Arguments& into, const rt::Communicator& comm,
                                 const Memory& data) {
  if (is_at_root(into.call, comm)) return fill_vector_in_place(into, data);
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

}  // namespace cartwright::comm::detail
