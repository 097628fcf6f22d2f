# SPDX-License-Identifier: Apache-2.0
# Configures and builds the project beside this file in WORK. After SECONDS, if that is not 0, it says that some headers were
# not compiled, and is content.
cmake_minimum_required(VERSION 3.24)
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}
                        -DHLOSCOPE_SOURCE_DIR=${SOURCE} -DHLOSCOPE_GUI=${GUI} -DCMAKE_CXX_COMPILER=${CXX}
                        "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(limit)
if(SECONDS)
  set(limit timeout --signal=INT ${SECONDS})
endif()
execute_process(COMMAND ${limit} ${CMAKE_COMMAND} --build ${WORK} -- -k 0 -j ${JOBS} --quiet RESULT_VARIABLE status
                OUTPUT_VARIABLE output ECHO_OUTPUT_VARIABLE)
if(SECONDS AND status EQUAL 124 AND NOT output MATCHES "FAILED: ")
  message("Not all headers were compiled: the ${SECONDS} seconds for them are up.")
elseif(NOT status EQUAL 0)
  message(FATAL_ERROR "Some headers do not compile by themselves.")
endif()
