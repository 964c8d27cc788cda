// SPDX-License-Identifier: Apache-2.0
// comm carries the collectives of every communicator inside of a group, from its beginning to its
// end; what they need stays as long as they need it.
#include <mpi.h>

#include "carrier.hpp"

namespace {

using cartwright::campaign::Carriers;

int taken(int code, MPI_Comm* made) {
  if (code == MPI_SUCCESS) Carriers::all().take(*made);
  return code;
}

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) Carriers::all().begin();
  return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) Carriers::all().begin();
  return code;
}

int MPI_Finalize() {
  Carriers::all().end();
  return PMPI_Finalize();
}

int MPI_Type_free(MPI_Datatype* type) {
  if (!Carriers::all().frees_type_later(*type)) return PMPI_Type_free(type);
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op* op) {
  if (!Carriers::all().frees_op_later(*op)) return PMPI_Op_free(op);
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  return taken(PMPI_Comm_dup(comm, made), made);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
  return taken(PMPI_Comm_dup_with_info(comm, info, made), made);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  return taken(PMPI_Comm_split(comm, color, key, made), made);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  return taken(PMPI_Comm_split_type(comm, type, key, info, made), made);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  return taken(PMPI_Comm_create(comm, group, made), made);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  return taken(PMPI_Comm_create_group(comm, group, tag, made), made);
}

int MPI_Cart_create(MPI_Comm comm, int axes, const int* extents, const int* periods, int reorder,
                    MPI_Comm* made) {
  return taken(PMPI_Cart_create(comm, axes, extents, periods, reorder, made), made);
}

int MPI_Cart_sub(MPI_Comm comm, const int* remaining, MPI_Comm* made) {
  return taken(PMPI_Cart_sub(comm, remaining, made), made);
}

int MPI_Graph_create(MPI_Comm comm, int nodes, const int* index, const int* edges, int reorder,
                     MPI_Comm* made) {
  return taken(PMPI_Graph_create(comm, nodes, index, edges, reorder, made), made);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int* sources,
                                   const int* source_weights, int out, const int* destinations,
                                   const int* destination_weights, MPI_Info info, int reorder,
                                   MPI_Comm* made) {
  return taken(PMPI_Dist_graph_create_adjacent(comm, in, sources, source_weights, out, destinations,
                                               destination_weights, info, reorder, made),
               made);
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made) {
  return taken(PMPI_Intercomm_merge(comm, high, made), made);
}

}  // extern "C"
