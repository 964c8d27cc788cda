# SPDX-License-Identifier: Apache-2.0
# Hypre::hypre for the MPI in use: behind the keys of linear systems, and their peer in bench_poisson.
include("${CMAKE_CURRENT_LIST_DIR}/CartwrightFindForMpi.cmake")
cartwright_find_for_mpi(Hypre hypre HEADER HYPRE_struct_ls.h SUFFIXES hypre LIBRARIES HYPRE hypre PACKAGE libhypre-dev)
