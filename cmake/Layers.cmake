# SPDX-License-Identifier: Apache-2.0
# Folders as layers: what a folder includes is declared, and checked when something in it changes.
#
#   hloscope_layer(core/print DEPENDS core/ir core/lex numerics/elements)
#
# makes the target core_print of core/print/*.cc. Its files may include each other and files of the folders after DEPENDS;
# `core` there means all folders of core. A folder must be declared before it is depended on, so no cycle can be written
# down, and what is named must be used, so the declarations are the graph (docs/layers.md shows it).
include_guard()

set(HLOSCOPE_CHECK_INCLUDES ${CMAKE_CURRENT_LIST_DIR}/check_includes.cmake)

# hloscope_includes(FOLDER TARGET [RECURSIVE] [UNCHECKED] [DEPENDS FOLDER...]): declares a folder whose files TARGET compiles.
# RECURSIVE: with all folders in it, which may include each other. UNCHECKED: others may depend on it, that is all.
function(hloscope_includes folder target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "RECURSIVE;UNCHECKED" "" "DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${folder}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  get_property(declared GLOBAL PROPERTY HLOSCOPE_FOLDERS)
  foreach(dependence IN LISTS arg_DEPENDS)
    if(NOT dependence IN_LIST declared AND NOT "${declared}" MATCHES "(^|;)${dependence}/")
      message(FATAL_ERROR "${folder} depends on ${dependence}, which is not declared before it: a cycle, or a folder that is not there")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY HLOSCOPE_FOLDERS ${folder})
  list(JOIN arg_DEPENDS " " line)
  string(STRIP "${folder}: ${line}" line)
  set_property(GLOBAL APPEND_STRING PROPERTY HLOSCOPE_LAYER_GRAPH "${line}\n")
  if(arg_UNCHECKED)
    return()
  endif()

  set(glob GLOB)
  if(arg_RECURSIVE)
    set(glob GLOB_RECURSE)
  endif()
  set(root ${PROJECT_SOURCE_DIR}/${folder})
  file(${glob} files CONFIGURE_DEPENDS ${root}/*.cc ${root}/*.h ${root}/*.def)
  string(REPLACE "/" "_" name ${folder})
  set(stamp ${PROJECT_BINARY_DIR}/layers/${name}.stamp)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DFOLDER=${folder} -DRECURSIVE=${arg_RECURSIVE}
            "-DDEPENDS=${arg_DEPENDS}" -DSTAMP=${stamp} -P ${HLOSCOPE_CHECK_INCLUDES}
    DEPENDS ${files} ${HLOSCOPE_CHECK_INCLUDES}
    COMMENT "Checking what ${folder} includes"
    VERBATIM)
  add_custom_target(${name}_includes DEPENDS ${stamp})
  add_dependencies(${target} ${name}_includes)
endfunction()

# hloscope_layer(FOLDER [DEPENDS FOLDER...]): a target of its own for the folder's sources. The variables
# HLOSCOPE_LAYER_OPTIONS (of the compiler) and HLOSCOPE_LAYER_PRECOMPILED (a layer whose precompiled headers are used)
# hold for all layers of a component.
function(hloscope_layer folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  string(REPLACE "/" "_" target ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  add_library(${target} OBJECT ${sources})
  target_link_libraries(${target} PUBLIC hloscope_flags)
  target_compile_options(${target} PRIVATE ${HLOSCOPE_LAYER_OPTIONS})
  foreach(dependence IN LISTS arg_DEPENDS)
    string(REPLACE "/" "_" other ${dependence})
    if(TARGET ${other})
      target_link_libraries(${target} PUBLIC ${other})
    endif()
  endforeach()
  if(HLOSCOPE_LAYER_PRECOMPILED AND NOT HLOSCOPE_LAYER_PRECOMPILED STREQUAL target)
    target_precompile_headers(${target} REUSE_FROM ${HLOSCOPE_LAYER_PRECOMPILED})
  endif()
  hloscope_includes(${folder} ${target} ${ARGN})
endfunction()

# hloscope_layer_objects(VARIABLE COMPONENT): the objects of all layers of `core` or `evaluator`.
function(hloscope_layer_objects variable component)
  get_property(folders GLOBAL PROPERTY HLOSCOPE_FOLDERS)
  list(FILTER folders INCLUDE REGEX "^${component}/")
  list(TRANSFORM folders REPLACE "/" "_")
  list(TRANSFORM folders REPLACE "^(.+)$" "$<TARGET_OBJECTS:\\1>")
  set(${variable} ${folders} PARENT_SCOPE)
endfunction()

# Every folder with sources in it must be declared: a new one does not escape the checks.
function(hloscope_require_declared_folders)
  get_property(declared GLOBAL PROPERTY HLOSCOPE_FOLDERS)
  foreach(component IN LISTS ARGN)
    file(GLOB_RECURSE files RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${component}/*.cc
         ${PROJECT_SOURCE_DIR}/${component}/*.h)
    list(TRANSFORM files REPLACE "/[^/]*$" "")
    list(REMOVE_DUPLICATES files)
    foreach(folder IN LISTS files)
      if(NOT folder IN_LIST declared)
        message(FATAL_ERROR "${folder} is not declared as a layer: see docs/layers.md")
      endif()
    endforeach()
  endforeach()
endfunction()
