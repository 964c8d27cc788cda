// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <cstddef>

namespace cartwright::drop_in {

std::vector<Data> blocks_of(const Data& all, const int* counts, const int* displacements,
                            int ranks) {
  std::vector<Data> blocks;
  blocks.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    blocks.push_back(all.block(displacements[rank], counts[rank]));
  return blocks;
}

std::vector<Data> blocks_of(const void* all, const int* counts, const int* displacements,
                            const MPI_Datatype* types, int ranks) {
  std::vector<Data> blocks;
  blocks.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    const auto* const begin = static_cast<const std::byte*>(all) + displacements[rank];
    blocks.push_back(data(begin, counts[rank], types[rank]));
  }
  return blocks;
}

comm::Blocks in_bytes(const std::vector<Data>& blocks) {
  std::vector<plan::Count> lengths;
  lengths.reserve(blocks.size());
  for (const Data& block : blocks) lengths.push_back(bytes_of(block.count, block.type));
  return comm::Blocks(lengths);
}

void read_own(MpiCall& call, const Data& own) {
  if (own.address == MPI_IN_PLACE)
    call.in_place();
  else
    call.read(own);
}

void write_own(MpiCall& call, const Data& own) {
  if (own.address == MPI_IN_PLACE)
    call.in_place();
  else
    call.write(own, false);
}

void read_own_write_all(MpiCall& call, const Data& own, const Data& place,
                        std::span<const Data> all) {
  const void* const from = in_place_if_same(own.address, place.address);
  read_own(call, data(from, own.count, own.type));
  call.write(all, from == MPI_IN_PLACE);
}

void read_all_write_own(MpiCall& call, std::span<const Data> all, const Data& own,
                        const Data& place) {
  call.read(all);
  write_own(call, data(in_place_if_same(own.address, place.address), own.count, own.type));
}

void fill_reduction(MpiCall& call, const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                    bool writes, bool keeps) {
  call.call().count = n;
  call.combine(type, op);
  if (writes) in = in_place_if_same(in, out);
  if (in == MPI_IN_PLACE)
    call.in_place();
  else
    call.read_numbers(data(in, n, type));
  if (writes) call.write_numbers(data(out, n, type), keeps || in == MPI_IN_PLACE);
}

void fill_blocks(MpiCall& call, const void* in, void* out, const Own& own, MPI_Datatype type,
                 MPI_Op op) {
  call.combine(type, op);
  if (in_place_if_same(in, out) == MPI_IN_PLACE) {
    call.in_place();
    return call.write_own_numbers(data(out, own.all, type), own.first, own.mine);
  }
  call.read_numbers(data(in, own.all, type));
  call.write_numbers(data(out, own.mine, type), false);
}

void fill_exchange(MpiCall& call, const std::vector<Data>* leaving,
                   const std::vector<Data>& received) {
  if (leaving == nullptr)
    call.in_place();
  else
    call.read(*leaving);
  call.cut(in_bytes(leaving == nullptr ? received : *leaving));
  call.cut_output(in_bytes(received));
  call.write(received, leaving == nullptr);
}

}  // namespace cartwright::drop_in
