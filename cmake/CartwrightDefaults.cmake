# SPDX-License-Identifier: Apache-2.0
# What every build of this project has in common. Nothing here reaches those who use an installed tree, but for
# cartwright_native, which programs of cartwright_add_app inherit.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# For this processor alone. Never contracted (no fused multiply-add in place of two operations): the same bits as a build
# for any processor has. g++ 12 joins multiplications with additions and subtractions in turns (vfmaddsub) even with
# -ffp-contract=off, in products of complex numbers for example: therefore without these instructions, which AVX-512 has, too.
set(cartwright_without_fused "")
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-mno-fma CARTWRIGHT_HAS_MNO_FMA)
if(CARTWRIGHT_HAS_MNO_FMA)
  set(cartwright_without_fused -mno-fma -mno-fma4 -mno-avx512f)
endif()
set(cartwright_native "")
if(CARTWRIGHT_NATIVE)
  check_cxx_compiler_flag(-march=native CARTWRIGHT_HAS_MARCH_NATIVE)
  if(CARTWRIGHT_HAS_MARCH_NATIVE)
    set(cartwright_native -march=native -ffp-contract=off ${cartwright_without_fused})
    list(TRANSFORM cartwright_native REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    add_compile_options(${cartwright_native})
    add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:CARTWRIGHT_NATIVE>)
  else()
    message(WARNING "CARTWRIGHT_NATIVE: this compiler can't build for the processor that it runs on")
  endif()
endif()

# Kernels ask what doesn't change along a row (are cells cubes?). Asked before the row, it is a loop of vectors; but g++
# takes a question out of loops of up to 50 operations only, and a Laplacian has more: without this a step of heat takes
# twice as long in a core's caches, and 1.4 times from memory. Part of what grid asks of those who use it.
set(cartwright_kernel_flag --param=max-unswitch-insns=400)
set(cartwright_kernel_flags $<$<COMPILE_LANG_AND_ID:CXX,GNU>:${cartwright_kernel_flag}>)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(cartwright_kernel_flag "")
endif()

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
