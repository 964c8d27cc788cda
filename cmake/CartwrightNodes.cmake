# SPDX-License-Identifier: Apache-2.0
# Tests on several nodes of this machine that are really apart (launcher/make_nodes), label `nodes`. Where namespaces
# aren't allowed they are skipped, with a word.

# cartwright_nodes_mpirun(VARIABLE): what starts ranks there; make_nodes tells an mpirun the rest, in the environment.
function(cartwright_nodes_mpirun variable)
  if(cartwright_mpiexec_flavour STREQUAL "openmpi")
    set(mpirun "${MPIEXEC_EXECUTABLE} --mca btl_base_warn_component_unused 0")
  else()
    list(JOIN cartwright_mpirun " " mpirun)
  endif()
  set(${variable} "${mpirun}" PARENT_SCOPE)
endfunction()

# cartwright_add_nodes_test(NAME n COMMAND … [LAYOUTS 2x1 2x2 3x2 3+1] [PLACES slot node] [TIMEOUT seconds] [ENVIRONMENT …])
# One entry n.LAYOUT_PLACE each. The command runs on the first node, and starts ranks by "$MPIRUN -n $RANKS".
function(cartwright_add_nodes_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;TIMEOUT" "COMMAND;LAYOUTS;PLACES;ENVIRONMENT")
  cartwright_time_limit(test_TIMEOUT "${test_TIMEOUT}" 300)
  if(NOT test_LAYOUTS)
    set(test_LAYOUTS 2x1 2x2 3x2 3+1)
  endif()
  if(NOT test_PLACES)
    set(test_PLACES slot node)
  endif()
  foreach(layout IN LISTS test_LAYOUTS)
    # 2x2 is 2*2 ranks, 3+1 is 3+1.
    string(REPLACE "x" "*" ranks "${layout}")
    math(EXPR ranks "${ranks}")
    foreach(place IN LISTS test_PLACES)
      if(layout MATCHES "^[0-9]+x1$" AND NOT place STREQUAL "slot")
        continue() # one rank a node: both are the same
      endif()
      cartwright_nodes_mpirun(mpirun)
      set(entry ${test_NAME}.${layout}_${place})
      if(place STREQUAL "node" AND NOT cartwright_mpiexec_flavour STREQUAL "openmpi")
        add_test(NAME ${entry} COMMAND sh -c "echo 'skipped: this mpiexec places ranks by slot only'; exit 77")
      else()
        add_test(NAME ${entry} COMMAND bash "${PROJECT_SOURCE_DIR}/launcher/make_nodes" ${layout} ${place} ${test_COMMAND})
      endif()
      set_tests_properties(
        ${entry}
        PROPERTIES TIMEOUT ${test_TIMEOUT} SKIP_RETURN_CODE 77 PROCESSORS 2 LABELS "nodes"
                   ENVIRONMENT "MPIRUN=${mpirun};RANKS=${ranks};${cartwright_mpi_environment};${test_ENVIRONMENT}")
    endforeach()
  endforeach()
endfunction()
