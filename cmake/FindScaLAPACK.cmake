# SPDX-License-Identifier: Apache-2.0
# ScaLAPACK::scalapack for the MPI in use, and OpenBLAS::openblas with cblas.h. Debian: the packages
# libscalapack-openmpi-dev (or -mpich-dev) and libopenblas-dev. Without the CMake files that some packages bring:
# Debian's name a missing MPI target. Follows cartwright_mpi_flavour, if that is known.
set(names scalapack-openmpi scalapack-mpich)
if("scalapack-${cartwright_mpi_flavour}" IN_LIST names)
  set(names scalapack-${cartwright_mpi_flavour})
endif()
find_package(PkgConfig QUIET)
pkg_search_module(PC_OPENBLAS QUIET openblas)
pkg_search_module(PC_SCALAPACK QUIET ${names} scalapack)
find_path(OpenBLAS_INCLUDE_DIR cblas.h HINTS ${PC_OPENBLAS_INCLUDE_DIRS} ${OpenBLAS_ROOT}/include
          PATH_SUFFIXES openblas openblas-pthread)
find_library(OpenBLAS_LIBRARY openblas HINTS ${PC_OPENBLAS_LIBRARY_DIRS} ${OpenBLAS_ROOT}/lib)
find_library(ScaLAPACK_LIBRARY NAMES ${names} scalapack
             HINTS ${PC_SCALAPACK_LIBRARY_DIRS} ${ScaLAPACK_ROOT}/lib)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  ScaLAPACK
  REQUIRED_VARS ScaLAPACK_LIBRARY OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "(ScaLAPACK for your MPI and OpenBLAS, on Debian libscalapack-openmpi-dev or -mpich-dev, and libopenblas-dev)")
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY ScaLAPACK_LIBRARY)

if(ScaLAPACK_FOUND AND NOT TARGET ScaLAPACK::scalapack)
  add_library(OpenBLAS::openblas UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::openblas PROPERTIES IMPORTED_LOCATION "${OpenBLAS_LIBRARY}"
                                                      INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIR}")
  add_library(ScaLAPACK::scalapack UNKNOWN IMPORTED)
  set_target_properties(ScaLAPACK::scalapack PROPERTIES IMPORTED_LOCATION "${ScaLAPACK_LIBRARY}"
                                                        INTERFACE_LINK_LIBRARIES "OpenBLAS::openblas;MPI::MPI_CXX")
endif()
