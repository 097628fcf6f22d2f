# SPDX-License-Identifier: Apache-2.0
# Checks a copy of core/lex as it is, then with an include of a folder above it, with one dependence too many, and from
# a file that includes by angle brackets.
cmake_minimum_required(VERSION 3.24)

function(check expected_result expected_text)
  execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -DFOLDER=core/lex "-DDEPENDS=${ARGN}"
                          -P ${SOURCE}/cmake/check_includes.cmake
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0 AND NOT expected_result EQUAL 0 OR NOT result EQUAL 0 AND expected_result EQUAL 0)
    message(FATAL_ERROR "the check ended with ${result}:\n${output}")
  endif()
  string(FIND "${output}" "${expected_text}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "the check did not print\n  ${expected_text}\nbut\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
foreach(folder diagnostics document ir lex source)
  file(COPY ${SOURCE}/core/${folder} DESTINATION ${WORK}/core)
endforeach()
set(below core/diagnostics core/ir core/source)
check(0 "" ${below})
check(1 "core/lex must not include \"core/ir/" core/diagnostics core/source)
check(1 "core/lex: error: it is declared to depend on core/document, but includes nothing of it" ${below} core/document)

file(WRITE ${WORK}/core/lex/planted.cc "// Planted.\n\n#include \"core/document/document.h\"\n")
check(1 "core/lex/planted.cc:3: error: core/lex must not include \"core/document/document.h\": it may include from core/diagnostics, core/ir, core/source"
      ${below})
check(0 "" ${below} core/document)
file(WRITE ${WORK}/core/lex/planted.cc "#  include <core/document/document.h>\n")
check(1 "core/lex/planted.cc:1: error: core/lex must not include \"core/document/document.h\"" ${below})
file(WRITE ${WORK}/core/lex/planted.cc "#include <string>\n\n#include \"absl/strings/str_cat.h\"\n#include \"core/lex/lexer.h\"\n")
check(0 "" ${below})
