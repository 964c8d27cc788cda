// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cartwright::drop_in {

/// MPI_Init, MPI_Init_thread and MPI_Finalize, whatever the language that calls them.
int start_mpi(int* argc, char*** argv);
int start_mpi(int* argc, char*** argv, int required, int* provided);
int end_mpi();

}  // namespace cartwright::drop_in
