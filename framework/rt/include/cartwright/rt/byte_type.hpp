// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <limits>

namespace cartwright::rt {

/// How `bytes` contiguous bytes are told to MPI, whose counts are `int`: as they are up to `limit`,
/// beyond it as one element of a type that holds them all. Sender and receiver may differ in form:
/// the signatures are the same.
class ByteType {
 public:
  static constexpr std::size_t largest_count = std::numeric_limits<int>::max();

  explicit ByteType(std::size_t bytes, std::size_t limit = largest_count);
  ByteType(const ByteType&) = delete;
  ByteType& operator=(const ByteType&) = delete;
  /// MPI keeps the type alive for messages that are under way.
  ~ByteType();

  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] MPI_Datatype type() const noexcept { return type_; }

 private:
  int count_ = 0;
  MPI_Datatype type_ = MPI_BYTE;
};

}  // namespace cartwright::rt
