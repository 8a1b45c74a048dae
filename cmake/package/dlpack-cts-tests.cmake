# cmake/package/dlpack-cts-tests.cmake: functions that judge a library with ctest: one test per suite, or one per case.
#
#   dlpack_cts_add_test(NAME name [LIBRARY library] [ADAPTER folder | PLUGIN target]
#     [SELECT glob...] [EXPECTATIONS file] [PYTHON interpreter] [TIMEOUT seconds] [LABELS label...] [OPTIONS option...])
#
# adds a test NAME.SUITE for each suite that has a selected case (c-abi, python, exchange-api, ...).
# dlpack_cts_discover_tests() has the same arguments and adds a test NAME.CASE for each case.
#
#   LIBRARY       a library that dlpack-cts knows, or that ADAPTER defines; default: those of ADAPTER or PLUGIN
#   ADAPTER       the folder of a library.toml
#   PLUGIN        a shared library of this project; library.toml of its source folder is copied beside it
#   SELECT        only cases whose ids match one of these globs
#   EXPECTATIONS  the file of known deviations; default: the one in the folder of the adapter
#   PYTHON        the interpreter whose library is judged; default: an environment that dlpack-cts makes
#   TIMEOUT       seconds that a test may take; default 600
#   LABELS        in addition to dlpack-cts and the name of the suite
#   OPTIONS       further options of `dlpack-cts run`, such as --seed 7
#
# A test is skipped if none of its cases can be judged. Each test writes its reports to dlpack-cts/TEST in the binary folder.

# The ids of the cases that match one of the globs, or all without globs.
function(_dlpack_cts_cases out)
  get_target_property(program dlpack-cts::dlpack-cts IMPORTED_LOCATION)
  execute_process(COMMAND "${program}" list cases OUTPUT_VARIABLE text ERROR_VARIABLE trouble RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "dlpack-cts list cases failed: ${trouble}")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${text}")
  set(cases)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " .*" "" case "${line}")
    set(wanted TRUE)
    if(ARGN)
      set(wanted FALSE)
      foreach(glob IN LISTS ARGN)
        string(REGEX REPLACE "([.+^$()|{}\\\\])" "\\\\\\1" pattern "${glob}")
        string(REPLACE "*" ".*" pattern "${pattern}")
        string(REPLACE "?" "." pattern "${pattern}")
        if(case MATCHES "^${pattern}$")
          set(wanted TRUE)
        endif()
      endforeach()
    endif()
    # `run` does not run the cases of pairs.
    if(wanted AND NOT case MATCHES "^interop/")
      list(APPEND cases "${case}")
    endif()
  endforeach()
  if(NOT cases)
    message(FATAL_ERROR "no case of dlpack-cts matches ${ARGN}; dlpack-cts list cases shows all")
  endif()
  set(${out} "${cases}" PARENT_SCOPE)
endfunction()

# Reads the arguments of the two functions: sets arg_*, and `command`, which every test begins with.
macro(_dlpack_cts_parse)
  cmake_parse_arguments(arg "" "NAME;LIBRARY;ADAPTER;PLUGIN;EXPECTATIONS;PYTHON;TIMEOUT" "SELECT;LABELS;OPTIONS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dlpack-cts: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_NAME)
    message(FATAL_ERROR "dlpack-cts: NAME is missing")
  endif()
  if(NOT arg_LIBRARY AND NOT arg_ADAPTER AND NOT arg_PLUGIN)
    message(FATAL_ERROR "dlpack-cts: name a LIBRARY, the folder of an ADAPTER, or the target of a PLUGIN")
  endif()
  if(arg_ADAPTER AND arg_PLUGIN)
    message(FATAL_ERROR "dlpack-cts: ADAPTER and PLUGIN exclude each other")
  endif()
  set(command dlpack-cts::dlpack-cts run ${arg_LIBRARY})
  if(arg_PLUGIN)
    get_target_property(source "${arg_PLUGIN}" SOURCE_DIR)
    if(NOT EXISTS "${source}/library.toml")
      message(FATAL_ERROR "dlpack-cts: ${source}/library.toml is missing, which describes the plug-in ${arg_PLUGIN}")
    endif()
    get_target_property(copied "${arg_PLUGIN}" _DLPACK_CTS_COPIED)
    if(NOT copied)
      add_custom_command(TARGET "${arg_PLUGIN}" POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_if_different
        "${source}/library.toml" "$<TARGET_FILE_DIR:${arg_PLUGIN}>/library.toml" VERBATIM)
      set_target_properties("${arg_PLUGIN}" PROPERTIES _DLPACK_CTS_COPIED TRUE)
    endif()
    list(APPEND command --adapter "$<TARGET_FILE_DIR:${arg_PLUGIN}>")
  elseif(arg_ADAPTER)
    get_filename_component(folder "${arg_ADAPTER}" ABSOLUTE)
    list(APPEND command --adapter "${folder}")
  endif()
  if(arg_EXPECTATIONS)
    get_filename_component(file "${arg_EXPECTATIONS}" ABSOLUTE)
    list(APPEND command --expectations "${file}")
  endif()
  if(arg_PYTHON)
    list(APPEND command --python "${arg_PYTHON}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  list(APPEND command -j 1 --skip-status 77 ${arg_OPTIONS})
endmacro()

# A test that runs these cases.
function(_dlpack_cts_test name suite timeout labels)
  add_test(NAME "${name}" COMMAND ${ARGN} --out "${CMAKE_CURRENT_BINARY_DIR}/dlpack-cts/${name}")
  set_tests_properties("${name}" PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT "${timeout}"
    LABELS "dlpack-cts;${suite};${labels}")
endfunction()

function(dlpack_cts_add_test)
  _dlpack_cts_parse(${ARGN})
  _dlpack_cts_cases(cases ${arg_SELECT})
  set(suites "${cases}")
  list(TRANSFORM suites REPLACE "/.*" "")
  list(REMOVE_DUPLICATES suites)
  foreach(suite IN LISTS suites)
    set(chosen "${suite}/*")
    if(arg_SELECT)
      set(chosen "${cases}")
      list(FILTER chosen INCLUDE REGEX "^${suite}/")
    endif()
    _dlpack_cts_test("${arg_NAME}.${suite}" "${suite}" "${arg_TIMEOUT}" "${arg_LABELS}" ${command} --select ${chosen})
  endforeach()
endfunction()

function(dlpack_cts_discover_tests)
  _dlpack_cts_parse(${ARGN})
  _dlpack_cts_cases(cases ${arg_SELECT})
  foreach(case IN LISTS cases)
    string(REGEX REPLACE "/.*" "" suite "${case}")
    _dlpack_cts_test("${arg_NAME}.${case}" "${suite}" "${arg_TIMEOUT}" "${arg_LABELS}" ${command} --select "${case}")
  endforeach()
endfunction()
