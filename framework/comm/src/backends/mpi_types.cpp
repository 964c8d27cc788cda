// SPDX-License-Identifier: Apache-2.0
#include "mpi_types.hpp"

#include <fmt/format.h>

#include <cartwright/rt/error.hpp>

namespace cartwright::comm {

MPI_Datatype mpi_type(ScalarType type) {
  using enum ScalarType;
  switch (type) {
    case boolean:
      return MPI_CXX_BOOL;
    case int8:
      return MPI_INT8_T;
    case int16:
      return MPI_INT16_T;
    case int32:
      return MPI_INT32_T;
    case int64:
      return MPI_INT64_T;
    case uint8:
      return MPI_UINT8_T;
    case uint16:
      return MPI_UINT16_T;
    case uint32:
      return MPI_UINT32_T;
    case uint64:
      return MPI_UINT64_T;
    case float32:
      return MPI_FLOAT;
    case float64:
      return MPI_DOUBLE;
    case long_double:
      return MPI_LONG_DOUBLE;
    case complex64:
      return MPI_CXX_FLOAT_COMPLEX;
    case complex128:
      return MPI_CXX_DOUBLE_COMPLEX;
  }
  throw rt::internal_failure("a collective was asked for elements of an unknown type");
}

MPI_Op mpi_operator(Operator op, ScalarType type) {
  if (!is_defined(op, type)) {
    throw rt::internal_failure(
        fmt::format("a reduction asks for the {} of {}s, which is not defined", name(op),
                    name(type)),
        "Count truth values as integers; compare complex numbers by their absolute values.",
        rt::Reach::all_ranks);
  }
  // MPI has only logical operators for truth values; the others mean the same there.
  const bool is_boolean = type == ScalarType::boolean;
  switch (op) {
    case Operator::sum:
      return MPI_SUM;
    case Operator::product:
      return MPI_PROD;
    case Operator::minimum:
      return is_boolean ? MPI_LAND : MPI_MIN;
    case Operator::maximum:
      return is_boolean ? MPI_LOR : MPI_MAX;
    case Operator::logical_and:
      return MPI_LAND;
    case Operator::logical_or:
      return MPI_LOR;
    case Operator::logical_xor:
      return MPI_LXOR;
    case Operator::bit_and:
      return is_boolean ? MPI_LAND : MPI_BAND;
    case Operator::bit_or:
      return is_boolean ? MPI_LOR : MPI_BOR;
    case Operator::bit_xor:
      return is_boolean ? MPI_LXOR : MPI_BXOR;
  }
  throw rt::internal_failure("a reduction was asked for an unknown operator");
}

}  // namespace cartwright::comm
