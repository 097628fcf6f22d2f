// SPDX-License-Identifier: Apache-2.0
#include "tests/support/transformed_module.h"

#include <algorithm>
#include <utility>

#include "core/document/document.h"
#include "core/print/printer.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "tests/support/module_evaluation.h"

namespace hloscope {
namespace {

absl::StatusOr<evaluator::Value> RunWithRandomArguments(std::shared_ptr<const Module> module, uint64_t seed,
                                                        double seconds) {
  evaluator::SessionOptions options;
  options.time_limit_seconds = seconds;
  options.random_seed = seed;
  auto session = evaluator::Session::Create(module, options);
  if (!session.ok()) return session.status();
  (*session)->set_keep_values(false);
  const auto& parameters = module->computation(module->entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    auto value =
        evaluator::FillValue(module->shape(parameters[k]), evaluator::FillKind::kRandom, seed, static_cast<int64_t>(k));
    if (!value.ok()) return value.status();
    const absl::Status set = (*session)->SetArgument(static_cast<int64_t>(k), *std::move(value));
    if (!set.ok()) return set;
  }
  if ((*session)->Run() != evaluator::StopReason::kFinished) return (*session)->status();
  return (*session)->result();
}

}  // namespace

TransformedModule TransformAndCheck(std::shared_ptr<const Module> module, const std::vector<std::string>& passes,
                                    const TransformOptions& options) {
  TransformedModule result;
  auto transformed = TransformModule(*module, passes, options);
  EXPECT_TRUE(transformed.ok()) << transformed.status();
  if (!transformed.ok()) return result;
  EXPECT_FALSE(transformed->gave_up);
  PrintOptions print = PrintOptions::Long();
  print.large_constants = true;
  result.text = PrintModule(transformed->module, print);
  const auto document = Document::Parse(SourceText::FromString("rewritten", result.text));
  if (document->has_errors()) {
    for (const Diagnostic& d : document->diagnostics()) {
      if (d.severity == Severity::kError) ADD_FAILURE() << "the rewritten module has errors";
    }
    ADD_FAILURE() << result.text.substr(0, 20000);
    return result;
  }
  auto again = TransformModule(document->module(), passes, options);
  EXPECT_TRUE(again.ok() && !again->changed) << result.text.substr(0, 20000) << "\nbecomes\n"
                                             << PrintModule(again->module, print).substr(0, 20000);
  result.before = std::move(module);
  result.after = document->shared_module();
  result.changed = transformed->changed;
  result.applications = std::move(transformed->applications);
  result.cost_before = MeasureCost(*result.before, options.target);
  result.cost_after = MeasureCost(*result.after, options.target);
  // A computation that two instructions call counts once, and twice where it is inlined.
  const bool copies = std::any_of(passes.begin(), passes.end(),
                                  [](const std::string& pass) { return pass == "inline-calls" || pass == "unfuse"; });
  if (!copies) {
    EXPECT_LE(result.cost_after.total.moved_bytes(), result.cost_before.total.moved_bytes());
  }
  EXPECT_EQ(result.after->computation(result.after->entry()).parameters.size(),
            result.before->computation(result.before->entry()).parameters.size());
  return result;
}

::testing::AssertionResult ResultsAgree(const TransformedModule& modules, double tolerance, uint64_t seed,
                                        double time_limit_seconds) {
  if (modules.after == nullptr) return ::testing::AssertionFailure() << "there is no module";
  const absl::StatusOr<evaluator::Value> expected = RunWithRandomArguments(modules.before, seed, time_limit_seconds);
  if (!expected.ok()) return ::testing::AssertionFailure() << expected.status().ToString();
  const absl::StatusOr<evaluator::Value> actual = RunWithRandomArguments(modules.after, seed, time_limit_seconds);
  if (!actual.ok()) return ::testing::AssertionFailure() << actual.status().ToString();
  return ValuesAgree(*actual, *expected, tolerance);
}

}  // namespace hloscope
