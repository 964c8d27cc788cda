// SPDX-License-Identifier: Apache-2.0
// Where a process begins and ends, its grids of ranks, and what it frees while collectives still
// need it.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "drop_in.hpp"

using namespace cartwright::drop_in;

namespace {

/// CARTWRIGHT_DROP_IN_SERIALIZED=1: a program that asks for more gets MPI_THREAD_SERIALIZED, which
/// MPI_Init_thread may do.
int threads_for(int required) {
  const char* const wanted = std::getenv("CARTWRIGHT_DROP_IN_SERIALIZED");
  const bool is_wanted = wanted != nullptr && std::strcmp(wanted, "1") == 0;
  return is_wanted ? std::min(required, static_cast<int>(MPI_THREAD_SERIALIZED)) : required;
}

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) DropIn::process().begin();
  return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, threads_for(required), provided);
  if (code == MPI_SUCCESS) DropIn::process().begin();
  return code;
}

int MPI_Finalize() {
  DropIn::process().end();
  return PMPI_Finalize();
}

int MPI_Cart_create(MPI_Comm comm, int axes, const int* dims, const int* periods, int reorder,
                    MPI_Comm* made) {
  const auto number = static_cast<std::size_t>(std::max(axes, 0));
  const bool is_ours = reorder != 0 && comm != MPI_COMM_NULL && number > 0 &&
                       DropIn::process().makes_grid(comm, {dims, number}, {periods, number}, made);
  return is_ours ? MPI_SUCCESS : PMPI_Cart_create(comm, axes, dims, periods, reorder, made);
}

int MPI_Type_free(MPI_Datatype* type) {
  if (!DropIn::process().frees_type_later(*type)) return PMPI_Type_free(type);
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op* op) {
  if (!DropIn::process().frees_op_later(*op)) return PMPI_Op_free(op);
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

}  // extern "C"
