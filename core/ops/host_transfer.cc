// SPDX-License-Identifier: Apache-2.0
#include "core/ops/host_transfer.h"

#include <cctype>

#include "absl/strings/numbers.h"
#include "core/ops/asynchronous.h"
#include "core/ops/frontend_attributes.h"
#include "core/ops/shape_inference.h"
#include "core/ops/shape_matching.h"
#include "core/ops/tuple.h"

namespace hloscope {
namespace {

// Reads characters of a list of pairs, skipping white space.
class PairScanner {
 public:
  explicit PairScanner(absl::string_view text) : rest_(text) {}

  bool Eat(char c) {
    SkipSpace();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool Number(int64_t* value) {
    SkipSpace();
    size_t length = !rest_.empty() && rest_.front() == '-' ? 1 : 0;
    while (length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9') ++length;
    const bool good = absl::SimpleAtoi(rest_.substr(0, length), value);
    rest_.remove_prefix(length);
    return good;
  }
  bool AtEnd() {
    SkipSpace();
    return rest_.empty();
  }

 private:
  void SkipSpace() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) rest_.remove_prefix(1);
  }
  absl::string_view rest_;
};

// (data, token)
InferredShape InferInfeed(RuleContext& context) {
  CheckTokenOperand(context, 0);
  const Shape& declared = context.declared_shape();
  if (!declared.IsTuple() || declared.tuple_size() == 0) return std::nullopt;  // reported by the reader
  return Shape::Tuple({declared.element(0), Shape::Token()});
}

InferredShape InferOutfeed(RuleContext& context) {
  CheckTokenOperand(context, 1);
  const Shape* written = context.module().ShapeAttribute(context.id(), AttributeKind::kOutfeedShape);
  const Shape& data = context.operand_shape(0);
  if (written != nullptr && !ShapesMatch(*written, data, context.options(), LayoutMatching::MinorToMajorOnly())) {
    const bool with_layout = context.options().layout_sensitive;
    context.Report(DiagnosticKind::kOutfeedShape, Anchor::Attribute(AttributeKind::kOutfeedShape),
                   ShapeText(*written, with_layout), ShapeText(data, with_layout),
                   DescribeDifference(*written, data, with_layout));
  }
  return Shape::Token();
}

InferredShape InferRecv(RuleContext& context) {
  CheckToleratedTokenOperand(context, 0);
  const Shape& declared = context.declared_shape();
  if (!declared.IsTuple() || declared.tuple_size() == 0) return std::nullopt;  // reported by the reader
  return Shape::Tuple({declared.element(0), Shape::Scalar(ElementType::kU32), Shape::Token()});
}

// The data element of the context that a recv hands to its done.
InferredShape InferRecvDone(RuleContext& context) {
  if (FollowsUnfitStart(context, 1) || !CheckTupleOperand(context, 0)) return std::nullopt;
  const Shape& operand = context.operand_shape(0);
  if (operand.tuple_size() == 0) {
    context.Report(DiagnosticKind::kTupleAccess, Anchor::Operand(0), 0, ShapeText(operand));
    return std::nullopt;
  }
  return Shape::Tuple({operand.element(0), Shape::Token()});
}

}  // namespace

std::optional<SourceTargetPairs> ParseSourceTargetPairs(absl::string_view text) {
  SourceTargetPairs pairs;
  PairScanner scanner(text);
  if (!scanner.Eat('{')) return std::nullopt;
  if (!scanner.Eat('}')) {
    do {
      std::pair<int64_t, int64_t> pair;
      if (!scanner.Eat('{') || !scanner.Number(&pair.first) || !scanner.Eat(',') || !scanner.Number(&pair.second) ||
          !scanner.Eat('}')) {
        return std::nullopt;
      }
      pairs.push_back(pair);
    } while (scanner.Eat(','));
    if (!scanner.Eat('}')) return std::nullopt;
  }
  if (!scanner.AtEnd()) return std::nullopt;
  return pairs;
}

const std::string* SendRecvPairsText(const Module& module, InstructionId id) {
  return FindFrontendAttribute(module, id, "_xla_send_recv_source_target_pairs");
}

bool TakesPartInDeadlocks(const Module& module, InstructionId id) {
  return !IsHostTransfer(module, id) && FindFrontendAttribute(module, id, "_xla_send_recv_pipeline") == nullptr;
}

InferredShape InferHostTransfer(RuleContext& context) {
  switch (context.opcode()) {
    case Opcode::kInfeed:
      return InferInfeed(context);
    case Opcode::kOutfeed:
      return InferOutfeed(context);
    case Opcode::kSend:
      CheckToleratedTokenOperand(context, 1);
      return Shape::Tuple({context.operand_shape(0), Shape::Scalar(ElementType::kU32), Shape::Token()});
    case Opcode::kRecv:
      return InferRecv(context);
    case Opcode::kSendDone:
      return Shape::Token();
    case Opcode::kRecvDone:
      return InferRecvDone(context);
    default:  // of another family
      return std::nullopt;
  }
}

}  // namespace hloscope
