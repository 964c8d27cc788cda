// SPDX-License-Identifier: Apache-2.0
// Blocks that go from rank to rank as they are.
#include <cartwright/rt/byte_type.hpp>
#include <optional>

#include "native_call.hpp"

namespace cartwright::comm {

namespace {

/// A block as MPI can count it: its elements, or one element of a larger type where all blocks
/// together are too many. MPI keeps types alive that are in use.
class Block {
 public:
  Block(const Call& call, MPI_Datatype element, std::size_t ranks, std::size_t chunk)
      : count_(static_cast<int>(call.count)), type_(element) {
    const auto elements = static_cast<std::size_t>(call.count);
    if (elements * ranks <= chunk) return;
    large_.emplace(elements * call.element.size, chunk / ranks);
    count_ = large_->count();
    type_ = large_->type();
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  int count_;
  MPI_Datatype type_;
  std::optional<rt::ByteType> large_;
};

}  // namespace

void NativeCall::even_blocks(MPI_Datatype element) {
  using enum plan::Operation;
  const Block block(call_, element, static_cast<std::size_t>(ranks()), setting_.chunk);
  const int n = block.count();
  const MPI_Datatype type = block.type();
  const int root = call_.root.value;
  void* const out = target();
  switch (call_.operation) {
    case gather:
      return call_mpi("MPI_Gather", MPI_Gather, MPI_Igather, source(), n, type, out, n, type, root);
    case scatter: {
      void* const own = in_place() ? MPI_IN_PLACE : out;
      return call_mpi("MPI_Scatter", MPI_Scatter, MPI_Iscatter,
                      static_cast<const void*>(call_.input), n, type, own, n, type, root);
    }
    case allgather:
      return call_mpi("MPI_Allgather", MPI_Allgather, MPI_Iallgather, source(), n, type, out, n,
                      type);
    default:
      return call_mpi("MPI_Alltoall", MPI_Alltoall, MPI_Ialltoall, source(), n, type, out, n, type);
  }
}

void NativeCall::uneven_blocks(MPI_Datatype type) {
  using enum plan::Operation;
  counts_.clear();
  places_.clear();
  for (int rank = 0; rank < ranks(); ++rank) {
    counts_.push_back(static_cast<int>(length_of(rank)));
    places_.push_back(static_cast<int>(begin_of(rank)));
  }
  const int* const counts = counts_.data();
  const int* const places = places_.data();
  const int own = counts[me()];
  const int root = call_.root.value;
  void* const out = target();
  switch (call_.operation) {
    case gather:
      return call_mpi("MPI_Gatherv", MPI_Gatherv, MPI_Igatherv, source(), own, type, out, counts,
                      places, type, root);
    case scatter: {
      void* const result = in_place() ? MPI_IN_PLACE : out;
      return call_mpi("MPI_Scatterv", MPI_Scatterv, MPI_Iscatterv,
                      static_cast<const void*>(call_.input), counts, places, type, result, own,
                      type, root);
    }
    default:
      return call_mpi("MPI_Allgatherv", MPI_Allgatherv, MPI_Iallgatherv, source(), own, type, out,
                      counts, places, type);
  }
}

}  // namespace cartwright::comm
