# SPDX-License-Identifier: Apache-2.0
# Packages of Debian, by CPack: cartwright (programs), cartwright-dev (to build solvers; brings its Kokkos), cartwright-doc,
# python3-cartwright (reads results). packaging/README.md says what is in which, and why.
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  message(FATAL_ERROR "CARTWRIGHT_PACKAGES needs CMAKE_INSTALL_PREFIX=/usr (the preset package), not ${CMAKE_INSTALL_PREFIX}")
endif()
if(Kokkos_ARCH OR NOT Kokkos_DEVICES STREQUAL "OPENMP;SERIAL")
  message(FATAL_ERROR "packages are for all machines, but the Kokkos in ${Kokkos_DIR} is for ${Kokkos_ARCH} ${Kokkos_DEVICES}")
endif()
if(cartwright_kokkos_prefix MATCHES "^/usr(/local)?$" OR NOT EXISTS "${cartwright_kokkos_prefix}/lib/libkokkoscore.a")
  message(FATAL_ERROR "packages bring a static Kokkos that stands in a folder of its own, not the one in ${Kokkos_DIR}")
endif()
# Who answers for the packages, as Debian's own tools are told.
set(maintainer "Cartwright developers <cartwright@example.org>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(debian "${PROJECT_SOURCE_DIR}/packaging/debian")

# What belongs to each package besides what is built.
install(DIRECTORY inputs/machines DESTINATION "${CMAKE_INSTALL_DATADIR}/cartwright/inputs" COMPONENT programs EXCLUDE_FROM_ALL)
install(DIRECTORY "${cartwright_kokkos_prefix}/include" DESTINATION "${cartwright_kokkos_place}" COMPONENT development)
install(DIRECTORY "${cartwright_kokkos_prefix}/lib/cmake" DESTINATION "${cartwright_kokkos_place}/lib" COMPONENT development)
install(FILES "${cartwright_kokkos_prefix}/lib/libkokkoscore.a" "${cartwright_kokkos_prefix}/lib/libkokkoscontainers.a"
        DESTINATION "${cartwright_kokkos_place}/lib" COMPONENT development)
set(texts "${CMAKE_INSTALL_DATADIR}/doc/cartwright-doc")
install(FILES README.md CHANGELOG.md DESTINATION "${texts}" COMPONENT documentation EXCLUDE_FROM_ALL)
install(DIRECTORY docs DESTINATION "${texts}" COMPONENT documentation EXCLUDE_FROM_ALL PATTERN evidence EXCLUDE)
install(DIRECTORY inputs DESTINATION "${texts}" COMPONENT documentation EXCLUDE_FROM_ALL)
install(DIRECTORY python/cartwright DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL
        FILES_MATCHING PATTERN "*.py")

# One package: cartwright_package(COMPONENT NAME "summary" "text" KEY value …) with keys of CPACK_DEBIAN_….
function(cartwright_package component name summary text)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_FILE_NAME DEB-DEFAULT PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  cmake_parse_arguments(PARSE_ARGV 4 package "" "SECTION;ARCHITECTURE;SHLIBDEPS" "DEPENDS;RECOMMENDS;SUGGESTS")
  foreach(list DEPENDS RECOMMENDS SUGGESTS)
    list(JOIN package_${list} ", " joined)
    set(CPACK_DEBIAN_${key}_PACKAGE_${list} "${joined}" PARENT_SCOPE)
  endforeach()
  foreach(word SECTION ARCHITECTURE SHLIBDEPS)
    if(package_${word})
      set(CPACK_DEBIAN_${key}_PACKAGE_${word} ${package_${word}} PARENT_SCOPE)
    endif()
  endforeach()
  # The texts that every package of Debian has.
  set(place "${CMAKE_INSTALL_DATADIR}/doc/${name}")
  install(FILES "${debian}/copyright" DESTINATION "${place}" COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES "${PROJECT_BINARY_DIR}/packaging/changelog.Debian.gz" "${PROJECT_BINARY_DIR}/packaging/changelog.gz"
          DESTINATION "${place}" COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES "${debian}/lintian-overrides" DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides" RENAME ${name}
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

# compressed(SOURCE TARGET): by gzip, without its name and time: the same file gives the same bytes.
function(compressed source target)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  get_filename_component(folder "${target}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND gzip -9nc "${source}" OUTPUT_FILE "${target}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
# The day of the last commit: packages of one commit are the same whenever they are made.
execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" log -1 --format=%cD OUTPUT_VARIABLE cartwright_package_date
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT cartwright_package_date)
  string(TIMESTAMP cartwright_package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
configure_file("${debian}/changelog.in" "${PROJECT_BINARY_DIR}/packaging/changelog" @ONLY)
compressed("${PROJECT_BINARY_DIR}/packaging/changelog" "${PROJECT_BINARY_DIR}/packaging/changelog.Debian.gz")
compressed("${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_BINARY_DIR}/packaging/changelog.gz")
file(GLOB pages CONFIGURE_DEPENDS "${debian}/*.1")
foreach(page IN LISTS pages)
  get_filename_component(name "${page}" NAME)
  compressed("${page}" "${PROJECT_BINARY_DIR}/packaging/${name}.gz")
  install(FILES "${PROJECT_BINARY_DIR}/packaging/${name}.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT programs EXCLUDE_FROM_ALL)
endforeach()

set(mpi_dev lib${cartwright_mpi_flavour}-dev)
set(mpi_bin openmpi-bin)
if(cartwright_mpi_flavour STREQUAL "mpich")
  set(mpi_bin mpich)
endif()
cartwright_package(
  programs cartwright "solvers on Cartesian grids: programs"
  "Cartwright is a framework for solvers on Cartesian grids with MPI between
processes and Kokkos inside one: halos, boundary conditions, output,
pictures, checkpoints and restarts are its own.
.
This package holds solvers of partial differential equations, dense matrix
products, pictures of volumes, and programs that map process grids onto
machines, measure machines and simulate collectives on them."
  SECTION science SHLIBDEPS ON DEPENDS ${mpi_bin} plplot-driver-cairo SUGGESTS paraview python3-cartwright cartwright-dev)
cartwright_package(
  development cartwright-dev "solvers on Cartesian grids: headers and libraries"
  "Cartwright is a framework for solvers on Cartesian grids with MPI between
processes and Kokkos inside one.
.
This package is what is needed to write a solver: headers, static libraries,
packages for CMake and pkg-config, and a Kokkos with OpenMP in a place of
its own."
  SECTION libdevel
  DEPENDS g++ ${mpi_dev} libhdf5-${cartwright_mpi_flavour}-dev libhwloc-dev libyaml-cpp-dev libfmt-dev nlohmann-json3-dev
          libplplot-dev plplot-driver-cairo libpng-dev libmuparser-dev
  RECOMMENDS cmake ninja-build pkg-config ${mpi_bin} SUGGESTS cartwright-doc)
cartwright_package(
  documentation cartwright-doc "solvers on Cartesian grids: documentation"
  "Cartwright is a framework for solvers on Cartesian grids with MPI between
processes and Kokkos inside one.
.
This package holds the tutorial with its programs, the reference, and decks."
  SECTION doc ARCHITECTURE all)
cartwright_package(
  python python3-cartwright "solvers on Cartesian grids: results in Python"
  "Cartwright is a framework for solvers on Cartesian grids with MPI between
processes and Kokkos inside one.
.
This package reads the results of its runs: numpy arrays with times, units
and coordinates, and xarray's where that is installed."
  SECTION python ARCHITECTURE all DEPENDS python3:any python3-numpy python3-h5py SUGGESTS python3-xarray)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cartwright)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_COMPONENTS_ALL programs development documentation python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/debian/finish_tree.cmake")
include(CPack)
