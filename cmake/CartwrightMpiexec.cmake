# SPDX-License-Identifier: Apache-2.0
# How ranks are started: the words of each mpiexec, for tests (with more ranks than cores) and, in the build
# folder's file `mpi`, for the launcher and the campaigns.
#
# cartwright_mpirun            the command up to -n RANKS
# cartwright_mpi_environment   what goes with it
# cartwright_stop_signal       what mpiexec passes on to the ranks as a request to stop
set(cartwright_mpirun "${MPIEXEC_EXECUTABLE}")
# Threads that wait give up their core: the ranks of a test share few, and g++'s OpenMP spins for other threads of its own
# process alone.
set(cartwright_mpi_environment OMP_NUM_THREADS=1 OMP_PROC_BIND=false OMP_WAIT_POLICY=passive GTEST_COLOR=no)
set(cartwright_stop_signal TERM)
set(cartwright_preloaded "")

if(cartwright_mpiexec_flavour STREQUAL "openmpi")
  list(APPEND cartwright_mpirun --oversubscribe --bind-to none --mca btl_base_warn_component_unused 0 --mca
       mpi_yield_when_idle 1)
  # Named, this layer starts in half of the time that Open MPI takes to look for networks, which no test is about.
  list(APPEND cartwright_mpi_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_pml=ob1)
  set(cartwright_stop_signal USR2)
elseif(cartwright_mpiexec_flavour STREQUAL "mpich")
  list(APPEND cartwright_mpirun -bind-to none)
  # UCX prints stacks of its own before a program's words about a fatal signal.
  list(APPEND cartwright_mpi_environment UCX_HANDLE_ERRORS=none)
endif()

if("${MPI_CXX_LIBRARY_VERSION_STRING}" MATCHES "MPICH Device:[\t ]*ch4:ucx")
  add_library(cartwright_ucx MODULE "${PROJECT_SOURCE_DIR}/launcher/ucx_yield.cpp" "${PROJECT_SOURCE_DIR}/launcher/ucx_finalize.cpp")
  target_link_libraries(cartwright_ucx PRIVATE ${CMAKE_DL_LIBS} cartwright_warnings)
  target_compile_features(cartwright_ucx PRIVATE cxx_std_20)
  set_target_properties(cartwright_ucx PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  add_dependencies(cartwright_rt cartwright_ucx)
  # Compiled without sanitizers: it comes before everything else in a process.
  target_compile_options(cartwright_ucx PRIVATE -fno-sanitize=all)
  target_link_options(cartwright_ucx PRIVATE -fno-sanitize=all)
  set(cartwright_preloaded "${PROJECT_BINARY_DIR}/lib/libcartwright_ucx.so")
  list(APPEND cartwright_mpirun -genv LD_PRELOAD "${cartwright_preloaded}")
endif()

list(JOIN cartwright_mpirun " " words)
file(WRITE "${PROJECT_BINARY_DIR}/mpi" "flavour ${cartwright_mpi_flavour}
library ${cartwright_mpi_library}
mpiexec ${MPIEXEC_EXECUTABLE}
preloaded ${cartwright_preloaded}
crowded ${words}
")
