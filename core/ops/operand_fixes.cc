// SPDX-License-Identifier: Apache-2.0
#include "core/ops/operand_fixes.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ops/dimension_rules.h"
#include "core/ops/element_type_rules.h"

namespace hloscope {
namespace {

// `prefix` OPERAND `)` in place of operand `k`: an instruction without attributes can be where its value is used.
void WrapOperand(const RuleContext& context, FixIt& fix, size_t k, std::string prefix) {
  const SourceRange range = context.RangeOf(Anchor::Operand(k));
  fix.edits.push_back({{range.begin, range.begin}, std::move(prefix)});
  fix.edits.push_back({{range.end, range.end}, std::string(1, ')')});
}

// False for modules that were not read from a text.
bool HasText(const RuleContext& context, size_t k) { return !context.RangeOf(Anchor::Operand(k)).empty(); }

FixIt& AddFix(Diagnostic& diagnostic, std::string title) {
  FixIt& fix = diagnostic.fixes.emplace_back();
  fix.title = std::move(title);
  return fix;
}

std::string TextWithType(const Shape& shape, ElementType type) {
  return WithElementType(shape, type).ToString(/*with_layout=*/false);
}

// True if the instruction has a name in the text: a nested one has none.
bool IsNamed(const RuleContext& context, InstructionId id) {
  const SourceRange name = context.RangeOf(id, Anchor::Name()), opcode = context.RangeOf(id, Anchor::Opcode());
  return !name.empty() && name.begin != opcode.begin;
}

// A name that nothing in the module has.
std::string FreshName(const RuleContext& context, absl::string_view wanted) {
  std::string name(wanted);
  for (int i = 1; context.module().HasString(name); ++i) name = absl::StrCat(wanted, ".", i);
  return name;
}

}  // namespace

void OfferConversion(const RuleContext& context, Diagnostic& diagnostic, absl::Span<const size_t> operands,
                     ElementType type) {
  if (operands.empty() || !HasText(context, operands[0])) return;
  FixIt& fix = AddFix(
      diagnostic, absl::StrCat("convert operand ", absl::StrJoin(operands, " and "), " to ", ElementTypeName(type)));
  for (size_t k : operands) {
    WrapOperand(context, fix, k, absl::StrCat(TextWithType(context.operand_shape(k), type), " convert("));
  }
}

void OfferScalar(const RuleContext& context, Diagnostic& diagnostic, size_t k) {
  const Shape& operand = context.operand_shape(k);
  if (!operand.IsArray() || operand.IsDynamic() || operand.rank() == 0 || operand.ElementCount() != 1) return;
  if (!HasText(context, k)) return;
  WrapOperand(context, AddFix(diagnostic, absl::StrCat("reshape the array of one element to a scalar")), k,
              absl::StrCat(Shape::Scalar(operand.element_type()).ToString(), " reshape("));
}

std::string BroadcastText(const RuleContext& context, size_t k, const Shape& target,
                          absl::Span<const int64_t> dimensions) {
  const Shape& operand = context.operand_shape(k);
  const InstructionId id = context.operand(k);
  std::string source(IsNamed(context, id) ? context.module().InstructionName(id) : "...");
  if (static_cast<int64_t>(dimensions.size()) < operand.rank()) {
    DimensionVector kept;
    for (int64_t d : dimensions) kept.push_back(target.dimension(d));
    source = absl::StrCat(Shape::Array(operand.element_type(), kept).ToString(), " reshape(", source, ")");
  }
  return absl::StrCat(TextWithType(target, operand.element_type()), " broadcast(", source, "), dimensions={",
                      absl::StrJoin(dimensions, ","), "}");
}

void OfferBroadcast(const RuleContext& context, Diagnostic& diagnostic, size_t k, const Shape& target,
                    absl::Span<const int64_t> dimensions) {
  if (!HasText(context, k)) return;
  const Shape& operand = context.operand_shape(k);
  if (operand.rank() == 0) {
    WrapOperand(context, AddFix(diagnostic, absl::StrCat("broadcast the scalar explicitly")), k,
                absl::StrCat(TextWithType(target, operand.element_type()), " broadcast("));
    return;
  }
  const InstructionId id = context.operand(k);
  if (!IsNamed(context, context.id()) || !IsNamed(context, id)) return;
  const std::string name = FreshName(context, absl::StrCat(context.module().InstructionName(id), ".broadcast"));
  const uint32_t begin = context.RangeOf(Anchor::Instruction()).begin;
  FixIt& fix = AddFix(diagnostic, absl::StrCat("insert the broadcast"));
  fix.edits.push_back(
      {{begin, begin}, absl::StrCat(name, " = ", BroadcastText(context, k, target, dimensions), "\n  ")});
  fix.edits.push_back({context.RangeOf(Anchor::Operand(k)), name});
}

}  // namespace hloscope
