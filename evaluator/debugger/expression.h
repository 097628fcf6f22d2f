// SPDX-License-Identifier: Apache-2.0
// Expressions over the values of a run: conditions of breakpoints, arguments of `print`, `set` and `watch`.
//
//   any(isnan(x))      max(abs(dot.3)) > 1e4      iteration == 7 && x[0, 3] < 0
//   allclose(x, file("a.npy"))      x[0:2, :, 3]      t{1}[5] - y
//
// Names are those of instructions (`%x` and `computation::x` too). A name takes in as many of its characters as make an
// instruction's name: `all-reduce.1-y` is a difference. Numbers are computed in f64, elementwise; a scalar goes with
// any array. NaN counts as true, as any number but 0; `max` and `min` leave NaNs out.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_EXPRESSION_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_EXPRESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "evaluator/debugger/name_index.h"
#include "evaluator/debugger/question_limit.h"
#include "evaluator/tensor/value.h"

namespace hloscope::evaluator {

// What is wrong with an expression, and where: the bytes [begin, end) of its text.
struct ExpressionError {
  size_t begin = 0, end = 0;
  std::string message;
  bool is_limit = false;  // of memory or time, or a cancelled run
};

// The text, a line with carets below the place, and the message; each line indented by two columns.
std::string RenderExpressionError(absl::string_view text, const ExpressionError& error);

// The operators and functions by what they are called, for completion.
absl::Span<const absl::string_view> ExpressionFunctions();
absl::Span<const absl::string_view> ExpressionVariables();

// One node of an expression.
struct ExpressionNode {
  enum class Kind : uint8_t { kNumber, kString, kVariable, kValue, kIndex, kElement, kUnary, kBinary, kCall };
  Kind kind = Kind::kNumber;
  size_t begin = 0, end = 0;  // in the text
  double number = 0;
  std::string name;                      // of a value, variable, function or operator; a string's text
  std::vector<ExpressionNode> operands;  // of kIndex: what is indexed, then start, stop and step of each subscript
  // Of kIndex: for each subscript, whether it is a single index, and which parts are written.
  struct Subscript {
    bool single = false;
    std::optional<size_t> start, stop, step;  // in operands
    size_t begin = 0, end = 0;
  };
  std::vector<Subscript> subscripts;
  std::vector<int64_t> path;  // of kElement: which element of the tuple, and of that ...
};

// Where the values come from.
class ExpressionScope {
 public:
  virtual ~ExpressionScope() = default;
  // The value of the instruction that `name` means here. Errors are shown as they are.
  virtual absl::StatusOr<Value> Named(absl::string_view name) = 0;
  // `iteration`, `device`, `position`, `hits`. Errors: where it has none.
  virtual absl::StatusOr<double> Variable(absl::string_view name) = 0;
  virtual absl::StatusOr<Tensor> File(const std::string& path) = 0;
  // Of all that is evaluated in this scope.
  QuestionLimit& limit() { return limit_; }
  void set_limit(const QuestionLimit& limit) { limit_ = limit; }

 private:
  QuestionLimit limit_;
};

class Expression {
 public:
  // Nothing after an error.
  static std::optional<Expression> Parse(absl::string_view text, const NameIndex& names, ExpressionError* error);

  const std::string& text() const { return text_; }
  const ExpressionNode& root() const { return *root_; }
  // The names of instructions in it, each once.
  std::vector<std::string> ValueNames() const;

  // A plain name, element or slice keeps its type and may be a tuple; all else is f64, or pred where it is a comparison
  // or the like.
  std::optional<Value> Evaluate(ExpressionScope& scope, ExpressionError* error) const;
  // For conditions: requires a single element.
  std::optional<bool> EvaluateCondition(ExpressionScope& scope, ExpressionError* error) const;

 private:
  std::string text_;
  std::shared_ptr<const ExpressionNode> root_;
};

// A value of `shape` (an array) from the result of an expression: a scalar fills it, an array must have its sizes.
// Numbers are converted as `convert` does. Errors: InvalidArgument; those of the limit.
absl::StatusOr<Value> ConvertToShape(const Value& value, const Shape& shape, QuestionLimit& limit);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_EXPRESSION_H_
