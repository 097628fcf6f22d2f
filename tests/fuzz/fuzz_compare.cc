// SPDX-License-Identifier: Apache-2.0
// Two versions of a module side by side, the second changed once more or rewritten: an answer or a reason, and a module
// agrees with itself.
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "core/analysis/value_flow.h"
#include "core/analysis/value_match.h"
#include "core/transform/transform.h"
#include "evaluator/compare/run_comparison.h"
#include "tests/fuzz/fuzz_module.h"

namespace {

using namespace hloscope;

struct Version {
  std::shared_ptr<const Module> module;
  std::unique_ptr<evaluator::DeviceRun> run;
};

Version Start(std::shared_ptr<const Module> module, const std::vector<evaluator::Value>& arguments) {
  Version version{std::move(module), nullptr};
  evaluator::SessionOptions options = FuzzLimits();
  auto run = evaluator::DeviceRun::Create(version.module, {}, options);
  if (!run.ok()) return version;
  for (size_t k = 0; k < arguments.size(); ++k) {
    if (!(*run)->device(0).SetArgument(static_cast<int64_t>(k), arguments[k]).ok()) return version;
  }
  version.run = *std::move(run);
  return version;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzBytes bytes(data, size);
  const uint8_t kind = bytes.Byte();
  const std::string text = FuzzedModule(bytes);
  const auto first = Document::Parse(SourceText::FromString("a.hlo", text));
  if (first->has_errors() || !first->module().entry().has_value()) return 0;
  std::shared_ptr<const Module> other = first->shared_module();
  if (kind % 3 == 1) {
    auto transformed = TransformModule(first->module(), {"algebraic", "cse", "dce"}, {});
    if (!transformed.ok()) return 0;
    other = std::make_shared<const Module>(std::move(transformed->module));
  } else if (kind % 3 == 2) {
    const auto second = Document::Parse(SourceText::FromString("b.hlo", WithOtherNumbers(text, bytes)));
    if (second->has_errors() || !second->module().entry().has_value()) return 0;
    other = second->shared_module();
  }
  const std::vector<evaluator::Value> arguments = FuzzArguments(first->module());
  if (arguments.size() != first->module().computation(first->module().entry()).parameters.size()) return 0;
  const Version a = Start(first->shared_module(), arguments), b = Start(other, arguments);
  if (a.run == nullptr || b.run == nullptr) return 0;
  const ValueFlow flow_a(*a.module), flow_b(*b.module);
  const ValueMatch match = MatchValues(flow_a, flow_b);
  evaluator::ComparisonOptions options;
  options.results_only = kind / 3 % 2 == 1;
  options.kept_bytes = kind / 6 % 2 == 1 ? 64 : int64_t{1} << 24;
  const auto comparison = evaluator::RunComparer(*a.run, *b.run, flow_a, flow_b, match, options).Run();
  if (kind % 3 != 0 || !comparison.ok()) return 0;
  if (comparison->ResultsAgree() && comparison->divergences.empty()) return 0;
  std::fprintf(stderr, "a module differs from itself\n%s\n", text.c_str());
  __builtin_trap();
}
