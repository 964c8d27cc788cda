// SPDX-License-Identifier: Apache-2.0
// Fortran's names of the blocking collectives and of MPI_Cart_create: of mpif.h and module mpi, and
// of mpi_f08, where the error code may be absent. Open MPI's go past MPI's C functions; MPICH's
// come to them, but for those of mpi_f08, which take descriptors of arrays and stay with MPICH.
#include <mpi.h>

#if defined(OPEN_MPI)

#include <algorithm>
#include <array>
#include <vector>

extern "C" {

// Fortran's MPI_IN_PLACE and MPI_BOTTOM are places in memory, under the names of each compiler.
[[gnu::weak]] extern int mpi_fortran_in_place, mpi_fortran_in_place_;
[[gnu::weak]] extern int mpi_fortran_bottom, mpi_fortran_bottom_;

}  // extern "C"

namespace {

static_assert(sizeof(MPI_Fint) == sizeof(int), "Fortran's numbers are handed on as C's");

void* place(void* address) {
  const std::array in_place{&mpi_fortran_in_place, &mpi_fortran_in_place_};
  const std::array bottom{&mpi_fortran_bottom, &mpi_fortran_bottom_};
  if (address == nullptr) return address;  // no name is there, if it is a weak one's
  if (std::ranges::find(in_place, address) != in_place.end()) return MPI_IN_PLACE;
  if (std::ranges::find(bottom, address) != bottom.end()) return MPI_BOTTOM;
  return address;
}

void give(MPI_Fint* error, int code) {
  if (error != nullptr) *error = code;
}

/// Where all ranks combine numbers.
void combine(decltype(MPI_Allreduce)& collective, void* in, void* out, const MPI_Fint* n,
             const MPI_Fint* type, const MPI_Fint* op, const MPI_Fint* comm, MPI_Fint* error) {
  give(error, collective(place(in), place(out), *n, PMPI_Type_f2c(*type), PMPI_Op_f2c(*op),
                         PMPI_Comm_f2c(*comm)));
}

}  // namespace

