// SPDX-License-Identifier: Apache-2.0
#include "operators.hpp"

#include <complex>
#include <cstdint>
#include <utility>

namespace cartwright::drop_in {

namespace {

template <class Key, class Value>
using Row = std::pair<Key, Value>;

template <class Key, class Value, std::size_t n>
std::optional<Value> found(const Row<Key, Value> (&rows)[n], Key key) {
  for (const auto& [known, value] : rows)
    if (known == key) return value;
  return std::nullopt;
}

std::optional<comm::ScalarType> scalar_type_of(MPI_Datatype type) {
  using comm::scalar_type;
  static const Row<MPI_Datatype, comm::ScalarType> rows[] = {
      {MPI_INT, scalar_type<int>()},
      {MPI_LONG, scalar_type<long>()},
      {MPI_SHORT, scalar_type<short>()},
      {MPI_LONG_LONG, scalar_type<long long>()},
      {MPI_SIGNED_CHAR, scalar_type<signed char>()},
      {MPI_UNSIGNED, scalar_type<unsigned>()},
      {MPI_UNSIGNED_LONG, scalar_type<unsigned long>()},
      {MPI_UNSIGNED_SHORT, scalar_type<unsigned short>()},
      {MPI_UNSIGNED_LONG_LONG, scalar_type<unsigned long long>()},
      {MPI_UNSIGNED_CHAR, scalar_type<unsigned char>()},
      {MPI_INT8_T, scalar_type<std::int8_t>()},
      {MPI_INT16_T, scalar_type<std::int16_t>()},
      {MPI_INT32_T, scalar_type<std::int32_t>()},
      {MPI_INT64_T, scalar_type<std::int64_t>()},
      {MPI_UINT8_T, scalar_type<std::uint8_t>()},
      {MPI_UINT16_T, scalar_type<std::uint16_t>()},
      {MPI_UINT32_T, scalar_type<std::uint32_t>()},
      {MPI_UINT64_T, scalar_type<std::uint64_t>()},
      {MPI_AINT, scalar_type<MPI_Aint>()},
      {MPI_OFFSET, scalar_type<MPI_Offset>()},
      {MPI_COUNT, scalar_type<MPI_Count>()},
      {MPI_FLOAT, scalar_type<float>()},
      {MPI_DOUBLE, scalar_type<double>()},
      {MPI_LONG_DOUBLE, scalar_type<long double>()},
      {MPI_C_FLOAT_COMPLEX, scalar_type<std::complex<float>>()},
      {MPI_C_DOUBLE_COMPLEX, scalar_type<std::complex<double>>()},
      {MPI_C_BOOL, scalar_type<bool>()},
      // Fortran's; those that a library hasn't got are MPI_DATATYPE_NULL, which nobody asks for.
      {MPI_INTEGER, scalar_type<MPI_Fint>()},
      {MPI_INTEGER1, scalar_type<std::int8_t>()},
      {MPI_INTEGER2, scalar_type<std::int16_t>()},
      {MPI_INTEGER4, scalar_type<std::int32_t>()},
      {MPI_INTEGER8, scalar_type<std::int64_t>()},
      {MPI_REAL, scalar_type<float>()},
      {MPI_REAL4, scalar_type<float>()},
      {MPI_REAL8, scalar_type<double>()},
      {MPI_DOUBLE_PRECISION, scalar_type<double>()},
      {MPI_COMPLEX, scalar_type<std::complex<float>>()},
      {MPI_COMPLEX8, scalar_type<std::complex<float>>()},
      {MPI_COMPLEX16, scalar_type<std::complex<double>>()},
      {MPI_DOUBLE_COMPLEX, scalar_type<std::complex<double>>()},
  };
  const auto scalar = found(rows, type);
  int bytes = 0;
  if (scalar) PMPI_Type_size(type, &bytes);
  // A library may have been made for a Fortran of other sizes.
  return scalar && comm::size_of(*scalar) == static_cast<std::size_t>(bytes) ? scalar
                                                                             : std::nullopt;
}

std::optional<comm::Operator> operator_of(MPI_Op op) {
  using enum comm::Operator;
  static const Row<MPI_Op, comm::Operator> rows[] = {
      {MPI_SUM, sum},          {MPI_PROD, product},   {MPI_MIN, minimum},      {MPI_MAX, maximum},
      {MPI_LAND, logical_and}, {MPI_LOR, logical_or}, {MPI_LXOR, logical_xor}, {MPI_BAND, bit_and},
      {MPI_BOR, bit_or},       {MPI_BXOR, bit_xor},
  };
  return found(rows, op);
}

}  // namespace

std::optional<Predefined> predefined_of(MPI_Datatype type, MPI_Op op) {
  const auto known_op = operator_of(op);
  if (!known_op) return std::nullopt;
  const auto scalar = scalar_type_of(type);
  return scalar ? std::optional(Predefined{*scalar, *known_op}) : std::nullopt;
}

}  // namespace cartwright::drop_in
