// SPDX-License-Identifier: Apache-2.0
#include "core/ops/sugared_opcodes.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/ops/shape_matching.h"

namespace hloscope {

std::optional<AsyncSugar> ParseAsyncSugar(absl::string_view word) {
  static constexpr absl::string_view kExcluded[] = {"all-gather", "all-reduce", "collective-permute",
                                                    "copy",       "send",       "recv"};
  struct Suffix {
    absl::string_view text;
    Opcode link;
  };
  static constexpr Suffix kSuffixes[] = {
      {"-start", Opcode::kAsyncStart}, {"-update", Opcode::kAsyncUpdate}, {"-done", Opcode::kAsyncDone}};
  for (const Suffix& suffix : kSuffixes) {
    absl::string_view base = word;
    if (!absl::ConsumeSuffix(&base, suffix.text)) continue;
    if (std::find(std::begin(kExcluded), std::end(kExcluded), base) != std::end(kExcluded)) return std::nullopt;
    if (const auto wrapped = OpcodeFromName(base)) return AsyncSugar{suffix.link, *wrapped};
  }
  return std::nullopt;
}

std::string AsyncParameterName(size_t number) {
  return number == 0 ? "async_param" : absl::StrCat("async_param.", number);
}

bool BelongsToWrapped(AttributeKind kind, Opcode wrapped) {
  const absl::Span<const AttributeKind> own = InfoOf(wrapped).attributes;
  return std::find(own.begin(), own.end(), kind) != own.end();
}

bool IsCopiedToWrapped(AttributeKind kind) {
  return kind == AttributeKind::kMetadata || kind == AttributeKind::kOrigin || kind == AttributeKind::kBackendConfig ||
         kind == AttributeKind::kFrontendAttributes || kind == AttributeKind::kStatistics;
}

WrappedSignature::WrappedSignature(const Module& module, InstructionId wrapped, const Shape& start) {
  const Opcode opcode = module.opcode(wrapped);
  if (opcode == Opcode::kCall || opcode == Opcode::kFusion) {
    const ComputationId callee =
        module.ComputationAttribute(wrapped, opcode == Opcode::kCall ? AttributeKind::kToApply : AttributeKind::kCalls);
    if (callee.has_value() && module.computation(callee).root.has_value()) {
      is_callees_ = true;
      for (InstructionId parameter : module.computation(callee).parameters) {
        parameters_.push_back(parameter.has_value() ? module.shape(parameter) : Shape());
        is_callees_ = is_callees_ && parameters_.back().IsValid();
      }
      result_ = module.shape(module.computation(callee).root);
      if (is_callees_ && result_.IsValid()) return;
    }
  }
  is_callees_ = false;
  parameters_.assign(start.element(0).elements().begin(), start.element(0).elements().end());
  result_ = start.element(1);
}

void WrappedSignature::Bind(Opcode link, const Shape& shape) {
  if (is_callees_ || !shape.IsValid()) return;
  // What contradicts the links before is reported, and does not count.
  const auto bind = [](const Shape& bound, Shape& part) {
    if (IsShapePrefix(part, bound, VerifyOptions())) part = bound;
  };
  if (link == Opcode::kAsyncDone) {
    bind(shape, result_);
    return;
  }
  if (!shape.IsTuple() || shape.tuple_size() < 2 || !shape.element(0).IsTuple()) return;
  for (int64_t k = 0; k < shape.element(0).tuple_size(); ++k) {
    if (static_cast<size_t>(k) == parameters_.size()) parameters_.emplace_back(Shape::Tuple({}));
    bind(shape.element(0).element(k), parameters_[static_cast<size_t>(k)]);
  }
  bind(shape.element(1), result_);
}

}  // namespace hloscope
