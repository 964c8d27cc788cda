# SPDX-License-Identifier: Apache-2.0
# cartwright_add_floor(NAME HEADERS … SOURCES … [KERNELS …] [PUBLIC lib…] [PRIVATE lib…])
# One floor of the house: library cartwright_NAME with alias cartwright::NAME, its public headers as a
# file set, installed and exported as component NAME. KERNELS: the sources that include Kokkos.
add_custom_target(cartwright_floors)

function(cartwright_add_floor name)
  cmake_parse_arguments(PARSE_ARGV 1 floor "" "" "HEADERS;SOURCES;KERNELS;PUBLIC;PRIVATE")
  if(floor_KERNELS)
    cartwright_kernel_sources(${floor_KERNELS})
    list(APPEND floor_SOURCES ${floor_KERNELS})
  endif()
  cartwright_check_lists(${floor_HEADERS} ${floor_SOURCES})
  set(target cartwright_${name})
  add_library(${target} STATIC)
  add_library(cartwright::${name} ALIAS ${target})
  target_sources(
    ${target}
    PRIVATE ${floor_SOURCES}
    PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${floor_HEADERS})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${floor_PUBLIC} PRIVATE ${floor_PRIVATE} $<BUILD_INTERFACE:cartwright_warnings>)
  target_link_options(${target} INTERFACE ${cartwright_instrumentation})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} UNITY_BUILD ${CARTWRIGHT_UNITY} UNITY_BUILD_MODE GROUP)
  cartwright_group_by_folder(${floor_SOURCES})
  add_dependencies(cartwright_floors ${target})
  install(TARGETS ${target} EXPORT cartwright_${name} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
          FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
  install(EXPORT cartwright_${name} NAMESPACE cartwright:: FILE cartwright_${name}.cmake
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/cartwright" COMPONENT development)
endfunction()

# What a unity build compiles at once: up to ten sources of one folder.
function(cartwright_group_by_folder)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    list(APPEND ${group} "${source}")
    list(LENGTH ${group} number)
    math(EXPR batch "(${number} - 1) / 10")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${batch}")
  endforeach()
endfunction()

# A file that lies in the folder, but not in a list, would be missed silently.
function(cartwright_check_lists)
  file(GLOB_RECURSE present RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" CONFIGURE_DEPENDS include/*.hpp src/*.cpp)
  list(REMOVE_ITEM present ${ARGN})
  if(present)
    list(JOIN present ", " present)
    message(FATAL_ERROR "not in ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt: ${present}")
  endif()
endfunction()
