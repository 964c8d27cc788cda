// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/elements/operator.hpp>
#include <cartwright/comm/elements/scalar_type.hpp>
#include <optional>

namespace cartwright::drop_in {

/// What comm calls a type of MPI's; nothing for those that it hasn't got.
[[nodiscard]] std::optional<comm::ScalarType> scalar_type_of(MPI_Datatype type);
[[nodiscard]] std::optional<comm::Operator> operator_of(MPI_Op op);

}  // namespace cartwright::drop_in
