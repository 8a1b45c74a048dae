# cmake/package/dlpack-cts-config.cmake: what find_package(dlpack-cts) gives: the program, the plug-in header, the functions for ctest.
#
#   dlpack-cts::dlpack-cts    the program
#   dlpack-cts::plugin        the folder of plugin.h, for target_link_libraries() of a plug-in
#   dlpack_cts_add_test(), dlpack_cts_discover_tests()    dlpack-cts-tests.cmake
get_filename_component(_dlpack_cts_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT EXISTS "${_dlpack_cts_prefix}/bin/dlpack-cts")
  set(dlpack-cts_FOUND FALSE)
  set(dlpack-cts_NOT_FOUND_MESSAGE "${_dlpack_cts_prefix}/bin/dlpack-cts is missing; install the component \"program\" again")
  return()
endif()
if(NOT TARGET dlpack-cts::dlpack-cts)
  add_executable(dlpack-cts::dlpack-cts IMPORTED)
  set_target_properties(dlpack-cts::dlpack-cts PROPERTIES IMPORTED_LOCATION "${_dlpack_cts_prefix}/bin/dlpack-cts")
  add_library(dlpack-cts::plugin INTERFACE IMPORTED)
  set_target_properties(dlpack-cts::plugin PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_dlpack_cts_prefix}/include/dlpack-cts")
endif()
unset(_dlpack_cts_prefix)
include("${CMAKE_CURRENT_LIST_DIR}/dlpack-cts-tests.cmake")
