// SPDX-License-Identifier: Apache-2.0
// Folders of dumps in XLA's grammar, made from our own passes: hundreds of stages, with or without a fault in one of
// them.
#ifndef HLOSCOPE_TESTS_SUPPORT_DUMP_STAGES_H_
#define HLOSCOPE_TESTS_SUPPORT_DUMP_STAGES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/ir/module.h"

namespace hloscope {

struct DumpedStage {
  std::string name;  // "before_optimizations", "0007.simplification.after_algebraic.before_fusion"
  std::string pass;  // "algebraic"
  std::string text;
};

// What a wrong pass does.
enum class FaultKind : uint8_t {
  kConstant,         // another value
  kSwappedOperands,  // of an operation for which their order matters
  kReduction,        // one dimension is not summed, but its first element taken
  kPermutation,      // dimensions in another order, the memory as it was
  kPrecision,        // through bf16 and back
};
inline constexpr FaultKind kFaultKinds[] = {FaultKind::kConstant, FaultKind::kSwappedOperands, FaultKind::kReduction,
                                            FaultKind::kPermutation, FaultKind::kPrecision};
const char* FaultName(FaultKind kind);

struct PlantedFault {
  std::string text;                       // the module with it
  std::string computation;                // where it is
  std::vector<std::string> instructions;  // what it changed or added
};
// A fault of this kind at a random place of the entry computation's dataflow; nothing if there is no place for one. The
// module stays valid.
std::optional<PlantedFault> PlantFault(const Module& module, FaultKind kind, std::mt19937_64& random);

// At least `count` stages of a module without errors: each stage does one step of a pass to the one before, or nothing.
// Passes: algebraic, cse, dce, reshape-reduce, reshape-elementwise, inline-calls, fusion, layout-assignment, renaming.
class StageMaker {
 public:
  StageMaker(const std::string& text, uint64_t seed);

  const std::vector<DumpedStage>& stages() const { return stages_; }
  // One more pass.
  void Step();
  // Puts a fault into the newest stage, as if its pass had made it.
  void Break(const std::string& text);
  const Module& module() const { return module_; }
  std::mt19937_64& random() { return random_; }

 private:
  bool Apply(const std::string& pass);
  void Take(const std::string& pass, const std::string& text);

  Module module_;
  std::vector<DumpedStage> stages_;
  std::mt19937_64 random_;
};

// Writes the stages as module number `id` below `folder`, which is made.
void WriteDump(const std::string& folder, int id, const std::string& module_name,
               const std::vector<DumpedStage>& stages);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_DUMP_STAGES_H_
