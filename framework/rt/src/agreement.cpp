// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <cartwright/rt/agreement.hpp>
#include <cstdint>
#include <cstring>

namespace cartwright::rt {
namespace {

/// Strings one after the other, each after its length.
std::string pack(const std::vector<std::string>& parts) {
  std::string packed;
  for (const std::string& part : parts) {
    const std::uint64_t size = part.size();
    packed.append(reinterpret_cast<const char*>(&size), sizeof size);
    packed += part;
  }
  return packed;
}

std::vector<std::string> unpack(const std::string& packed) {
  std::vector<std::string> parts;
  std::uint64_t size = 0;
  for (std::size_t at = 0; at < packed.size(); at += size) {
    std::memcpy(&size, packed.data() + at, sizeof size);
    at += sizeof size;
    parts.push_back(packed.substr(at, size));
  }
  return parts;
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

namespace detail {

void combine(const Communicator& comm, void* numbers, std::size_t count, MPI_Datatype type,
             Combine how, const MpiCall& call) {
  mpi_blocking(call, MPI_Allreduce, MPI_IN_PLACE, numbers, static_cast<int>(count), type,
               mpi_operator(how), comm.handle());
}

void share(const Communicator& comm, std::span<std::byte> bytes, const MpiCall& call) {
  if (bytes.empty()) return;
  mpi_blocking(call, MPI_Bcast, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0,
               comm.handle());
}

void collect(const Communicator& comm, std::span<const std::byte> mine, std::byte* all,
             const MpiCall& call) {
  const int bytes = static_cast<int>(mine.size());
  mpi_blocking(call, MPI_Allgather, mine.data(), bytes, MPI_BYTE, all, bytes, MPI_BYTE,
               comm.handle());
}

}  // namespace detail

void share(const Communicator& comm, std::vector<std::string>& texts, const MpiCall& call) {
  std::string packed = pack(texts);
  share(comm, packed, call);
  texts = unpack(packed);
}

}  // namespace cartwright::rt
