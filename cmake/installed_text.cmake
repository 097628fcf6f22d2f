# SPDX-License-Identifier: Apache-2.0
# Functions of installation scripts that write files into the folder of an installation.
include_guard()
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")

# Writes FOLDER/NAME.gz, the same bytes for the same text.
function(write_compressed folder name text)
  file(MAKE_DIRECTORY ${root}/${folder})
  file(WRITE ${root}/${folder}/${name} "${text}")
  execute_process(COMMAND gzip -9nf ${root}/${folder}/${name} COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${CMAKE_INSTALL_PREFIX}/${folder}/${name}.gz)
  set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES}" PARENT_SCOPE)
endfunction()

function(write_text folder name text)
  file(MAKE_DIRECTORY ${root}/${folder})
  file(WRITE ${root}/${folder}/${name} "${text}")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${CMAKE_INSTALL_PREFIX}/${folder}/${name})
  set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES}" PARENT_SCOPE)
endfunction()
