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
