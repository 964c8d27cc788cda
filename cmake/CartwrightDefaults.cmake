# SPDX-License-Identifier: Apache-2.0
# What every build of this project has in common. Nothing here reaches those who use an installed tree.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# What instruments this build's sources. Programs of users that are linked with its libraries (tests build some) need
# the same words for the linker, see CartwrightFloor.cmake.
set(cartwright_instrumentation "")
set(flags "")
if(CARTWRIGHT_SANITIZE)
  list(JOIN CARTWRIGHT_SANITIZE "," sanitizers)
  list(APPEND cartwright_instrumentation -fsanitize=${sanitizers})
  list(APPEND flags -fno-omit-frame-pointer -fno-sanitize-recover=all)
endif()
if(CARTWRIGHT_COVERAGE)
  list(APPEND cartwright_instrumentation --coverage)
  # Ranks are processes that write to the same files of counts, and have threads.
  list(APPEND flags -fprofile-abs-path -fprofile-update=atomic)
endif()
add_compile_options(${cartwright_instrumentation} ${flags})
add_link_options(${cartwright_instrumentation})
