# SPDX-License-Identifier: Apache-2.0
# muparser::muparser
find_package(PkgConfig QUIET)
pkg_check_modules(PC_MUPARSER QUIET muparser)
find_path(MuParser_INCLUDE_DIR muParser.h HINTS ${PC_MUPARSER_INCLUDE_DIRS})
find_library(MuParser_LIBRARY muparser HINTS ${PC_MUPARSER_LIBRARY_DIRS})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MuParser REQUIRED_VARS MuParser_LIBRARY MuParser_INCLUDE_DIR)
mark_as_advanced(MuParser_INCLUDE_DIR MuParser_LIBRARY)

if(MuParser_FOUND AND NOT TARGET muparser::muparser)
  add_library(muparser::muparser UNKNOWN IMPORTED)
  set_target_properties(muparser::muparser PROPERTIES IMPORTED_LOCATION "${MuParser_LIBRARY}"
                                                      INTERFACE_INCLUDE_DIRECTORIES "${MuParser_INCLUDE_DIR}")
endif()
