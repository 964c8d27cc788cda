# SPDX-License-Identifier: Apache-2.0
# yaml-cpp::yaml-cpp, also where an older yaml-cpp (0.7) offers only the plain name.
find_package(yaml-cpp CONFIG QUIET)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(YamlCpp REQUIRED_VARS yaml-cpp_DIR VERSION_VAR yaml-cpp_VERSION)

if(YamlCpp_FOUND AND NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp INTERFACE IMPORTED)
  set_target_properties(yaml-cpp::yaml-cpp PROPERTIES INTERFACE_LINK_LIBRARIES yaml-cpp)
endif()
