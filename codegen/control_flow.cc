// call, fusion, while, conditional, and what runs asynchronously elsewhere.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/families.h"

namespace hloscope {
namespace {

// `Array name_in[] = {...};` of some arrays; returns the name.
std::string WriteArguments(ComputationWriter& writer, absl::string_view wish, absl::Span<const std::string> arrays) {
  std::string name = writer.LocalName(wish);
  if (arrays.empty()) {
    writer.AddLine(absl::StrCat("Array* const ", name, " = nullptr;"));
  } else {
    writer.AddLine(absl::StrCat("Array ", name, "[] = {", absl::StrJoin(arrays, ", "), "};"));
  }
  return name;
}

// Makes the arrays named `name`[k] the results.
void DefineResults(ComputationWriter& writer, InstructionId id, const std::string& name) {
  const std::vector<Shape> leaves = LeavesOf(writer.module().shape(id));
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (leaves[k].IsToken()) continue;
    const std::string result = writer.Define(id, static_cast<int64_t>(k));
    writer.AddLine(absl::StrCat("Array ", result, " = std::move(", name, "[", k, "]);"));
  }
}

void WriteCall(ComputationWriter& writer, InstructionId id, ComputationId callee,
               absl::Span<const InstructionId> operands) {
  std::vector<std::string> taken;
  for (InstructionId operand : operands) {
    for (std::string& array : writer.TakeAll(operand)) taken.push_back(std::move(array));
  }
  const std::string name = writer.NameFor(id);
  const std::string in = WriteArguments(writer, absl::StrCat(name, "_in"), taken);
  const std::string out = writer.LocalName(absl::StrCat(name, "_out"));
  writer.AddLine(absl::StrCat("Array ", out, "[", std::max<int64_t>(writer.module().shape(id).LeafCount(), 1), "];"));
  writer.AddLine(absl::StrCat("hlo::", writer.writer().FunctionOf(callee), "(", in, ", ", out, ");"));
  DefineResults(writer, id, out);
}

void WriteWhile(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const std::string condition = writer.writer().FunctionOf(module.ComputationAttribute(id, AttributeKind::kCondition));
  const std::string body = writer.writer().FunctionOf(module.ComputationAttribute(id, AttributeKind::kBody));
  const std::string state =
      WriteArguments(writer, absl::StrCat(writer.NameFor(id), "_state"), writer.TakeAll(module.operand(id, 0)));
  writer.AddLine(absl::StrCat("RunWhile(hlo::", condition, ", hlo::", body, ", ", state, ", ",
                              module.shape(id).LeafCount(), ");"));
  DefineResults(writer, id, state);
}

// Each branch takes an operand of its own.
void WriteConditional(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const InstructionId selector = module.operand(id, 0);
  std::vector<ComputationId> branches;
  if (module.shape(selector).element_type() == ElementType::kPred) {
    branches = {module.ComputationAttribute(id, AttributeKind::kFalseComputation),
                module.ComputationAttribute(id, AttributeKind::kTrueComputation)};
  }
  const bool is_pred = !branches.empty() && branches[0].has_value();
  if (!is_pred) {
    const auto span = module.ComputationsAttribute(id, AttributeKind::kBranchComputations);
    branches.assign(span.begin(), span.end());
  }
  const std::string name = writer.NameFor(id);
  const std::string out = writer.LocalName(absl::StrCat(name, "_out"));
  writer.AddLine(absl::StrCat("Array ", out, "[", std::max<int64_t>(module.shape(id).LeafCount(), 1), "];"));
  const std::string chosen = writer.ReadData(selector);
  // An index out of range takes the last branch; operand 1 belongs to the true branch of a predicate.
  writer.AddLine(is_pred ? absl::StrCat("switch (*", chosen, " != 0 ? 1 : 0) {")
                         : absl::StrCat("switch (BranchOf(*", chosen, ", ", branches.size(), ")) {"));
  for (size_t k = 0; k < branches.size(); ++k) {
    const InstructionId operand = module.operand(id, is_pred ? (k == 1 ? 1 : 2) : k + 1);
    writer.AddLine(absl::StrCat("  case ", k, ": {"));
    std::vector<std::string> arrays;
    for (int64_t leaf = 0; leaf < module.shape(operand).LeafCount(); ++leaf)
      arrays.push_back(writer.Read(operand, leaf));
    const std::string in = WriteArguments(writer, absl::StrCat(name, "_in"), arrays);
    writer.AddLine(absl::StrCat("    hlo::", writer.writer().FunctionOf(branches[k]), "(", in, ", ", out, ");"));
    writer.AddLine("    break;\n    }");
  }
  writer.AddLine("}");
  DefineResults(writer, id, out);
}

}  // namespace

absl::Status WriteControlFlow(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  switch (module.opcode(id)) {
    case Opcode::kCall:
      WriteCall(writer, id, module.ComputationAttribute(id, AttributeKind::kToApply), module.operands(id));
      return absl::OkStatus();
    case Opcode::kFusion:
      WriteCall(writer, id, module.ComputationAttribute(id, AttributeKind::kCalls), module.operands(id));
      return absl::OkStatus();
    case Opcode::kWhile:
      WriteWhile(writer, id);
      return absl::OkStatus();
    case Opcode::kConditional:
      WriteConditional(writer, id);
      return absl::OkStatus();
    default:
      return absl::UnimplementedError("no code is written for this opcode");
  }
}

}  // namespace hloscope
