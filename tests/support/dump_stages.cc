// SPDX-License-Identifier: Apache-2.0
#include "tests/support/dump_stages.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/analysis/users.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "core/transform/transform.h"
#include "core/transform/tree_rebuilder.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

PrintOptions StageStyle() {
  PrintOptions options;
  options.large_constants = true;
  options.percent = false;
  return options;
}

// Null if the text has errors.
std::shared_ptr<const Document> Read(const std::string& text) {
  DocumentOptions options;
  options.verify.allow_mixed_precision = true;
  auto document = Document::Parse(SourceText::FromString("stage.hlo", text), options);
  return document->has_errors() ? nullptr : document;
}

// The module with the text of one instruction replaced by others.
std::string WithLines(const Module& module, InstructionId id, const std::string& lines, const std::string& above = "") {
  const PrintedModule printed = PrintModuleWithPositions(module, StageStyle());
  std::string text = printed.text;
  const ComputationId computation = module.instruction(id).computation;
  uint32_t begin = 0, end = 0, open = 0;
  for (const PrintedModule::Part& part : printed.parts) {
    if (part.kind == PrintedModule::Part::Kind::kInstruction && part.instruction == id) {
      begin = part.begin;
      end = part.end;
    }
    if (part.kind == PrintedModule::Part::Kind::kComputationOpen && part.computation == computation) open = part.begin;
  }
  const bool is_root = module.computation(computation).root == id;
  const size_t last = lines.rfind('\n');
  std::string replaced = lines;
  if (is_root) replaced.insert(last == std::string::npos ? 0 : lines.find_first_not_of(' ', last + 1), "ROOT ");
  text.replace(begin, end - begin, replaced);
  text.insert(open, above);
  return text;
}

std::string Line(const Module& module, InstructionId id) {
  PrintOptions options = StageStyle();
  return PrintInstruction(module, id, options);
}

std::string ShapeText(const Shape& shape) { return shape.ToString(false); }

bool IsWide(ElementType type) { return type == ElementType::kF32 || type == ElementType::kF64; }

// Instructions of the computations that run, in random order.
std::vector<InstructionId> Places(const Module& module, std::mt19937_64& random) {
  std::vector<bool> runs(module.computations().size(), false);
  std::vector<ComputationId> open = {module.entry()};
  runs[module.entry().index()] = true;
  std::vector<InstructionId> places;
  while (!open.empty()) {
    const ComputationId at = open.back();
    open.pop_back();
    for (InstructionId id : module.computation(at).instructions) {
      places.push_back(id);
      const Opcode opcode = module.opcode(id);
      if (opcode != Opcode::kFusion && opcode != Opcode::kCall && opcode != Opcode::kWhile) continue;
      module.ForEachCalledComputation(id, [&](AttributeKind kind, ComputationId callee) {
        if (kind == AttributeKind::kCondition || runs[callee.index()]) return;
        runs[callee.index()] = true;
        open.push_back(callee);
      });
    }
  }
  std::shuffle(places.begin(), places.end(), random);
  return places;
}

std::optional<PlantedFault> Made(const Module& module, InstructionId id, std::string text,
                                 std::vector<std::string> names) {
  if (Read(text) == nullptr) return std::nullopt;
  return PlantedFault{std::move(text), std::string(module.ComputationName(module.instruction(id).computation)),
                      std::move(names)};
}

std::optional<PlantedFault> OtherConstant(const Module& module, InstructionId id) {
  const Instruction& instruction = module.instruction(id);
  if (!instruction.literal.has_value() || module.literal(id).IsElided()) return std::nullopt;
  if (!IsWide(module.shape(id).element_type())) return std::nullopt;
  Literal literal = module.literal(id);
  std::vector<uint8_t>& bytes = literal.mutable_bytes();
  const size_t unit = literal.shape().element_type() == ElementType::kF32 ? 4 : 8;
  if (bytes.size() < unit) bytes.resize(unit, 0);
  if (unit == 4) {
    float value;
    std::memcpy(&value, bytes.data(), unit);
    value = value * 1.5F + 0.25F;
    std::memcpy(bytes.data(), &value, unit);
  } else {
    double value;
    std::memcpy(&value, bytes.data(), unit);
    value = value * 1.5 + 0.25;
    std::memcpy(bytes.data(), &value, unit);
  }
  Module broken = module;
  broken.SetLiteral(id, std::move(literal));
  return Made(module, id, PrintModule(broken, StageStyle()), {std::string(module.InstructionName(id))});
}

