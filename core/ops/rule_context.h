// SPDX-License-Identifier: Apache-2.0
// What a family's shape rule and checks see of one instruction, and how they report.
//
// A rule knows nothing about text: it names the part of the instruction that is at fault by an Anchor, and the caller
// turns that into a source range.
#ifndef HLOSCOPE_CORE_OPS_RULE_CONTEXT_H_
#define HLOSCOPE_CORE_OPS_RULE_CONTEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/diagnostics/diagnostic.h"
#include "core/ir/attribute_values.h"
#include "core/ir/module.h"

namespace hloscope {

// A part of an instruction.
struct Anchor {
  enum class Part : uint8_t {
    kInstruction,
    kName,
    kShape,
    kOpcode,
    kOperandList,
    kOperand,
    kAttribute,
    kAttributeValue
  };
  Part part = Part::kOpcode;
  uint32_t index = 0;  // operand number, or AttributeKind
  // Of an attribute: number of an entry of its list, or -1 for the whole attribute.
  int32_t entry = -1;
  // Of an attribute that is a list of fields, as `window`: the field that holds the entry.
  absl::string_view field = {};

  static Anchor Instruction() { return {Part::kInstruction}; }
  static Anchor Name() { return {Part::kName}; }
  static Anchor Shape() { return {Part::kShape}; }
  static Anchor Opcode() { return {Part::kOpcode}; }
  static Anchor OperandList() { return {Part::kOperandList}; }
  static Anchor Operand(size_t k) { return {Part::kOperand, static_cast<uint32_t>(k)}; }
  // Falls back to the opcode if the attribute is not written.
  static Anchor Attribute(AttributeKind kind) { return {Part::kAttribute, static_cast<uint32_t>(kind)}; }
  // The value without the name.
  static Anchor AttributeValue(AttributeKind kind) { return {Part::kAttributeValue, static_cast<uint32_t>(kind)}; }
  // Entry `i` of the list {a,b,...} or axbx... that is the attribute's value. Falls back to the attribute.
  static Anchor Entry(AttributeKind kind, size_t i) {
    return {Part::kAttribute, static_cast<uint32_t>(kind), static_cast<int32_t>(i)};
  }
  // Entry `i` of a field of the attribute, as of `stride` in window={size=3x3 stride=2x2}. Falls back to the attribute.
  static Anchor FieldEntry(AttributeKind kind, absl::string_view field, size_t i) {
    return {Part::kAttribute, static_cast<uint32_t>(kind), static_cast<int32_t>(i), field};
  }
};

// A part of a written shape: the array or tuple at a tuple index, or one thing of it.
struct ShapePart {
  enum class Kind : uint8_t { kWhole, kElementType, kDimensions, kDimension, kLayout };
  Kind kind = Kind::kWhole;
  int64_t dimension = 0;  // for kDimension
  ShapeIndex index = {};
};

// A part of an attribute of the module header.
struct HeaderPart {
  enum class Kind : uint8_t {
    kWhole,            // name and value
    kEntry,            // entry `index` of the list
    kEntryKey,         // what is left of its colon
    kEntryValue,       // and right of it
    kLayoutParameter,  // parameter `index` of entry_computation_layout
    kLayoutResult,     // and its result
  };
  absl::string_view attribute;
  Kind kind = Kind::kWhole;
  size_t index = 0;
};

// Options that change what is accepted (docs/ops/control.md 6.2, docs/cli.md).
struct VerifyOptions {
  bool layout_sensitive = false;
  bool allow_mixed_precision = false;
  // What compilers accept although it has no meaning, or none that is defined, is an error and not a warning.
  bool strict = false;
  // Device counts when the header does not say.
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  // How far the way of each device is followed to see whether they all meet (collectives).
  int64_t collectives_budget = 1'000'000;
  // Whether a run can compute custom calls of this target; null if nobody knows.
  bool (*knows_custom_call)(absl::string_view target) = nullptr;
#define HLO_VERIFY_SWITCH(member, name, default_value, help) bool member = default_value;
#include "core/ops/verify_switches.def"
};

// Turns an anchor into a source range; implemented over the SyntaxTree by the verifier, and by nothing for modules
// that were not read from text.
class AnchorResolver {
 public:
  virtual ~AnchorResolver() = default;
  virtual SourceRange Resolve(InstructionId instruction, Anchor anchor) const = 0;
  // A part of the shape that the instruction declares; the whole shape if the part is not written.
  virtual SourceRange ResolveShapePart(InstructionId instruction, const ShapePart&) const {
    return Resolve(instruction, Anchor::Shape());
  }
  // The name of the computation at its definition; of an inline one, its opening brace.
  virtual SourceRange ResolveComputation(ComputationId) const { return {}; }
  // The part of the module header; the whole attribute if the part is not written, the module's name if that is not.
  virtual SourceRange ResolveHeader(const HeaderPart&) const { return {}; }
};

class RuleContext {
 public:
  RuleContext(const Module& module, InstructionId id, const VerifyOptions& options, const AnchorResolver& resolver,
              DiagnosticSink& sink)
      : module_(module), id_(id), options_(options), resolver_(resolver), sink_(sink) {}

