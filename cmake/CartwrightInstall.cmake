# SPDX-License-Identifier: Apache-2.0
# The package for find_package(cartwright COMPONENTS comm grid), and the files of pkg-config.

# Packages of a distribution bring their Kokkos, below the folder of libraries: Debian 12's own has only Serial.
set(cartwright_kokkos_place "${CMAKE_INSTALL_LIBDIR}/cartwright/kokkos")
if(CARTWRIGHT_GRID)
  get_filename_component(cartwright_kokkos_prefix "${Kokkos_DIR}/../../.." ABSOLUTE)
endif()
set(cartwright_brought_kokkos "")
if(CARTWRIGHT_PACKAGES)
  set(cartwright_brought_kokkos "${cartwright_kokkos_place}/lib/cmake/Kokkos")
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/cartwright")
configure_package_config_file(cmake/cartwrightConfig.cmake.in "${PROJECT_BINARY_DIR}/cartwrightConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cartwrightConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cartwrightConfig.cmake" "${PROJECT_BINARY_DIR}/cartwrightConfigVersion.cmake"
              cmake/FindHwloc.cmake cmake/FindYamlCpp.cmake cmake/FindMuParser.cmake cmake/FindPLplotC.cmake
              cmake/FindParallelHDF5.cmake cmake/FindHypre.cmake cmake/CartwrightFindForMpi.cmake cmake/CartwrightKokkos.cmake cmake/CartwrightApp.cmake
        DESTINATION "${package_dir}" COMPONENT development)
include(CartwrightPkgConfig)
