// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/elements/operator.hpp>
#include <cartwright/comm/elements/scalar_type.hpp>
#include <optional>

namespace cartwright::drop_in {

/// What comm calls a type and an operator of MPI's own.
struct Predefined {
  comm::ScalarType scalar;
  comm::Operator op;
};
/// Nothing where it hasn't got one of them.
[[nodiscard]] std::optional<Predefined> predefined_of(MPI_Datatype type, MPI_Op op);

}  // namespace cartwright::drop_in