  const Module& module() const { return module_; }
  InstructionId id() const { return id_; }
  const Instruction& instruction() const { return module_.instruction(id_); }
  const VerifyOptions& options() const { return options_; }
  Opcode opcode() const { return instruction().opcode; }
  absl::string_view opcode_name() const { return OpcodeName(opcode()); }

  size_t operand_count() const { return instruction().operand_count; }
  InstructionId operand(size_t k) const { return module_.operand(id_, k); }
  // The invalid shape if the operand could not be read. Drivers call a rule only if all operand shapes are valid.
  const Shape& operand_shape(size_t k) const {
    const InstructionId id = operand(k);
    return id.has_value() ? module_.shape(id) : InvalidShape();
  }
  // The shape the text declares, or the invalid shape.
  const Shape& declared_shape() const;

  // Attribute reads, see Module.
  bool Has(AttributeKind kind) const { return module_.HasAttribute(id_, kind); }
  bool Bool(AttributeKind kind, bool default_value = false) const {
    return module_.BoolAttribute(id_, kind, default_value);
  }
  int64_t Int(AttributeKind kind, int64_t default_value = 0) const {
    return module_.IntAttribute(id_, kind, default_value);
  }
  absl::Span<const int64_t> Ints(AttributeKind kind) const { return module_.IntsAttribute(id_, kind); }
  ComputationId Called(AttributeKind kind) const { return module_.ComputationAttribute(id_, kind); }

  // Signature of a computation: parameter shapes by number, and the root's shape. Invalid shapes where unreadable.
  std::vector<Shape> ParameterShapes(ComputationId computation) const;
  const Shape& RootShape(ComputationId computation) const;

  DiagnosticSink& sink() { return sink_; }
  // Reports at the anchor. The message's arguments follow.
  template <typename... Args>
  Diagnostic& Report(DiagnosticKind kind, Anchor anchor, const Args&... args) {
    return Add(kind, SeverityOf(kind), resolver_.Resolve(id_, anchor), args...);
  }
  // The same for what compilers accept here, though elsewhere the kind is an error. Like the reports of kinds that are
  // always tolerated it does not make the rule fail.
  template <typename... Args>
  Diagnostic& ReportTolerated(DiagnosticKind kind, Anchor anchor, const Args&... args) {
    Diagnostic& diagnostic = sink_.Add(kind, options_.strict ? Severity::kError : Severity::kWarning,
                                       resolver_.Resolve(id_, anchor), {absl::StrCat(args)...});
    diagnostic.is_tolerated = true;
    return diagnostic;
  }
  SourceRange RangeOf(Anchor anchor) const { return resolver_.Resolve(id_, anchor); }
  SourceRange RangeOf(InstructionId other, Anchor anchor) const { return resolver_.Resolve(other, anchor); }
  // As above, at a part of the declared shape.
  template <typename... Args>
  Diagnostic& ReportShapePart(DiagnosticKind kind, const ShapePart& part, const Args&... args) {
    return Add(kind, SeverityOf(kind), RangeOf(part), args...);
  }
  SourceRange RangeOf(const ShapePart& part) const { return resolver_.ResolveShapePart(id_, part); }
  SourceRange RangeOf(InstructionId other, const ShapePart& part) const {
    return resolver_.ResolveShapePart(other, part);
  }
  // Adds to a diagnostic where operand `k` gets its shape: its dimension `d`, or the whole shape.
  void RelateOperand(Diagnostic& diagnostic, size_t k, std::optional<int64_t> d = std::nullopt) const;
  // True once an error was reported.
  bool failed() const { return failed_; }

 private:
  static const Shape& InvalidShape();

  Severity SeverityOf(DiagnosticKind kind) const { return hloscope::SeverityOf(kind, options_.strict); }
  template <typename... Args>
  Diagnostic& Add(DiagnosticKind kind, Severity severity, SourceRange range, const Args&... args) {
    failed_ = failed_ || InfoOf(kind).severity == Severity::kError;
    return sink_.Add(kind, severity, range, {absl::StrCat(args)...});
  }

  const Module& module_;
  InstructionId id_;
  const VerifyOptions& options_;
  const AnchorResolver& resolver_;
  DiagnosticSink& sink_;
  bool failed_ = false;
};

// What a shape rule returns: the inferred shape (layout only where the op dictates one), or nothing if an error was
// reported or if the op's shape cannot be inferred (the declared one then holds).
using InferredShape = std::optional<Shape>;

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_RULE_CONTEXT_H_
