// SPDX-License-Identifier: Apache-2.0
// Reads a module, says what is wrong with it, runs it on made-up arguments and prints the result. See docs/library.md.
#include <cstdio>
#include <memory>
#include <string>

#include "core/diagnostics/render.h"
#include "core/document/document.h"
#include "core/print/literal_printer.h"
#include "core/print/printer.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/value.h"

namespace {

constexpr char kModule[] = R"(HloModule example

ENTRY main {
  x = f32[2,3] parameter(0)
  y = f32[2,3] constant({{1, 2, 3}, {4, 5, 6}})
  ROOT sum = f32[2,3] add(x, y)
}
)";

}  // namespace

int main() {
  // Parse, infer shapes, verify.
  const auto document = hloscope::Document::Parse(hloscope::SourceText::FromString("example.hlo", kModule));
  for (const hloscope::Diagnostic& diagnostic : document->diagnostics()) {
    std::fputs(hloscope::RenderDiagnostic(document->source(), diagnostic, {}).c_str(), stderr);
  }
  if (document->has_errors()) return 1;

  // Print it again.
  std::fputs(hloscope::PrintModule(document->module(), hloscope::PrintOptions::Short()).c_str(), stdout);

  // Evaluate it.
  using namespace hloscope::evaluator;
  absl::StatusOr<std::unique_ptr<Session>> session = Session::Create(document->shared_module(), SessionOptions());
  if (!session.ok()) return 1;
  const absl::StatusOr<Tensor> x =
      Tensor::FromValues<float>(hloscope::ElementType::kF32, {2, 3}, {10, 20, 30, 40, 50, 60});
  if (!x.ok() || !(*session)->SetArgument(0, Value(*x)).ok()) return 1;
  if ((*session)->Run() != StopReason::kFinished) {
    std::fprintf(stderr, "%s\n", std::string((*session)->status().message()).c_str());
    return 1;
  }
  const absl::StatusOr<hloscope::Literal> result = LiteralOf((*session)->result());
  if (!result.ok()) return 1;
  std::printf("%s\n", hloscope::PrintLiteral(*result, {.large = true, .shapes = true}).c_str());
  return 0;
}
