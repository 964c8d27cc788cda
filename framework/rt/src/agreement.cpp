// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <cartwright/rt/agreement.hpp>

namespace cartwright::rt::detail {
namespace {

MPI_Datatype mpi_type(NumberType type) {
  switch (type) {
    case NumberType::int8:
      return MPI_INT8_T;
    case NumberType::uint8:
      return MPI_UINT8_T;
    case NumberType::int32:
      return MPI_INT32_T;
    case NumberType::uint32:
      return MPI_UINT32_T;
    case NumberType::int64:
      return MPI_INT64_T;
    case NumberType::uint64:
      return MPI_UINT64_T;
    case NumberType::real:
      break;
  }
  return MPI_DOUBLE;
}

MPI_Op mpi_operator(Combine how) {
  switch (how) {
    case Combine::smallest:
      return MPI_MIN;
    case Combine::largest:
      return MPI_MAX;
    case Combine::sum:
      return MPI_SUM;
    case Combine::common_bits:
      break;
  }
  return MPI_BAND;
}

}  // namespace

void combine(const Communicator& comm, void* numbers, std::size_t count, NumberType type,
             Combine how, const MpiCall& call) {
  mpi_blocking(call, MPI_Allreduce, MPI_IN_PLACE, numbers, static_cast<int>(count), mpi_type(type),
               mpi_operator(how), comm.handle());
}

void share(const Communicator& comm, std::span<std::byte> bytes, const MpiCall& call) {
  mpi_blocking(call, MPI_Bcast, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0,
               comm.handle());
}

void collect(const Communicator& comm, std::span<const std::byte> mine, std::byte* all,
             const MpiCall& call) {
  const int bytes = static_cast<int>(mine.size());
  mpi_blocking(call, MPI_Allgather, mine.data(), bytes, MPI_BYTE, all, bytes, MPI_BYTE,
               comm.handle());
}

}  // namespace cartwright::rt::detail
