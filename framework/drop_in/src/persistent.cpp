// SPDX-License-Identifier: Apache-2.0
// Persistent collectives where the MPI library has none. Those of MPI 4 stay with it: there ranks
// may start them in different orders, and comm's are started in one order by all.
#include "collectives.hpp"

#if MPI_VERSION < 4

#include <cstdio>

using namespace cartwright::drop_in;

namespace {

/// Campaigns know the sentence.
int not_here(MPI_Comm comm) {
  std::fputs("left to an MPI library without persistent collectives\n", stderr);
  PMPI_Comm_call_errhandler(comm, MPI_ERR_UNSUPPORTED_OPERATION);
  return MPI_ERR_UNSUPPORTED_OPERATION;
}

}  // namespace

extern "C" {

int MPI_Barrier_init(MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return barrier_of(comm, {request, true}, [&] { return not_here(comm); });
}

int MPI_Bcast_init(void* out, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info /*info*/,
                   MPI_Request* request) {
  return broadcast_of(out, n, type, root, comm, {request, true}, [&] { return not_here(comm); });
}

int MPI_Reduce_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root,
                    MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return reduce_of(in, out, n, type, op, root, comm, {request, true},
                   [&] { return not_here(comm); });
}

int MPI_Allreduce_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return combination_of(Operation::allreduce, in, out, n, type, op, comm, {request, true},
                        [&] { return not_here(comm); });
}

int MPI_Scan_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                  MPI_Info /*info*/, MPI_Request* request) {
  return combination_of(Operation::scan, in, out, n, type, op, comm, {request, true},
                        [&] { return not_here(comm); });
}

int MPI_Exscan_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Info /*info*/, MPI_Request* request) {
  return combination_of(Operation::exscan, in, out, n, type, op, comm, {request, true},
                        [&] { return not_here(comm); });
}

int MPI_Reduce_scatter_block_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return reduce_scatter_block_of(in, out, n, type, op, comm, {request, true},
                                 [&] { return not_here(comm); });
}

int MPI_Reduce_scatter_init(const void* in, void* out, const int* counts, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return reduce_scatter_of(in, out, counts, type, op, comm, {request, true},
                           [&] { return not_here(comm); });
}

int MPI_Gather_init(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                    MPI_Datatype type, int root, MPI_Comm comm, MPI_Info /*info*/,
                    MPI_Request* request) {
  return gather_of(in, sent, sent_type, out, n, type, root, comm, {request, true},
                   [&] { return not_here(comm); });
}

int MPI_Scatter_init(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                     MPI_Datatype type, int root, MPI_Comm comm, MPI_Info /*info*/,
                     MPI_Request* request) {
  return scatter_of(in, sent, sent_type, out, n, type, root, comm, {request, true},
                    [&] { return not_here(comm); });
}

int MPI_Allgather_init(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                       MPI_Datatype type, MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return allgather_of(in, sent, sent_type, out, n, type, comm, {request, true},
                      [&] { return not_here(comm); });
}

int MPI_Alltoall_init(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                      MPI_Datatype type, MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return alltoall_of(in, sent, sent_type, out, n, type, comm, {request, true},
                     [&] { return not_here(comm); });
}

int MPI_Gatherv_init(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                     const int* displacements, MPI_Datatype type, int root, MPI_Comm comm,
                     MPI_Info /*info*/, MPI_Request* request) {
  return gatherv_of(in, sent, sent_type, out, counts, displacements, type, root, comm,
                    {request, true}, [&] { return not_here(comm); });
}

int MPI_Scatterv_init(const void* in, const int* counts, const int* displacements,
                      MPI_Datatype sent_type, void* out, int n, MPI_Datatype type, int root,
                      MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return scatterv_of(in, counts, displacements, sent_type, out, n, type, root, comm,
                     {request, true}, [&] { return not_here(comm); });
}

int MPI_Allgatherv_init(const void* in, int sent, MPI_Datatype sent_type, void* out,
                        const int* counts, const int* displacements, MPI_Datatype type,
                        MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return allgatherv_of(in, sent, sent_type, out, counts, displacements, type, comm, {request, true},
                       [&] { return not_here(comm); });
}

int MPI_Alltoallv_init(const void* in, const int* sent, const int* sent_displacements,
                       MPI_Datatype sent_type, void* out, const int* counts,
                       const int* displacements, MPI_Datatype type, MPI_Comm comm,
                       MPI_Info /*info*/, MPI_Request* request) {
  return alltoallv_of(in, sent, sent_displacements, sent_type, out, counts, displacements, type,
                      comm, {request, true}, [&] { return not_here(comm); });
}

int MPI_Alltoallw_init(const void* in, const int* sent, const int* sent_displacements,
                       const MPI_Datatype* sent_types, void* out, const int* counts,
                       const int* displacements, const MPI_Datatype* types, MPI_Comm comm,
                       MPI_Info /*info*/, MPI_Request* request) {
  return alltoallw_of(in, sent, sent_displacements, sent_types, out, counts, displacements, types,
                      comm, {request, true}, [&] { return not_here(comm); });
}

}  // extern "C"

#endif
