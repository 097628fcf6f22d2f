// SPDX-License-Identifier: Apache-2.0
// A stand-alone module around one instruction.
#ifndef HLOSCOPE_CORE_ANALYSIS_EXTRACT_H_
#define HLOSCOPE_CORE_ANALYSIS_EXTRACT_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope {

struct ExtractOptions {
  int depth = 0;  // steps along operands that come along; what they need from further away becomes a parameter
  // What becomes a parameter although it is near enough, unless it must come along. Empty: nothing does.
  std::function<bool(InstructionId)> stop;
};

// Makes such modules of parts of one module, which prints once for all of them: each takes no longer than it is large.
class ModuleExtractor {
 public:
  // `module` must be free of errors; both outlive the object.
  ModuleExtractor(const Module& module, const UserIndex& users);
  ~ModuleExtractor();
  ModuleExtractor(const ModuleExtractor&) = delete;
  ModuleExtractor& operator=(const ModuleExtractor&) = delete;

  // The text of a module whose entry computation returns the instruction. Names are those that the whole module prints
  // with, where they are unique; attributes and metadata stay as they are; computations that are called come along.
  // Beyond `depth` come along: the starts of dones and the dones of starts, which must not be parted, what makes
  // buffers, since no entry computation takes any, and constants. Control dependencies on what is left out are dropped,
  // and so are stack frames that nothing leads to, the schedule, the aliasing and the layouts of the old entry
  // computation. `parameters` gets the instructions that became parameters, by parameter number; it may be null.
  std::string Extract(InstructionId id, const ExtractOptions& options, std::vector<InstructionId>* parameters) const;

  // The name of an instruction in these texts.
  std::string NameOf(InstructionId id) const;

 private:
  class Texts;
  const Module& module_;
  const UserIndex& users_;
  mutable std::unique_ptr<const Texts> texts_;  // made for the first extract
};

// One of them.
std::string ExtractModule(const Module& module, const UserIndex& users, InstructionId id,
                          const ExtractOptions& options = {});
std::string ExtractModule(const Module& module, const UserIndex& users, InstructionId id, const ExtractOptions& options,
                          std::vector<InstructionId>* parameters);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_EXTRACT_H_