std::optional<PlantedFault> SwappedOperands(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  if (opcode != Opcode::kSubtract && opcode != Opcode::kDivide && opcode != Opcode::kPower &&
      opcode != Opcode::kSelect && opcode != Opcode::kAtan2 && opcode != Opcode::kDot) {
    return std::nullopt;
  }
  const absl::Span<const InstructionId> operands = module.operands(id);
  std::vector<InstructionId> swapped(operands.begin(), operands.end());
  const size_t first = opcode == Opcode::kSelect ? 1 : 0;
  if (swapped.size() < first + 2 || swapped[first] == swapped[first + 1] ||
      module.shape(swapped[first]) != module.shape(swapped[first + 1])) {
    return std::nullopt;
  }
  std::swap(swapped[first], swapped[first + 1]);
  Module broken = module;
  broken.SetOperands(id, swapped);
  return Made(module, id, PrintModule(broken, StageStyle()), {std::string(module.InstructionName(id))});
}

std::optional<PlantedFault> DroppedReduction(const Module& module, InstructionId id, std::mt19937_64& random) {
  if (module.opcode(id) != Opcode::kReduce || module.operands(id).size() != 2) return std::nullopt;
  const absl::Span<const int64_t> dimensions = module.IntsAttribute(id, AttributeKind::kDimensions);
  const Shape& operand = module.shape(module.operand(id, 0));
  if (dimensions.empty()) return std::nullopt;
  const int64_t dropped = dimensions[random() % dimensions.size()];
  if (operand.dimension(dropped) < 2) return std::nullopt;
  std::vector<int64_t> kept, sizes, sliced;
  std::vector<std::string> ranges;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    const bool is_reduced = std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end();
    if (is_reduced && d != dropped) {
      kept.push_back(d);
      continue;
    }
    sizes.push_back(operand.dimension(d));
    sliced.push_back(d == dropped ? 1 : operand.dimension(d));
    ranges.push_back(absl::StrCat("[0:", sliced.back(), "]"));
  }
  const std::string name(module.InstructionName(id));
  const ElementType type = module.shape(id).element_type();
  const std::string lines = absl::StrCat(
      name, ".kept = ", ShapeText(Shape::Array(type, sizes)), " reduce(", module.InstructionName(module.operand(id, 0)),
      ", ", module.InstructionName(module.operand(id, 1)), "), dimensions={", absl::StrJoin(kept, ","),
      "}, to_apply=", module.ComputationName(module.ComputationAttribute(id, AttributeKind::kToApply)), "\n  ", name,
      ".first = ", ShapeText(Shape::Array(type, sliced)), " slice(", name, ".kept), slice={",
      absl::StrJoin(ranges, ", "), "}\n  ", name, " = ", ShapeText(module.shape(id)), " reshape(", name, ".first)");
  return Made(module, id, WithLines(module, id, lines), {name + ".kept", name + ".first", name});
}

std::optional<PlantedFault> WrongPermutation(const Module& module, InstructionId id) {
  const Shape& shape = module.shape(id);
  if (!shape.IsArray() || shape.rank() < 2) return std::nullopt;
  const std::string name(module.InstructionName(id));
  const absl::Span<const int64_t> dimensions = module.IntsAttribute(id, AttributeKind::kDimensions);
  if (module.opcode(id) == Opcode::kTranspose) {
    // The memory stays as it is.
    const std::string line =
        absl::StrCat(name, " = ", ShapeText(shape), " reshape(", module.InstructionName(module.operand(id, 0)), ")");
    return Made(module, id, WithLines(module, id, line), {name});
  }
  if (module.opcode(id) != Opcode::kBroadcast || dimensions.empty()) return std::nullopt;
  // Along another dimension of the same size.
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end()) continue;
    std::vector<int64_t> other(dimensions.begin(), dimensions.end());
    if (shape.dimension(d) != shape.dimension(other.back()) || shape.dimension(d) < 2) continue;
    other.back() = d;
    if (!std::is_sorted(other.begin(), other.end())) continue;
    const std::string line =
        absl::StrCat(name, " = ", ShapeText(shape), " broadcast(", module.InstructionName(module.operand(id, 0)),
                     "), dimensions={", absl::StrJoin(other, ","), "}");
    return Made(module, id, WithLines(module, id, line), {name});
  }
  return std::nullopt;
}

