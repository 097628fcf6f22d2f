// SPDX-License-Identifier: Apache-2.0
#include "tests/codegen/compiled_program.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "evaluator/tensor/npy.h"
#include "gtest/gtest.h"
#include "reports/subprocess.h"
#include "tests/support/module_evaluation.h"

namespace hloscope::codegen {
namespace {

constexpr double kTimeLimitSeconds = 3000;

// Compilers that remember what they compiled, where there are some.
std::string Compiler() {
  for (const char* path : {"/usr/lib/ccache/c++", "/usr/lib/ccache/g++"}) {
    if (access(path, X_OK) == 0) return path;
  }
  return "c++";
}

absl::Status WriteLeaves(const evaluator::Value& value, const std::string& stem) {
  if (value.IsTensor()) return evaluator::WriteNpy(absl::StrCat(stem, ".npy"), value.tensor());
  for (size_t k = 0; k < value.elements().size(); ++k) {
    if (absl::Status s = WriteLeaves(value.elements()[k], absl::StrCat(stem, ".", k)); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace

CompiledProgram::CompiledProgram() {
  char name[] = "/tmp/hloscope_compiled_XXXXXX";
  if (mkdtemp(name) != nullptr) folder_ = name;
}

CompiledProgram::~CompiledProgram() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

bool CompiledProgram::IsPossible() {
  return reports::RunProgram({"make", "--version"}, "", 60, /*silent=*/true).ok() &&
         reports::RunProgram({"c++", "--version"}, "", 60, /*silent=*/true).ok();
}

absl::Status CompiledProgram::Build(absl::Span<const ProgramModule> modules) {
  const Program program = GenerateProgram(modules);
  for (size_t k = 0; k < modules.size(); ++k) {
    if (program.not_compiled[k].empty()) continue;
    const NotCompiled& first = program.not_compiled[k][0];
    return absl::FailedPreconditionError(
        absl::StrCat(modules[k].name, ": ", modules[k].module->InstructionName(first.instruction), ": ", first.reason));
  }
  for (const ProgramFile& file : program.files) {
    const std::filesystem::path path = std::filesystem::path(folder_) / file.path;
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    std::ofstream(path, std::ios::binary) << file.content;
  }
  const auto built = reports::RunProgram({"make", "-s", "-C", folder_, "-j2", absl::StrCat("CXX=", Compiler())}, "",
                                         kTimeLimitSeconds, /*silent=*/false);
  if (!built.ok()) return built.status();
  return built->exit_status == 0 ? absl::OkStatus() : absl::FailedPreconditionError("the program cannot be built");
}

absl::Status CompiledProgram::Run(absl::Span<const Request> requests) const {
  const std::string list = absl::StrCat(folder_, "/batch");
  {
    std::ofstream out(list);
    for (const Request& request : requests) {
      out << request.module << " " << request.arguments << " " << request.results << "\n";
    }
  }
  const auto run = reports::RunProgram({absl::StrCat(folder_, "/program"), "--batch", list}, "", kTimeLimitSeconds,
                                       /*silent=*/false);
  if (!run.ok()) return run.status();
  return run->exit_status == 0 ? absl::OkStatus() : absl::FailedPreconditionError("the program failed");
}

absl::StatusOr<CompiledProgram::Evaluation> CompiledProgram::Evaluate(const std::shared_ptr<const Module>& module,
                                                                      const std::string& name, uint64_t seed) const {
  const auto session = evaluator::Session::Create(module, evaluator::SessionOptions());
  if (!session.ok()) return session.status();
  Evaluation evaluation;
  evaluation.request = {name, absl::StrCat(folder_, "/arguments-", name), absl::StrCat(folder_, "/results-", name)};
  std::filesystem::create_directories(evaluation.request.arguments);
  const auto& parameters = module->computation(module->entry()).parameters;
  for (size_t k = 0; k < parameters.size(); ++k) {
    auto value =
        evaluator::FillValue(module->shape(parameters[k]), evaluator::FillKind::kRandom, seed, static_cast<int64_t>(k));
    if (!value.ok()) return value.status();
    if (absl::Status s = WriteLeaves(*value, absl::StrCat(evaluation.request.arguments, "/arg", k)); !s.ok()) return s;
    if (absl::Status s = (*session)->SetArgument(static_cast<int64_t>(k), *std::move(value)); !s.ok()) return s;
  }
  if ((*session)->Run() != evaluator::StopReason::kFinished) return (*session)->status();
  (*session)->result().ForEachTensor([&](const evaluator::Tensor& t) { evaluation.results.push_back(t); });
  return evaluation;
}

std::string CompiledProgram::Evaluation::Differences(double tolerance) const {
  std::string differences;
  for (size_t r = 0; r < results.size(); ++r) {
    const absl::StatusOr<evaluator::Tensor> actual =
        evaluator::ReadNpy(absl::StrCat(request.results, "/result", r, ".npy"), results[r].shape());
    if (!actual.ok()) return actual.status().ToString();
    const ::testing::AssertionResult agree =
        ValuesAgree(evaluator::Value(*actual), evaluator::Value(results[r]), tolerance);
    if (!agree) absl::StrAppend(&differences, "result ", r, ": ", agree.message(), "\n");
  }
  return differences;
}

absl::StatusOr<double> CompiledProgram::Time(const std::string& module, const std::string& arguments, int threads,
                                             int repeat) const {
  const auto run = reports::RunProgram({absl::StrCat(folder_, "/program"), "--module", module, "--args-dir", arguments,
                                        "--threads", absl::StrCat(threads), "--repeat", absl::StrCat(repeat)},
                                       "", kTimeLimitSeconds, /*silent=*/false);
  if (!run.ok()) return run.status();
  double seconds;
  if (run->exit_status != 0 || !absl::SimpleAtod(run->output, &seconds)) {
    return absl::FailedPreconditionError("the program failed");
  }
  return seconds;
}

void ExpectSameResults(const std::vector<NamedModule>& modules, uint64_t seed, double tolerance) {
  CompiledProgram program;
  std::vector<ProgramModule> parts;
  std::vector<CompiledProgram::Request> requests;
  std::vector<CompiledProgram::Evaluation> evaluations;
  for (const NamedModule& m : modules) {
    SCOPED_TRACE(m.name);
    ASSERT_NE(m.module, nullptr);
    auto evaluation = program.Evaluate(m.module, m.name, seed);
    ASSERT_TRUE(evaluation.ok()) << evaluation.status();
    parts.push_back({m.module.get(), m.name});
    requests.push_back(evaluation->request);
    evaluations.push_back(*std::move(evaluation));
  }
  const absl::Status built = program.Build(parts);
  ASSERT_TRUE(built.ok()) << built;
  const absl::Status run = program.Run(requests);
  ASSERT_TRUE(run.ok()) << run;
  for (size_t k = 0; k < modules.size(); ++k) {
    EXPECT_EQ(evaluations[k].Differences(tolerance), "") << modules[k].name;
  }
}

}  // namespace hloscope::codegen
