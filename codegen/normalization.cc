// SPDX-License-Identifier: Apache-2.0
// batch-norm-training, -inference and -grad (docs/ops/tensor.md 8).
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "codegen/conversion_loop.h"
#include "codegen/cpp_types.h"
#include "codegen/families.h"

namespace hloscope::codegen {

absl::Status WriteNormalization(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  writer.program().Use(RuntimePart::kNormalization);
  const Shape& x = module.shape(module.operand(id, 0));
  // Of f32, bf16 and f64 the arrays are those of the operation; narrower types are stored as f32 for it.
  const bool is_bf16 = x.element_type() == ElementType::kBF16;
  const ElementType type = is_bf16 || x.element_type() == ElementType::kF64 ? x.element_type() : ElementType::kF32;
  const std::string element = is_bf16 ? "numerics::Bf16" : NumberType(type);
  const size_t feature = static_cast<size_t>(module.IntAttribute(id, AttributeKind::kFeatureIndex));
  const std::string name = writer.NameFor(id);
  for (size_t k = 1; k < module.operands(id).size(); ++k) {
    const Shape& operand = module.shape(module.operand(id, k));
    if (operand.rank() == 1 || operand.ElementCount() == x.dimension(static_cast<int64_t>(feature))) continue;
    if (k < 4 || module.opcode(id) == Opcode::kBatchNormInference) {
      return absl::UnimplementedError(absl::StrCat("operand ", k, " holds more than one value for a feature"));
    }
  }
  std::vector<std::string> operands, results, wide;
  for (InstructionId operand : module.operands(id)) {
    std::vector<int64_t> order;
    for (int64_t d = 0; d < module.shape(operand).rank(); ++d) order.push_back(d);
    operands.push_back(absl::StrCat(WriteArranged(writer, id, operand, order, {type}), ".as<", element, ">()"));
  }
  const std::vector<Shape> leaves = LeavesOf(module.shape(id));
  for (size_t k = 0; k < leaves.size(); ++k) {
    const bool is_stored = leaves[k].element_type() == type;
    wide.push_back(is_stored ? ""
                             : WriteAllocation(writer, absl::StrCat(name, "_wide"), type, leaves[k].ElementCount()));
    const std::string array = is_stored ? writer.DefineAllocated(id, static_cast<int64_t>(k)) : wide.back();
    results.push_back(absl::StrCat(array, ".to<", element, ">()"));
  }
  const std::string in = writer.LocalName(absl::StrCat(name, "_in")),
                    out = writer.LocalName(absl::StrCat(name, "_out"));
  writer.AddLine(absl::StrCat("const ", element, "* const ", in, "[] = {", absl::StrJoin(operands, ", "), "};"));
  writer.AddLine(absl::StrCat(element, "* const ", out, "[] = {", absl::StrJoin(results, ", "), "};"));
  const absl::string_view kind = module.opcode(id) == Opcode::kBatchNormTraining    ? "kTraining"
                                 : module.opcode(id) == Opcode::kBatchNormInference ? "kInference"
                                                                                    : "kGradient";
  const auto sizes = x.dimensions();
  const double epsilon = static_cast<float>(module.FloatAttribute(id, AttributeKind::kEpsilon));
  writer.AddLine(absl::StrCat("NormalizeBatch<", element, ">(numerics::BatchNorm::", kind, ", {",
                              ProductOf(sizes.first(feature)), ", ", sizes[feature], ", ",
                              ProductOf(sizes.subspan(feature + 1)), "}, ", absl::StrFormat("%af", epsilon), ", ", in,
                              ", ", out, ");"));
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (wide[k].empty()) continue;
    const std::string result = writer.DefineAllocated(id, static_cast<int64_t>(k));
    WriteConversionLoop(writer, id, {leaves[k].ElementCount()}, {wide[k], type, {1}},
                        {result, leaves[k].element_type(), {1}});
  }
  return absl::OkStatus();
}

}  // namespace hloscope::codegen
