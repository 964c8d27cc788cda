// SPDX-License-Identifier: Apache-2.0
// Blocks of different lengths whose places MPI can't count, or which only the root knows: a message
// for each.
#include <cartwright/rt/byte_type.hpp>
#include <cstring>

#include "native_call.hpp"

namespace cartwright::comm {

void NativeCall::send(const std::byte* data, plan::Count count, int to, int tag) {
  if (count == 0) return;
  const rt::ByteType type(bytes(count));
  rt::mpi_check(MPI_Isend(data, type.count(), type.type(), setting_.messages->address(to), tag,
                          setting_.messages->handle(), add()),
                "MPI_Isend");
}

void NativeCall::receive(std::byte* data, plan::Count count, int from, int tag) {
  if (count == 0) return;
  const rt::ByteType type(bytes(count));
  rt::mpi_check(MPI_Irecv(data, type.count(), type.type(), setting_.messages->address(from), tag,
                          setting_.messages->handle(), add()),
                "MPI_Irecv");
}

void NativeCall::as_messages() {
  using enum plan::Operation;
  const int tag = setting_.messages->tag_of((*setting_.sequence)++);
  const auto out_places = call_.operation == alltoall ? call_.output_offsets : call_.offsets;
  const auto in_places = call_.operation == alltoall && in_place() ? out_places : call_.offsets;
  const auto at = [](std::span<const plan::Count> places, int rank) {
    return places[static_cast<std::size_t>(rank)];
  };
  const auto length = [&](std::span<const plan::Count> places, int rank) {
    return at(places, rank + 1) - at(places, rank);
  };
  const bool gives_blocks = call_.operation == alltoall || call_.operation == scatter;
  const bool takes_blocks = call_.operation != scatter;
  const std::byte* input = call_.input;
  if (in_place() && call_.operation == alltoall) {
    copy_.assign(call_.output, call_.output + bytes(in_places.back()));
    input = copy_.data();
  } else if (in_place() && call_.operation != scatter) {
    input = call_.output + bytes(at(in_places, me()));
  }
  // Who sends to this rank, and to whom it sends.
  const auto is_end = [&](int from, int to) {
    if (call_.operation == gather) return to == call_.root.value;
    if (call_.operation == scatter) return from == call_.root.value;
    return true;
  };
  for (int distance = 0; distance < ranks(); ++distance) {
    const int from = (me() - distance + ranks()) % ranks();
    const int to = (me() + distance) % ranks();
    if (is_end(from, me())) {
      std::byte* const block =
          takes_blocks ? call_.output + bytes(at(out_places, from)) : call_.output;
      const plan::Count count = length(out_places, takes_blocks ? from : me());
      if (distance > 0)
        receive(block, count, from, tag);
      else if (!in_place() && count > 0)
        std::memcpy(block, gives_blocks ? input + bytes(at(in_places, me())) : input, bytes(count));
    }
    if (distance > 0 && is_end(me(), to)) {
      if (gives_blocks)
        send(input + bytes(at(in_places, to)), length(in_places, to), to, tag);
      else
        send(input, length(in_places, me()), to, tag);
    }
  }
}

}  // namespace cartwright::comm
