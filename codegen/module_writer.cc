// SPDX-License-Identifier: Apache-2.0
#include "codegen/module_writer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/computation_plan.h"
#include "codegen/computation_writer.h"
#include "codegen/cpp_types.h"
#include "codegen/elementwise.h"

namespace hloscope::codegen {
namespace {

void AppendLeaves(const Shape& shape, std::vector<Shape>* leaves) {
  if (!shape.IsTuple()) {
    leaves->push_back(shape);
    return;
  }
  for (const Shape& element : shape.elements()) AppendLeaves(element, leaves);
}

}  // namespace

std::vector<Shape> LeavesOf(const Shape& shape) {
  std::vector<Shape> leaves;
  AppendLeaves(shape, &leaves);
  return leaves;
}

int64_t FirstLeafOf(const Shape& tuple, int64_t index) {
  int64_t first = 0;
  for (int64_t k = 0; k < index; ++k) first += tuple.element(k).LeafCount();
  return first;
}

ModuleWriter::ModuleWriter(const Module& module, ProgramText& program) : module_(module), program_(program) {}

std::string ModuleWriter::FunctionOf(ComputationId computation) {
  std::string& name = functions_[computation];
  if (name.empty()) {
    name = program_.UniqueName(module_.ComputationName(computation));
    to_write_.push_back(computation);
  }
  return name;
}

void ModuleWriter::Write() {
  FunctionOf(module_.entry());
  for (size_t k = 0; k < to_write_.size(); ++k) {
    const ComputationId computation = to_write_[k];
    ComputationWriter writer(*this, computation);
    program_.AddComputation(writer.Write(FunctionOf(computation)));
  }
}

absl::StatusOr<ScalarFunction> ModuleWriter::ScalarFunctionOf(ComputationId computation) {
  if (const auto found = scalar_functions_.find(computation); found != scalar_functions_.end()) return found->second;
  // Callees are written before their callers, by calls of this. Where they go deeper than this the caller calls a
  // function of arrays, which is written later.
  constexpr int kDeepest = 200;
  if (scalar_depth_ == kDeepest) {
    return absl::UnimplementedError(
        absl::StrCat("the computation ", module_.ComputationName(computation), " is called too deep inside of others"));
  }
  ++scalar_depth_;
  absl::StatusOr<ScalarFunction> function = WriteScalarFunction(computation);
  --scalar_depth_;
  if (function.ok()) scalar_functions_[computation] = *function;
  return function;
}

absl::StatusOr<ScalarFunction> ModuleWriter::WriteScalarFunction(ComputationId computation) {
  ScalarFunction function;
  for (InstructionId parameter : module_.computation(computation).parameters) {
    if (!parameter.has_value() || !module_.shape(parameter).IsArray() || module_.shape(parameter).ElementCount() != 1) {
      return absl::UnimplementedError(
          absl::StrCat("the computation ", module_.ComputationName(computation), " has a parameter that is no scalar"));
    }
    function.parameters.push_back(module_.shape(parameter).element_type());
  }
  for (const Shape& leaf : LeavesOf(module_.shape(module_.computation(computation).root))) {
    if (!leaf.IsArray() || leaf.ElementCount() != 1) {
      return absl::UnimplementedError(
          absl::StrCat("the computation ", module_.ComputationName(computation), " has a result that is no scalar"));
    }
    function.results.push_back(leaf.element_type());
  }
  absl::StatusOr<std::string> body = ScalarBody(computation, function);
  if (!body.ok()) body = ScalarBodyThroughArrays(computation, function);
  // After the functions that the body calls.
  function.name = program_.UniqueName(module_.ComputationName(computation));
  std::string text, result;
  if (function.results.size() == 1) {
    result = NumberType(function.results[0]);
  } else {
    result = absl::StrCat(function.name, "_results");
    absl::StrAppend(&text, "struct ", result, " {\n");
    for (size_t k = 0; k < function.results.size(); ++k) {
      absl::StrAppend(&text, "  ", NumberType(function.results[k]), " r", k, ";\n");
    }
    text += "};\n";
  }
  absl::StrAppend(&text, "inline ", result, " ", function.name, "(");
  for (size_t k = 0; k < function.parameters.size(); ++k) {
    absl::StrAppend(&text, k > 0 ? ", " : "", "[[maybe_unused]] ", NumberType(function.parameters[k]), " p", k);
  }
  absl::StrAppend(&text, ") {\n", *body, "}\n");
  for (const auto* types : {&function.parameters, &function.results}) {
    if (std::any_of(types->begin(), types->end(), IsComplex)) program_.Use(RuntimePart::kComplex);
  }
  program_.AddScalarFunction(std::move(text));
  return function;
}

// A line that calls `callee` on numbers: `name` is that of its result. Gives the leaves of the result.
absl::StatusOr<std::vector<std::string>> ModuleWriter::ScalarCall(InstructionId id, ComputationId callee,
                                                                  absl::Span<const std::vector<std::string>> operands,
                                                                  const std::string& name, std::string& text) {
  absl::StatusOr<ScalarFunction> called = ScalarFunctionOf(callee);
  if (!called.ok()) return called.status();
  std::vector<std::string> arguments, values;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].size() != 1) return absl::UnimplementedError("a tuple as an argument");
    arguments.push_back(
        Converted(module_.shape(module_.operand(id, k)).element_type(), called->parameters[k], operands[k][0]));
  }
  absl::StrAppend(&text, "  const auto ", name, " = ", called->name, "(", absl::StrJoin(arguments, ", "), ");\n");
  for (size_t k = 0; k < called->results.size(); ++k) {
    values.push_back(called->results.size() == 1 ? name : absl::StrCat(name, ".r", k));
  }
  return values;
}

