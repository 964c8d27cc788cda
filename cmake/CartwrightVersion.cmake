# SPDX-License-Identifier: Apache-2.0
# cartwright_version_source(TARGET): adds version.cpp, written anew at each build but touched only when the
# version or the commit changes, so that a new commit recompiles one small file.
function(cartwright_version_source target)
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/version.cpp")
  set(write_version
      "${CMAKE_COMMAND}" -DVERSION=${PROJECT_VERSION} -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
      -DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/version.cpp.in -DOUTPUT=${generated}
      -P "${PROJECT_SOURCE_DIR}/cmake/write_version.cmake")
  execute_process(COMMAND ${write_version})
  add_custom_target(cartwright_version_file COMMAND ${write_version} BYPRODUCTS "${generated}" VERBATIM
                    COMMENT "")
  add_dependencies(${target} cartwright_version_file)
  target_sources(${target} PRIVATE "${generated}")
endfunction()
