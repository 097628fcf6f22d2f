// SPDX-License-Identifier: Apache-2.0
// HLO modules as self-contained C++ programs.
#ifndef HLOSCOPE_CODEGEN_PROGRAM_H_
#define HLOSCOPE_CODEGEN_PROGRAM_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "codegen/module_writer.h"
#include "core/ir/module.h"

namespace hloscope::codegen {

struct ProgramFile {
  std::string path;  // below the program's folder
  std::string content;
  // Of a source file: what make builds from it, and with which options beside those of all files.
  std::string object = {}, options = {};

  bool is_runtime() const;  // the same in every program
};

struct Program {
  std::vector<ProgramFile> files;
  // How make calls the compiler; for every file the same.
  std::string build_rules;
  // What cannot be compiled, by module. The files are of no use unless all of these are empty.
  std::vector<std::vector<NotCompiled>> not_compiled;

  bool complete() const;
};

struct ProgramModule {
  const Module* module = nullptr;  // free of errors, with an entry computation
  std::string name;                // how the program calls it
};

// The program that runs the entry computations of some modules; its command line says which. Functions are split over
// several files, so that they can be compiled at the same time; equal loops of all modules are one function. Its
// Makefile builds `program`, or, with `make library`, `libprogram.so`.
//
// O(instructions) for each module.
Program GenerateProgram(absl::Span<const ProgramModule> modules);

// What the programs of all modules have in common: the sources of every part of the runtime, and a Makefile whose only
// goal, `compiled`, is their objects for an architecture, one of the compiler's for -march.
Program GenerateRuntime(absl::string_view architecture);

// Of the runtime's sources and options, whatever the architecture. Objects of a runtime with the same fingerprint can
// become part of a program.
std::string RuntimeFingerprint();

// Why an instruction of this module cannot be compiled, as a list for people: what kinds of instructions there are that
// no module with them can be compiled.
std::string NotCompiledHelp();

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_PROGRAM_H_
