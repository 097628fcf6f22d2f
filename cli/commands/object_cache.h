// SPDX-License-Identifier: Apache-2.0
// Compiled parts of the runtime of programs, kept from one `hloscope compile` to the next.
#ifndef HLOSCOPE_CLI_COMMANDS_OBJECT_CACHE_H_
#define HLOSCOPE_CLI_COMMANDS_OBJECT_CACHE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/program.h"

namespace hloscope::cli {

// In $XDG_CACHE_HOME/hloscope/objects (~/.cache), readable by the user only. An object is found by what it depends on:
// its source and all headers of the runtime, the rules of the Makefile and OPTIMISE, what the compiler says of itself,
// and the processor. The oldest ones go beyond 256 MB.
class ObjectCache {
 public:
  // `compiler`: path; `folder`: of the program. Without a folder to keep objects in it does nothing.
  ObjectCache(const codegen::Program& program, const std::string& compiler, const std::string& folder);

  // Puts the objects that are known and missing into the program's folder; returns how many.
  int Restore() const;
  // Keeps the objects that a build has just made: those that were not there, or were older, when this was made.
  void Keep() const;

 private:
  struct Object {
    std::string made, kept;  // paths
    int64_t time_before = 0;
  };
  std::string cache_;
  std::vector<Object> objects_;
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_COMMANDS_OBJECT_CACHE_H_
