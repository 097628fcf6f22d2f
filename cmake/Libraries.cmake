# SPDX-License-Identifier: Apache-2.0
# How the executables get the libraries that they need. Loading 28 shared libraries of Abseil takes longer than what a
# short command does, so those are linked into the executables where static ones are installed (Debian has both).
include_guard()

find_package(absl REQUIRED)
find_package(Threads REQUIRED)

add_library(hloscope_abseil_shared INTERFACE)
target_link_libraries(hloscope_abseil_shared INTERFACE absl::flat_hash_map absl::function_ref absl::inlined_vector absl::span
  absl::status absl::statusor absl::str_format absl::strings absl::synchronization)

add_library(hloscope_abseil INTERFACE)
get_target_property(absl_type absl::strings TYPE)
find_library(HLOSCOPE_ABSL_STRINGS libabsl_strings.a)
if(absl_type STREQUAL "SHARED_LIBRARY" AND HLOSCOPE_ABSL_STRINGS)
  get_filename_component(absl_folder ${HLOSCOPE_ABSL_STRINGS} DIRECTORY)
  # Those of its tests and of its command-line flags are for nobody here.
  file(GLOB absl_archives ${absl_folder}/libabsl_*.a)
  list(FILTER absl_archives EXCLUDE REGEX "flags|failure_signal|scoped_set_env|random_internal_distribution_test")
  list(JOIN absl_archives "," absl_group)
  target_link_libraries(hloscope_abseil INTERFACE "$<LINK_GROUP:RESCAN,${absl_group}>" Threads::Threads)
else()
  target_link_libraries(hloscope_abseil INTERFACE hloscope_abseil_shared)
endif()

# hloscope_link_runtime(TARGET): the compiler's libraries become part of an executable that loads no other C++ library.
function(hloscope_link_runtime target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT HLOSCOPE_SANITIZE)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# hloscope_reuse_precompiled(EXECUTABLE LIBRARY): an executable uses the precompiled headers of a library; for that it must be
# compiled like one.
function(hloscope_reuse_precompiled target library)
  target_precompile_headers(${target} REUSE_FROM ${library})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC ${HLOSCOPE_FALSE_WARNINGS})
endfunction()

# Archives (.npz). Of minizip as of Abseil, the static library where there is one.
add_library(hloscope_minizip INTERFACE)
find_library(HLOSCOPE_MINIZIP libminizip.a)
find_library(HLOSCOPE_ZLIB libz.a)
if(HLOSCOPE_MINIZIP AND HLOSCOPE_ZLIB)
  target_link_libraries(hloscope_minizip INTERFACE ${HLOSCOPE_MINIZIP} ${HLOSCOPE_ZLIB})
else()
  target_link_libraries(hloscope_minizip INTERFACE minizip z)
endif()

add_library(hloscope_zlib INTERFACE)
if(HLOSCOPE_ZLIB)
  target_link_libraries(hloscope_zlib INTERFACE ${HLOSCOPE_ZLIB})
else()
  target_link_libraries(hloscope_zlib INTERFACE z)
endif()

# Protocol buffers with descriptors, which their text form needs; static for the same reason.
add_library(hloscope_protobuf INTERFACE)
find_library(HLOSCOPE_PROTOBUF libprotobuf.a)
if(HLOSCOPE_PROTOBUF)
  target_link_libraries(hloscope_protobuf INTERFACE ${HLOSCOPE_PROTOBUF} hloscope_zlib Threads::Threads)
else()
  target_link_libraries(hloscope_protobuf INTERFACE protobuf)
endif()

# hloscope_optimised_first(EXECUTABLE LIBRARY...): of an inline function that several files hold, the linker takes the first.
# Front ends and tests are compiled with less optimisation than core and the evaluator, so those come before all else.
function(hloscope_optimised_first target)
  list(TRANSFORM ARGN REPLACE "^(.+)$" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
  list(JOIN archives " " archives)
  target_link_options(${target} PRIVATE "SHELL:-Wl,--whole-archive ${archives} -Wl,--no-whole-archive")
  target_link_libraries(${target} PRIVATE ${ARGN})
endfunction()
