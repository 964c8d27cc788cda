# SPDX-License-Identifier: Apache-2.0
# What FindHypre and FindPETSc share: optional libraries on MPI. Debian has them for Open MPI alone, so others are looked
# for only where NAME_ROOT says where; follows cartwright_mpi_flavour, if that is known.
include(FindPackageHandleStandardArgs)

# NAME::TARGET, with NAME_INCLUDE_DIR and NAME_LIBRARY, from a HEADER and one of LIBRARIES. PREFIX: of pkg-config's
# variables, if it was asked. PACKAGE: Debian's.
macro(cartwright_find_for_mpi name target)
  cmake_parse_arguments(wanted "" "HEADER;PREFIX;PACKAGE" "LIBRARIES;SUFFIXES" ${ARGN})
  if(${name}_ROOT OR NOT DEFINED cartwright_mpi_flavour OR cartwright_mpi_flavour STREQUAL "openmpi")
    find_path(${name}_INCLUDE_DIR ${wanted_HEADER} HINTS ${${name}_ROOT}/include ${${wanted_PREFIX}_INCLUDE_DIRS}
              PATH_SUFFIXES ${wanted_SUFFIXES})
    find_library(${name}_LIBRARY NAMES ${wanted_LIBRARIES} HINTS ${${name}_ROOT}/lib ${${wanted_PREFIX}_LIBRARY_DIRS})
  endif()
  find_package_handle_standard_args(${name} REQUIRED_VARS ${name}_LIBRARY ${name}_INCLUDE_DIR
                                    REASON_FAILURE_MESSAGE "(for your MPI, on Debian ${wanted_PACKAGE}: optional)")
  mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
  if(${name}_FOUND AND NOT TARGET ${name}::${target})
    add_library(${name}::${target} UNKNOWN IMPORTED)
    set_target_properties(${name}::${target} PROPERTIES IMPORTED_LOCATION "${${name}_LIBRARY}"
                                                        INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE_DIR}"
                                                        INTERFACE_LINK_LIBRARIES "MPI::MPI_CXX")
  endif()
endmacro()
