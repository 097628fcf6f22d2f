#include "core/ops/shape_inference.h"

#include "absl/strings/str_cat.h"

namespace hloscope {

InferredShape InferShape(RuleContext& context) {
  const OpcodeInfo& info = InfoOf(context.opcode());
  if (info.arity >= 0 && context.operand_count() != static_cast<size_t>(info.arity)) {
    context.Report(DiagnosticKind::kOperandCount, Anchor::OperandList(), info.name,
                   info.arity == 1 ? "1 operand" : absl::StrCat(info.arity, " operands"), context.operand_count());
    return std::nullopt;
  }
  switch (info.family) {
#define HLO_FAMILY(Enum, file) \
  case OpFamily::k##Enum:      \
    return Infer##Enum(context);
#include "core/ops/families.def"
  }
  return std::nullopt;
}

}  // namespace hloscope
