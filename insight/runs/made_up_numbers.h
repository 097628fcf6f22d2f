// SPDX-License-Identifier: Apache-2.0
// Made-up arguments, constants that a text leaves out, and random numbers: the same ones for two versions of a module.
#ifndef HLOSCOPE_INSIGHT_RUNS_MADE_UP_NUMBERS_H_
#define HLOSCOPE_INSIGHT_RUNS_MADE_UP_NUMBERS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/ir/module.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/inputs/run_inputs.h"
#include "evaluator/tensor/fill.h"

namespace hloscope::insight {

// The instructions that draw made-up numbers: rng, and constants that the text leaves out.
std::vector<InstructionId> MadeUpNumbers(const Module& module);

// How one module draws the numbers that another one draws.
struct SharedNumbers {
  std::map<int64_t, evaluator::FillRule> parameters;  // by number
  // By instruction of MadeUpNumbers: where its numbers begin, and for constants their rule.
  std::shared_ptr<const absl::flat_hash_map<InstructionId, uint64_t>> streams;
  absl::flat_hash_map<InstructionId, evaluator::FillRule> constants;
  // Constants that stand for none of the other module's: their numbers are their own.
  std::vector<InstructionId> alone;

  // Rules that the user gave for single parameters stay.
  void ApplyTo(evaluator::RunOptions* options) const;
  void ApplyTo(evaluator::ElidedConstantFill* fill) const;
};

// For `b` to draw what `a` draws when both are run with `options`; `a` itself takes NumbersLike(a, a, options), where
// constants that are used alike have the numbers of the first of them. What a parameter is for, which decides about its
// numbers, is what `a` uses it for. A constant has those of its counterpart (core/analysis/value_match.h); a copy of
// one, as inlined calls make them, those of the constant of this shape that is used alike: of the same values, else
// between the same operations, else at the same op_name, else by the same operation.
SharedNumbers NumbersLike(const Module& a, const Module& b, const evaluator::RunOptions& options);

// "constant `c` and 2 more have no counterpart in `a.txt`"; empty if every constant has one.
std::string LoneConstantsText(const Module& module, const std::vector<InstructionId>& alone, const std::string& other);

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_RUNS_MADE_UP_NUMBERS_H_
