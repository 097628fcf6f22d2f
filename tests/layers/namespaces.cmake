# SPDX-License-Identifier: Apache-2.0
# Checks that what a library declares is in its own namespace (docs/architecture.md). Run as a script:
#   cmake -DSOURCE=TOP -P namespaces.cmake
# Another library's namespace may be opened for forward declarations only.
cmake_minimum_required(VERSION 3.24)

set(forward "(class|struct|enum class|enum) [A-Za-z]+( : [a-z0-9_]+)?;[^\n]*\n")

# The namespaces that `text` opens for more than forward declarations, apart from `own` and those in it.
function(foreign_namespaces text own result)
  string(REGEX REPLACE "\nnamespace hloscope[a-z_:]* {\n(${forward})+}" "\n" text "\n${text}")
  string(REGEX MATCHALL "\nnamespace hloscope[a-z_:]* {" opened "${text}")
  set(foreign "")
  foreach(line IN LISTS opened)
    string(REGEX MATCH "hloscope[a-z_:]*" name "${line}")
    if(NOT "${name}::" MATCHES "^(${own})::")
      list(APPEND foreign ${name})
    endif()
  endforeach()
  set(${result} "${foreign}" PARENT_SCOPE)
endfunction()

# The check itself: a class in the namespace of all, and one that is only named.
foreign_namespaces("namespace hloscope {\nclass A {};\n}\n" "hloscope::gui" found)
foreign_namespaces("namespace hloscope {\nclass A;\n}\n\nnamespace hloscope::gui {\nint F();\n}\n" "hloscope::gui" none)
if(NOT found STREQUAL "hloscope" OR NOT none STREQUAL "")
  message(FATAL_ERROR "The check is broken: '${found}' '${none}'")
endif()

set(errors 0)
set(files_checked 0)
foreach(library core numerics stablehlo interop evaluator replay codegen insight reports cli lsp gui memory_policy)
  set(own "hloscope::${library}")
  if(library STREQUAL "core")
    set(own "hloscope")
  elseif(library STREQUAL "lsp")
    set(own "hloscope::lsp|hloscope::dap")
  endif()
  file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/${library}/*.h ${SOURCE}/${library}/*.cc)
  foreach(file IN LISTS files)
    file(READ ${SOURCE}/${file} text)
    foreign_namespaces("${text}" "${own}" foreign)
    # What core declares may not be in a library's namespace either.
    if(library STREQUAL "core" AND text MATCHES "\nnamespace hloscope::(numerics|stablehlo|interop|evaluator|replay|codegen|insight|reports|cli|lsp|dap|gui|memory_policy) ")
      list(APPEND foreign ${CMAKE_MATCH_1})
    endif()
    foreach(name IN LISTS foreign)
      message(NOTICE "${file}: error: declares names in ${name}: what ${library} declares is in ${own}")
      math(EXPR errors "${errors} + 1")
    endforeach()
    math(EXPR files_checked "${files_checked} + 1")
  endforeach()
endforeach()
if(errors GREATER 0 OR files_checked LESS 500)
  message(FATAL_ERROR "${errors} files declare names in a foreign namespace (${files_checked} files)")
endif()
