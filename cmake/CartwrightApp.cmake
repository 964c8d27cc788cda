# SPDX-License-Identifier: Apache-2.0
# cartwright_add_app(NAME SOURCES …): a program bin/NAME that offers solvers. After linking, the names of its
# solvers are written to bin/NAME.solvers, where the launcher looks for the program that a deck needs. Where Cartwright was
# built for the processor of this machine, so is the program: cartwright_native says how (CartwrightDefaults.cmake).
function(cartwright_add_app name)
  cmake_parse_arguments(PARSE_ARGV 1 app "" "" "SOURCES")
  add_executable(${name} ${app_SOURCES})
  cartwright_kernel_sources(${app_SOURCES})
  target_link_libraries(${name} PRIVATE cartwright::linear $<TARGET_NAME_IF_EXISTS:cartwright_warnings>)
  target_compile_options(${name} PRIVATE ${cartwright_native})
  add_custom_command(TARGET ${name} POST_BUILD
                     COMMAND sh -c "\"$1\" --list-solvers > \"$1.solvers\" || { rm -f \"$1.solvers\"; exit 1; }" sh
                             "$<TARGET_FILE:${name}>" VERBATIM)
  if(TARGET cartwright_apps)
    add_dependencies(cartwright_apps ${name})
    cartwright_install_program(${name})
  endif()
endfunction()
