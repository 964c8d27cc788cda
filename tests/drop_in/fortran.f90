! SPDX-License-Identifier: Apache-2.0
! Collectives of a Fortran program, which knows MPI only (by module mpi, or by mpi_f08 without error codes).
program fortran
#ifdef MPI_F08
#define ERROR_CODE
  use mpi_f08
#else
#define ERROR_CODE , error
  use mpi
#endif
  implicit none
  integer :: error, rank, ranks, i, provided, faults, all_faults, number, counts(8), places(8)
  double precision :: mine(5), all(40), sums(5)

  call MPI_Init_thread(MPI_THREAD_SINGLE, provided ERROR_CODE)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank ERROR_CODE)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks ERROR_CODE)
  faults = 0
  do i = 1, 10
    call MPI_Barrier(MPI_COMM_WORLD ERROR_CODE)
    mine = rank + i
    call MPI_Allreduce(mine, sums, 5, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD ERROR_CODE)
    if (any(sums /= ranks * i + ranks * (ranks - 1) / 2)) faults = faults + 1
    call MPI_Allreduce(MPI_IN_PLACE, mine, 5, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD ERROR_CODE)
    if (any(mine /= ranks - 1 + i)) faults = faults + 1
    number = rank
    call MPI_Bcast(number, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD ERROR_CODE)
    if (number /= ranks - 1) faults = faults + 1
    mine = rank
    counts = 5
    places = [0, 5, 10, 15, 20, 25, 30, 35]
    call MPI_Allgatherv(mine, 5, MPI_DOUBLE_PRECISION, all, counts, places, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD ERROR_CODE)
    if (any(all(places(1:ranks) + 3) /= [(number, number = 0, ranks - 1)])) faults = faults + 1
    mine = 1
    call MPI_Scan(mine, sums, 5, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD ERROR_CODE)
    if (any(sums /= rank + 1)) faults = faults + 1
    call MPI_Reduce(faults, all_faults, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD ERROR_CODE)
    if (rank == 0 .and. all_faults /= 0) stop 9
  end do
  if (rank == 0) print '(a)', 'right'
  call MPI_Finalize(error)
end program
