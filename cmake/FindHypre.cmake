# SPDX-License-Identifier: Apache-2.0
# Hypre::hypre, a peer of our linear solvers. Debian: libhypre-dev.
find_path(Hypre_INCLUDE_DIR HYPRE_struct_ls.h HINTS ${Hypre_ROOT}/include PATH_SUFFIXES hypre)
find_library(Hypre_LIBRARY NAMES HYPRE hypre HINTS ${Hypre_ROOT}/lib)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hypre REQUIRED_VARS Hypre_LIBRARY Hypre_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "(hypre, on Debian libhypre-dev: only for bench_poisson)")
mark_as_advanced(Hypre_INCLUDE_DIR Hypre_LIBRARY)

if(Hypre_FOUND AND NOT TARGET Hypre::hypre)
  add_library(Hypre::hypre UNKNOWN IMPORTED)
  set_target_properties(Hypre::hypre PROPERTIES IMPORTED_LOCATION "${Hypre_LIBRARY}"
                                                INTERFACE_INCLUDE_DIRECTORIES "${Hypre_INCLUDE_DIR}"
                                                INTERFACE_LINK_LIBRARIES "MPI::MPI_CXX")
endif()
