// SPDX-License-Identifier: Apache-2.0
// MPI's nonblocking collectives, where they are asked for (settings.hpp).
#include "collectives.hpp"

using namespace cartwright::drop_in;

extern "C" {

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return barrier_of(comm, {request}, [&] { return PMPI_Ibarrier(comm, request); });
}

int MPI_Ibcast(void* out, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return broadcast_of(out, n, type, root, comm, {request},
                      [&] { return PMPI_Ibcast(out, n, type, root, comm, request); });
}

int MPI_Ireduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  return reduce_of(in, out, n, type, op, root, comm, {request},
                   [&] { return PMPI_Ireduce(in, out, n, type, op, root, comm, request); });
}

int MPI_Iallreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return combination_of(Operation::allreduce, in, out, n, type, op, comm, {request},
                        [&] { return PMPI_Iallreduce(in, out, n, type, op, comm, request); });
}

int MPI_Iscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  return combination_of(Operation::scan, in, out, n, type, op, comm, {request},
                        [&] { return PMPI_Iscan(in, out, n, type, op, comm, request); });
}

int MPI_Iexscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  return combination_of(Operation::exscan, in, out, n, type, op, comm, {request},
                        [&] { return PMPI_Iexscan(in, out, n, type, op, comm, request); });
}

int MPI_Ireduce_scatter_block(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter_block_of(in, out, n, type, op, comm, {request}, [&] {
    return PMPI_Ireduce_scatter_block(in, out, n, type, op, comm, request);
  });
}

int MPI_Ireduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter_of(in, out, counts, type, op, comm, {request}, [&] {
    return PMPI_Ireduce_scatter(in, out, counts, type, op, comm, request);
  });
}

int MPI_Igather(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return gather_of(in, sent, sent_type, out, n, type, root, comm, {request}, [&] {
    return PMPI_Igather(in, sent, sent_type, out, n, type, root, comm, request);
  });
}

int MPI_Iscatter(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                 MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return scatter_of(in, sent, sent_type, out, n, type, root, comm, {request}, [&] {
    return PMPI_Iscatter(in, sent, sent_type, out, n, type, root, comm, request);
  });
}

int MPI_Iallgather(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                   MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return allgather_of(in, sent, sent_type, out, n, type, comm, {request}, [&] {
    return PMPI_Iallgather(in, sent, sent_type, out, n, type, comm, request);
  });
}

int MPI_Ialltoall(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                  MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return alltoall_of(in, sent, sent_type, out, n, type, comm, {request}, [&] {
    return PMPI_Ialltoall(in, sent, sent_type, out, n, type, comm, request);
  });
}

int MPI_Igatherv(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                 const int* displacements, MPI_Datatype type, int root, MPI_Comm comm,
                 MPI_Request* request) {
  return gatherv_of(in, sent, sent_type, out, counts, displacements, type, root, comm, {request},
                    [&] {
                      return PMPI_Igatherv(in, sent, sent_type, out, counts, displacements, type,
                                           root, comm, request);
                    });
}

int MPI_Iscatterv(const void* in, const int* counts, const int* displacements,
                  MPI_Datatype sent_type, void* out, int n, MPI_Datatype type, int root,
                  MPI_Comm comm, MPI_Request* request) {
  return scatterv_of(in, counts, displacements, sent_type, out, n, type, root, comm, {request},
                     [&] {
                       return PMPI_Iscatterv(in, counts, displacements, sent_type, out, n, type,
                                             root, comm, request);
                     });
}

int MPI_Iallgatherv(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                    const int* displacements, MPI_Datatype type, MPI_Comm comm,
                    MPI_Request* request) {
  return allgatherv_of(in, sent, sent_type, out, counts, displacements, type, comm, {request}, [&] {
    return PMPI_Iallgatherv(in, sent, sent_type, out, counts, displacements, type, comm, request);
  });
}

int MPI_Ialltoallv(const void* in, const int* sent, const int* sent_displacements,
                   MPI_Datatype sent_type, void* out, const int* counts, const int* displacements,
                   MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return alltoallv_of(in, sent, sent_displacements, sent_type, out, counts, displacements, type,
                      comm, {request}, [&] {
                        return PMPI_Ialltoallv(in, sent, sent_displacements, sent_type, out, counts,
                                               displacements, type, comm, request);
                      });
}

int MPI_Ialltoallw(const void* in, const int* sent, const int* sent_displacements,
                   const MPI_Datatype* sent_types, void* out, const int* counts,
                   const int* displacements, const MPI_Datatype* types, MPI_Comm comm,
                   MPI_Request* request) {
  return alltoallw_of(in, sent, sent_displacements, sent_types, out, counts, displacements, types,
                      comm, {request}, [&] {
                        return PMPI_Ialltoallw(in, sent, sent_displacements, sent_types, out,
                                               counts, displacements, types, comm, request);
                      });
}

}  // extern "C"
