# SPDX-License-Identifier: Apache-2.0
# cartwright_add_floor(NAME HEADERS … SOURCES … [PUBLIC lib…] [PRIVATE lib…])
# One floor of the house: library cartwright_NAME with alias cartwright::NAME, its public headers as a
# file set, installed and exported as component NAME.
add_custom_target(cartwright_floors)

function(cartwright_add_floor name)
  cmake_parse_arguments(PARSE_ARGV 1 floor "" "" "HEADERS;SOURCES;PUBLIC;PRIVATE")
  set(target cartwright_${name})
  add_library(${target} STATIC)
  add_library(cartwright::${name} ALIAS ${target})
  target_sources(
    ${target}
    PRIVATE ${floor_SOURCES}
    PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${floor_HEADERS})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${floor_PUBLIC} PRIVATE ${floor_PRIVATE} $<BUILD_INTERFACE:cartwright_warnings>)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} UNITY_BUILD ${CARTWRIGHT_UNITY} UNITY_BUILD_BATCH_SIZE 10)
  add_dependencies(cartwright_floors ${target})
  install(TARGETS ${target} EXPORT cartwright_${name} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT cartwright_${name} NAMESPACE cartwright:: FILE cartwright_${name}.cmake
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/cartwright")
endfunction()

# Until the list of a floor's sources settles.
function(cartwright_collect_floor headers sources)
  file(GLOB_RECURSE found_headers CONFIGURE_DEPENDS include/*.hpp)
  file(GLOB found_sources CONFIGURE_DEPENDS src/*.cpp)
  if(NOT found_sources)
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/empty.cpp" "")
    set(found_sources "${CMAKE_CURRENT_BINARY_DIR}/empty.cpp")
  endif()
  set(${headers} "${found_headers}" PARENT_SCOPE)
  set(${sources} "${found_sources}" PARENT_SCOPE)
endfunction()