std::optional<PlantedFault> LostPrecision(const Module& module, InstructionId id) {
  const Shape& shape = module.shape(id);
  const Opcode opcode = module.opcode(id);
  if (!shape.IsArray() || !IsWide(shape.element_type()) || opcode == Opcode::kParameter ||
      opcode == Opcode::kConstant) {
    return std::nullopt;
  }
  if (opcode == Opcode::kFusion || opcode == Opcode::kCall || opcode == Opcode::kGetTupleElement) return std::nullopt;
  const std::string name(module.InstructionName(id));
  Shape narrow = shape;
  narrow.set_element_type(ElementType::kBF16);
  std::string first = Line(module, id);
  if (!absl::StartsWith(first, name)) return std::nullopt;
  first.insert(name.size(), ".exact");
  const std::string lines = absl::StrCat(first, "\n  ", name, ".narrow = ", ShapeText(narrow), " convert(", name,
                                         ".exact)\n  ", name, " = ", ShapeText(shape), " convert(", name, ".narrow)");
  return Made(module, id, WithLines(module, id, lines), {name + ".narrow", name});
}

// The pass "fusion": an elementwise instruction and the elementwise instruction that alone uses it become a fusion.
std::string Fused(const Module& module, std::mt19937_64& random) {
  const UserIndex users(module);
  for (InstructionId id : Places(module, random)) {
    const ComputationId computation = module.instruction(id).computation;
    if (computation != module.entry() || !IsElementwiseArray(module, id) || module.operands(id).empty()) continue;
    for (InstructionId producer : module.operands(id)) {
      if (!IsElementwiseArray(module, producer) || module.operands(producer).empty()) continue;
      if (users.users(producer).size() != 1 || module.computation(computation).root == producer) continue;
      std::vector<InstructionId> inputs;
      const auto add = [&](InstructionId operand) {
        if (operand == producer || std::find(inputs.begin(), inputs.end(), operand) != inputs.end()) return;
        inputs.push_back(operand);
      };
      for (InstructionId operand : module.operands(producer)) add(operand);
      for (InstructionId operand : module.operands(id)) add(operand);
      const std::string name = absl::StrCat("fused_computation.", module.instruction_count());
      std::string body = absl::StrCat(name, " {\n"), operands;
      for (size_t k = 0; k < inputs.size(); ++k) {
        absl::StrAppend(&body, "  ", module.InstructionName(inputs[k]), " = ", module.shape(inputs[k]).ToString(),
                        " parameter(", k, ")\n");
        absl::StrAppend(&operands, k > 0 ? ", " : "", module.InstructionName(inputs[k]));
      }
      absl::StrAppend(&body, "  ", Line(module, producer), "\n  ROOT ", Line(module, id), "\n}\n\n");
      const std::string fusion = absl::StrCat(module.InstructionName(id), ".fused = ", module.shape(id).ToString(),
                                              " fusion(", operands, "), kind=kLoop, calls=", name);
      Module renamed = module;
      renamed.mutable_instruction(id).name = renamed.InternString(absl::StrCat(module.InstructionName(id), ".fused"));
      std::string text = WithLines(renamed, id, fusion, body);
      // The producer has no user any more: the dead-code pass takes it.
      const absl::StatusOr<TransformResult> clean = [&]() -> absl::StatusOr<TransformResult> {
        const auto document = Read(text);
        if (document == nullptr) return absl::InvalidArgumentError("");
        return TransformModule(document->module(), {"dce"}, {});
      }();
      if (clean.ok()) return PrintModule(clean->module, StageStyle());
    }
  }
  return "";
}

// The pass "layout-assignment": another order of dimensions in memory for one elementwise instruction.
std::string Relaid(const Module& module, std::mt19937_64& random) {
  for (InstructionId id : Places(module, random)) {
    const Shape& shape = module.shape(id);
    if (module.instruction(id).computation != module.entry() || module.computation(module.entry()).root == id) continue;
    if (!IsElementwiseArray(module, id) || !shape.IsArray() || shape.rank() != 2) continue;
    Layout layout;
    layout.minor_to_major = {0, 1};
    Shape other = shape;
    other.set_layout(layout);
    Module relaid = module;
    relaid.SetShape(id, other);
    std::string text = PrintModule(relaid, StageStyle());
    if (Read(text) != nullptr) return text;
  }
  return "";
}

