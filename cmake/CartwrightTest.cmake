# SPDX-License-Identifier: Apache-2.0
# Tests: plain processes, or the same GoogleTest program on several numbers of ranks. How ranks are started is in
# CartwrightMpiexec.cmake.

# What instrumented programs need goes to all tests, by way of ctest's own environment. Sanitized programs write their
# reports to files, since many tests expect a failure; `./cartwright test --sanitize` reads them. Leaks of Open MPI, HDF5,
# PLplot and what these use, and races in what isn't instrumented, are passed over (tests/sanitizers/*.supp).
set(cartwright_slowdown 1)
set(environment "")
if(CARTWRIGHT_SANITIZE)
  set(cartwright_slowdown 5)
  set(suppressions "${PROJECT_SOURCE_DIR}/tests/sanitizers")
  set(common "log_path=${PROJECT_BINARY_DIR}/sanitizer_reports/report:exitcode=86")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/sanitizer_reports")
  set(environment
      "ASAN_OPTIONS=${common}:detect_stack_use_after_return=1:strict_string_checks=1:verify_asan_link_order=0"
      "LSAN_OPTIONS=suppressions=${suppressions}/leaks.supp:print_suppressions=0"
      "UBSAN_OPTIONS=${common}:print_stacktrace=1"
      "TSAN_OPTIONS=${common}:suppressions=${suppressions}/races.supp:ignore_noninstrumented_modules=1"
      "CARTWRIGHT_SANITIZE=1")
elseif(CARTWRIGHT_COVERAGE)
  set(cartwright_slowdown 4)
  # What gcov says (about files that may not grow, for example) is no word of the program; nor where tests drop rights.
  file(TOUCH "${PROJECT_BINARY_DIR}/gcov_errors")
  file(CHMOD "${PROJECT_BINARY_DIR}/gcov_errors" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_WRITE WORLD_WRITE)
  set(environment "GCOV_ERROR_FILE=${PROJECT_BINARY_DIR}/gcov_errors")
endif()
if(environment)
  list(APPEND environment "CARTWRIGHT_SLOWDOWN=${cartwright_slowdown}")
  list(TRANSFORM environment REPLACE "^([A-Z_]+)=(.*)$" "set(ENV{\\1} \"\\2\")\n")
  list(JOIN environment "" environment)
  file(WRITE "${PROJECT_BINARY_DIR}/test_environment.cmake" "${environment}")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${PROJECT_BINARY_DIR}/test_environment.cmake")
endif()

# cartwright_cores_of(RESULT RANKS): for how many cores CTest counts a test. Ranks start up, and wait for each other,
# for half of their time or more: two tests of 2 ranks keep 2 cores busy, one does not.
function(cartwright_cores_of result ranks)
  math(EXPR cores "${ranks} / 2")
  if(cores EQUAL 0)
    set(cores 1)
  endif()
  set(${result} ${cores} PARENT_SCOPE)
endfunction()

# For tests of many mistakes that all ranks meet and end with by themselves: Open MPI's mpirun waits for a second
# behind every failed run (for ranks that it has to kill), which is most of its time. Tests of other failures let it wait.
set(cartwright_no_grace OMPI_MCA_odls_base_sigkill_timeout=0)

# cartwright_time_limit(RESULT SECONDS DEFAULT): of a test on this build; without SECONDS the default.
function(cartwright_time_limit result seconds default)
  if(NOT seconds)
    set(seconds ${default})
  endif()
  math(EXPR limit "${seconds} * ${cartwright_slowdown}")
  set(${result} ${limit} PARENT_SCOPE)
endfunction()

# limit_60 and so on: for set_tests_properties.
foreach(seconds IN ITEMS 60 120 300 600 900 3600)
  cartwright_time_limit(limit_${seconds} "" ${seconds})
endforeach()

