# SPDX-License-Identifier: Apache-2.0
# The page shows the graph as the build has it.
cmake_minimum_required(VERSION 3.24)
file(READ ${PAGE} page)
file(READ ${GRAPH} graph)
string(FIND "${page}" "```\n${graph}```\n" position)
if(position EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not show the graph that the build enforces; it is:\n${graph}")
endif()
