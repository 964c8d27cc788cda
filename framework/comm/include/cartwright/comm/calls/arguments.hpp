// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/blocks.hpp>
#include <cartwright/comm/calls/buffer.hpp>
#include <cartwright/comm/calls/call.hpp>
#include <cartwright/comm/calls/strided.hpp>
#include <cartwright/rt/communicator.hpp>
#include <functional>
#include <string_view>

/// From buffers to a `Call`, with all that this rank can find wrong by itself. Inline, since small
/// collectives take tens of nanoseconds; what complains is not.
namespace cartwright::comm::detail {

/// A call whose buffers may have to be packed first.
struct Arguments {
  Call call;
  Scatter input{};
  Scatter output{};

  [[nodiscard]] bool is_scattered() const { return input || output; }
  /// All that it has here lies on a device, without gaps, and is only moved, in equal blocks: an
  /// MPI library that takes a device's memory carries it out as it is.
  [[nodiscard]] bool is_moved_on_device() const;
  void reads(const Memory& memory) {
    call.input = memory.data;
    input = memory.scatter;
  }
  void writes(const Memory& memory) {
    call.output = memory.data;
    output = memory.scatter;
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
[[noreturn]] void refuse_unknown_blocks(const Call& call);

inline void must_hold(const Call& call, std::string_view which, const Memory& memory,
                      plan::Count needs) {
  if (memory.count < needs) [[unlikely]]
    refuse_short(call, which, memory.count, needs);
}

/// What is read and what is written must lie apart; packed memory does.
inline void must_be_apart(const Arguments& arguments, plan::Count in, plan::Count out) {
  const Call& call = arguments.call;
  if (in == 0 || out == 0 || arguments.is_scattered()) return;
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
  call.only_root_knows_blocks = blocks.are_known_at_root_only();
  if (call.only_root_knows_blocks && call.operation != plan::Operation::gather &&
      call.operation != plan::Operation::scatter) [[unlikely]]
    refuse_unknown_blocks(call);
}

inline plan::Count elements_of_all(const Call& call, const Blocks& blocks, int ranks) {
  return blocks.are_even() ? call.count * ranks : blocks.total();
}

}  // namespace cartwright::comm::detail