// The pass "renaming": one instruction gets a number more.
std::string Renamed(const Module& module, std::mt19937_64& random) {
  const std::vector<InstructionId> places = Places(module, random);
  Module renamed = module;
  const InstructionId id = places[0];
  renamed.mutable_instruction(id).name =
      renamed.InternString(absl::StrCat(module.InstructionName(id), ".", random() % 1000));
  return PrintModule(renamed, StageStyle());
}

}  // namespace

const char* FaultName(FaultKind kind) {
  static constexpr const char* kNames[] = {"constant", "swapped operands", "reduction", "permutation", "precision"};
  return kNames[static_cast<size_t>(kind)];
}

std::optional<PlantedFault> PlantFault(const Module& module, FaultKind kind, std::mt19937_64& random) {
  for (InstructionId id : Places(module, random)) {
    std::optional<PlantedFault> fault;
    switch (kind) {
      case FaultKind::kConstant:
        fault = OtherConstant(module, id);
        break;
      case FaultKind::kSwappedOperands:
        fault = SwappedOperands(module, id);
        break;
      case FaultKind::kReduction:
        fault = DroppedReduction(module, id, random);
        break;
      case FaultKind::kPermutation:
        fault = WrongPermutation(module, id);
        break;
      case FaultKind::kPrecision:
        fault = LostPrecision(module, id);
        break;
    }
    if (fault) return fault;
  }
  return std::nullopt;
}

StageMaker::StageMaker(const std::string& text, uint64_t seed) : random_(seed) {
  const auto document = Read(text);
  EXPECT_NE(document, nullptr) << text;
  if (document == nullptr) return;
  module_ = document->module();
  Take("before_optimizations", PrintModule(module_, StageStyle()));
}

void StageMaker::Take(const std::string& pass, const std::string& text) {
  static constexpr const char* kPipelines[] = {"simplification", "fusion", "layout assignment"};
  const size_t number = stages_.size();
  stages_.push_back(
      {number == 0 ? pass : absl::StrFormat("%04d.%s.after_%s.before_next", number - 1, kPipelines[number % 3], pass),
       pass, text});
  const auto document = Read(text);
  EXPECT_NE(document, nullptr) << pass << "\n" << text;
  if (document != nullptr) module_ = document->module();
}

bool StageMaker::Apply(const std::string& pass) {
  std::string text;
  if (pass == "fusion") {
    text = Fused(module_, random_);
  } else if (pass == "layout-assignment") {
    text = Relaid(module_, random_);
  } else if (pass == "renaming") {
    text = Renamed(module_, random_);
  } else if (pass != "nothing") {
    const absl::StatusOr<TransformResult> result = TransformModule(module_, {pass}, {});
    if (result.ok() && result->changed) text = PrintModule(result->module, StageStyle());
  } else {
    text = stages_.back().text;
  }
  if (text.empty() || Read(text) == nullptr) return false;
  Take(pass, text);
  return true;
}

void StageMaker::Step() {
  static constexpr const char* kPasses[] = {"algebraic", "fusion",         "layout-assignment",   "renaming",    "dce",
                                            "cse",       "reshape-reduce", "reshape-elementwise", "inline-calls"};
  const size_t first = random_() % std::size(kPasses);
  for (size_t k = 0; k < std::size(kPasses); ++k) {
    if (Apply(kPasses[(first + k) % std::size(kPasses)])) return;
  }
  Apply("nothing");
}

void StageMaker::Break(const std::string& text) {
  const auto document = Read(text);
  ASSERT_NE(document, nullptr);
  stages_.back().text = text;
  module_ = document->module();
}

void WriteDump(const std::string& folder, int id, const std::string& module_name,
               const std::vector<DumpedStage>& stages) {
  std::filesystem::create_directories(folder);
  for (const DumpedStage& stage : stages) {
    std::ofstream(absl::StrFormat("%s/module_%04d.%s.%s.txt", folder, id, module_name, stage.name)) << stage.text;
  }
}

}  // namespace hloscope
