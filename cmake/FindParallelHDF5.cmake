# SPDX-License-Identifier: Apache-2.0
# ParallelHDF5::hdf5, the C library built for MPI. Debian keeps it beside the serial one; CMake's own
# FindHDF5 needs a C compiler and may pick the serial one, so this looks by itself.
find_package(PkgConfig QUIET)
pkg_search_module(PC_HDF5 QUIET hdf5-openmpi hdf5-mpich hdf5-mpi hdf5)
find_path(ParallelHDF5_INCLUDE_DIR hdf5.h HINTS ${PC_HDF5_INCLUDE_DIRS} ${HDF5_ROOT}/include
          PATH_SUFFIXES hdf5/openmpi)
find_library(ParallelHDF5_LIBRARY NAMES hdf5 hdf5_openmpi HINTS ${PC_HDF5_LIBRARY_DIRS} ${HDF5_ROOT}/lib
             PATH_SUFFIXES hdf5/openmpi)

set(ParallelHDF5_IS_PARALLEL FALSE)
foreach(header H5pubconf.h H5pubconf-64.h)
  if(ParallelHDF5_INCLUDE_DIR AND EXISTS "${ParallelHDF5_INCLUDE_DIR}/${header}")
    file(STRINGS "${ParallelHDF5_INCLUDE_DIR}/${header}" parallel_line REGEX "^#define H5_HAVE_PARALLEL 1")
    if(parallel_line)
      set(ParallelHDF5_IS_PARALLEL TRUE)
    endif()
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  ParallelHDF5
  REQUIRED_VARS ParallelHDF5_LIBRARY ParallelHDF5_INCLUDE_DIR ParallelHDF5_IS_PARALLEL
  REASON_FAILURE_MESSAGE "(an HDF5 built with MPI, on Debian the package libhdf5-openmpi-dev)")
mark_as_advanced(ParallelHDF5_INCLUDE_DIR ParallelHDF5_LIBRARY)

if(ParallelHDF5_FOUND AND NOT TARGET ParallelHDF5::hdf5)
  add_library(ParallelHDF5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(
    ParallelHDF5::hdf5
    PROPERTIES IMPORTED_LOCATION "${ParallelHDF5_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${ParallelHDF5_INCLUDE_DIR}"
               INTERFACE_LINK_LIBRARIES MPI::MPI_CXX)
endif()
