// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_search.h"

#include <chrono>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/transform/test_case_reduction.h"
#include "gtest/gtest.h"

namespace hloscope {

DocumentPointer ParseRandomModule(std::string text) {
  DocumentOptions options;
  options.verify.allow_mixed_precision = true;
  return Document::Parse(SourceText::FromString("random.hlo", std::move(text)), options);
}

PrintOptions WholeText() {
  PrintOptions options = PrintOptions::Dump();
  options.large_constants = true;
  return options;
}

std::string ErrorsOf(const Document& document) {
  std::string errors;
  for (const Diagnostic& diagnostic : document.diagnostics()) {
    if (diagnostic.severity == Severity::kError) absl::StrAppend(&errors, diagnostic.Message(), "\n");
  }
  return errors;
}

std::string SmallestWithout(const DocumentPointer& document, uint64_t seed, const Property& property,
                            int max_candidates) {
  std::string smallest = PrintModule(document->module(), WholeText());
  ReductionOptions options;
  options.max_candidates = max_candidates;
  options.shows_fault = [&](const Module& candidate) {
    std::string text = PrintModule(candidate, WholeText());
    const DocumentPointer again = ParseRandomModule(text);
    if (again->has_errors() || property(again, seed).empty()) return false;
    smallest = std::move(text);
    return true;
  };
  ReduceTestCase(document->module(), options);
  return smallest;
}

double SecondsOfSearch(double usual) {
  const char* wanted = std::getenv("HLOSCOPE_RANDOM_SECONDS");
  return wanted == nullptr ? usual : std::atof(wanted);
}

uint64_t FirstSeed() {
  const char* wanted = std::getenv("HLOSCOPE_RANDOM_SEED");
  return wanted == nullptr ? 1 : std::strtoull(wanted, nullptr, 10);
}

void Search(const GeneratorOptions& options, const Property& property) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(SecondsOfSearch(2));
  uint64_t seed = FirstSeed();
  for (; seed == FirstSeed() || Clock::now() < end; ++seed) {
    const DocumentPointer document = ParseRandomModule(RandomModule(seed, options));
    ASSERT_FALSE(document->has_errors()) << "seed " << seed << ":\n"
                                         << ErrorsOf(*document) << RandomModule(seed, options);
    const std::string problem = property(document, seed);
    if (problem.empty()) continue;
    FAIL() << "seed " << seed << ": " << problem << "\nThe smallest module with this fault:\n"
           << SmallestWithout(document, seed, property);
  }
  ::testing::Test::RecordProperty("modules", static_cast<int>(seed - FirstSeed()));
}

}  // namespace hloscope
