// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/rt/communicator.hpp>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace cartwright::rt {

// What ranks settle where there are no collectives yet (comm's): a few numbers, by MPI, blocking
// and supervised. All of this is collective over `comm`.

/// Of the numbers that ranks have. `common_bits`: those that are set on all ranks.
enum class Combine { smallest, largest, sum, common_bits };

namespace detail {

template <class T>
requires(std::integral<T> || std::same_as<T, double>) MPI_Datatype number_type() {
  constexpr bool has_sign = std::is_signed_v<T>;
  if constexpr (std::same_as<T, double>) return MPI_DOUBLE;
  if constexpr (sizeof(T) == 1) return has_sign ? MPI_INT8_T : MPI_UINT8_T;
  if constexpr (sizeof(T) == 4) return has_sign ? MPI_INT32_T : MPI_UINT32_T;
  static_assert(sizeof(T) == 1 || sizeof(T) == 4 || sizeof(T) == 8);
  return has_sign ? MPI_INT64_T : MPI_UINT64_T;
}

void combine(const Communicator& comm, void* numbers, std::size_t count, MPI_Datatype type,
             Combine how, const MpiCall& call);
void share(const Communicator& comm, std::span<std::byte> bytes, const MpiCall& call);
void collect(const Communicator& comm, std::span<const std::byte> mine, std::byte* all,
             const MpiCall& call);

}  // namespace detail

/// Each number becomes what all ranks' make together; as many on each rank.
template <std::ranges::contiguous_range Numbers>
void combine(const Communicator& comm, Numbers&& numbers, Combine how,
             const MpiCall& call = "MPI_Allreduce") {
  using T = std::ranges::range_value_t<Numbers>;
  const auto combine_as = [&](MPI_Datatype type) {
    detail::combine(comm, std::ranges::data(numbers), std::ranges::size(numbers), type, how, call);
  };
  if constexpr (std::unsigned_integral<T>) {
    if (how == Combine::smallest || how == Combine::largest) {
      // MPICH 4.0.2 compares unsigned numbers as if they had signs. With their first bits turned
      // over, signed ones have their order.
      const auto turn_over = [&] {
        for (T& number : numbers) number ^= static_cast<T>(T{1} << (8 * sizeof(T) - 1));
      };
      turn_over();
      combine_as(detail::number_type<std::make_signed_t<T>>());
      return turn_over();
    }
  }
  combine_as(detail::number_type<T>());
}

template <class T>
requires std::is_arithmetic_v<T>
[[nodiscard]] T combined(const Communicator& comm, T number, Combine how,
                         const MpiCall& call = "MPI_Allreduce") {
  combine(comm, std::span(&number, 1), how, call);
  return number;
}

/// Whether it holds on all ranks.
[[nodiscard]] inline bool on_all_ranks(const Communicator& comm, bool here,
                                       const MpiCall& call = "MPI_Allreduce") {
  return combined(comm, here ? 1 : 0, Combine::smallest, call) != 0;
}

/// All ranks get rank 0's.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] T shared(const Communicator& comm, T value, const MpiCall& call = "MPI_Bcast") {
  detail::share(comm, std::as_writable_bytes(std::span(&value, 1)), call);
  return value;
}

/// All ranks get rank 0's numbers, letters, …, and so many of them. A span has as many everywhere,
/// which saves a message.
template <std::ranges::contiguous_range Values>
requires std::is_trivially_copyable_v<std::ranges::range_value_t<Values>>
void share(const Communicator& comm, Values&& values, const MpiCall& call = "MPI_Bcast") {
  if constexpr (requires { values.resize(std::size_t{}); })
    values.resize(shared(comm, values.size(), call));
  detail::share(comm, std::as_writable_bytes(std::span(values)), call);
}

/// All ranks get rank 0's texts.
void share(const Communicator& comm, std::vector<std::string>& texts,
           const MpiCall& call = "MPI_Bcast");

/// What each rank has, by rank.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::vector<T> collected(const Communicator& comm, const T& mine,
                                       const MpiCall& call = "MPI_Allgather") {
  std::vector<T> all(static_cast<std::size_t>(comm.size()));
  detail::collect(comm, std::as_bytes(std::span(&mine, 1)),
                  std::as_writable_bytes(std::span(all)).data(), call);
  return all;
}

}  // namespace cartwright::rt
