# cmake/Packages.cmake: the packages that the program is built with.
#
# DLPACK_CTS_HEADERS names a folder with the headers of fmt, nlohmann_json, CLI11 and toml++. Then fmt's library
# is built here, and nothing is searched on this machine: scripts/wheel.sh builds for an older glibc than that of this machine.
set(DLPACK_CTS_HEADERS "" CACHE PATH "Folder with the headers of all packages; empty: the packages of this machine")
find_package(Threads REQUIRED)
if(NOT DLPACK_CTS_HEADERS)
  find_package(fmt REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(CLI11 REQUIRED)
  return()
endif()

foreach(name nlohmann_json::nlohmann_json CLI11::CLI11)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${name} SYSTEM INTERFACE ${DLPACK_CTS_HEADERS})
endforeach()
add_library(cts_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt_library.cc)
target_include_directories(cts_fmt SYSTEM PUBLIC ${DLPACK_CTS_HEADERS})
add_library(fmt::fmt ALIAS cts_fmt)
