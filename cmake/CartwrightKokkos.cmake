# SPDX-License-Identifier: Apache-2.0
# Finds a usable Kokkos: 3.4 <= version < 6, with OpenMP or a device backend. Debian 12's own package has
# only Serial, and names a directory that doesn't exist; ./cartwright builds a proper one.
# (No version is given to find_package: Kokkos accepts only its own major version there.)
find_package(Kokkos CONFIG REQUIRED)

if(Kokkos_VERSION VERSION_LESS 3.4 OR Kokkos_VERSION VERSION_GREATER_EQUAL 6)
  message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} is not supported: 3.4 or later and below 6 is. "
                      "Give another one with -DKokkos_ROOT=DIR, or let ./cartwright build one.")
endif()

set(found_backends ${Kokkos_DEVICES})
list(FILTER found_backends INCLUDE REGEX "^(OPENMP|THREADS|HPX|CUDA|HIP|SYCL|OPENMPTARGET)$")
if(NOT found_backends)
  message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} has only: ${Kokkos_DEVICES}. Cartwright needs OpenMP or "
                      "a device backend. Give another one with -DKokkos_ROOT=DIR, or let ./cartwright build one.")
endif()
unset(found_backends)

set(CARTWRIGHT_DEVICE "" CACHE STRING "On what kernels run: cuda, hip, or empty for what Kokkos was built for; \
rehearsal: on the host, by the code for devices")
set_property(CACHE CARTWRIGHT_DEVICE PROPERTY STRINGS "" cuda hip rehearsal)
string(TOUPPER "${CARTWRIGHT_DEVICE}" wanted_device)
if(wanted_device AND NOT wanted_device STREQUAL "REHEARSAL" AND NOT wanted_device IN_LIST Kokkos_DEVICES)
  message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} has only: ${Kokkos_DEVICES}, and CARTWRIGHT_DEVICE is "
                      "${CARTWRIGHT_DEVICE}. Give one that was built for it with -DKokkos_ROOT=DIR; docs/devices.md says how.")
endif()
unset(wanted_device)

# In which language sources with kernels are compiled: CUDA or HIP where Kokkos was built so
# (Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE), else C++; nvcc_wrapper and hipcc are C++ compilers, too. All other sources
# stay C++: a device compiler sees neither JSON nor YAML.
set(cartwright_kernel_language CXX)
if(Kokkos_COMPILE_LANGUAGE MATCHES "^(CUDA|HIP)$")
  set(cartwright_kernel_language ${Kokkos_COMPILE_LANGUAGE})
  if(NOT CMAKE_${cartwright_kernel_language}_ARCHITECTURES)
    set(CMAKE_${cartwright_kernel_language}_ARCHITECTURES "${Kokkos_${cartwright_kernel_language}_ARCHITECTURES}")
  endif()
  enable_language(${cartwright_kernel_language})
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 knows C++20 of no CUDA
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_${cartwright_kernel_language}_STANDARD 20)
  set(CMAKE_${cartwright_kernel_language}_STANDARD_REQUIRED ON)
  set(CMAKE_${cartwright_kernel_language}_EXTENSIONS OFF)
endif()

# cartwright_kernel_sources(SOURCE…): these include Kokkos. For sources of the folder that calls it.
function(cartwright_kernel_sources)
  if(NOT cartwright_kernel_language STREQUAL "CXX")
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ${cartwright_kernel_language})
  endif()
endfunction()
