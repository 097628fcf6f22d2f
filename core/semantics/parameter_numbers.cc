// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/parameter_numbers.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"

namespace hloscope {

void ParameterNumbers::Read(const InstructionSyntax& node, InstructionId id) {
  TokenCursor cursor = text_.Cursor(node.arguments, "parameter");
  const absl::string_view digits = cursor.text();
  const SourceRange range = cursor.range();
  const auto number = cursor.Int();
  if (!number || !cursor.ExpectEnd()) return;
  if (*number < 0 || *number >= std::numeric_limits<int32_t>::max()) {
    text_.sink().Report(DiagnosticKind::kNegativeParameterNumber, range, digits);
    return;
  }
  const uint32_t n = static_cast<uint32_t>(*number);
  if (const InstructionId other = Find(n); other.has_value()) {
    text_.sink()
        .Report(DiagnosticKind::kDuplicateParameterNumber, range, n)
        .Related(text_.ids().Resolve(other, Anchor::Instruction()), "the first parameter with this number is here");
    return;
  }
  Add(n, id);
  if (n >= kMaxInTable) {
    far_[{epoch_, n}] = id;
    return;
  }
  if (n >= table_.size()) table_.resize(n + 1);
  table_[n] = {epoch_, id};
}

void ParameterNumbers::AddImplied(InstructionId id) { Add(static_cast<uint32_t>(in_text_order_.size()), id); }

void ParameterNumbers::Add(uint32_t number, InstructionId id) {
  module_.mutable_instruction(id).parameter_number = number;
  in_text_order_.emplace_back(number, id);
}

InstructionId ParameterNumbers::Find(uint32_t number) const {
  if (number < kMaxInTable) {
    const bool is_seen = number < table_.size() && table_[number].epoch == epoch_;
    return is_seen ? table_[number].id : InstructionId::None();
  }
  const auto it = far_.find({epoch_, number});
  return it == far_.end() ? InstructionId::None() : it->second;
}

void SetParameters(ReadText& text, Module& module, ComputationId computation_id,
                   absl::Span<const NumberedParameter> owners, bool has_unreadable) {
  // Numbers without gaps are 0 to count-1; reported ones are left out.
  const size_t size = owners.size();
  uint32_t count = 0;
  for (const auto& [number, id] : owners) count = std::max(count, number + 1);
  if (count > size && has_unreadable) {
    // The missing number may be that of an instruction that could not be read.
    const size_t instructions = module.computation(computation_id).instructions.size();
    count = std::min(count, static_cast<uint32_t>(instructions));
  } else if (count > size) {
    const uint32_t expected = static_cast<uint32_t>(size) - 1;
    for (const auto& [number, id] : owners) {
      if (number <= expected) continue;
      text.sink().Report(DiagnosticKind::kParameterGap, text.ids().Resolve(id, Anchor::OperandList()), number,
                         absl::StrCat(size, size == 1 ? " parameter" : " parameters"), expected);
      module.mutable_instruction(id).has_reading_errors = true;
    }
    count = expected + 1;
  }
  Computation& computation = module.mutable_computation(computation_id);
  computation.parameters.assign(count, InstructionId::None());
  for (const auto& [number, id] : owners) {
    if (number < count) computation.parameters[number] = id;
  }
}

}  // namespace hloscope
