// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/elements/operator.hpp>
#include <cartwright/comm/elements/scalar_type.hpp>

namespace cartwright::comm {

[[nodiscard]] MPI_Datatype mpi_type(ScalarType type);
/// Throws an internal failure if `op` is not defined for `type`.
[[nodiscard]] MPI_Op mpi_operator(Operator op, ScalarType type);

}  // namespace cartwright::comm
