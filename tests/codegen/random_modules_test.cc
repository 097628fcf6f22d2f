// SPDX-License-Identifier: Apache-2.0
// Random modules give the same results compiled as evaluated. One program holds several modules;
// HLOSCOPE_RANDOM_SECONDS sets for how long programs are made (default: one), HLOSCOPE_RANDOM_SEED where the seeds
// start. A failure prints its seed and the smallest module that shows it.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/codegen/compiled_program.h"
#include "tests/support/module_generator.h"
#include "tests/support/random_search.h"

namespace hloscope::codegen {
namespace {

constexpr size_t kModulesOfAProgram = 12;
// Sums of many elements may be grouped in another way.
constexpr double kRounding = 1e-5;
constexpr int kMaxCandidates = 60;  // each is a program

struct Trial {
  uint64_t seed;
  DocumentPointer document;
};

// What is wrong with each of the modules, which become one program; empty if nothing is.
std::vector<std::string> Problems(const std::vector<Trial>& trials, double tolerance) {
  std::vector<std::string> problems(trials.size());
  CompiledProgram program;
  std::vector<ProgramModule> parts;
  std::vector<CompiledProgram::Request> requests;
  std::vector<CompiledProgram::Evaluation> evaluations;
  for (size_t k = 0; k < trials.size(); ++k) {
    const std::string name = absl::StrCat("m", trials[k].seed);
    auto evaluation = program.Evaluate(trials[k].document->shared_module(), name, trials[k].seed);
    if (!evaluation.ok()) {
      problems[k] = evaluation.status().ToString();
      return problems;
    }
    parts.push_back({&trials[k].document->module(), name});
    requests.push_back(evaluation->request);
    evaluations.push_back(*std::move(evaluation));
  }
  absl::Status status = program.Build(parts);
  if (status.ok()) status = program.Run(requests);
  if (!status.ok() && trials.size() > 1) {  // whose fault it is
    for (size_t k = 0; k < trials.size(); ++k) problems[k] = Problems({trials[k]}, tolerance)[0];
    return problems;
  }
  for (size_t k = 0; k < trials.size(); ++k) {
    problems[k] = status.ok() ? evaluations[k].Differences(tolerance) : status.ToString();
  }
  return problems;
}

bool CanBeCompiled(const DocumentPointer& document) {
  const ProgramModule module = {&document->module(), "m"};
  return GenerateProgram({&module, 1}).complete();
}

Property AgreesWithin(double tolerance) {
  return [tolerance](const DocumentPointer& document, uint64_t seed) {
    return CanBeCompiled(document) ? Problems({{seed, document}}, tolerance)[0] : "";
  };
}

TEST(CompiledRandomModulesTest, GiveTheResultsOfTheEvaluator) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(SecondsOfSearch(0));
  GeneratorOptions options;
  options.random_numbers = options.collectives = options.dynamic_sizes = false;  // what no program has
  options.mixed_precision = true;
  setenv("OPTIMISE", "-O0", 1);
  uint64_t seed = FirstSeed();
  size_t compiled = 0;
  do {
    std::vector<Trial> trials;
    for (; trials.size() < kModulesOfAProgram; ++seed) {
      const DocumentPointer document = ParseRandomModule(RandomModule(seed, options));
      ASSERT_FALSE(document->has_errors()) << "seed " << seed << ":\n" << ErrorsOf(*document);
      if (CanBeCompiled(document)) trials.push_back({seed, document});
    }
    compiled += trials.size();
    const std::vector<std::string> problems = Problems(trials, kRounding);
    for (size_t k = 0; k < trials.size(); ++k) {
      if (problems[k].empty()) continue;
      const std::string smallest = SmallestWithout(trials[k].document, trials[k].seed, AgreesWithin(0), kMaxCandidates);
      const std::string problem = AgreesWithin(kRounding)(ParseRandomModule(smallest), trials[k].seed);
      if (problem.empty()) continue;  // another rounding, which the rest of the module made larger
      ADD_FAILURE() << "seed " << trials[k].seed << ": " << problems[k]
                    << "\nThe smallest module with this fault: " << problem << "\n"
                    << smallest;
    }
  } while (!HasFailure() && Clock::now() < end);
  unsetenv("OPTIMISE");
  RecordProperty("modules", static_cast<int>(compiled));
  RecordProperty("seeds", static_cast<int>(seed - FirstSeed()));
}

}  // namespace
}  // namespace hloscope::codegen
