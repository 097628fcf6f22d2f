// SPDX-License-Identifier: Apache-2.0
// Evaluating modules given as text, and comparing what comes out with literals given as text.
#ifndef HLOSCOPE_TESTS_SUPPORT_MODULE_EVALUATION_H_
#define HLOSCOPE_TESTS_SUPPORT_MODULE_EVALUATION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "evaluator/tensor/value.h"
#include "gtest/gtest.h"

namespace hloscope {

// The result of the entry computation of `module`, watched: with all values kept, one instruction at a time.
absl::StatusOr<evaluator::Value> EvaluateModule(std::shared_ptr<const Module> module,
                                                const std::vector<evaluator::Value>& arguments, bool watched);
// The result of a watched run; a test failure if an unwatched one gives another.
absl::StatusOr<evaluator::Value> EvaluateModule(std::shared_ptr<const Module> module,
                                                const std::vector<evaluator::Value>& arguments);

// A value of `shape` from its literal: "{{1, 2}, {3, 4}}", "(5, {1})".
absl::StatusOr<evaluator::Value> ValueFromText(const Shape& shape, absl::string_view literal);
// A value from a literal with its shape: "f32[2] {1, 2}", "(f32[] 5, s32[<=4](2) {1, 2})".
absl::StatusOr<evaluator::Value> ValueFromTypedText(absl::string_view literal);

// The rule of docs/ops/tensor.md 0.8: integers and predicates are equal; floats agree within `tolerance`, relatively
// (absolutely below 1); NaN equals NaN. Only valid elements of dynamic arrays count.
::testing::AssertionResult ValuesAgree(const evaluator::Value& actual, const evaluator::Value& expected,
                                       double tolerance = 1e-5);

// Runs every block of a file of tests/evaluator/data in the format of its README. Failures name the block.
void RunWorkedVectors(const std::string& file, int expected_count);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_MODULE_EVALUATION_H_
