# SPDX-License-Identifier: Apache-2.0
# PETSc::petsc for the MPI in use, a peer in bench_poisson. Debian: petsc-dev, which is Open MPI's. Follows
# cartwright_mpi_flavour, if that is known.
if(PETSc_ROOT OR NOT DEFINED cartwright_mpi_flavour OR cartwright_mpi_flavour STREQUAL "openmpi")
  find_package(PkgConfig QUIET)
  pkg_search_module(PC_PETSC QUIET PETSc petsc)
  find_path(PETSc_INCLUDE_DIR petscksp.h HINTS ${PETSc_ROOT}/include ${PC_PETSC_INCLUDE_DIRS})
  find_library(PETSc_LIBRARY NAMES petsc petsc_real HINTS ${PETSc_ROOT}/lib ${PC_PETSC_LIBRARY_DIRS})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PETSc REQUIRED_VARS PETSc_LIBRARY PETSc_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "(PETSc for your MPI, on Debian petsc-dev: only for bench_poisson)")
mark_as_advanced(PETSc_INCLUDE_DIR PETSc_LIBRARY)

if(PETSc_FOUND AND NOT TARGET PETSc::petsc)
  add_library(PETSc::petsc UNKNOWN IMPORTED)
  set_target_properties(PETSc::petsc PROPERTIES IMPORTED_LOCATION "${PETSc_LIBRARY}"
                                                INTERFACE_INCLUDE_DIRECTORIES "${PETSc_INCLUDE_DIR}"
                                                INTERFACE_LINK_LIBRARIES "MPI::MPI_CXX")
endif()
