// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/operator.hpp>
#include <cartwright/comm/elements/optional_enum.hpp>
#include <cstddef>

namespace cartwright::comm {

/// How a collective combines elements; type-erased, cheap to copy. Associative; the order of ranks
/// is kept unless it commutes.
struct Reduction {
  /// target[i] = left[i] ∘ right[i]. The target may be the left or the right operand.
  using Function = void (*)(const std::byte* left, const std::byte* right, std::byte* target,
                            std::size_t count, const void* context);
  /// As MPI wants it: inout[i] = in[i] ∘ inout[i]; `type` points to an MPI_Datatype.
  using MpiFunction = void (*)(void* in, void* inout, int* count, void* type);

  Function function = nullptr;
  const void* context = nullptr;  ///< the caller's operator, where it has a state
  bool commutes = true;
  /// Any order and any brackets give the same bits: integers, truth values, accumulators.
  bool exact = false;
  OptionalEnum<Operator> predefined{};
  /// Only for a user's operator without a state: MPI gives its functions no context.
  MpiFunction mpi_function = nullptr;

  void operator()(const std::byte* left, const std::byte* right, std::byte* target,
                  std::size_t count) const {
    function(left, right, target, count, context);
  }
};

/// A predefined operator, as a loop that vectorises: one of a table, since it is looked up in every
/// call. Throws internal_failure where it isn't defined
/// for the type (the sum of truth values).
[[nodiscard]] const Reduction& predefined(Operator op, ScalarType type);

}  // namespace cartwright::comm
