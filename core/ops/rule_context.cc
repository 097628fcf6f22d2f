// SPDX-License-Identifier: Apache-2.0
#include "core/ops/rule_context.h"

namespace hloscope {

const Shape& RuleContext::InvalidShape() {
  static const Shape* const shape = new Shape();
  return *shape;
}

const Shape& RuleContext::declared_shape() const {
  return instruction().shape_declared ? module_.shape(id_) : InvalidShape();
}

std::vector<Shape> RuleContext::ParameterShapes(ComputationId computation) const {
  std::vector<Shape> shapes;
  for (InstructionId parameter : module_.computation(computation).parameters) {
    shapes.push_back(parameter.has_value() ? module_.shape(parameter) : InvalidShape());
  }
  return shapes;
}

void RuleContext::RelateOperand(Diagnostic& diagnostic, size_t k, std::optional<int64_t> d) const {
  const InstructionId id = operand(k);
  ShapePart part;
  if (d.has_value()) {
    part.kind = ShapePart::Kind::kDimension;
    part.dimension = *d;
  }
  const SourceRange range = RangeOf(id, part);
  if (range.empty()) return;
  diagnostic.Related(range, absl::StrCat("`", module_.InstructionName(id), "` is ", operand_shape(k).ToString(false)));
}

const Shape& RuleContext::RootShape(ComputationId computation) const {
  const InstructionId root = module_.computation(computation).root;
  return root.has_value() ? module_.shape(root) : InvalidShape();
}

}  // namespace hloscope
