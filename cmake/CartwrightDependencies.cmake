# SPDX-License-Identifier: Apache-2.0
# Everything that this build needs from outside. Shared by the build and (in part) by cartwrightConfig.cmake.
include(CartwrightMpi)
find_package(Threads REQUIRED)
find_package(Hwloc REQUIRED)
find_package(fmt REQUIRED)
find_package(YamlCpp REQUIRED)
find_package(nlohmann_json 3 REQUIRED)
find_package(CLI11 REQUIRED)

if(CARTWRIGHT_GRID)
  include(CartwrightKokkos)
  find_package(ParallelHDF5 REQUIRED)
  find_package(PLplotC REQUIRED)
  find_package(PNG REQUIRED)
  find_package(MuParser REQUIRED)
  find_package(ScaLAPACK REQUIRED)
  find_package(Hypre)  # optional: its multigrid, behind the keys of linear systems
endif()

if(CARTWRIGHT_TESTS)
  find_package(GTest REQUIRED)
endif()
