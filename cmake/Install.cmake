# cmake/Install.cmake: what `cmake --install` copies. The component "program" is all that the program needs at run time.
#
# Programs and libraries lie in one folder, because they find each other there. They contain no absolute path.
set(programs dlpack-cts dlpack-cts-worker dlpack-cts-fuzz-replay)
set(libraries dlpack-cts-worker-library dlpack-cts-bridge dlpack-cts-worker-module)
install(TARGETS ${programs} RUNTIME DESTINATION bin COMPONENT program)
install(TARGETS ${libraries} LIBRARY DESTINATION bin COMPONENT program)
# Plug-ins of C++ libraries are built in the source tree (scripts/native.sh), so only the tree has their adapters.
set(native_adapters)
file(GLOB plugins RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/adapters CONFIGURE_DEPENDS adapters/*/plugin.cc)
foreach(plugin ${plugins})
  get_filename_component(folder ${plugin} DIRECTORY)
  list(APPEND native_adapters PATTERN ${folder} EXCLUDE)
endforeach()
install(DIRECTORY rules adapters DESTINATION share/dlpack-cts COMPONENT program
  PATTERN __pycache__ EXCLUDE PATTERN native.h EXCLUDE ${native_adapters})
# What `adapter new` copies.
install(DIRECTORY examples/python-adapter DESTINATION share/dlpack-cts/examples COMPONENT program
  PATTERN __pycache__ EXCLUDE)
# Pages that `explain` reads.
install(FILES docs/glossary.md docs/results.md DESTINATION share/dlpack-cts/docs COMPONENT program)
install(FILES subject/plugin.h DESTINATION include/dlpack-cts COMPONENT program)

# The CMake package. It lies beside the program, so it finds it wherever the folder is moved.
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/dlpack-cts-config-version.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/package/dlpack-cts-config.cmake cmake/package/dlpack-cts-tests.cmake
  ${CMAKE_BINARY_DIR}/dlpack-cts-config-version.cmake DESTINATION lib/cmake/dlpack-cts COMPONENT program)
