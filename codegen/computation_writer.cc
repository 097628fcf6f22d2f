// SPDX-License-Identifier: Apache-2.0
#include "codegen/computation_writer.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/families.h"
#include "codegen/function_body.h"
#include "core/print/printer.h"

namespace hloscope::codegen {
namespace {

// The instruction as a comment of one line.
std::string CommentOf(const Module& module, InstructionId id) {
  PrintOptions options = PrintOptions::Short();
  options.metadata = options.backend_config = false;
  std::string text = PrintInstruction(module, id, options);
  std::replace(text.begin(), text.end(), '\n', ' ');
  constexpr size_t kLongest = 160;
  if (text.size() > kLongest) text = absl::StrCat(text.substr(0, kLongest), " ...");
  // A backslash at the end of a line would continue the comment.
  std::replace(text.begin(), text.end(), '\\', '/');
  return absl::StrCat("// ", text);
}

absl::Status WriteOf(ComputationWriter& writer, InstructionId id) {
  const Opcode opcode = writer.module().opcode(id);
  switch (InfoOf(opcode).family) {
    case OpFamily::kTypeConversion:
      return WriteTypeConversion(writer, id);
    case OpFamily::kDataMovement:
      return WriteDataMovement(writer, id);
    case OpFamily::kReduction:
      return WriteReduction(writer, id);
    case OpFamily::kGatherScatter:
      return WriteGatherScatter(writer, id);
    case OpFamily::kDot:
      return WriteDot(writer, id);
    case OpFamily::kConvolution:
      return WriteConvolution(writer, id);
    case OpFamily::kSorting:
      return WriteSorting(writer, id);
    case OpFamily::kLinearAlgebra:
      return WriteLinearAlgebra(writer, id);
    case OpFamily::kNormalization:
      return WriteNormalization(writer, id);
    case OpFamily::kRandom:
      return WriteRandom(writer, id);
    case OpFamily::kAsynchronous:
    case OpFamily::kControlFlow:
      return WriteControlFlow(writer, id);
    case OpFamily::kValueSource:
      return WriteValueSource(writer, id);
    case OpFamily::kDynamicDimension:
      return WriteDynamicDimension(writer, id);
    case OpFamily::kCollective:
    case OpFamily::kHostTransfer:
      return absl::UnimplementedError("a compiled program runs on one device and has no host to talk to");
    case OpFamily::kCustomCall:
      return absl::UnimplementedError("the program has no function of this target");
    case OpFamily::kElementwise:  // loops over elements, and sharing, have no statements of their own
    case OpFamily::kTuple:
      break;
  }
  return absl::UnimplementedError("no code is written for this opcode");
}

}  // namespace

ComputationWriter::ComputationWriter(ModuleWriter& writer, ComputationId computation)
    : writer_(writer), module_(writer.module()), computation_(computation), plan_(module_, computation) {}

FunctionText ComputationWriter::Write(const std::string& name) {
  // Parameters come first, whatever uses them first.
  int64_t first = 0;
  for (InstructionId parameter : module_.computation(computation_).parameters) {
    if (!parameter.has_value()) continue;
    const std::vector<Shape> leaves = LeavesOf(module_.shape(parameter));
    for (size_t k = 0; k < leaves.size(); ++k, ++first) {
      if (plan_.role(parameter) == Role::kUnused || leaves[k].IsToken()) {
        arrays_[parameter].push_back(kNoArray);
        continue;
      }
      statements_.emplace_back();
      const std::string variable = Define(parameter, static_cast<int64_t>(k));
      AddLine(absl::StrCat("Array ", variable, " = std::move(in[", first, "]);"));
    }
  }
  for (InstructionId id : plan_.order()) {
    if (module_.opcode(id) == Opcode::kParameter) continue;
    switch (plan_.role(id)) {
      case Role::kShared:
        ShareOperands(id);
        continue;
      case Role::kInline:
      case Role::kUnused:
        continue;
      case Role::kLoop:
      case Role::kOther:
        break;
    }
    statements_.emplace_back();
    AddLine(CommentOf(module_, id));
    absl::Status status = WriteInstruction(id);
    if (!status.ok()) writer_.Report(id, std::string(status.message()));
    // Whoever uses it is written all the same, so that everything is found that cannot be compiled.
    for (int64_t leaf = 0; leaf < module_.shape(id).LeafCount(); ++leaf) {
      std::vector<ArrayId>& arrays = arrays_[id];
      arrays.resize(static_cast<size_t>(module_.shape(id).LeafCount()), kNoArray);
    }
  }
  statements_.emplace_back();
  const InstructionId root = module_.computation(computation_).root;
  const std::vector<std::string> results = TakeAll(root);
  for (size_t k = 0; k < results.size(); ++k) AddLine(absl::StrCat("out[", k, "] = ", results[k], ";"));
  const std::string body =
      FunctionBody(program(), statements_, names_, [this](const std::string& wish) { return LocalName(wish); });
  return {absl::StrCat("void ", name, "(Array* in, Array* out);"),
          absl::StrCat("// ", module_.ComputationName(computation_), "\nvoid ", name,
                       "([[maybe_unused]] Array* in, [[maybe_unused]] Array* out) {\n", body, "}\n")};
}

absl::Status ComputationWriter::WriteInstruction(InstructionId id) {
  for (const Shape& leaf : LeavesOf(module_.shape(id))) {
    if (leaf.IsDynamic()) return absl::UnimplementedError("sizes that are only known at run time");
    if (!leaf.IsArray() && !leaf.IsToken()) return absl::UnimplementedError("values of this type");
    if (leaf.IsArray() && IsComplex(leaf.element_type())) program().Use(RuntimePart::kComplex);
  }
  for (InstructionId operand : module_.operands(id)) {
    if (IsComplex(module_.shape(operand).element_type())) program().Use(RuntimePart::kComplex);
    if (module_.shape(operand).IsDynamic()) return absl::UnimplementedError("sizes that are only known at run time");
  }
  if (plan_.role(id) == Role::kLoop && module_.opcode(id) != Opcode::kReduce) return WriteElementLoop(*this, id);
  return WriteOf(*this, id);
}

void ComputationWriter::ShareOperands(InstructionId id) {
  std::vector<ArrayId> arrays;
  const absl::Span<const InstructionId> operands = module_.operands(id);
  switch (module_.opcode(id)) {
    case Opcode::kTuple:
      for (InstructionId operand : operands) {
        arrays.insert(arrays.end(), arrays_[operand].begin(), arrays_[operand].end());
      }
      break;
    case Opcode::kGetTupleElement: {
      const Shape& tuple = module_.shape(operands[0]);
      const int64_t index = module_.IntAttribute(id, AttributeKind::kIndex);
      const auto first = arrays_[operands[0]].begin() + FirstLeafOf(tuple, index);
      arrays.assign(first, first + tuple.element(index).LeafCount());
      break;
    }
    case Opcode::kCopyStart:  // (destination, source, context)
      arrays = {arrays_[operands[0]][0], arrays_[operands[0]][0], kNoArray};
      arrays.resize(static_cast<size_t>(module_.shape(id).LeafCount()), kNoArray);
      break;
    case Opcode::kAfterAll:
      arrays = {kNoArray};
      break;
    case Opcode::kCopyDone:
      arrays = {arrays_[operands[0]][0]};
      break;
    default:
      arrays = arrays_[operands[0]];
      break;
  }
  arrays_[id] = std::move(arrays);
}

std::string ComputationWriter::Read(InstructionId id, int64_t leaf) {
  const ArrayId array = arrays_[id][static_cast<size_t>(leaf)];
  if (array == kNoArray) return "Array()";
  statements_.back().reads.push_back(array);
  return names_[static_cast<size_t>(array)];
}

std::string ComputationWriter::ReadData(InstructionId id, int64_t leaf) {
  const Shape shape = LeavesOf(module_.shape(id))[static_cast<size_t>(leaf)];
  return absl::StrCat(Read(id, leaf), ".as<", StoredType(shape.element_type()), ">()");
}

std::string ComputationWriter::TakeArray(ArrayId array) {
  if (array == kNoArray) return "Array()";
  statements_.back().takes.push_back(array);
  return absl::StrCat(std::string(1, kTakenBegin), array, std::string(1, kTakenEnd));
}

std::string ComputationWriter::Take(InstructionId id, int64_t leaf) {
  return TakeArray(arrays_[id][static_cast<size_t>(leaf)]);
}

std::vector<std::string> ComputationWriter::TakeAll(InstructionId id) {
  std::vector<std::string> taken;
  for (ArrayId array : arrays_[id]) taken.push_back(TakeArray(array));
  return taken;
}

std::string ComputationWriter::LocalName(absl::string_view wish) {
  const std::string name = CppIdentifier(wish);
  const int count = used_names_[name]++;
  if (count == 0) return name;
  return LocalName(absl::StrCat(name, name.back() == '_' ? "v" : "_v", count));
}

std::string ComputationWriter::Define(InstructionId id, int64_t leaf) {
  std::vector<ArrayId>& arrays = arrays_[id];
  if (static_cast<int64_t>(arrays.size()) <= leaf) arrays.resize(static_cast<size_t>(leaf) + 1, kNoArray);
  const absl::string_view base = module_.InstructionName(id);
  names_.push_back(LocalName(module_.shape(id).IsTuple() ? absl::StrCat(base, "_", leaf) : std::string(base)));
  arrays[static_cast<size_t>(leaf)] = static_cast<ArrayId>(names_.size()) - 1;
  array_of_name_[names_.back()] = arrays[static_cast<size_t>(leaf)];
  statements_.back().defines.push_back(arrays[static_cast<size_t>(leaf)]);
  return names_.back();
}

std::string ComputationWriter::DefineAllocated(InstructionId id, int64_t leaf) {
  std::string name = Define(id, leaf);
  const int64_t bytes = LeavesOf(module_.shape(id))[static_cast<size_t>(leaf)].ByteSize();
  Statement& statement = statements_.back();
  statement.allocations.push_back({statement.lines.size(), statement.defines.back(), bytes});
  AddLine(absl::StrCat("Array ", name, " = Allocate(", bytes, ");"));
  return name;
}

std::string ComputationWriter::AllocateScratch(const std::string& wish, int64_t bytes) {
  std::string name = LocalName(wish);
  AddLine(absl::StrCat("Array ", name, " = Allocate(", bytes, ");"));
  statements_.back().scratch.push_back(name);
  return name;
}

void ComputationWriter::AddLine(std::string line) { statements_.back().lines.push_back(std::move(line)); }

std::string ComputationWriter::NameFor(InstructionId id) const { return std::string(module_.InstructionName(id)); }

void ComputationWriter::CallLoop(InstructionId id, absl::Span<const LoopParameter> parameters,
                                 absl::Span<const std::string> arguments, const LoopText& text) {
  Statement& statement = statements_.back();
  std::vector<ArrayId> arrays;
  for (const std::string& argument : arguments) {
    // "name.as<float>()".
    const auto found = array_of_name_.find(argument.substr(0, argument.find('.')));
    arrays.push_back(found == array_of_name_.end() ? kNoArray : found->second);
  }
  statement.calls.push_back({statement.lines.size(),
                             absl::StrCat("loop_", NameFor(id)),
                             {parameters.begin(), parameters.end()},
                             {arguments.begin(), arguments.end()},
                             std::move(arrays),
                             text});
  AddLine("");
}

void ComputationWriter::CallMoves(InstructionId id, absl::Span<const LoopParameter> parameters,
                                  absl::Span<const std::string> arguments, const LoopNest& nest, double nanoseconds,
                                  int64_t element_bytes) {
  bool uses_copy = false;
  CallLoop(id, parameters, arguments, FunctionOfMoves(parameters, nest, nanoseconds, element_bytes, &uses_copy));
  if (uses_copy) program().Use(RuntimePart::kCopies);
}

}  // namespace hloscope::codegen
