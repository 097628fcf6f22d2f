// SPDX-License-Identifier: Apache-2.0
#include "tests/insight/planted_faults.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "insight/blame/reproduce.h"
#include "tests/insight/stages_fixture.h"

namespace hloscope::insight {
namespace {

bool IsVisible(const DumpedStage& first, const DumpedStage& broken, uint64_t seed) {
  const std::vector<DumpedStage> two = {first, broken};
  BlameOptions options = RandomInputs(seed);
  options.locate = false;
  const auto result = Blame(StagesOfTexts(two), ReaderOfTexts(two), options);
  return result.ok() && !result->agree && !result->reference_not_finite;
}

}  // namespace

BlameOptions RandomInputs(uint64_t seed) {
  BlameOptions options;
  options.run.fill = evaluator::FillRule{};
  options.run.fill->kind = evaluator::FillKind::kRandom;
  options.run.session.random_seed = seed;
  options.run.session.threads = 1;
  // A fault may keep a loop from ending.
  options.run.session.step_limit = 200'000;
  return options;
}

std::optional<BrokenDump> PlantVisibleFault(const std::string& text, FaultKind kind, uint64_t seed, size_t steps) {
  StageMaker maker(text, seed);
  // No pass makes a place for a fault where there is none.
  std::mt19937_64 trial(seed);
  if (!PlantFault(maker.module(), kind, trial)) return std::nullopt;
  BrokenDump broken;
  broken.at = 1 + maker.random()() % (steps - 1);
  while (maker.stages().size() <= broken.at) maker.Step();
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::optional<PlantedFault> fault = PlantFault(maker.module(), kind, maker.random());
    if (!fault) return std::nullopt;
    DumpedStage wrong = maker.stages().back();
    wrong.text = fault->text;
    if (!IsVisible(maker.stages()[0], wrong, seed)) continue;
    broken.fault = *std::move(fault);
    maker.Break(broken.fault.text);
    while (maker.stages().size() < steps) maker.Step();
    broken.stages = maker.stages();
    return broken;
  }
  return std::nullopt;
}

FaultVerdict JudgeFault(const BrokenDump& broken, uint64_t seed, const std::string& folder) {
  FaultVerdict verdict;
  const BlameOptions options = RandomInputs(seed);
  const auto result = Blame(StagesOfTexts(broken.stages), ReaderOfTexts(broken.stages), options);
  if (!result.ok()) {
    verdict.words = std::string(result.status().message());
    return verdict;
  }
  verdict.is_right_stage = !result->agree && result->bad == broken.at;
  std::string named = "nothing", where;
  bool is_called = false;
  if (result->culprit) {
    const Module& module = result->bad_document->module();
    const ComputationId computation = module.instruction(result->culprit->instruction).computation;
    named = std::string(module.InstructionName(result->culprit->instruction));
    where = std::string(module.ComputationName(computation));
    is_called = computation != module.entry();
  }
  const std::vector<std::string>& planted = broken.fault.instructions;
  verdict.is_exact = verdict.is_right_stage && std::find(planted.begin(), planted.end(), named) != planted.end();
  verdict.is_same_fusion =
      verdict.is_exact || (verdict.is_right_stage && is_called && where == broken.fault.computation);
  verdict.words = absl::StrCat("stage ", broken.at, " ", planted[0], " in ", broken.fault.computation,
                               ", named: stage ", result->bad, " ", named, " in ", where);
  const auto written = result->agree ? absl::FailedPreconditionError("nothing differs")
                                     : WriteReproduction(*result, options, folder).status();
  verdict.reproduction_problem = written.ok() ? ProblemOfReproduction(folder) : std::string(written.message());
  return verdict;
}

std::string ProblemOfReproduction(const std::string& folder) {
  std::vector<evaluator::Value> results;
  for (const char* side : {"/good", "/bad"}) {
    DocumentOptions document_options;
    document_options.verify.allow_mixed_precision = true;
    const auto document = Document::Open(absl::StrCat(folder, side, "/module.hlo"), document_options);
    if (!document.ok()) return std::string(document.status().message());
    if ((*document)->has_errors()) {
      return absl::StrCat(side, ": ", (*document)->diagnostics()[0].Message(), "\n", (*document)->source().text());
    }
    evaluator::RunOptions run_options;
    run_options.arguments_directory = folder + side;
    ModuleRun run(*document, run_options, nullptr);
    if (const absl::Status status = run.Prepare(); !status.ok()) return absl::StrCat(side, ": ", status.message());
    if (const absl::Status status = run.Run(); !status.ok()) return absl::StrCat(side, ": ", status.message());
    results.push_back(run.run().device(0).result());
  }
  const auto leaves = evaluator::CompareValues(results[0], results[1], {});
  if (!leaves.ok()) return std::string(leaves.status().message());
  const bool agrees = std::all_of(leaves->begin(), leaves->end(), [](const auto& leaf) { return leaf.Agrees(); });
  return agrees ? "both modules give the same" : "";
}

}  // namespace hloscope::insight
