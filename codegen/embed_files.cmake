# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a C++ file that holds the texts of files. Run as a script:
#   cmake -DOUTPUT=FILE -DFILES=PATH_IN_PROGRAM=SOURCE;... -P embed_files.cmake
set(text "// Made by codegen/embed_files.cmake.\n#include \"codegen/runtime_files.h\"\n\nnamespace hloscope::codegen {\nnamespace {\n\n")
string(APPEND text "constexpr RuntimeFile kFiles[] = {\n")
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([^=]+)=(.+)$" matched "${entry}")
  set(path "${CMAKE_MATCH_1}")
  file(READ "${CMAKE_MATCH_2}" content)
  string(APPEND text "    {\"${path}\", R\"hlo_file(${content})hlo_file\"},\n")
endforeach()
string(APPEND text "};\n\n}  // namespace\n\nabsl::Span<const RuntimeFile> RuntimeFiles() { return kFiles; }\n\n}  // namespace hloscope::codegen\n")
file(WRITE "${OUTPUT}" "${text}")
