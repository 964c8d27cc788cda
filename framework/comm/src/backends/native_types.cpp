// SPDX-License-Identifier: Apache-2.0
#include "native_types.hpp"

#include <algorithm>
#include <array>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>

#include "mpi_types.hpp"

namespace cartwright::comm {

namespace {

constexpr std::array distrusted{ScalarType::int8,   ScalarType::int16,  ScalarType::uint8,
                                ScalarType::uint16, ScalarType::uint32, ScalarType::uint64};

/// Open MPI's vectorised sums of 8 and 16 bits saturate; MPICH 4.0.2 compares unsigned numbers as
/// if they had signs.
[[nodiscard]] bool is_done_right_by_mpi(Operator op, ScalarType type) {
  if (std::ranges::find(distrusted, type) == distrusted.end()) return true;
  const bool compares = op == Operator::minimum || op == Operator::maximum;
  return !compares && op != Operator::sum && op != Operator::product;
}

/// As MPI wants it.
template <Operator op>
void combine_here(void* in, void* inout, int* count, void* type) {
  for (const ScalarType scalar : distrusted)
    if (mpi_type(scalar) == *static_cast<MPI_Datatype*>(type))
      predefined(op, scalar)(static_cast<std::byte*>(in), static_cast<std::byte*>(inout),
                             static_cast<std::byte*>(inout), static_cast<std::size_t>(*count));
}

[[nodiscard]] Reduction::MpiFunction function_here(Operator op) {
  if (op == Operator::sum) return combine_here<Operator::sum>;
  if (op == Operator::product) return combine_here<Operator::product>;
  if (op == Operator::minimum) return combine_here<Operator::minimum>;
  return combine_here<Operator::maximum>;
}

}  // namespace

NativeTypes::~NativeTypes() {
  if (!rt::mpi_is_running()) return;
  for (Bytes& bytes : bytes_) MPI_Type_free(&bytes.type);
  for (Function& function : functions_) MPI_Op_free(&function.op);
}

MPI_Datatype NativeTypes::of(const Element& element) {
  if (element.type) return mpi_type(*element.type);
  if (element.size == 1) return MPI_BYTE;
  const auto known = std::ranges::find(bytes_, element.size, &Bytes::size);
  if (known != bytes_.end()) return known->type;
  bytes_.push_back({element.size, MPI_DATATYPE_NULL});
  MPI_Datatype& type = bytes_.back().type;
  rt::mpi_check(MPI_Type_contiguous(static_cast<int>(element.size), MPI_BYTE, &type),
                "MPI_Type_contiguous");
  rt::mpi_check(MPI_Type_commit(&type), "MPI_Type_commit");
  return type;
}

MPI_Op NativeTypes::of(const Reduction& reduction, const Element& element) {
  if (reduction.predefined) {
    const Operator op = *reduction.predefined;
    const bool by_mpi = is_done_right_by_mpi(op, element.type.value());
    return by_mpi ? mpi_operator(op, *element.type) : made(function_here(op), true);
  }
  if (reduction.mpi_function == nullptr)
    throw rt::internal_failure(
        "MPI's own collectives can't call an operator that has a state",
        "Choose comm.backend p2p, shared or auto, or give the operator no members.",
        rt::Reach::all_ranks);
  return made(reduction.mpi_function, reduction.commutes);
}

MPI_Op NativeTypes::made(Reduction::MpiFunction function, bool commutes) {
  for (const Function& known : functions_)
    if (known.function == function && known.commutes == commutes) return known.op;
  // MPI_Datatype is a pointer or an int: the header that declares the function knows no MPI.
  auto* const for_mpi = reinterpret_cast<MPI_User_function*>(function);
  MPI_Op op = MPI_OP_NULL;
  rt::mpi_check(MPI_Op_create(for_mpi, commutes ? 1 : 0, &op), "MPI_Op_create");
  functions_.push_back({function, commutes, op});
  return op;
}

}  // namespace cartwright::comm
