// SPDX-License-Identifier: Apache-2.0
// Programs that `hloscope compile` makes, for tests: written, built and run in a folder that goes away.
#ifndef HLOSCOPE_TESTS_CODEGEN_COMPILED_PROGRAM_H_
#define HLOSCOPE_TESTS_CODEGEN_COMPILED_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "codegen/program.h"
#include "core/ir/module.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::codegen {

class CompiledProgram {
 public:
  CompiledProgram();
  ~CompiledProgram();
  CompiledProgram(const CompiledProgram&) = delete;
  CompiledProgram& operator=(const CompiledProgram&) = delete;

  // Writes and builds the program of some modules. Error FailedPrecondition if it cannot be built.
  absl::Status Build(absl::Span<const ProgramModule> modules);
  struct Request {
    std::string module;     // its name
    std::string arguments;  // folder with arg0.npy, ...
    std::string results;    // folder for result0.npy, ...
  };
  // Runs modules one after the other in one process.
  absl::Status Run(absl::Span<const Request> requests) const;

  // What the evaluator makes of a module and arguments at random, which are left for Run.
  struct Evaluation {
    std::vector<evaluator::Tensor> results;
    Request request;

    // How the results that Run wrote differ from these; empty if they agree within the tolerance of ValuesAgree.
    std::string Differences(double tolerance) const;
  };
  absl::StatusOr<Evaluation> Evaluate(const std::shared_ptr<const Module>& module, const std::string& name,
                                      uint64_t seed) const;

  // The shortest of `repeat` runs of a module, in seconds, without reading and writing files.
  absl::StatusOr<double> Time(const std::string& module, const std::string& arguments, int threads, int repeat) const;

  // A folder for files of the test.
  const std::string& folder() const { return folder_; }

  // False where there is no compiler or no make.
  static bool IsPossible();

 private:
  std::string folder_;
};

struct NamedModule {
  std::string name;
  std::shared_ptr<const Module> module;
};

// Runs every module on both sides, the evaluator and one program of all of them, with arguments made from `seed`; the
// test fails where results differ by more than the tolerance of ValuesAgree.
void ExpectSameResults(const std::vector<NamedModule>& modules, uint64_t seed, double tolerance);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_TESTS_CODEGEN_COMPILED_PROGRAM_H_
