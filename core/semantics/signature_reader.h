// SPDX-License-Identifier: Apache-2.0
// Signatures of computations, `(a: f32[2]) -> f32[2]`, which say nothing that the instructions do not: parameters are
// read and then ignored, the result is compared with the root (docs/text-format.md 3). Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_SIGNATURE_READER_H_
#define HLOSCOPE_CORE_SEMANTICS_SIGNATURE_READER_H_

#include "core/ir/module.h"
#include "core/semantics/read_text.h"
#include "core/semantics/shape_cache.h"

namespace hloscope {

class SignatureReader {
 public:
  SignatureReader(ReadText& text, const Module& module, ShapeCache& shapes)
      : text_(text), module_(module), shapes_(shapes) {}

  // The signature of the computation, whose root is known.
  void Check(const ComputationSyntax& syntax, ComputationId computation);
  // Its result alone; a malformed one is not reported.
  void CheckResult(const TokenBuffer& result, ComputationId computation);

 private:
  void ReadParameters(const ComputationSyntax& syntax);
  // Compares the result, which is written at `range`, with the root.
  void CompareResult(const Shape& result, SourceRange range, ComputationId computation);

  ReadText& text_;
  const Module& module_;
  ShapeCache& shapes_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_SIGNATURE_READER_H_
