// SPDX-License-Identifier: Apache-2.0
// The shape rules of the operations (docs/ops/elementwise.md, ops-b), one instruction after another.
#include <array>

#include "core/ops/shape_inference.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

// Opcode and shapes of instructions that were found to be good and whose rules depend on nothing else. Another one with
// the same is as good, and most instructions of a module are of these opcodes, on few shapes.
class GoodInstructions {
 public:
  // Whether the rule of the instruction, whose operands are readable, depends on opcode and shapes alone.
  static bool Covers(const Instruction& instruction) {
    if (instruction.operand_count > kMaxOperands) return false;
    switch (instruction.opcode) {
      case Opcode::kCompare:
        return false;
      case Opcode::kConvert:
      case Opcode::kCopy:
      case Opcode::kParameter:
        return instruction.shape_declared;
      default:
        return InfoOf(instruction.opcode).family == OpFamily::kElementwise;
    }
  }

  bool Contains(const Module& module, InstructionId id) const {
    const Key key = KeyOf(module, id);
    return keys_[Place(key)] == key;
  }
  void Add(const Module& module, InstructionId id) {
    const Key key = KeyOf(module, id);
    keys_[Place(key)] = key;  // forgets the one that was there
  }

 private:
  static constexpr size_t kMaxOperands = 3;
  static constexpr size_t kKept = 256;
  using Key = std::array<uint32_t, kMaxOperands + 2>;

  static Key KeyOf(const Module& module, InstructionId id) {
    Key key = {static_cast<uint32_t>(module.opcode(id)), module.instruction(id).shape.value};
    size_t k = 2;
    for (InstructionId operand : module.operands(id)) key[k++] = module.instruction(operand).shape.value + 1;
    return key;
  }
  static size_t Place(const Key& key) {
    uint32_t hash = 0;
    for (uint32_t part : key) hash = (hash ^ part) * 0x9E3779B1u;
    return (hash >> 16) % kKept;
  }

  std::array<Key, kKept> keys_ = {};  // opcode 0, kInvalid, is never looked for
};

}  // namespace

void VerifyShapes(Verification& v) {
  GoodInstructions good;
  v.ForEachInstruction([&](InstructionId id) {
    const Instruction& instruction = v.module.instruction(id);
    // The reader has run the rule where the text leaves the shape out.
    if (!instruction.shape_declared && instruction.syntax.has_value()) return;
    if (!v.HasReadableOperands(id)) return;
    const bool is_covered = GoodInstructions::Covers(instruction);
    if (is_covered && good.Contains(v.module, id)) return;
    const int64_t diagnostics = v.sink().report_count();
    RuleContext context(v.module, id, v.options, v.resolver(), v.sink());
    const InferredShape inferred = InferShape(context);
    if (inferred && v.module.shape(id).IsValid()) CheckDeclaredShape(v, id, *inferred);
    if (is_covered && inferred && v.sink().report_count() == diagnostics) good.Add(v.module, id);
  });
}

}  // namespace hloscope
