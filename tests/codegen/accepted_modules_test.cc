// SPDX-License-Identifier: Apache-2.0
// What `check` accepts, with or without warnings, is run, rewritten and compiled: on both sides of the border of each
// rule. What cannot be is refused for one of a few reasons. HLOSCOPE_RULE_PAIRS sets how many pairs of each rule are
// tried.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "codegen/program.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "core/transform/transform.h"
#include "evaluator/engine/constant_folding.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "tests/support/random_search.h"
#include "tests/support/rule_pairs.h"

namespace hloscope::codegen {
namespace {

// Parts of the messages of runs on one device, with random arguments and little memory.
constexpr absl::string_view kNotRun[] = {
    "but the run has",  // more devices
    "does not have",    // pairs of more devices
    "the evaluator does not know the target",
    "has no host to exchange data with",
    "memory limit",
    "dynamic-reshape: sizes",  // the values of the argument
    "set-dimension-size: size",
    "rng: empty range",
    "is not defined for",  // operations of types that are only accepted
    "map: operands have different ranks",
    "not integers",  // group sizes of a ragged-dot
    "which holds the index vectors, is a batching dimension",
    "sparsity",
};
constexpr absl::string_view kNotCompiled[] = {
    "a compiled program runs on one device",
    "its numbers come from the state of a run",
    "the program has no function of this target",
    "sizes that are only known at run time",
    "values of this type",  // buffers
    "structured sparsity",
    "is not defined for",
    "operands of different sizes",
    "group sizes that are not integers",
    "a bitcast between elements of different widths",
};

bool IsOneOf(absl::Span<const absl::string_view> parts, absl::string_view message) {
  return absl::c_any_of(parts, [&](absl::string_view part) { return absl::StrContains(message, part); });
}

absl::Status RunOf(const std::shared_ptr<const Module>& module) {
  evaluator::SessionOptions options;
  options.threads = 2;
  options.time_limit_seconds = 60;
  options.memory_limit_bytes = int64_t{1} << 26;
  auto session = evaluator::Session::Create(module, options);
  if (!session.ok()) return session.status();
  const auto& parameters = module->computation(module->entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const auto number = static_cast<int64_t>(k);
    const auto make = [shape = module->shape(parameters[k]), number](numerics::Executor*) {
      return evaluator::FillValue(shape, evaluator::FillKind::kRandom, 1, number);
    };
    if (absl::Status set = (*session)->SetArgumentMaker(number, make); !set.ok()) return set;
  }
  (*session)->Run();
  return (*session)->status();
}

std::string ErrorsAfterAllPasses(const Module& module) {
  TransformOptions options;
  options.fold = evaluator::FoldInstruction;
  std::vector<std::string> passes;
  for (const PassInfo& pass : AllPasses()) passes.emplace_back(pass.name);
  const auto transformed = TransformModule(module, passes, options);
  if (!transformed.ok()) return transformed.status().ToString();
  const std::string text = PrintModule(transformed->module, WholeText());
  const DocumentPointer after = ParseRandomModule(text);
  return after->has_errors() ? absl::StrCat(ErrorsOf(*after), text) : "";
}

// What is wrong with an accepted module.
std::string ProblemOf(const Document& document) {
  if (const absl::Status run = RunOf(document.shared_module()); !run.ok() && !IsOneOf(kNotRun, run.message())) {
    return absl::StrCat("it is not run: ", run.message());
  }
  if (const std::string errors = ErrorsAfterAllPasses(document.module()); !errors.empty()) {
    return absl::StrCat("it is not rewritten: ", errors);
  }
  const ProgramModule part = {&document.module(), "m"};
  const Program program = GenerateProgram({&part, 1});
  for (const NotCompiled& refusal : program.not_compiled[0]) {
    if (!IsOneOf(kNotCompiled, refusal.reason)) return absl::StrCat("it is not compiled: ", refusal.reason);
  }
  return "";
}

TEST(AcceptedModulesTest, AreRunRewrittenAndCompiledOrRefusedForAReason) {
  const char* wanted = std::getenv("HLOSCOPE_RULE_PAIRS");
  const uint64_t pairs = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 4;
  int accepted = 0, warned = 0, failures = 0;
  for (size_t kind = 0; kind < RulePairKinds(); ++kind) {
    for (uint64_t seed = 0; seed < pairs && failures < 20; ++seed) {
      const RulePair pair = MakeRulePair(kind, seed);
      for (const std::string* text : {&pair.good, &pair.bad}) {
        const auto document = Document::Parse(SourceText::FromString("pair", *text));
        if (document->has_errors()) continue;
        ++(text == &pair.good ? accepted : warned);
        const std::string problem = ProblemOf(*document);
        if (problem.empty()) continue;
        ++failures;
        ADD_FAILURE() << "kind " << kind << ", seed " << seed << ": " << problem << "\n" << *text;
      }
    }
  }
  EXPECT_GT(accepted, static_cast<int>(RulePairKinds()));
  EXPECT_GT(warned, 0);
}

}  // namespace
}  // namespace hloscope::codegen
