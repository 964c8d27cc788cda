// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/calls/arguments.hpp>
#include <cartwright/comm/calls/call_text.hpp>
#include <cartwright/comm/calls/call_validity.hpp>
#include <cartwright/rt/error.hpp>
#include <string_view>

namespace cartwright::comm {

namespace {

using enum plan::Operation;

[[noreturn]] void refuse(const Call& call, std::string_view why) {
  throw rt::internal_failure(fmt::format("{}: {}", describe(call), why),
                             "call.hpp says what each operation reads and writes.");
}

void require_offsets(const Call& call, std::span<const plan::Count> offsets, int ranks) {
  if (offsets.empty()) return;
  if (std::ssize(offsets) != ranks + 1)
    detail::refuse_blocks(call, static_cast<int>(offsets.size()) - 1, ranks);
  if (offsets.front() != 0 || !std::ranges::is_sorted(offsets))
    refuse(call, "the offsets of blocks don't ascend from 0");
}

bool knows_blocks(plan::Operation operation) {
  return plan::has_rank_blocks(operation) || operation == reduce_scatter;
}

/// How many elements this rank reads and writes.
struct Lengths {
  plan::Count input = 0;
  plan::Count output = 0;
};

Lengths lengths_of(const Call& call, int ranks, int me) {
  const auto total = [&](std::span<const plan::Count> offsets) {
    return offsets.empty() ? call.count * ranks : offsets.back();
  };
  const auto rank = static_cast<std::size_t>(me);
  const plan::Count mine = call.offsets.empty() || call.operation == alltoall
                               ? call.count
                               : call.offsets[rank + 1] - call.offsets[rank];
  const bool is_root = call.root.value == me;
  const bool in_place = call.place == plan::Place::in_place;
  switch (call.operation) {
    case barrier:
      return {};
    case broadcast:
      return {0, call.count};
    case reduce:
      return {in_place && is_root ? 0 : call.count, is_root ? call.count : 0};
    case allreduce:
    case scan:
    case exscan:
      return {in_place ? 0 : call.count, call.count};
    case reduce_scatter:
      return {in_place ? 0 : total(call.offsets), in_place ? total(call.offsets) : mine};
    case gather:
      return {in_place && is_root ? 0 : mine, is_root ? total(call.offsets) : 0};
    case scatter:
      return {is_root ? total(call.offsets) : 0, in_place && is_root ? 0 : mine};
    case allgather:
      return {in_place ? 0 : mine, total(call.offsets)};
    case alltoall:
      return {in_place ? 0 : total(call.offsets),
              total(call.output_offsets.empty() ? call.offsets : call.output_offsets)};
  }
  return {};
}

}  // namespace

void require_valid(const Call& call, const rt::Communicator& comm) {
  if (call.count < 0) refuse(call, "a negative number of elements");
  if (call.element.size == 0) refuse(call, "elements of 0 bytes");
  if (plan::is_rooted(call.operation)) (void)detail::is_at_root(call, comm);
  if (plan::is_reduction(call.operation) && call.reduction.function == nullptr)
    refuse(call, "there is no operator");
  if (call.has_uneven_blocks() && !knows_blocks(call.operation))
    refuse(call, "blocks were given for a vector");
  if (call.only_root_knows_blocks && call.operation != gather && call.operation != scatter)
    detail::refuse_unknown_blocks(call);
  require_offsets(call, call.offsets, comm.size());
  require_offsets(call, call.output_offsets, comm.size());
  if (call.operation == alltoall && call.offsets.empty() != call.output_offsets.empty())
    detail::refuse_different_blocks(call);
  const Lengths lengths = lengths_of(call, comm.size(), comm.rank().value);
  if (lengths.input > 0 && call.input == nullptr) refuse(call, "there is no input");
  if (lengths.output > 0 && call.output == nullptr) refuse(call, "there is no output");
  detail::must_be_apart({.call = call}, lengths.input, lengths.output);
}

}  // namespace cartwright::comm
