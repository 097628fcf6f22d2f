# SPDX-License-Identifier: Apache-2.0
# Two folders that depend on each other cannot be declared, nor can a folder be left out.
cmake_minimum_required(VERSION 3.24)

function(configure declarations expected_text)
  file(REMOVE_RECURSE ${WORK})
  file(WRITE ${WORK}/a/x.h "")
  file(WRITE ${WORK}/a/b/x.h "")
  file(WRITE ${WORK}/CMakeLists.txt "cmake_minimum_required(VERSION 3.24)\nproject(cycle LANGUAGES NONE)\n"
       "include(${SOURCE}/cmake/Layers.cmake)\nadd_custom_target(all_of_it)\n${declarations}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK} -B ${WORK}/build
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(expected_text STREQUAL "")
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "good declarations are refused:\n${output}")
    endif()
  elseif(result EQUAL 0 OR NOT output MATCHES "${expected_text}")
    message(FATAL_ERROR "expected \"${expected_text}\", but it ended with ${result}:\n${output}")
  endif()
endfunction()

configure("hloscope_includes(a/b all_of_it)\nhloscope_includes(a all_of_it DEPENDS a/b)\nhloscope_require_declared_folders(a)" "")
configure("hloscope_includes(a all_of_it DEPENDS a/b)\nhloscope_includes(a/b all_of_it DEPENDS a)"
          "a depends on a/b, which is not declared before it")
configure("hloscope_includes(a all_of_it)\nhloscope_require_declared_folders(a)" "a/b is not declared as a layer")