# cartwright_add_test(NAME n SOURCES … [LIBRARIES …] [RANKS 1 2 3 4 6 8] [THREADS 1 2] [TIMEOUT seconds] [LABELS …]
#                     [ENVIRONMENT VARIABLE=value …])
# Without RANKS one CTest entry `n`, a plain process. With RANKS one entry `n.ranks_R` each, with the main
# function of tests/mpi_main.cpp (library mpi_main); with THREADS one for each of these numbers of threads a rank,
# `n.ranks_R.threads_T` where it isn't 1.
function(cartwright_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;TIMEOUT"
                        "SOURCES;LIBRARIES;RANKS;THREADS;LABELS;ENVIRONMENT")
  if(NOT test_THREADS)
    set(test_THREADS 1)
  endif()
  cartwright_time_limit(test_TIMEOUT "${test_TIMEOUT}" 300)
  add_executable(${test_NAME} ${test_SOURCES})
  if("${test_LIBRARIES}" MATCHES "cartwright::(grid|linear)")
    cartwright_kernel_sources(${test_SOURCES})
    target_compile_options(${test_NAME} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-include;${PROJECT_SOURCE_DIR}/tests/public_test_body.hpp>")
  endif()
  target_link_libraries(${test_NAME} PRIVATE ${test_LIBRARIES} cartwright_warnings)
  if(NOT test_RANKS)
    target_link_libraries(${test_NAME} PRIVATE GTest::gtest_main)
    add_test(NAME ${test_NAME} COMMAND ${test_NAME})
    set_tests_properties(${test_NAME} PROPERTIES TIMEOUT ${test_TIMEOUT} LABELS "${test_LABELS}"
                                                 ENVIRONMENT "OMP_NUM_THREADS=1;${test_ENVIRONMENT}")
    return()
  endif()
  target_link_libraries(${test_NAME} PRIVATE mpi_main)
  foreach(ranks IN LISTS test_RANKS)
    foreach(threads IN LISTS test_THREADS)
      set(entry ${test_NAME}.ranks_${ranks})
      if(NOT threads EQUAL 1)
        string(APPEND entry .threads_${threads})
      endif()
      add_test(NAME ${entry} COMMAND ${cartwright_mpirun} -n ${ranks} $<TARGET_FILE:${test_NAME}>)
      math(EXPR busy "${ranks} * ${threads}")
      cartwright_cores_of(cores ${busy})
      list(TRANSFORM cartwright_mpi_environment REPLACE "^OMP_NUM_THREADS=.*" "OMP_NUM_THREADS=${threads}"
           OUTPUT_VARIABLE environment_of_ranks)
      set_tests_properties(
        ${entry} PROPERTIES TIMEOUT ${test_TIMEOUT} PROCESSORS ${cores} LABELS "mpi;${test_LABELS}"
                            ENVIRONMENT "${environment_of_ranks};${test_ENVIRONMENT}")
    endforeach()
  endforeach()
endfunction()

# cartwright_add_script_test(NAME n COMMAND … [LONG] [RANKS n] [SHARDS n] [TIMEOUT seconds] [LABELS …] [ENVIRONMENT …])
# A script that starts programs itself, by the words in its variable MPIRUN. RANKS: how many at once. LONG: only
# `./cartwright test --long` (ctest -C long) runs it. SHARDS: a GoogleTest program whose tests are dealt out to as many
# entries, each with its own limit of time.
function(cartwright_add_script_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "LONG" "NAME;TIMEOUT;RANKS;SHARDS" "COMMAND;LABELS;ENVIRONMENT")
  cartwright_time_limit(test_TIMEOUT "${test_TIMEOUT}" 300)
  set(configurations "")
  if(test_LONG)
    set(configurations CONFIGURATIONS long)
  endif()
  if(NOT test_RANKS)
    set(test_RANKS 1)
  endif()
  if(NOT test_SHARDS)
    set(test_SHARDS 1)
  endif()
  cartwright_cores_of(cores ${test_RANKS})
  list(JOIN cartwright_mpirun " " mpirun)
  foreach(shard RANGE 1 ${test_SHARDS})
    set(entry ${test_NAME})
    set(share "")
    if(test_SHARDS GREATER 1)
      string(APPEND entry .shard_${shard})
      math(EXPR index "${shard} - 1")
      set(share "GTEST_TOTAL_SHARDS=${test_SHARDS};GTEST_SHARD_INDEX=${index}")
    endif()
    add_test(NAME ${entry} COMMAND ${test_COMMAND} ${configurations})
    set_tests_properties(
      ${entry}
      PROPERTIES TIMEOUT ${test_TIMEOUT} PROCESSORS ${cores} LABELS "${test_LABELS}"
                 ENVIRONMENT "MPIRUN=${mpirun};MPI_FLAVOUR=${cartwright_mpi_flavour};STOP_SIGNAL=${cartwright_stop_signal};${cartwright_mpi_environment};${test_ENVIRONMENT};${share}")
  endforeach()
endfunction()
