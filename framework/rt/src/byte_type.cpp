// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/rt/byte_type.hpp>
#include <cartwright/rt/mpi_check.hpp>

namespace cartwright::rt {

ByteType::ByteType(std::size_t bytes, std::size_t limit) {
  if (bytes <= limit) {
    count_ = static_cast<int>(bytes);
    return;
  }
  // Blocks of a power of two, as few as fit an int, and what remains: one struct of both.
  const std::size_t block = std::max<std::size_t>(std::min<std::size_t>(limit, 1U << 30U), 1);
  const std::size_t rest = bytes % block;
  MPI_Datatype block_type = MPI_DATATYPE_NULL;
  mpi_check(MPI_Type_contiguous(static_cast<int>(block), MPI_BYTE, &block_type),
            "MPI_Type_contiguous");
  std::array<int, 2> counts{static_cast<int>(bytes / block), static_cast<int>(rest)};
  std::array<MPI_Aint, 2> places{0, static_cast<MPI_Aint>(bytes - rest)};
  std::array<MPI_Datatype, 2> types{block_type, MPI_BYTE};
  mpi_check(MPI_Type_create_struct(2, counts.data(), places.data(), types.data(), &type_),
            "MPI_Type_create_struct");
  mpi_check(MPI_Type_free(&block_type), "MPI_Type_free");
  mpi_check(MPI_Type_commit(&type_), "MPI_Type_commit");
  count_ = 1;
}

ByteType::~ByteType() {
  if (type_ != MPI_BYTE && mpi_is_running()) MPI_Type_free(&type_);
}

}  // namespace cartwright::rt
