// SPDX-License-Identifier: Apache-2.0
#include "tests/support/shape_text.h"

#include <optional>

#include "core/semantics/shape_reader.h"
#include "gtest/gtest.h"

namespace hloscope {

Shape ShapeFromText(absl::string_view text) {
  const auto source = SourceText::FromString("shape", std::string(text));
  DiagnosticSink sink;
  const std::optional<Shape> shape = ReadShapeText(*source, sink);
  if (shape) return *shape;
  ADD_FAILURE() << "not a shape: " << text << ": "
                << (sink.diagnostics().empty() ? "" : sink.diagnostics()[0].Message());
  return Shape();
}

}  // namespace hloscope
