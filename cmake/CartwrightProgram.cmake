# SPDX-License-Identifier: Apache-2.0
# Where programs go, and where they find the descriptions of machines.
set(cartwright_inputs "${PROJECT_SOURCE_DIR}/inputs")
if(CARTWRIGHT_PACKAGES)
  set(cartwright_inputs "${CMAKE_INSTALL_FULL_DATADIR}/cartwright/inputs")
endif()

# cartwright_install_program(TARGET): part of the component `programs`, which a plain `cmake --install` leaves out. In a
# package, where all programs of a system lie side by side, its name says whose it is: cartwright-pde.
function(cartwright_install_program target)
  if(CARTWRIGHT_PACKAGES AND NOT target MATCHES "^cartwright-")
    set_target_properties(${target} PROPERTIES OUTPUT_NAME cartwright-${target})
  endif()
  install(TARGETS ${target} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs EXCLUDE_FROM_ALL)
endfunction()
