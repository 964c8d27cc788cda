# SPDX-License-Identifier: Apache-2.0
# Hypre::hypre for the MPI in use: behind the keys of linear systems, and their peer in bench_poisson. Debian:
# libhypre-dev, which is Open MPI's. Follows cartwright_mpi_flavour, if that is known.
find_path(Hypre_INCLUDE_DIR HYPRE_struct_ls.h HINTS ${Hypre_ROOT}/include PATH_SUFFIXES hypre)
if(Hypre_ROOT OR NOT DEFINED cartwright_mpi_flavour OR cartwright_mpi_flavour STREQUAL "openmpi")
  find_library(Hypre_LIBRARY NAMES HYPRE hypre HINTS ${Hypre_ROOT}/lib)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hypre REQUIRED_VARS Hypre_LIBRARY Hypre_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "(hypre for your MPI, on Debian libhypre-dev: optional)")
mark_as_advanced(Hypre_INCLUDE_DIR Hypre_LIBRARY)

if(Hypre_FOUND AND NOT TARGET Hypre::hypre)
  add_library(Hypre::hypre UNKNOWN IMPORTED)
  set_target_properties(Hypre::hypre PROPERTIES IMPORTED_LOCATION "${Hypre_LIBRARY}"
                                                INTERFACE_INCLUDE_DIRECTORIES "${Hypre_INCLUDE_DIR}"
                                                INTERFACE_LINK_LIBRARIES "MPI::MPI_CXX")
endif()
