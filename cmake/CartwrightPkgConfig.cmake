# SPDX-License-Identifier: Apache-2.0
# What pkg-config knows: cartwright-plan, cartwright-comm and cartwright (everything), as the components of find_package.
# The libraries are static, so Libs names all that they need; what was found outside of Debian's folders is given by its path.

# flags_of(RESULT TARGET…): how a linker and a compiler get these libraries.
function(libraries_of result)
  set(words "")
  foreach(target IN LISTS ARGN)
    get_target_property(aliased ${target} ALIASED_TARGET)
    if(aliased)
      set(target ${aliased})
    endif()
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      foreach(key IMPORTED_LOCATION IMPORTED_LOCATION_NONE IMPORTED_LOCATION_RELEASE IMPORTED_LOCATION_RELWITHDEBINFO)
        get_target_property(location ${target} ${key})
        if(location)
          list(APPEND words "${location}")
          break()
        endif()
      endforeach()
    else()
      get_target_property(location ${target} INTERFACE_LINK_LIBRARIES)
      foreach(each IN LISTS location)
        if(TARGET ${each})
          libraries_of(below ${each})
          list(APPEND words ${below})
        elseif(NOT each MATCHES "^-|[$]<")
          list(APPEND words "${each}")
        endif()
      endforeach()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES words)
  # What every linker finds by its name is named: files of a distribution may move.
  list(TRANSFORM words REPLACE "^(/usr)?/lib(/[^/]+-linux-gnu)?/lib([^/]+)\\.(so|a)[.0-9]*$" "-l\\3")
  list(TRANSFORM words REPLACE "^([A-Za-z][^/]*)$" "-l\\1")
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

function(includes_of result)
  list(REMOVE_DUPLICATES ARGN)
  list(REMOVE_ITEM ARGN "/usr/include" "")
  list(TRANSFORM ARGN PREPEND "-I")
  set(${result} "${ARGN}" PARENT_SCOPE)
endfunction()

# cartwright_pkg_config(NAME "description" "what it requires" FLOORS … CFLAGS … LIBS …)
function(cartwright_pkg_config name description requires)
  cmake_parse_arguments(PARSE_ARGV 3 pc "" "" "FLOORS;CFLAGS;LIBS")
  list(TRANSFORM pc_FLOORS PREPEND "-lcartwright_" OUTPUT_VARIABLE own)
  list(JOIN own " " own)
  list(JOIN pc_CFLAGS " " cflags)
  list(JOIN pc_LIBS " " libs)
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  configure_file(cmake/cartwright.pc.in "${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endfunction()

cartwright_pkg_config(cartwright-plan "Collectives as schedules, machine models, simulation" "" FLOORS plan CFLAGS -std=c++20)

libraries_of(libs Hwloc::hwloc yaml-cpp::yaml-cpp fmt::fmt)
includes_of(cflags ${MPI_CXX_INCLUDE_DIRS})
set(mpi ${MPI_CXX_LIBRARIES})
list(TRANSFORM mpi REPLACE "^/usr/lib/[^/]+-linux-gnu/lib(mpi[a-z]*)\\.so$" "-l\\1")
cartwright_pkg_config(
  cartwright-comm "Solvers on Cartesian grids: communicators, collectives and mappings" "cartwright-plan = ${PROJECT_VERSION}"
  FLOORS comm mapping rt CFLAGS ${cflags} -pthread LIBS ${libs} ${mpi} -pthread)

if(CARTWRIGHT_GRID)
  set(optional "")
  if(Hypre_FOUND)
    set(optional Hypre::hypre)
  endif()
  libraries_of(libs ${optional} ParallelHDF5::hdf5 PLplot::plplot PNG::PNG muparser::muparser)
  # As Debian's packages have it: below this very prefix.
  set(kokkos "${cartwright_kokkos_prefix}")
  if(CARTWRIGHT_PACKAGES)
    set(kokkos "\${prefix}/${cartwright_kokkos_place}")
  endif()
  cartwright_pkg_config(
    cartwright "Solvers on Cartesian grids: MPI between processes, Kokkos inside one" "cartwright-comm = ${PROJECT_VERSION}"
    FLOORS linear grid
    CFLAGS -I${kokkos}/include -ffp-contract=off ${cartwright_kernel_flag} -fopenmp
    LIBS ${libs}
         -L${kokkos}/lib -lkokkoscontainers -lkokkoscore -ldl -fopenmp)
endif()