extern "C" {

void mpi_init_(MPI_Fint* error) {
  give(error, MPI_Init(nullptr, nullptr));
}
[[gnu::alias("mpi_init_")]] decltype(mpi_init_) mpi_init_f08_;

void mpi_init_thread_(const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
  give(error, MPI_Init_thread(nullptr, nullptr, *required, provided));
}
[[gnu::alias("mpi_init_thread_")]] decltype(mpi_init_thread_) mpi_init_thread_f08_;

void mpi_finalize_(MPI_Fint* error) {
  give(error, MPI_Finalize());
}
[[gnu::alias("mpi_finalize_")]] decltype(mpi_finalize_) mpi_finalize_f08_;

void mpi_barrier_(const MPI_Fint* comm, MPI_Fint* error) {
  give(error, MPI_Barrier(PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_barrier_")]] decltype(mpi_barrier_) mpi_barrier_f08_;

void mpi_bcast_(void* data, const MPI_Fint* n, const MPI_Fint* type, const MPI_Fint* root,
                const MPI_Fint* comm, MPI_Fint* error) {
  give(error, MPI_Bcast(place(data), *n, PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_bcast_")]] decltype(mpi_bcast_) mpi_bcast_f08_;

void mpi_reduce_(void* in, void* out, const MPI_Fint* n, const MPI_Fint* type, const MPI_Fint* op,
                 const MPI_Fint* root, const MPI_Fint* comm, MPI_Fint* error) {
  give(error, MPI_Reduce(place(in), place(out), *n, PMPI_Type_f2c(*type), PMPI_Op_f2c(*op), *root,
                         PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_reduce_")]] decltype(mpi_reduce_) mpi_reduce_f08_;

void mpi_allreduce_(void* in, void* out, const MPI_Fint* n, const MPI_Fint* type,
                    const MPI_Fint* op, const MPI_Fint* comm, MPI_Fint* error) {
  combine(MPI_Allreduce, in, out, n, type, op, comm, error);
}
[[gnu::alias("mpi_allreduce_")]] decltype(mpi_allreduce_) mpi_allreduce_f08_;

void mpi_scan_(void* in, void* out, const MPI_Fint* n, const MPI_Fint* type, const MPI_Fint* op,
               const MPI_Fint* comm, MPI_Fint* error) {
  combine(MPI_Scan, in, out, n, type, op, comm, error);
}
[[gnu::alias("mpi_scan_")]] decltype(mpi_scan_) mpi_scan_f08_;

void mpi_exscan_(void* in, void* out, const MPI_Fint* n, const MPI_Fint* type, const MPI_Fint* op,
                 const MPI_Fint* comm, MPI_Fint* error) {
  combine(MPI_Exscan, in, out, n, type, op, comm, error);
}
[[gnu::alias("mpi_exscan_")]] decltype(mpi_exscan_) mpi_exscan_f08_;

void mpi_reduce_scatter_block_(void* in, void* out, const MPI_Fint* n, const MPI_Fint* type,
                               const MPI_Fint* op, const MPI_Fint* comm, MPI_Fint* error) {
  combine(MPI_Reduce_scatter_block, in, out, n, type, op, comm, error);
}
[[gnu::alias("mpi_reduce_scatter_block_")]] decltype(mpi_reduce_scatter_block_)
    mpi_reduce_scatter_block_f08_;

void mpi_reduce_scatter_(void* in, void* out, const MPI_Fint* counts, const MPI_Fint* type,
                         const MPI_Fint* op, const MPI_Fint* comm, MPI_Fint* error) {
  give(error, MPI_Reduce_scatter(place(in), place(out), counts, PMPI_Type_f2c(*type),
                                 PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_reduce_scatter_")]] decltype(mpi_reduce_scatter_) mpi_reduce_scatter_f08_;

void mpi_gather_(void* in, const MPI_Fint* sent, const MPI_Fint* sent_type, void* out,
                 const MPI_Fint* n, const MPI_Fint* type, const MPI_Fint* root,
                 const MPI_Fint* comm, MPI_Fint* error) {
  give(error, MPI_Gather(place(in), *sent, PMPI_Type_f2c(*sent_type), place(out), *n,
                         PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_gather_")]] decltype(mpi_gather_) mpi_gather_f08_;

void mpi_scatter_(void* in, const MPI_Fint* sent, const MPI_Fint* sent_type, void* out,
                  const MPI_Fint* n, const MPI_Fint* type, const MPI_Fint* root,
                  const MPI_Fint* comm, MPI_Fint* error) {
  give(error, MPI_Scatter(place(in), *sent, PMPI_Type_f2c(*sent_type), place(out), *n,
                          PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_scatter_")]] decltype(mpi_scatter_) mpi_scatter_f08_;

void mpi_allgather_(void* in, const MPI_Fint* sent, const MPI_Fint* sent_type, void* out,
                    const MPI_Fint* n, const MPI_Fint* type, const MPI_Fint* comm,
                    MPI_Fint* error) {
  give(error, MPI_Allgather(place(in), *sent, PMPI_Type_f2c(*sent_type), place(out), *n,
                            PMPI_Type_f2c(*type), PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_allgather_")]] decltype(mpi_allgather_) mpi_allgather_f08_;

void mpi_alltoall_(void* in, const MPI_Fint* sent, const MPI_Fint* sent_type, void* out,
                   const MPI_Fint* n, const MPI_Fint* type, const MPI_Fint* comm, MPI_Fint* error) {
  give(error, MPI_Alltoall(place(in), *sent, PMPI_Type_f2c(*sent_type), place(out), *n,
                           PMPI_Type_f2c(*type), PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_alltoall_")]] decltype(mpi_alltoall_) mpi_alltoall_f08_;

void mpi_gatherv_(void* in, const MPI_Fint* sent, const MPI_Fint* sent_type, void* out,
                  const MPI_Fint* counts, const MPI_Fint* places, const MPI_Fint* type,
                  const MPI_Fint* root, const MPI_Fint* comm, MPI_Fint* error) {
  give(error, MPI_Gatherv(place(in), *sent, PMPI_Type_f2c(*sent_type), place(out), counts, places,
                          PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_gatherv_")]] decltype(mpi_gatherv_) mpi_gatherv_f08_;

void mpi_scatterv_(void* in, const MPI_Fint* counts, const MPI_Fint* places,
                   const MPI_Fint* sent_type, void* out, const MPI_Fint* n, const MPI_Fint* type,
                   const MPI_Fint* root, const MPI_Fint* comm, MPI_Fint* error) {
  give(error, MPI_Scatterv(place(in), counts, places, PMPI_Type_f2c(*sent_type), place(out), *n,
                           PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_scatterv_")]] decltype(mpi_scatterv_) mpi_scatterv_f08_;

void mpi_allgatherv_(void* in, const MPI_Fint* sent, const MPI_Fint* sent_type, void* out,
                     const MPI_Fint* counts, const MPI_Fint* places, const MPI_Fint* type,
                     const MPI_Fint* comm, MPI_Fint* error) {
  give(error, MPI_Allgatherv(place(in), *sent, PMPI_Type_f2c(*sent_type), place(out), counts,
                             places, PMPI_Type_f2c(*type), PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_allgatherv_")]] decltype(mpi_allgatherv_) mpi_allgatherv_f08_;

void mpi_alltoallv_(void* in, const MPI_Fint* sent, const MPI_Fint* sent_places,
                    const MPI_Fint* sent_type, void* out, const MPI_Fint* counts,
                    const MPI_Fint* places, const MPI_Fint* type, const MPI_Fint* comm,
                    MPI_Fint* error) {
  give(error, MPI_Alltoallv(place(in), sent, sent_places, PMPI_Type_f2c(*sent_type), place(out),
                            counts, places, PMPI_Type_f2c(*type), PMPI_Comm_f2c(*comm)));
}
[[gnu::alias("mpi_alltoallv_")]] decltype(mpi_alltoallv_) mpi_alltoallv_f08_;

void mpi_alltoallw_(void* in, const MPI_Fint* sent, const MPI_Fint* sent_places,
                    const MPI_Fint* sent_types, void* out, const MPI_Fint* counts,
                    const MPI_Fint* places, const MPI_Fint* types, const MPI_Fint* comm,
                    MPI_Fint* error) {
  const MPI_Comm ranks = PMPI_Comm_f2c(*comm);
  int size = 0;
  PMPI_Comm_size(ranks, &size);
  const auto in_c = [size](const MPI_Fint* handles) {
    std::vector<MPI_Datatype> found(static_cast<std::size_t>(size));
    std::ranges::transform(handles, handles + size, found.begin(), PMPI_Type_f2c);
    return found;
  };
  void* const input = place(in);
  const bool is_in_place = input == MPI_IN_PLACE;  // then nothing of what is sent counts
  const auto sent_in_c = is_in_place ? std::vector<MPI_Datatype>() : in_c(sent_types);
  give(error, MPI_Alltoallw(input, sent, sent_places, sent_in_c.data(), place(out), counts, places,
                            in_c(types).data(), ranks));
}
[[gnu::alias("mpi_alltoallw_")]] decltype(mpi_alltoallw_) mpi_alltoallw_f08_;

void mpi_cart_create_(const MPI_Fint* comm, const MPI_Fint* axes, const MPI_Fint* dims,
                      const MPI_Fint* periods, const MPI_Fint* reorder, MPI_Fint* made,
                      MPI_Fint* error) {
  MPI_Comm grid = MPI_COMM_NULL;
  give(error, MPI_Cart_create(PMPI_Comm_f2c(*comm), *axes, dims, periods, *reorder, &grid));
  *made = PMPI_Comm_c2f(grid);
}
[[gnu::alias("mpi_cart_create_")]] decltype(mpi_cart_create_) mpi_cart_create_f08_;

}  // extern "C"

#endif
