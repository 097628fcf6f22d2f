# SPDX-License-Identifier: Apache-2.0
# Configures and builds the project beside this file in WORK.
cmake_minimum_required(VERSION 3.24)
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}
                        -DHLOSCOPE_SOURCE_DIR=${SOURCE} -DHLOSCOPE_GUI=${GUI} -DCMAKE_CXX_COMPILER=${CXX}
                        "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK} -- -k 0 -j ${JOBS} --quiet COMMAND_ERROR_IS_FATAL ANY)
