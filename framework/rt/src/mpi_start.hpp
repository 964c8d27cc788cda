// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cartwright::rt {

/// Before MPI_Init: throws an error where memory or open files are too few for MPI to start in, and
/// chooses by its environment, where the user hasn't, what is sound and where there is room.
void prepare_to_start_mpi();

}  // namespace cartwright::rt
