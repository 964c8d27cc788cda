# SPDX-License-Identifier: Apache-2.0
# Which MPI: chosen by CARTWRIGHT_MPI, or whatever CMake finds. Sets cartwright_mpi_flavour (openmpi, mpich or
# other), which HDF5 and ScaLAPACK follow, cartwright_mpiexec_flavour, and cartwright_mpi_library (name, version).
set(CARTWRIGHT_MPI "" CACHE STRING "Which MPI: openmpi, mpich, or empty for the one that CMake finds")
set_property(CACHE CARTWRIGHT_MPI PROPERTY STRINGS "" openmpi mpich)

if(NOT CARTWRIGHT_MPI STREQUAL "" AND NOT CARTWRIGHT_MPI MATCHES "^(openmpi|mpich)$")
  message(FATAL_ERROR "CARTWRIGHT_MPI is openmpi or mpich, or empty, not '${CARTWRIGHT_MPI}'; for another MPI set "
                      "MPI_CXX_COMPILER and MPIEXEC_EXECUTABLE")
endif()
# What was found for one MPI must not be mixed with another.
if(DEFINED CACHE{cartwright_mpi_chosen} AND NOT "$CACHE{cartwright_mpi_chosen}" STREQUAL "${CARTWRIGHT_MPI}")
  set(asked "${CARTWRIGHT_MPI}")
  set(CARTWRIGHT_MPI "$CACHE{cartwright_mpi_chosen}" CACHE STRING "" FORCE)
  message(FATAL_ERROR "this build folder is for CARTWRIGHT_MPI='${CARTWRIGHT_MPI}', not for '${asked}': use another "
                      "folder, or configure with --fresh")
endif()

if(CARTWRIGHT_MPI)
  # Debian adds the flavour to names; others have a folder for each.
  find_program(MPI_CXX_COMPILER NAMES mpicxx.${CARTWRIGHT_MPI} HINTS ENV MPI_HOME PATH_SUFFIXES bin)
  find_program(MPI_CXX_COMPILER NAMES mpicxx HINTS ENV MPI_HOME /usr/lib64/${CARTWRIGHT_MPI} PATH_SUFFIXES bin)
  get_filename_component(folder "${MPI_CXX_COMPILER}" DIRECTORY)
  find_program(MPIEXEC_EXECUTABLE NAMES mpiexec.${CARTWRIGHT_MPI} mpiexec HINTS "${folder}" NO_DEFAULT_PATH)
endif()

set(MPI_CXX_SKIP_MPICXX TRUE)
set(MPI_DETERMINE_LIBRARY_VERSION TRUE)
find_package(MPI 3.0 REQUIRED COMPONENTS CXX)

# cartwright_name_mpi(RESULT TEXT): the flavour that a library's or an mpiexec's own words speak of.
function(cartwright_name_mpi result text)
  if("${text}" MATCHES "Open MPI|OpenRTE|Open-RTE|PRRTE")
    set(${result} openmpi PARENT_SCOPE)
  elseif("${text}" MATCHES "(^|[^A-Z])MPICH|HYDRA")
    set(${result} mpich PARENT_SCOPE)
  else()
    set(${result} other PARENT_SCOPE)
  endif()
endfunction()

cartwright_name_mpi(cartwright_mpi_flavour "${MPI_CXX_LIBRARY_VERSION_STRING}")
string(REGEX REPLACE "[\t\n,].*" "" cartwright_mpi_library "${MPI_CXX_LIBRARY_VERSION_STRING}")
if("${MPI_CXX_LIBRARY_VERSION_STRING}" MATCHES "MPICH Version:[\t ]*([^\n]*).*MPICH Device:[\t ]*([^\n]*)")
  set(cartwright_mpi_library "MPICH ${CMAKE_MATCH_1} (${CMAKE_MATCH_2})")
endif()
message(STATUS "MPI: ${cartwright_mpi_library}, started by ${MPIEXEC_EXECUTABLE}")
if(CARTWRIGHT_MPI AND NOT cartwright_mpi_flavour STREQUAL CARTWRIGHT_MPI)
  message(FATAL_ERROR "CARTWRIGHT_MPI=${CARTWRIGHT_MPI}, but what was found is '${cartwright_mpi_library}'; set MPI_CXX_COMPILER to "
                      "that MPI's mpicxx")
endif()

# An mpiexec of another MPI starts every rank as a run of its own.
set(cartwright_mpiexec_flavour other)
if(MPIEXEC_EXECUTABLE)
  execute_process(COMMAND "${MPIEXEC_EXECUTABLE}" --version OUTPUT_VARIABLE words ERROR_VARIABLE words RESULT_VARIABLE ignored)
  cartwright_name_mpi(cartwright_mpiexec_flavour "${words}")
endif()
foreach(flavour IN ITEMS openmpi mpich)
  if(cartwright_mpiexec_flavour STREQUAL flavour AND NOT cartwright_mpi_flavour MATCHES "^(${flavour}|other)$")
    message(FATAL_ERROR "the MPI library is ${cartwright_mpi_library}, but ${MPIEXEC_EXECUTABLE} belongs to ${flavour}: set "
                        "CARTWRIGHT_MPI=${cartwright_mpi_flavour}, or MPIEXEC_EXECUTABLE")
  endif()
endforeach()
set(cartwright_mpi_chosen "${CARTWRIGHT_MPI}" CACHE INTERNAL "CARTWRIGHT_MPI at the first configuration")
