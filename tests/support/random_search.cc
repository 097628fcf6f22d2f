// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_search.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/transform/test_case_reduction.h"
#include "gtest/gtest.h"

namespace hloscope {
namespace {

constexpr std::array<int, 5> kCrashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What a handler of signals reads.
volatile uint64_t searched_seed = 0;
std::array<struct sigaction, kCrashes.size()> usual_actions;

// Only calls that handlers of signals may make.
void WriteError(std::string_view text) {
  const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(written);
}

void SayWhichSeed(int signal) {
  char digits[20];
  size_t first = sizeof(digits);
  uint64_t rest = searched_seed;
  do {
    digits[--first] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  WriteError("\nThis random module ends the process; again with HLOSCOPE_RANDOM_SECONDS=0 HLOSCOPE_RANDOM_SEED=");
  WriteError(std::string_view(digits + first, sizeof(digits) - first));
  WriteError("\n");
  // Then whatever would have happened: a report of a sanitizer, or the end.
  for (size_t i = 0; i < kCrashes.size(); ++i) sigaction(kCrashes[i], &usual_actions[i], nullptr);
  raise(signal);
}

// While it lives, a signal that ends the process says which seed was searched.
class CrashReport {
 public:
  CrashReport() : stack_(size_t{64} << 10) {
    // An overflow of the stack leaves no room on it.
    stack_t stack = {};
    stack.ss_sp = stack_.data();
    stack.ss_size = stack_.size();
    if (sigaltstack(nullptr, &usual_stack_) == 0 && (usual_stack_.ss_flags & SS_DISABLE) != 0) {
      sigaltstack(&stack, nullptr);
    }
    struct sigaction action = {};
    action.sa_handler = SayWhichSeed;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < kCrashes.size(); ++i) sigaction(kCrashes[i], &action, &usual_actions[i]);
  }
  ~CrashReport() {
    for (size_t i = 0; i < kCrashes.size(); ++i) sigaction(kCrashes[i], &usual_actions[i], nullptr);
    sigaltstack(&usual_stack_, nullptr);
  }
  CrashReport(const CrashReport&) = delete;
  CrashReport& operator=(const CrashReport&) = delete;

 private:
  std::vector<char> stack_;
  stack_t usual_stack_ = {};
};

}  // namespace

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
  const CrashReport report;
  uint64_t seed = FirstSeed();
  for (; seed == FirstSeed() || Clock::now() < end; ++seed) {
    searched_seed = seed;
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
