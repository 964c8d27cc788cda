# SPDX-License-Identifier: Apache-2.0
# PETSc::petsc for the MPI in use, the second peer in bench_poisson.
include("${CMAKE_CURRENT_LIST_DIR}/CartwrightFindForMpi.cmake")
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_search_module(PC_PETSC QUIET PETSc petsc)
endif()
cartwright_find_for_mpi(PETSc petsc HEADER petscksp.h LIBRARIES petsc petsc_real PREFIX PC_PETSC PACKAGE petsc-dev)
