// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::rt {

Communicator Communicator::own(MPI_Comm handle) {
  Communicator result;
  if (handle == MPI_COMM_NULL) return result;
  result.handle_ = handle;
  mpi_check(MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  mpi_check(MPI_Comm_rank(handle, &result.rank_), "MPI_Comm_rank");
  mpi_check(MPI_Comm_size(handle, &result.size_), "MPI_Comm_size");
  return result;
}

/// MPI_Comm_dup would run what the program has attached to its communicator for copies of it.
Communicator Communicator::duplicate(MPI_Comm handle) {
  MPI_Group ranks = MPI_GROUP_NULL;
  mpi_check(MPI_Comm_group(handle, &ranks), "MPI_Comm_group");
  MPI_Comm copy = MPI_COMM_NULL;
  mpi_blocking("MPI_Comm_create", MPI_Comm_create, handle, ranks, &copy);
  mpi_check(MPI_Group_free(&ranks), "MPI_Group_free");
  return own(copy);
}

Communicator::~Communicator() {
  // Freeing is collective: other ranks would be waited for that don't know of an exception here.
  if (handle_ == MPI_COMM_NULL || unwinding() || !mpi_is_running()) return;
  const WaitScope waiting({"MPI_Comm_free"});
  MPI_Comm_free(&handle_);
}

Communicator Communicator::split(int color, int key) const {
  MPI_Comm part = MPI_COMM_NULL;
  mpi_blocking("MPI_Comm_split", MPI_Comm_split, handle_, color < 0 ? MPI_UNDEFINED : color, key,
               &part);
  return own(part);
}

Communicator Communicator::split_shared_memory() const {
  MPI_Comm part = MPI_COMM_NULL;
  mpi_blocking("MPI_Comm_split_type", MPI_Comm_split_type, handle_, MPI_COMM_TYPE_SHARED, rank_,
               MPI_INFO_NULL, &part);
  return own(part);
}

void Communicator::barrier() const {
  mpi_blocking("MPI_Barrier", MPI_Barrier, handle_);
}

}  // namespace cartwright::rt
