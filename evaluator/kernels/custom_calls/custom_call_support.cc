// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/custom_calls/custom_call_support.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace hloscope::evaluator {
namespace {

bool IsWordCharacter(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool Fits(const Value& value, const Shape& shape) {
  if (!value.IsTensor()) return !shape.IsArray();
  return shape.IsArray() && value.tensor().element_type() == shape.element_type() &&
         value.tensor().dimensions() == shape.dimensions();
}

}  // namespace

absl::string_view CustomCallTarget(const KernelContext& context) {
  return context.module.StringAttribute(context.id, AttributeKind::kCustomCallTarget);
}

absl::Status CustomCallError(const KernelContext& context, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("custom-call ", context.module.InstructionName(context.id),
                                                 " (target \"", CustomCallTarget(context), "\"): ", what));
}

absl::Status CheckArrayOperands(const KernelContext& context, size_t count) {
  if (context.operands.size() < count) {
    return CustomCallError(context, absl::StrCat("needs ", count, " operands, got ", context.operands.size()));
  }
  for (size_t k = 0; k < count; ++k) {
    if (!context.operands[k].IsTensor())
      return CustomCallError(context, absl::StrCat("operand ", k, " must be an array"));
  }
  return absl::OkStatus();
}

absl::Status CheckMatrixOperand(const KernelContext& context, size_t k) {
  if (absl::Status s = CheckArrayOperands(context, k + 1); !s.ok()) return s;
  const Tensor& matrices = context.tensor(k);
  if (matrices.rank() < 2 || !(IsFloat(matrices.element_type()) || IsComplex(matrices.element_type()))) {
    return CustomCallError(context, absl::StrCat("operand ", k, " must be a floating-point or complex matrix, is ",
                                                 matrices.shape().ToString(false)));
  }
  return absl::OkStatus();
}

ComputationId CalledComputation(const KernelContext& context) {
  const ComputationId to_apply = context.module.ComputationAttribute(context.id, AttributeKind::kToApply);
  if (to_apply.has_value()) return to_apply;
  const absl::Span<const ComputationId> called =
      context.module.ComputationsAttribute(context.id, AttributeKind::kCalledComputations);
  return called.empty() ? ComputationId::None() : called[0];
}

std::optional<absl::string_view> BackendConfigValue(const KernelContext& context, absl::string_view key) {
  const RawValue* config = context.module.RawAttribute(context.id, AttributeKind::kBackendConfig);
  if (config == nullptr) return std::nullopt;
  const absl::string_view text = config->text;
  for (size_t at = text.find(key); at != absl::string_view::npos; at = text.find(key, at + 1)) {
    size_t end = at + key.size();
    if ((at > 0 && IsWordCharacter(text[at - 1])) || (end < text.size() && IsWordCharacter(text[end]))) continue;
    while (end < text.size() && (text[end] == '"' || text[end] == ' ' || text[end] == '\\')) ++end;
    if (end >= text.size() || (text[end] != '=' && text[end] != ':')) continue;
    ++end;
    while (end < text.size() && (text[end] == '"' || text[end] == ' ' || text[end] == '\\')) ++end;
    const size_t begin = end;
    while (end < text.size() &&
           (IsWordCharacter(text[end]) || text[end] == '-' || text[end] == '+' || text[end] == '.')) {
      ++end;
    }
    return text.substr(begin, end - begin);
  }
  return std::nullopt;
}

std::optional<int64_t> BackendConfigInt(const KernelContext& context, absl::string_view key) {
  const std::optional<absl::string_view> text = BackendConfigValue(context, key);
  int64_t value;
  if (!text || !absl::SimpleAtoi(*text, &value)) return std::nullopt;
  return value;
}

absl::StatusOr<Value> CustomCallResult(const KernelContext& context, std::vector<Value> results) {
  const Shape& shape = context.shape();
  const size_t declared = shape.IsTuple() ? static_cast<size_t>(shape.tuple_size()) : 1;
  if (results.size() > declared) {
    return CustomCallError(
        context, absl::StrCat("computes ", results.size(), " results, but its shape is ", shape.ToString(false)));
  }
  for (size_t k = 0; k < declared; ++k) {
    const Shape& element = shape.IsTuple() ? shape.element(static_cast<int64_t>(k)) : shape;
    if (k >= results.size()) {
      absl::StatusOr<Value> unspecified = ZeroValue(element);
      if (!unspecified.ok()) return unspecified;
      results.push_back(*std::move(unspecified));
    } else if (!Fits(results[k], element)) {
      return CustomCallError(context, absl::StrCat("result ", k, " cannot have the shape ", element.ToString(false)));
    }
  }
  return shape.IsTuple() ? Value::Tuple(std::move(results)) : results[0];
}

}  // namespace hloscope::evaluator
