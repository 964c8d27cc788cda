// SPDX-License-Identifier: Apache-2.0
#include "native_types.hpp"

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>

#include "mpi_types.hpp"

namespace cartwright::comm {

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
  if (reduction.predefined) return mpi_operator(*reduction.predefined, element.type.value());
  if (reduction.mpi_function == nullptr)
    throw rt::internal_failure(
        "MPI's own collectives can't call an operator that has a state",
        "Choose comm.backend p2p, shared or auto, or give the operator no members.",
        rt::Reach::all_ranks);
  for (const Function& known : functions_)
    if (known.function == reduction.mpi_function && known.commutes == reduction.commutes)
      return known.op;
  // MPI_Datatype is a pointer or an int: the header that declares the function knows no MPI.
  auto* const function = reinterpret_cast<MPI_User_function*>(reduction.mpi_function);
  MPI_Op op = MPI_OP_NULL;
  rt::mpi_check(MPI_Op_create(function, reduction.commutes ? 1 : 0, &op), "MPI_Op_create");
  functions_.push_back({reduction.mpi_function, reduction.commutes, op});
  return op;
}

}  // namespace cartwright::comm
