# SPDX-License-Identifier: Apache-2.0
# find_package(HLOscope) gives HLOscope::core (parse, check, print) and HLOscope::evaluator (run); docs/library.md.
get_filename_component(_hloscope_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
include(CMakeFindDependencyMacro)
find_dependency(absl)
find_dependency(Threads)
find_library(HLOSCOPE_MINIZIP_LIBRARY minizip)
find_library(HLOSCOPE_ZLIB_LIBRARY z)
mark_as_advanced(HLOSCOPE_MINIZIP_LIBRARY HLOSCOPE_ZLIB_LIBRARY)
if(NOT HLOSCOPE_MINIZIP_LIBRARY OR NOT HLOSCOPE_ZLIB_LIBRARY)
  set(HLOscope_FOUND FALSE)
  set(HLOscope_NOT_FOUND_MESSAGE "minizip or zlib is missing (Debian: libminizip-dev, zlib1g-dev)")
  return()
endif()

if(NOT TARGET HLOscope::core)
  add_library(HLOscope::core STATIC IMPORTED)
  set_target_properties(HLOscope::core PROPERTIES
    IMPORTED_LOCATION "${_hloscope_prefix}/lib/libhloscope_core.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_hloscope_prefix}/include/hloscope"
    INTERFACE_COMPILE_FEATURES cxx_std_20
    INTERFACE_LINK_LIBRARIES "absl::flat_hash_map;absl::flat_hash_set;absl::function_ref;absl::inlined_vector;absl::span;absl::status;absl::statusor;absl::str_format;absl::strings;absl::synchronization")
  add_library(HLOscope::evaluator STATIC IMPORTED)
  set_target_properties(HLOscope::evaluator PROPERTIES
    IMPORTED_LOCATION "${_hloscope_prefix}/lib/libhloscope_evaluator.a"
    INTERFACE_LINK_LIBRARIES "HLOscope::core;${HLOSCOPE_MINIZIP_LIBRARY};${HLOSCOPE_ZLIB_LIBRARY};Threads::Threads;${CMAKE_DL_LIBS}")
endif()
unset(_hloscope_prefix)
