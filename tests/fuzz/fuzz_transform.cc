// SPDX-License-Identifier: Apache-2.0
// Rewrites of whatever has no errors: the result has none either, a second time gives nothing, and it computes what the
// module computed.
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "core/print/printer.h"
#include "core/transform/transform.h"
#include "evaluator/compare/tensor_difference.h"
#include "evaluator/engine/constant_folding.h"
#include "tests/fuzz/fuzz_module.h"

namespace {

using hloscope::evaluator::Value;

const std::vector<std::vector<std::string>>& PassLists() {
  static const auto& lists = *new std::vector<std::vector<std::string>>{hloscope::DefaultPasses(),
                                                                        {"algebraic"},
                                                                        {"cse", "dce"},
                                                                        {"fold-constants"},
                                                                        {"canonicalize"},
                                                                        {"inline-calls"},
                                                                        {"unfuse", "cse"},
                                                                        {"strip-metadata"},
                                                                        {"reshape-reduce"},
                                                                        {"algebraic", "fold-constants", "dce"}};
  return lists;
}

[[noreturn]] void Fail(const char* what, const std::string& before, const std::string& after) {
  std::fprintf(stderr, "%s\n--- before\n%s\n--- after\n%s\n", what, before.c_str(), after.c_str());
  __builtin_trap();
}

std::string Text(const hloscope::Module& module) {
  hloscope::PrintOptions print;
  print.large_constants = print.keep_written_digits = true;
  return hloscope::PrintModule(module, print);
}

// Nothing if the run does not finish within its limits.
std::optional<Value> ResultOf(const std::shared_ptr<const hloscope::Module>& module, const std::vector<Value>& inputs) {
  auto session = hloscope::evaluator::Session::Create(module, hloscope::FuzzLimits());
  if (!session.ok()) return std::nullopt;
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (!(*session)->SetArgument(static_cast<int64_t>(k), inputs[k]).ok()) return std::nullopt;
  }
  if ((*session)->Run() != hloscope::evaluator::StopReason::kFinished) return std::nullopt;
  return (*session)->result();
}

// Up to what reordering sums changes.
bool Agree(const Value& a, const Value& b) {
  if (a.IsTensor() != b.IsTensor()) return false;
  if (!a.IsTensor()) {
    if (a.elements().size() != b.elements().size()) return false;
    for (size_t k = 0; k < a.elements().size(); ++k) {
      if (!Agree(a.elements()[k], b.elements()[k])) return false;
    }
    return true;
  }
  const hloscope::evaluator::Tolerance tolerance = hloscope::evaluator::UsualTolerance(a.tensor().element_type());
  const auto difference = hloscope::evaluator::DifferenceOf(a.tensor(), b.tensor(), tolerance);
  return difference.ok() && difference->beyond == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hloscope;
  FuzzBytes bytes(data, size);
  const std::vector<std::string>& passes = PassLists()[bytes.Byte() % PassLists().size()];
  TransformOptions options;
  options.fold = evaluator::FoldInstruction;
  options.explain = bytes.Byte() % 2 == 0;
  options.exact_only = true;
  GeneratorOptions generated;
  generated.random_numbers = false;  // they go by the names of instructions, which a pass may change
  const std::shared_ptr<const Document> document = FuzzedDocument(bytes, generated);
  if (document == nullptr) return 0;
  const auto transformed = TransformModule(document->module(), passes, options);
  if (!transformed.ok()) return 0;
  const std::string before = Text(document->module()), after = Text(transformed->module);
  const auto again = Document::Parse(SourceText::FromString("after.hlo", after));
  if (again->has_errors()) Fail("the rewritten module has errors", before, after);
  const auto twice = TransformModule(again->module(), passes, options);
  // Names that are not printed, of computations that asynchronous instructions wrap, may change.
  if (twice.ok() && twice->changed && !transformed->gave_up && Text(twice->module) != after) {
    Fail("it goes on", after, Text(twice->module));
  }
  const std::vector<Value> arguments = FuzzArguments(document->module());
  if (arguments.size() != document->module().computation(document->module().entry()).parameters.size()) return 0;
  const std::optional<Value> wanted = ResultOf(document->shared_module(), arguments);
  if (!wanted.has_value()) return 0;
  const std::optional<Value> got = ResultOf(again->shared_module(), arguments);
  if (got.has_value() && !Agree(*wanted, *got)) Fail("the results differ", before, after);
  return 0;
}
