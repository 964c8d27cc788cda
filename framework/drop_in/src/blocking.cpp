// SPDX-License-Identifier: Apache-2.0
// MPI's blocking collectives.
#include "collectives.hpp"

using namespace cartwright::drop_in;

extern "C" {

int MPI_Barrier(MPI_Comm comm) {
  return barrier_of(comm, {}, [&] { return PMPI_Barrier(comm); });
}

int MPI_Bcast(void* out, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  return broadcast_of(out, n, type, root, comm, {},
                      [&] { return PMPI_Bcast(out, n, type, root, comm); });
}

int MPI_Reduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  return reduce_of(in, out, n, type, op, root, comm, {},
                   [&] { return PMPI_Reduce(in, out, n, type, op, root, comm); });
}

int MPI_Allreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return combination_of(Operation::allreduce, in, out, n, type, op, comm, {},
                        [&] { return PMPI_Allreduce(in, out, n, type, op, comm); });
}

int MPI_Scan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return combination_of(Operation::scan, in, out, n, type, op, comm, {},
                        [&] { return PMPI_Scan(in, out, n, type, op, comm); });
}

int MPI_Exscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return combination_of(Operation::exscan, in, out, n, type, op, comm, {},
                        [&] { return PMPI_Exscan(in, out, n, type, op, comm); });
}

int MPI_Reduce_scatter_block(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
  return reduce_scatter_block_of(in, out, n, type, op, comm, {}, [&] {
    return PMPI_Reduce_scatter_block(in, out, n, type, op, comm);
  });
}

int MPI_Reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
  return reduce_scatter_of(in, out, counts, type, op, comm, {},
                           [&] { return PMPI_Reduce_scatter(in, out, counts, type, op, comm); });
}

int MPI_Gather(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
               MPI_Datatype type, int root, MPI_Comm comm) {
  return gather_of(in, sent, sent_type, out, n, type, root, comm, {},
                   [&] { return PMPI_Gather(in, sent, sent_type, out, n, type, root, comm); });
}

int MPI_Scatter(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                MPI_Datatype type, int root, MPI_Comm comm) {
  return scatter_of(in, sent, sent_type, out, n, type, root, comm, {},
                    [&] { return PMPI_Scatter(in, sent, sent_type, out, n, type, root, comm); });
}

int MPI_Allgather(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                  MPI_Datatype type, MPI_Comm comm) {
  return allgather_of(in, sent, sent_type, out, n, type, comm, {},
                      [&] { return PMPI_Allgather(in, sent, sent_type, out, n, type, comm); });
}

int MPI_Alltoall(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                 MPI_Datatype type, MPI_Comm comm) {
  return alltoall_of(in, sent, sent_type, out, n, type, comm, {},
                     [&] { return PMPI_Alltoall(in, sent, sent_type, out, n, type, comm); });
}

int MPI_Gatherv(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                const int* displacements, MPI_Datatype type, int root, MPI_Comm comm) {
  return gatherv_of(in, sent, sent_type, out, counts, displacements, type, root, comm, {}, [&] {
    return PMPI_Gatherv(in, sent, sent_type, out, counts, displacements, type, root, comm);
  });
}

int MPI_Scatterv(const void* in, const int* counts, const int* displacements,
                 MPI_Datatype sent_type, void* out, int n, MPI_Datatype type, int root,
                 MPI_Comm comm) {
  return scatterv_of(in, counts, displacements, sent_type, out, n, type, root, comm, {}, [&] {
    return PMPI_Scatterv(in, counts, displacements, sent_type, out, n, type, root, comm);
  });
}

int MPI_Allgatherv(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                   const int* displacements, MPI_Datatype type, MPI_Comm comm) {
  return allgatherv_of(in, sent, sent_type, out, counts, displacements, type, comm, {}, [&] {
    return PMPI_Allgatherv(in, sent, sent_type, out, counts, displacements, type, comm);
  });
}

int MPI_Alltoallv(const void* in, const int* sent, const int* sent_displacements,
                  MPI_Datatype sent_type, void* out, const int* counts, const int* displacements,
                  MPI_Datatype type, MPI_Comm comm) {
  return alltoallv_of(in, sent, sent_displacements, sent_type, out, counts, displacements, type,
                      comm, {}, [&] {
                        return PMPI_Alltoallv(in, sent, sent_displacements, sent_type, out, counts,
                                              displacements, type, comm);
                      });
}

int MPI_Alltoallw(const void* in, const int* sent, const int* sent_displacements,
                  const MPI_Datatype* sent_types, void* out, const int* counts,
                  const int* displacements, const MPI_Datatype* types, MPI_Comm comm) {
  return alltoallw_of(in, sent, sent_displacements, sent_types, out, counts, displacements, types,
                      comm, {}, [&] {
                        return PMPI_Alltoallw(in, sent, sent_displacements, sent_types, out, counts,
                                              displacements, types, comm);
                      });
}

}  // extern "C"
