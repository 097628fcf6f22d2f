// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/inferred_shape.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"

namespace hloscope::stablehlo {

std::optional<Shape> InferHloShape(absl::string_view opcode, absl::Span<const HloRef> operands,
                                   absl::string_view attributes, absl::string_view computations) {
  std::string text = absl::StrCat("HloModule m\n\n", computations, "ENTRY %e {\n");
  std::string names;
  for (size_t k = 0; k < operands.size(); ++k) {
    absl::StrAppend(&text, "%p", k, " = ", operands[k]->shape.ToString(), " parameter(", k, ")\n");
    absl::StrAppend(&names, k > 0 ? ", %p" : "%p", k);
  }
  absl::StrAppend(&text, "ROOT %r = ", opcode, "(", names, ")", attributes, "\n}\n");
  const std::shared_ptr<const Document> document = Document::Parse(SourceText::FromString("", std::move(text)));
  if (document->has_errors() || !document->module().entry().has_value()) return std::nullopt;
  const Module& module = document->module();
  const Shape& shape = module.shape(module.computation(module.entry()).root);
  if (!shape.IsValid() || shape.HasUnboundedDimension()) return std::nullopt;
  return shape.WithoutLayout();
}

}  // namespace hloscope::stablehlo
