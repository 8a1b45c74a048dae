# cmake/Precompiled.cmake: precompiled headers, for a build from nothing (scripts/wheel.sh).
#
# They are off by default: a change of any header in them compiles everything again. Each file still includes what it
# uses, because the usual build does without them.
option(DLPACK_CTS_PRECOMPILED "Precompile the headers that most files include" OFF)
if(NOT DLPACK_CTS_PRECOMPILED)
  return()
endif()

file(CONFIGURE OUTPUT precompiled.cc CONTENT "// Carries a precompiled header.\n")
# cts_precompile(NAME HEADERS TARGET...)
function(cts_precompile name headers)
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cc)
  target_link_libraries(${name} PRIVATE cts_options fmt::fmt nlohmann_json::nlohmann_json)
  target_precompile_headers(${name} PRIVATE ${headers})
  # ccache may return it for headers that were copied since; their contents are the same.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endforeach()
endfunction()

set(common <algorithm> <array> <filesystem> <functional> <map> <memory> <optional> <set> <span> <sstream> <string>
  <vector> <fmt/format.h> <nlohmann/json.hpp>)
cts_precompile(cts_precompiled "${common}" cts_base cts_results cts_reports cts_runner)
cts_precompile(cts_precompiled_harness "${common};<harness/case/case.h>" cts_harness cts_engine cts_subject cts_mutants
  cts_reference cts_diagnose cts_worker cts_fuzz)
set(suites <harness/case/case.h> <harness/case/controls.h> <harness/case/judges.h> <harness/case/keywords.h>
  <harness/case/needs.h> <harness/case/thresholds.h>)
cts_precompile(cts_precompiled_suites "${common};${suites}" cts_suites)
# Its own constant has the name of one in a header that it does not include.
set_source_files_properties(${PROJECT_SOURCE_DIR}/harness/recipe/dtypes.cc TARGET_DIRECTORY cts_harness
  PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