// Every instruction as a line of its own.
absl::StatusOr<std::string> ModuleWriter::ScalarBody(ComputationId computation, const ScalarFunction& function) {
  const ComputationPlan plan(module_, computation);
  absl::flat_hash_map<InstructionId, std::vector<std::string>> numbers;  // by leaf
  std::string text;
  int names = 0;
  for (InstructionId id : plan.order()) {
    const absl::Span<const InstructionId> operands = module_.operands(id);
    std::vector<std::string>& result = numbers[id];
    switch (module_.opcode(id)) {
      case Opcode::kParameter:
        result = {absl::StrCat("p", module_.instruction(id).parameter_number)};
        continue;
      case Opcode::kConstant:
        if (!module_.shape(id).IsArray() || module_.shape(id).ElementCount() != 1 || module_.literal(id).IsElided()) {
          return absl::UnimplementedError("a constant that is no scalar");
        }
        result = {NumberText(module_.shape(id).element_type(), module_.literal(id).ElementBytes(0))};
        continue;
      case Opcode::kTuple:
        for (InstructionId operand : operands) {
          const std::vector<std::string> leaves = numbers[operand];
          numbers[id].insert(numbers[id].end(), leaves.begin(), leaves.end());
        }
        continue;
      case Opcode::kGetTupleElement: {
        const Shape& tuple = module_.shape(operands[0]);
        const int64_t index = module_.IntAttribute(id, AttributeKind::kIndex);
        const std::vector<std::string> all = numbers[operands[0]];
        const auto first = all.begin() + FirstLeafOf(tuple, index);
        numbers[id].assign(first, first + tuple.element(index).LeafCount());
        continue;
      }
      case Opcode::kCopy:
      case Opcode::kReshape:
      case Opcode::kBroadcast:
      case Opcode::kTranspose:
      case Opcode::kReverse:
      case Opcode::kOptBarrier:
        if (module_.shape(id).IsArray() && module_.shape(id).ElementCount() != 1) {
          return absl::UnimplementedError("an array");
        }
        result = std::vector<std::string>(numbers[operands[0]]);
        continue;
      case Opcode::kCall:
      case Opcode::kFusion:
      case Opcode::kMap: {
        const ComputationId callee = module_.opcode(id) == Opcode::kFusion
                                         ? module_.ComputationAttribute(id, AttributeKind::kCalls)
                                         : module_.ComputationAttribute(id, AttributeKind::kToApply);
        std::vector<std::vector<std::string>> arguments;
        for (InstructionId operand : operands) arguments.push_back(numbers[operand]);
        absl::StatusOr<std::vector<std::string>> values =
            ScalarCall(id, callee, arguments, absl::StrCat("v", names++), text);
        if (!values.ok()) return values.status();
        numbers[id] = *std::move(values);
        continue;
      }
      default:
        break;
    }
    if (!IsElementwise(module_, id) || module_.shape(id).ElementCount() != 1) {
      return absl::UnimplementedError("an instruction that is not elementwise");
    }
    std::vector<std::string> arguments;
    for (InstructionId operand : operands) arguments.push_back(numbers[operand][0]);
    absl::StatusOr<std::string> expression = ElementExpression(module_, id, arguments);
    if (!expression.ok()) return expression;
    if (IsComplex(module_.shape(id).element_type())) program_.Use(RuntimePart::kComplex);
    const std::string name = absl::StrCat("v", names++);
    absl::StrAppend(&text, "  const ", NumberType(module_.shape(id).element_type()), " ", name, " = ", *expression,
                    ";\n");
    numbers[id] = {name};
  }
  const std::vector<std::string>& results = numbers[module_.computation(computation).root];
  absl::StrAppend(&text, "  return ",
                  function.results.size() == 1 ? results[0] : absl::StrCat("{", absl::StrJoin(results, ", "), "}"),
                  ";\n");
  return text;
}

// For computations that are more than elementwise: one call of the whole computation for each element.
std::string ModuleWriter::ScalarBodyThroughArrays(ComputationId computation, const ScalarFunction& function) {
  const std::string name = FunctionOf(computation);
  std::string text = "  Array in[] = {";
  for (size_t k = 0; k < function.parameters.size(); ++k) {
    const ElementType type = function.parameters[k];
    absl::StrAppend(&text, k > 0 ? ", " : "", "Scalar<", StoredType(type), ">(", Stored(type, absl::StrCat("p", k)),
                    ")");
  }
  if (function.parameters.empty()) text += "Array()";
  absl::StrAppend(&text, "};\n  Array out[", function.results.size(), "];\n  ", name, "(in, out);\n  return ");
  std::vector<std::string> results;
  for (size_t k = 0; k < function.results.size(); ++k) {
    const ElementType type = function.results[k];
    results.push_back(Loaded(type, absl::StrCat("*out[", k, "].as<", StoredType(type), ">()")));
  }
  absl::StrAppend(&text, results.size() == 1 ? results[0] : absl::StrCat("{", absl::StrJoin(results, ", "), "}"),
                  ";\n");
  return text;
}

}  // namespace hloscope::codegen
