// SPDX-License-Identifier: Apache-2.0
#include "native_call.hpp"

#include <algorithm>
#include <cstring>

namespace cartwright::comm {

void NativeCall::issue() {
  using enum plan::Operation;
  if (call_.operation == barrier) return call_mpi("MPI_Barrier", MPI_Barrier, MPI_Ibarrier);
  const MPI_Datatype type = setting_.types->of(call_.element);
  if (!plan::has_rank_blocks(call_.operation)) return vectors(type);
  if (call_.operation == reduce_scatter) return scatter_sums(type);
  if (!call_.has_uneven_blocks()) return even_blocks(type);
  const bool fits = !call_.only_root_knows_blocks &&  // else not all ranks know whether they do
                    static_cast<std::size_t>(call_.offsets.back()) <= setting_.chunk;
  if (fits && call_.operation != alltoall) return uneven_blocks(type);
  as_messages();
}

void NativeCall::wait() {
  rt::mpi_blocking("MPI_Waitall", MPI_Waitall, static_cast<int>(requests_.size()), requests_.data(),
                   MPI_STATUSES_IGNORE);
  requests_.clear();
}

bool NativeCall::test() {
  int done = 0;
  rt::mpi_check(
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
      "MPI_Testall");
  if (done == 0) return false;
  requests_.clear();
  finish();
  return true;
}

void NativeCall::finish() {
  // MPI leaves the result of a reduce_scatter in place at the beginning.
  if (call_.operation != plan::Operation::reduce_scatter || !in_place() || !result_at_front_)
    return;
  const std::size_t size = bytes(length_of(me()));
  if (size > 0) std::memmove(target(begin_of(me())), call_.output, size);
}

void NativeCall::vectors(MPI_Datatype type) {
  using enum plan::Operation;
  const int root = call_.root.value;
  const MPI_Op op = call_.operation == broadcast
                        ? MPI_OP_NULL
                        : setting_.types->of(call_.reduction, call_.element);
  in_chunks(static_cast<std::size_t>(call_.count), [&](plan::Count first, int count) {
    std::byte* const out = target(first);
    switch (call_.operation) {
      case broadcast:
        return call_mpi("MPI_Bcast", MPI_Bcast, MPI_Ibcast, static_cast<void*>(out), count, type,
                        root);
      case reduce:
        return call_mpi("MPI_Reduce", MPI_Reduce, MPI_Ireduce, source(first), out, count, type, op,
                        root);
      case scan:
        return call_mpi("MPI_Scan", MPI_Scan, MPI_Iscan, source(first), out, count, type, op);
      case exscan:
        return call_mpi("MPI_Exscan", MPI_Exscan, MPI_Iexscan, source(first), out, count, type, op);
      default:
        return call_mpi("MPI_Allreduce", MPI_Allreduce, MPI_Iallreduce, source(first), out, count,
                        type, op);
    }
  });
}

void NativeCall::scatter_sums(MPI_Datatype type) {
  const MPI_Op op = setting_.types->of(call_.reduction, call_.element);
  result_at_front_ = static_cast<std::size_t>(begin_of(ranks())) <= setting_.chunk;
  if (!result_at_front_) {
    // Larger types won't do, since operators know their elements: a reduction to each rank.
    for (int rank = 0; rank < ranks(); ++rank) {
      const plan::Count begin = begin_of(rank);
      in_chunks(static_cast<std::size_t>(length_of(rank)), [&](plan::Count first, int count) {
        const std::byte* const data = in_place() ? call_.output : call_.input;
        const void* const in = in_place() && rank == me()
                                   ? MPI_IN_PLACE
                                   : static_cast<const void*>(data + bytes(begin + first));
        std::byte* const out = rank == me() ? target(in_place() ? begin + first : first) : nullptr;
        call_mpi("MPI_Reduce", MPI_Reduce, MPI_Ireduce, in, out, count, type, op, rank);
      });
    }
  } else if (call_.has_uneven_blocks()) {
    counts_.clear();
    for (int rank = 0; rank < ranks(); ++rank) counts_.push_back(static_cast<int>(length_of(rank)));
    call_mpi("MPI_Reduce_scatter", MPI_Reduce_scatter, MPI_Ireduce_scatter, source(), target(),
             static_cast<const int*>(counts_.data()), type, op);
  } else {
    call_mpi("MPI_Reduce_scatter_block", MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
             source(), target(), static_cast<int>(call_.count), type, op);
  }
}

}  // namespace cartwright::comm
