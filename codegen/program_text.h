// SPDX-License-Identifier: Apache-2.0
// The parts of a program that is being written: functions, constants, and what the build must compile.
#ifndef HLOSCOPE_CODEGEN_PROGRAM_TEXT_H_
#define HLOSCOPE_CODEGEN_PROGRAM_TEXT_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "codegen/loop_function.h"

namespace hloscope::codegen {

// Libraries of the runtime that only some programs need.
enum class RuntimePart : uint8_t {
  kComplex,
  kCopies,
  kReduction,
  kRows,
  kProducts,
  kConvolution,
  kPooling,
  kSorting,
  kRandom,
  kLinearAlgebra,
  kNormalization
};

struct FunctionText {
  std::string declaration;  // "void add_3(const float* __restrict a0, float* __restrict r0);"
  std::string definition;
};

class ProgramText {
 public:
  // `wish` as an identifier of C++ that nothing else in the program has.
  std::string UniqueName(absl::string_view wish);

  // Adds a loop function, unless there is an equal one, and returns its name.
  std::string AddLoop(absl::string_view wish, absl::Span<const LoopParameter> parameters, absl::string_view text);
  // The same for the form that computes rows [begin, end).
  std::string AddRowLoop(absl::string_view wish, absl::Span<const LoopParameter> parameters, absl::string_view text);
  // Inline functions of single elements, in an order in which each uses earlier ones only.
  void AddScalarFunction(std::string text) { scalar_functions_.push_back(std::move(text)); }
  void AddComputation(FunctionText text) { computations_.push_back(std::move(text)); }

  // Bytes in the constants file, aligned for vectors; equal ones are there once. Returns their offset.
  int64_t AddConstant(absl::Span<const uint8_t> bytes, int64_t size);

  void Use(RuntimePart part) { parts_.insert(part); }
  const std::set<RuntimePart>& parts() const { return parts_; }
  const std::vector<FunctionText>& loops() const { return loops_; }
  const std::vector<std::string>& scalar_functions() const { return scalar_functions_; }
  const std::vector<FunctionText>& computations() const { return computations_; }
  const std::string& constants() const { return constants_; }

 private:
  std::string AddFunction(absl::string_view wish, absl::string_view parameters, absl::string_view text);

  absl::flat_hash_set<std::string> names_;
  absl::flat_hash_map<std::string, int> name_counts_;
  absl::flat_hash_map<std::string, std::string> loop_names_;  // by text
  std::vector<FunctionText> loops_, computations_;
  std::vector<std::string> scalar_functions_;
  absl::flat_hash_map<std::string, int64_t> constant_offsets_;  // by bytes
  std::string constants_;
  std::set<RuntimePart> parts_;
};

// `text` with every character that identifiers cannot have as `_`, not a word of C++ or of the runtime.
std::string CppIdentifier(absl::string_view text);

}  // namespace hloscope::codegen

#endif  // HLOSCOPE_CODEGEN_PROGRAM_TEXT_H_
