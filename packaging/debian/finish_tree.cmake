# SPDX-License-Identifier: Apache-2.0
# CPack runs this on the folder of each package before it is packed: archives lose what a debugger of the build machine
# would want, files get the permissions that Debian wants, and Kokkos' CMake package names no compiler of the build machine.
file(GLOB_RECURSE archives "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.a")
foreach(archive IN LISTS archives)
  execute_process(COMMAND strip --strip-debug --enable-deterministic-archives --remove-section=.comment --remove-section=.note "${archive}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE files LIST_DIRECTORIES false "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/*"
     "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/lib/*" "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/include/*")
foreach(file IN LISTS files)
  if(NOT IS_SYMLINK "${file}")
    file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endif()
endforeach()
