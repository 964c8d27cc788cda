# SPDX-License-Identifier: Apache-2.0
# PLplot::plplot, the C library alone: PLplot's own CMake package also wants Ada, OCaml, Qt and wxWidgets.
find_package(PkgConfig QUIET)
pkg_check_modules(PC_PLPLOT QUIET plplot)
find_path(PLplotC_INCLUDE_DIR plplot.h HINTS ${PC_PLPLOT_INCLUDE_DIRS} PATH_SUFFIXES plplot)
find_library(PLplotC_LIBRARY plplot HINTS ${PC_PLPLOT_LIBRARY_DIRS})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PLplotC REQUIRED_VARS PLplotC_LIBRARY PLplotC_INCLUDE_DIR)
mark_as_advanced(PLplotC_INCLUDE_DIR PLplotC_LIBRARY)

if(PLplotC_FOUND AND NOT TARGET PLplot::plplot)
  add_library(PLplot::plplot UNKNOWN IMPORTED)
  set_target_properties(PLplot::plplot PROPERTIES IMPORTED_LOCATION "${PLplotC_LIBRARY}"
                                                  INTERFACE_INCLUDE_DIRECTORIES "${PLplotC_INCLUDE_DIR}")
endif()
