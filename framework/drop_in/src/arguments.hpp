// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/calls/blocks.hpp>
#include <span>
#include <vector>

#include "mpi_call.hpp"

namespace cartwright::drop_in {

[[nodiscard]] inline Data data(const void* address, long long count, MPI_Datatype type) {
  return {const_cast<void*>(address), count, type};
}

/// Blocks of ranks, at displacements in elements of their type.
[[nodiscard]] std::vector<Data> blocks_of(const Data& all, const int* counts,
                                          const int* displacements, int ranks);
/// … each of a type of its own, at displacements in bytes.
[[nodiscard]] std::vector<Data> blocks_of(const void* all, const int* counts,
                                          const int* displacements, const MPI_Datatype* types,
                                          int ranks);
/// How many bytes each of them has.
[[nodiscard]] comm::Blocks in_bytes(const std::vector<Data>& blocks);

/// Where data are to arrive that are sent from the same place, which MPI forbids and programs do,
/// they are in place.
[[nodiscard]] inline const void* in_place_if_same(const void* sent, const void* arriving) {
  return sent == arriving ? MPI_IN_PLACE : sent;
}

/// A rank's own data: MPI says "in place" by an address.
void read_own(MpiCall& call, const Data& own);
void write_own(MpiCall& call, const Data& own);
/// The same beside the blocks of all ranks, which are written here, or read: in place also where
/// the own data lie at their place among them.
void read_own_write_all(MpiCall& call, const Data& own, const Data& place,
                        std::span<const Data> all);
void read_all_write_own(MpiCall& call, std::span<const Data> all, const Data& own,
                        const Data& place);

/// n numbers of each rank are combined.
void fill_reduction(MpiCall& call, const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                    bool writes, bool keeps);

/// This rank's block among those of all.
struct Own {
  long long all, first, mine;
};

/// … and each rank gets its own block of them. In place MPI wants it in front.
void fill_blocks(MpiCall& call, const void* in, void* out, const Own& own, MPI_Datatype type,
                 MPI_Op op);

/// Blocks to and from all ranks; none leave: in place.
void fill_exchange(MpiCall& call, const std::vector<Data>* leaving,
                   const std::vector<Data>& received);

}  // namespace cartwright::drop_in
