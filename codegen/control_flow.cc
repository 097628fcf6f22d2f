// SPDX-License-Identifier: Apache-2.0
// call, fusion, while, conditional, and what runs asynchronously elsewhere.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/families.h"
#include "core/ops/asynchronous.h"

namespace hloscope::codegen {
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

// A loop whose body returns another shape than it takes: its condition cannot be asked again. If it is not true at the
// start, the result is the state, as far as that has the arrays of the result.
void WriteLoopThatCannotGoOn(ComputationWriter& writer, InstructionId id, const std::string& condition) {
  const Module& module = writer.module();
  const std::vector<Shape> given = LeavesOf(module.shape(module.operand(id, 0)));
  const std::vector<Shape> wanted = LeavesOf(module.shape(id));
  const std::string state =
      WriteArguments(writer, absl::StrCat(writer.NameFor(id), "_state"), writer.TakeAll(module.operand(id, 0)));
  bool fits = given.size() >= wanted.size();
  for (size_t k = 0; fits && k < wanted.size(); ++k) fits = ShapesCompatible(given[k], wanted[k]);
  const absl::string_view name = module.InstructionName(id);
  writer.AddLine(absl::StrCat("EndLoopAtOnce(hlo::", condition, ", ", state, ", ", given.size(), ", ", fits, ", ",
                              Quoted(absl::StrCat("while ", name)), ");"));
  for (size_t k = 0; k < wanted.size(); ++k) {
    if (wanted[k].IsToken()) continue;
    const std::string result = writer.Define(id, static_cast<int64_t>(k));
    writer.AddLine(fits ? absl::StrCat("Array ", result, " = std::move(", state, "[", k, "]);")
                        : absl::StrCat("Array ", result, ";"));
  }
}

absl::Status WriteWhile(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const std::string condition = writer.writer().FunctionOf(module.ComputationAttribute(id, AttributeKind::kCondition));
  // The state keeps its arrays from one iteration to the next.
  if (!ShapesCompatible(module.shape(id), module.shape(module.operand(id, 0)))) {
    WriteLoopThatCannotGoOn(writer, id, condition);
    return absl::OkStatus();
  }
  const std::string body = writer.writer().FunctionOf(module.ComputationAttribute(id, AttributeKind::kBody));
  const std::string state =
      WriteArguments(writer, absl::StrCat(writer.NameFor(id), "_state"), writer.TakeAll(module.operand(id, 0)));
  writer.AddLine(absl::StrCat("RunWhile(hlo::", condition, ", hlo::", body, ", ", state, ", ",
                              module.shape(id).LeafCount(), ");"));
  DefineResults(writer, id, state);
  return absl::OkStatus();
}

// `arrays` become the arrays of `part`, whose leaves are those of the result from `first` on; zeros where there are
// none.
void DefineLeaves(ComputationWriter& writer, InstructionId id, const Shape& part, int64_t first,
                  absl::Span<const std::string> arrays) {
  const std::vector<Shape> leaves = LeavesOf(part);
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (leaves[k].IsToken()) continue;
    const std::string name = writer.Define(id, first + static_cast<int64_t>(k));
    writer.AddLine(absl::StrCat(
        "Array ", name, " = ", k < arrays.size() ? arrays[k] : absl::StrCat("Zeros(", leaves[k].ByteSize(), ")"), ";"));
  }
}

// async-start, async-update, async-done: the wrapped computation is called where all of it is bound, else at the done.
// Arrays of a start or update are ((arguments...), result, context...).
absl::Status WriteAsync(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const bool is_start = module.opcode(id) == Opcode::kAsyncStart, is_done = module.opcode(id) == Opcode::kAsyncDone;
  const ComputationId wrapped = WrappedComputation(module, id);
  if (!wrapped.has_value()) return absl::UnimplementedError("an asynchronous chain that begins in another computation");
  const absl::Span<const InstructionId> operands = module.operands(id);
  const Shape& shape = module.shape(id);
  const Shape chain = is_start ? Shape() : module.shape(operands[0]);
  if ((!is_start && chain.tuple_size() < 2) || (!is_done && shape.tuple_size() < 2)) {
    return absl::UnimplementedError("a chain whose shape is not ((arguments...), result, ...)");
  }
  std::vector<std::string> arguments, results;
  const int64_t bound = is_start ? 0 : chain.element(0).LeafCount();
  for (int64_t leaf = 0; leaf < bound; ++leaf) arguments.push_back(writer.Take(operands[0], leaf));
  for (size_t k = is_start ? 0 : 1; k < operands.size(); ++k) {
    for (std::string& array : writer.TakeAll(operands[k])) arguments.push_back(std::move(array));
  }
  const Shape& result_shape = is_done ? shape : shape.element(1);
  const std::string name = writer.NameFor(id);
  const std::string in = WriteArguments(writer, absl::StrCat(name, "_in"), arguments);
  if (AsyncLaunches(module, id)) {
    // The function empties the arrays that it is given.
    const std::string copies = writer.LocalName(absl::StrCat(name, "_arguments"));
    const std::string out = writer.LocalName(absl::StrCat(name, "_out"));
    const size_t count = std::max<size_t>(arguments.size(), 1);
    writer.AddLine(absl::StrCat("Array ", copies, "[", count, "], ", out, "[",
                                std::max<int64_t>(result_shape.LeafCount(), 1), "];"));
    for (size_t k = 0; k < arguments.size(); ++k) {
      writer.AddLine(absl::StrCat(copies, "[", k, "] = ", in, "[", k, "];"));
    }
    writer.AddLine(absl::StrCat("hlo::", writer.writer().FunctionOf(wrapped), "(", copies, ", ", out, ");"));
    for (int64_t k = 0; k < result_shape.LeafCount(); ++k) results.push_back(absl::StrCat(out, "[", k, "]"));
  } else if (!is_start && ShapesCompatible(chain.element(1), result_shape)) {
    for (int64_t k = 0; k < result_shape.LeafCount(); ++k) results.push_back(writer.Take(operands[0], bound + k));
  }
  if (is_done) {
    DefineLeaves(writer, id, shape, 0, results);
    return absl::OkStatus();
  }
  std::vector<std::string> kept;
  for (size_t k = 0; k < arguments.size(); ++k) kept.push_back(absl::StrCat(in, "[", k, "]"));
  int64_t first = 0;
  for (int64_t k = 0; k < shape.tuple_size(); ++k) {
    DefineLeaves(writer, id, shape.element(k), first, k == 0 ? kept : k == 1 ? results : std::vector<std::string>());
    first += shape.element(k).LeafCount();
  }
  return absl::OkStatus();
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
      return WriteWhile(writer, id);
    case Opcode::kConditional:
      WriteConditional(writer, id);
      return absl::OkStatus();
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
      return WriteAsync(writer, id);
    default:
      return absl::UnimplementedError("no code is written for this opcode");
  }
}

}  // namespace hloscope::codegen
