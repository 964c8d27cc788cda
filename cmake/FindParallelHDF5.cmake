# SPDX-License-Identifier: Apache-2.0
# ParallelHDF5::hdf5, the C library built for MPI. Debian keeps it beside the serial one; CMake's own
# FindHDF5 needs a C compiler and may pick the serial one, so this looks by itself, for the one that belongs to
# the MPI in use (cartwright_mpi_flavour, if that is known).
set(flavours openmpi mpich)
if(cartwright_mpi_flavour IN_LIST flavours)
  set(flavours ${cartwright_mpi_flavour})
endif()
list(TRANSFORM flavours PREPEND hdf5- OUTPUT_VARIABLE modules)
list(TRANSFORM flavours PREPEND hdf5/ OUTPUT_VARIABLE folders)
list(TRANSFORM flavours PREPEND hdf5_ OUTPUT_VARIABLE names)
find_package(PkgConfig QUIET)
pkg_search_module(PC_HDF5 QUIET ${modules} hdf5-mpi hdf5)
find_path(ParallelHDF5_INCLUDE_DIR hdf5.h HINTS ${PC_HDF5_INCLUDE_DIRS} ${HDF5_ROOT}/include
          PATH_SUFFIXES ${folders})
find_library(ParallelHDF5_LIBRARY NAMES hdf5 ${names} HINTS ${PC_HDF5_LIBRARY_DIRS} ${HDF5_ROOT}/lib
             PATH_SUFFIXES ${folders})

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
  REASON_FAILURE_MESSAGE "(an HDF5 built with your MPI, on Debian the package libhdf5-openmpi-dev or libhdf5-mpich-dev)")
mark_as_advanced(ParallelHDF5_INCLUDE_DIR ParallelHDF5_LIBRARY)

if(ParallelHDF5_FOUND AND NOT TARGET ParallelHDF5::hdf5)
  add_library(ParallelHDF5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(
    ParallelHDF5::hdf5
    PROPERTIES IMPORTED_LOCATION "${ParallelHDF5_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${ParallelHDF5_INCLUDE_DIR}"
               INTERFACE_LINK_LIBRARIES MPI::MPI_CXX)
endif()
