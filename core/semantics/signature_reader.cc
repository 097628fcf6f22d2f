// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/signature_reader.h"

#include "absl/strings/str_cat.h"
#include "core/ops/shape_matching.h"
#include "core/semantics/shape_reader.h"

namespace hloscope {

void SignatureReader::Check(const ComputationSyntax& syntax, ComputationId computation) {
  if (syntax.signature_result.empty()) return;
  ReadParameters(syntax);
  TokenCursor cursor = text_.Cursor(syntax.signature_result, "the result shape");
  const Shape* const result = shapes_.ReadItem(cursor);
  if (result != nullptr) CompareResult(*result, text_.RangeOf(syntax.signature_result), computation);
}

void SignatureReader::CheckResult(const TokenBuffer& result, ComputationId computation) {
  if (result.size() <= 1) return;
  DiagnosticSink quiet;
  const TokenRange all = {0, static_cast<TokenIndex>(result.size()) - 1};
  TokenCursor cursor(text_.source(), result, quiet, all, "the result shape");
  if (const auto shape = ReadShape(cursor)) CompareResult(*shape, RangeOfTokens(result, all), computation);
}

void SignatureReader::ReadParameters(const ComputationSyntax& syntax) {
  TokenCursor cursor = text_.Cursor(syntax.signature_parameters, "the signature");
  while (!cursor.AtEnd()) {
    if (!cursor.At(TokenKind::kName) && !cursor.At(TokenKind::kIdentifier)) {
      cursor.FailExpected("the name of a parameter");
      return;
    }
    text_.names().CheckName(cursor.position(), NameDiagnostics::Owner::kOther);
    cursor.Advance();
    if (shapes_.ReadItem(cursor) == nullptr) return;
    if (cursor.AtEnd()) return;
    if (!cursor.Eat(TokenKind::kComma)) {
      cursor.FailListEnd(TokenKind::kRightParen);
      return;
    }
    if (cursor.AtEnd()) cursor.FailSurplusComma();
  }
}

void SignatureReader::CompareResult(const Shape& result, SourceRange range, ComputationId computation) {
  const InstructionId root = module_.computation(computation).root;
  if (!root.has_value()) return;
  const Shape& shape = module_.shape(root);
  if (!shape.IsValid() || ShapesCompatible(result, shape)) return;
  text_.sink()
      .Report(DiagnosticKind::kSignatureMismatch, range, result.ToString(false), module_.InstructionName(root),
              shape.ToString(false))
      .Related(text_.ids().Resolve(root, Anchor::Shape()), "the root's shape")
      .Fix(absl::StrCat("change the signature to ", shape.ToString(false)), range, shape.ToString(false));
}

}  // namespace hloscope
