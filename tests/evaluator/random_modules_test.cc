// SPDX-License-Identifier: Apache-2.0
// Properties of all opcodes and element types together, on random modules: what is printed reads back as the same
// module, and however a module is run, stepped, taken back or rewritten, it gives the same results.
//
// HLOSCOPE_RANDOM_SECONDS sets how long each property looks for a counterexample (default 2), HLOSCOPE_RANDOM_SEED
// where the seeds start. A failure prints its seed and the smallest module that shows it.
#include <signal.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/module_compare.h"
#include "core/document/document.h"
#include "core/editing/comments.h"
#include "core/editing/text_style.h"
#include "core/print/printer.h"
#include "core/transform/transform.h"
#include "evaluator/engine/constant_folding.h"
#include "evaluator/engine/session.h"
#include "evaluator/engine/time_travel.h"
#include "evaluator/tensor/fill.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/module_generator.h"
#include "tests/support/random_search.h"

namespace hloscope::evaluator {
namespace {

absl::StatusOr<std::unique_ptr<Session>> SessionOn(const std::shared_ptr<const Module>& module, uint64_t seed,
                                                   bool keep_values) {
  SessionOptions options;
  options.threads = 2;
  options.time_limit_seconds = 60;
  options.random_seed = seed;
  auto session = Session::Create(module, options);
  if (!session.ok()) return session.status();
  (*session)->set_keep_values(keep_values);
  const auto& parameters = module->computation(module->entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    auto value = FillValue(module->shape(parameters[k]), FillKind::kRandom, seed, static_cast<int64_t>(k));
    if (!value.ok()) return value.status();
    if (absl::Status set = (*session)->SetArgument(static_cast<int64_t>(k), *std::move(value)); !set.ok()) return set;
  }
  return session;
}

absl::StatusOr<Value> ResultOf(const std::shared_ptr<const Module>& module, uint64_t seed, bool keep_values) {
  auto session = SessionOn(module, seed, keep_values);
  if (!session.ok()) return session.status();
  if ((*session)->Run() != StopReason::kFinished) return (*session)->status();
  return (*session)->result();
}

std::string Differs(const absl::StatusOr<Value>& actual, const absl::StatusOr<Value>& expected) {
  if (!actual.ok() || !expected.ok()) {
    return actual.status() == expected.status()
               ? ""
               : absl::StrCat("one run fails: ", actual.status().ToString(), " / ", expected.status().ToString());
  }
  const ::testing::AssertionResult agree = ValuesAgree(*actual, *expected, 0);
  return agree ? "" : agree.message();
}

TEST(RandomModulesDeathTest, ACrashSaysItsSeed) {
  const Property crash = [](const DocumentPointer&, uint64_t) -> std::string {
    raise(SIGSEGV);
    return "";
  };
  EXPECT_DEATH(Search({}, crash), absl::StrCat("HLOSCOPE_RANDOM_SEED=", FirstSeed()));
}

TEST(RandomModulesTest, OptionsThatLeaveNoOpcodeGiveConstants) {
  GeneratorOptions options;
  options.opcodes = {"partition-id", "replica-id"};
  options.collectives = false;
  const DocumentPointer document = ParseRandomModule(RandomModule(1, options));
  EXPECT_FALSE(document->has_errors()) << ErrorsOf(*document);
}

TEST(RandomModulesTest, CoverEveryOpcodeAndElementType) {
  // What a generated instruction brings along, or what only another test makes.
  static const std::set<std::string> kOthers = {"parameter",
                                                "get-tuple-element",
                                                "after-all",
                                                "async-update",
                                                "async-done",
                                                "copy-done",
                                                "all-gather-done",
                                                "all-reduce-done",
                                                "collective-permute-done",
                                                "infeed",
                                                "outfeed",
                                                "send",
                                                "send-done",
                                                "recv",
                                                "recv-done"};
  std::set<std::string> made, types;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const DocumentPointer document = ParseRandomModule(RandomModule(seed));
    ASSERT_FALSE(document->has_errors()) << seed << ":\n" << ErrorsOf(*document) << RandomModule(seed);
    for (const Instruction& instruction : document->module().instructions()) {
      made.insert(std::string(OpcodeName(instruction.opcode)));
    }
    for (uint32_t k = 0; k < document->module().instruction_count(); ++k) {
      const Shape& shape = document->module().shape(InstructionId(k));
      if (shape.IsArray()) types.insert(std::string(ElementTypeName(shape.element_type())));
    }
  }
  for (const std::string& opcode : GeneratedOpcodes()) {
    if (!kOthers.contains(opcode)) {
      EXPECT_TRUE(made.contains(opcode)) << opcode;
    }
  }
  for (Opcode opcode : AllOpcodes()) {
    const std::string name(OpcodeName(opcode));
    EXPECT_TRUE(made.contains(name) || kOthers.contains(name)) << name;
  }
#define HLO_ELEMENT_TYPE(Enumerator, name, bits, bytes, kind, number) \
  EXPECT_TRUE(types.contains(name) || ElementKind::k##kind == ElementKind::kOther) << name;
#include "numerics/elements/element_types.def"
}

// What is printed reads back as an equal module, and printing that again changes nothing. Signatures of canonical names
// and bodies in place move once (docs/text-format.md 7.11), as does the order of the reference.
std::string RoundTripProblem(const DocumentPointer& document, const PrintOptions& print, absl::string_view what) {
  const std::string text = PrintModule(document->module(), print);
  const DocumentPointer again = ParseRandomModule(text);
  if (again->has_errors()) return absl::StrCat(what, " gives errors: ", ErrorsOf(*again), text);
  const std::string difference =
      FirstDifference(document->module(), again->module(), HiddenInPrint(document->module(), print));
  if (!difference.empty()) return absl::StrCat(what, ": ", difference, "\n", text);
  std::string second = PrintModule(again->module(), print), third;
  if (second == text) return "";
  if (print.order != PrintOrder::kText || print.canonical_names || print.inline_computations) {
    for (int k = 0; k < 3 && third != second; ++k) {
      third = std::exchange(second, PrintModule(ParseRandomModule(second)->module(), print));
    }
    if (third == second) return "";
  }
  return absl::StrCat(what, " prints\n", text, "and then\n", second);
}

TEST(RandomModulesTest, PrintedModulesReadBackEqual) {
  GeneratorOptions options;
  options.host_transfers = true;
  Search(options, [](const DocumentPointer& document, uint64_t) -> std::string {
    for (const char* style : {"dump", "long", "short", "canonical", "auto"}) {
      PrintOptions print = PrintOptions::FromStyleName(style).value_or(StyleOf(*document));
      print.large_constants = true;
      for (const PrintOrder order : {PrintOrder::kText, PrintOrder::kXla}) {
        print.order = order;
        const std::string problem = RoundTripProblem(
            document, print, absl::StrCat("style ", style, order == PrintOrder::kXla ? " in the order of XLA" : ""));
        if (!problem.empty()) return problem;
      }
    }
    PrintOptions named = PrintOptions::Dump();
    named.large_constants = named.canonical_names = true;
    return RoundTripProblem(document, named, "style dump with canonical names");
  });
}

// Names and attribute names of each statement, in the order of the text.
std::vector<std::string> StatementsOf(const Document& document) {
  const SyntaxTree& tree = document.syntax();
  const TokenBuffer& tokens = document.tokens();
  std::vector<std::string> statements;
  for (const ComputationSyntax& computation : tree.computations) {
    for (uint32_t i = 0; i < computation.instruction_count; ++i) {
      const SyntaxId id = tree.instruction_lists[computation.first_instruction + i];
      const InstructionSyntax& node = tree.instructions[id.index()];
      std::set<std::string> attributes;
      for (uint32_t k = 0; k < node.attribute_count; ++k) {
        attributes.emplace(document.source().Slice(tokens.range(tree.attributes[node.first_attribute + k].name)));
      }
      std::string& statement = statements.emplace_back(document.source().Slice(tokens.range(node.name)));
      for (const std::string& attribute : attributes) absl::StrAppend(&statement, " ", attribute);
    }
  }
  return statements;
}

TEST(RandomModulesTest, FormattingKeepsOrderAndAttributes) {
  GeneratorOptions options;
  options.host_transfers = true;
  Search(options, [](const DocumentPointer& document, uint64_t) -> std::string {
    const std::string text = PrintWithComments(*document, StyleOf(*document));
    const DocumentPointer again = ParseRandomModule(text);
    const std::vector<std::string> before = StatementsOf(*document), after = StatementsOf(*again);
    const auto [b, a] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    if (b == before.end() && a == after.end()) return "";
    return absl::StrCat("formatting makes `", a == after.end() ? "nothing" : *a, "` of `",
                        b == before.end() ? "nothing" : *b, "`\n", text);
  });
}

// The same of what was printed: bodies in place, canonical names and short forms are read, too.
TEST(RandomModulesTest, PrintedModulesReadBackEqualInAnotherStyle) {
  GeneratorOptions options;
  options.mixed_precision = true;
  Search(options, [](const DocumentPointer& original, uint64_t seed) -> std::string {
    static constexpr const char* kStyles[] = {"dump", "long", "short", "canonical"};
    PrintOptions first = *PrintOptions::FromStyleName(kStyles[seed % 4]);
    first.large_constants = true;
    first.metadata = first.backend_config = true;
    first.inline_computations = seed % 3 == 0;
    first.compact_tuple_access = seed % 5 < 2;
    first.async_sugar = seed % 7 < 4;
    const DocumentPointer document = ParseRandomModule(PrintModule(original->module(), first));
    if (document->has_errors()) return absl::StrCat("errors: ", ErrorsOf(*document));
    for (const char* style : {"dump", "long", "short", "canonical", "auto"}) {
      PrintOptions print = PrintOptions::FromStyleName(style).value_or(StyleOf(*document));
      print.large_constants = true;
      const std::string problem = RoundTripProblem(document, print, absl::StrCat("style ", style));
      if (!problem.empty()) return problem;
    }
    return "";
  });
}

TEST(RandomModulesTest, SingleStepsGiveTheResultsOfARun) {
  GeneratorOptions options;
  options.mixed_precision = true;
  Search(options, [](const DocumentPointer& document, uint64_t seed) -> std::string {
    const std::shared_ptr<const Module> module = document->shared_module();
    const absl::StatusOr<Value> run = ResultOf(module, seed, /*keep_values=*/false);
    if (!run.ok()) return absl::StrCat("it cannot be run: ", run.status().ToString());
    if (std::string difference = Differs(ResultOf(module, seed, true), run); !difference.empty()) {
      return absl::StrCat("with values kept: ", difference);
    }
    auto session = SessionOn(module, seed, true);
    if (!session.ok()) return session.status().ToString();
    while (!(*session)->finished()) {
      if ((*session)->StepInto() == StopReason::kFailed) return (*session)->status().ToString();
    }
    return Differs((*session)->result(), run);
  });
}

TEST(RandomModulesTest, GoingBackGivesTheSameValuesAgain) {
  GeneratorOptions options;
  options.mixed_precision = true;
  Search(options, [](const DocumentPointer& document, uint64_t seed) -> std::string {
    auto session = SessionOn(document->shared_module(), seed, true);
    if (!session.ok()) return session.status().ToString();
    std::vector<std::shared_ptr<const SessionSnapshot>> snapshots;
    for (int64_t step = 0; !(*session)->finished(); ++step) {
      if (step % 7 == static_cast<int64_t>(seed % 7)) snapshots.push_back((*session)->time_travel().Save());
      if ((*session)->StepInto() == StopReason::kFailed) return (*session)->status().ToString();
    }
    const Value expected = (*session)->result();
    for (size_t k = snapshots.size(); k-- > 0;) {
      (*session)->time_travel().Restore(*snapshots[k]);
      if ((*session)->Run() != StopReason::kFinished) return (*session)->status().ToString();
      if (std::string difference = Differs((*session)->result(), expected); !difference.empty()) {
        return absl::StrCat("back at position ", snapshots[k]->position(), ": ", difference);
      }
    }
    return "";
  });
}

TEST(RandomModulesTest, RewrittenModulesGiveTheSameResults) {
  GeneratorOptions options;
  options.random_numbers = false;  // what `rng` gives depends on its place in the module
  options.mixed_precision = true;
  Search(options, [](const DocumentPointer& document, uint64_t seed) -> std::string {
    static const std::vector<std::vector<std::string>> kPasses = {
        DefaultPasses(),  {"algebraic"},    {"cse", "dce"},    {"fold-constants"},
        {"canonicalize"}, {"inline-calls"}, {"unfuse", "cse"}, {"strip-metadata"}};
    TransformOptions options;
    options.fold = FoldInstruction;
    const std::vector<std::string>& passes = kPasses[seed % kPasses.size()];
    const auto transformed = TransformModule(document->module(), passes, options);
    if (!transformed.ok()) return transformed.status().ToString();
    const std::string text = PrintModule(transformed->module, WholeText());
    const DocumentPointer after = ParseRandomModule(text);
    if (after->has_errors()) return absl::StrCat(passes[0], " makes errors: ", ErrorsOf(*after), text);
    const std::string difference =
        Differs(ResultOf(after->shared_module(), seed, false), ResultOf(document->shared_module(), seed, false));
    return difference.empty() ? "" : absl::StrCat(passes[0], " changes results: ", difference, "\n", text);
  });
}

}  // namespace
}  // namespace hloscope::evaluator
