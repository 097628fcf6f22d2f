// SPDX-License-Identifier: Apache-2.0
// Expressions of the debugger: what they mean, and where errors point.
#include "evaluator/debugger/expression.h"

#include <cmath>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/print/literal_printer.h"
#include "evaluator/debugger/name_index.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

using ::testing::HasSubstr;

// The names of the scope's values.
constexpr absl::string_view kNames = R"(
ENTRY e { x = f32[2,3] parameter(0) y = f32[3] parameter(1) n = s32[] parameter(2) c = c64[2] parameter(3)
  t = (f32[2], (s32[])) parameter(4) all-reduce.1 = f32[3] parameter(5) b = bf16[2] parameter(6) all = f32[] parameter(7)
  k = token[] parameter(8) large = f64[2] parameter(9) small = f64[2] parameter(10) extreme = f64[2] parameter(11) ROOT r = (f32[3]) tuple(y) }
)";

class ExpressionTest : public ::testing::Test, public ExpressionScope {
 protected:
  ExpressionTest() : module_(ModuleFromText(kNames)), names_(*module_) {
    Add("x", "f32[2,3] {{1, -2, 3}, {4, nan, inf}}");
    Add("y", "f32[3] {0.5, 1, -1.5}");
    Add("n", "s32[] 7");
    Add("c", "c64[2] {(3, 4), (0, -1)}");
    Add("t", "(f32[2] {8, 9}, (s32[] -5))");
    Add("all-reduce.1", "f32[3] {1, 2, 3}");
    Add("b", "bf16[2] {1.5, 2}");
    Add("all", "f32[] 3");
    Add("large", "f64[2] {1.5e308, 0}");
    Add("small", "f64[2] {1e-200, 0}");
    Add("extreme", "f64[2] {1.7e308, 1.7e308}");
    values_["k"] = Value::Token();
  }
  void Add(const std::string& name, absl::string_view text) { values_[name] = *ValueFromTypedText(text); }

  absl::StatusOr<Value> Named(absl::string_view name) override {
    const auto found = values_.find(std::string(absl::StripPrefix(name, "e::")));
    if (found == values_.end()) return absl::FailedPreconditionError("it has not been executed yet");
    return found->second;
  }
  absl::StatusOr<double> Variable(absl::string_view name) override {
    if (name == "iteration") return 7;
    return absl::FailedPreconditionError("there is none here");
  }
  absl::StatusOr<Tensor> File(const std::string& path) override {
    if (path == "bits.npy") return *Tensor::FromValues<uint16_t>(ElementType::kU16, {2}, {0x3fc0, 0x4000});
    if (path != "y.npy") return absl::NotFoundError(absl::StrCat(path, ": no such file"));
    return *Tensor::FromValues<float>(ElementType::kF32, {3}, {0.5f, 1.0f, -1.5f});
  }

  // The value's literal, or "BEGIN-END: message".
  std::string Text(absl::string_view text) {
    ExpressionError error;
    const std::optional<Expression> expression = Expression::Parse(text, names_, &error);
    std::optional<Value> value;
    if (expression.has_value()) value = expression->Evaluate(*this, &error);
    if (!value.has_value()) return absl::StrCat(error.begin, "-", error.end, ": ", error.message);
    return absl::StrCat(ShapeOf(*value).ToString(false), " ", PrintLiteral(*LiteralOf(*value)));
  }
  std::shared_ptr<const Module> module_;
  NameIndex names_;
  std::map<std::string, Value> values_;
};

TEST_F(ExpressionTest, Arithmetic) {
  EXPECT_EQ(Text("1 + 2 * 3"), "f64[] 7");
  EXPECT_EQ(Text("(1 + 2) * 3 - -4"), "f64[] 13");
  EXPECT_EQ(Text("7 % 4 / 2"), "f64[] 1.5");
  EXPECT_EQ(Text("1e2 - .5"), "f64[] 99.5");
  EXPECT_EQ(Text("y * 2"), "f64[3] {1, 2, -3}");
  EXPECT_EQ(Text("n - y"), "f64[3] {6.5, 6, 8.5}");
  EXPECT_EQ(Text("-y"), "f64[3] {-0.5, -1, 1.5}");
  EXPECT_EQ(Text("b + 0.25"), "f64[2] {1.75, 2.25}");
}

TEST_F(ExpressionTest, Logic) {
  EXPECT_EQ(Text("1 < 2 && 3 >= 4 || 5 != 6"), "pred[] true");
  EXPECT_EQ(Text("!(1 == 1)"), "pred[] false");
  EXPECT_EQ(Text("y > 0"), "pred[3] {1, 1, 0}");
  EXPECT_EQ(Text("iteration == 7 && x[0,1] < 0"), "pred[] true");
  // What cannot be had is not asked for where the first part decides.
  EXPECT_EQ(Text("iteration == 8 && r < 0"), "pred[] false");
  EXPECT_EQ(Text("true || r < 0"), "pred[] true");
}

TEST_F(ExpressionTest, ValuesKeepTheirTypes) {
  EXPECT_EQ(Text("y"), "f32[3] {0.5, 1, -1.5}");
  EXPECT_EQ(Text("%y"), "f32[3] {0.5, 1, -1.5}");
  EXPECT_EQ(Text("t"), "(f32[2], (s32[])) ( {8, 9}, ( -5 ) )");
  EXPECT_EQ(Text("t{1,0}"), "s32[] -5");
  EXPECT_EQ(Text("t{1}{0}"), "s32[] -5");
  EXPECT_EQ(Text("t{0}[1]"), "f32[] 9");
}

TEST_F(ExpressionTest, Slices) {
  EXPECT_EQ(Text("x[0]"), "f32[3] {1, -2, 3}");
  EXPECT_EQ(Text("x[:, 0]"), "f32[2] {1, 4}");
  EXPECT_EQ(Text("x[-1, -1]"), "f32[] inf");
  EXPECT_THAT(Text("x[0:1, 1:]"), HasSubstr("f32[1,2]"));
  EXPECT_EQ(Text("x[0, ::2]"), "f32[2] {1, 3}");
  EXPECT_EQ(Text("x[0, 2:9]"), "f32[1] {3}");
  EXPECT_EQ(Text("x[0, 2:1]"), "f32[0] {}");
  EXPECT_EQ(Text("y[n - 5]"), "f32[] -1.5");
  EXPECT_EQ(Text("(y + y)[2]"), "f64[] -3");
}

TEST_F(ExpressionTest, Functions) {
  EXPECT_EQ(Text("any(isnan(x))"), "pred[] true");
  EXPECT_EQ(Text("all(isfinite(x[0]))"), "pred[] true");
  EXPECT_EQ(Text("count(isinf(x))"), "f64[] 1");
  EXPECT_EQ(Text("max(abs(x[0])) > 2.5"), "pred[] true");
  EXPECT_EQ(Text("min(x)"), "f64[] -2");
  EXPECT_EQ(Text("max(y, 0)"), "f64[3] {0.5, 1, 0}");
  EXPECT_EQ(Text("sum(y) + mean(y) + size(y)"), "f64[] 3");
  EXPECT_EQ(Text("std(y[0:2])"), "f64[] 0.25");
  EXPECT_EQ(Text("argmax(y) * 10 + argmin(y)"), "f64[] 12");
  EXPECT_EQ(Text("abs(c)"), "f64[2] {5, 1}");
  EXPECT_EQ(Text("real(c) + imag(c)"), "f64[2] {7, -1}");
  EXPECT_EQ(Text("norm(c[0])"), "f64[] 5");
  EXPECT_EQ(Text("norm(large)"), "f64[] 1.5e+308");
  EXPECT_EQ(Text("mean(large)"), "f64[] 7.5e+307");
  EXPECT_EQ(Text("std(large) == 7.5e307"), "pred[] true");
  EXPECT_EQ(Text("norm(small) == 1e-200 && std(small) == 5e-201"), "pred[] true");
  EXPECT_EQ(Text("mean(extreme)"), "f64[] 1.7e+308");
  EXPECT_EQ(Text("sqrt(4) + round(2.4) + sign(-3)"), "f64[] 3");
  // An instruction may have a function's name.
  EXPECT_EQ(Text("all + %all"), "f64[] 6");
}

TEST_F(ExpressionTest, Comparisons) {
  EXPECT_EQ(Text("allclose(y, file(\"y.npy\"))"), "pred[] true");
  EXPECT_EQ(Text("allclose(y, y + 1e-3)"), "pred[] false");
  EXPECT_EQ(Text("allclose(y, y + 1e-3, 0, 0.01)"), "pred[] true");
  EXPECT_EQ(Text("allclose(x, x)"), "pred[] true");
  EXPECT_EQ(Text("equal(x, x) && !equal(y, y * 2)"), "pred[] true");
  EXPECT_EQ(Text("maxdiff(y, y * 3)"), "f64[] 3");
  // Raw bits of a type that .npy lacks.
  EXPECT_EQ(Text("maxdiff(b, file('bits.npy'))"), "f64[] 0");
}

TEST_F(ExpressionTest, NamesTakeWhatMakesAName) {
  EXPECT_EQ(Text("all-reduce.1-y"), "f64[3] {0.5, 1, 4.5}");
  EXPECT_EQ(Text("e::y[0]"), "f32[] 0.5");
  EXPECT_EQ(Text("n-1"), "f64[] 6");
}

TEST_F(ExpressionTest, ErrorsPointAtTheirPlace) {
  EXPECT_EQ(Text(""), "0-0: there is no expression");
  EXPECT_THAT(Text("1 +"), HasSubstr("3-3: the expression ends too early"));
  EXPECT_EQ(Text("max(abs(all-reduse.1)) > 1"),
            "8-20: there is no instruction `all-reduse.1`; did you mean "
            "`all-reduce.1`?");
  EXPECT_EQ(Text("1 + maxx(y)"), "4-8: there is no function `maxx`; did you mean `max`?");
  EXPECT_EQ(Text("y[3]"), "2-3: the index must be from 0 to 2 (or from -3, counted from the end)");
  EXPECT_EQ(Text("x[0, 1, 2]"), "8-9: the value has the shape f32[2,3]: only 2 subscripts fit");
  EXPECT_EQ(Text("y = 1"), "2-3: one `=` compares nothing; write `==`");
  EXPECT_EQ(Text("y & 1"), "2-3: write `&&`");
  EXPECT_EQ(Text("(y"), "0-1: this `(` is not closed");
  EXPECT_EQ(Text("y[1"), "1-2: this `[` is not closed");
  EXPECT_EQ(Text("1 < 2 < 3"), "6-7: comparisons do not chain; join them with `&&`");
  EXPECT_EQ(Text("x + y"), "0-5: the sizes [2,3] and [3] do not go together");
  EXPECT_EQ(Text("t + 1"), "0-1: this is a tuple; name one of its elements, as in `t{0}`");
  EXPECT_EQ(Text("t{2}"), "0-4: the tuple has 2 elements; there is no element 2");
  EXPECT_EQ(Text("c + 1"), "0-1: these are complex numbers; use abs(), real() or imag()");
  EXPECT_EQ(Text("k + 1"), "0-1: this is a token and has no elements");
  EXPECT_EQ(Text("1 + r"), "4-5: it has not been executed yet");
  EXPECT_EQ(Text("device"), "0-6: there is none here");
  EXPECT_EQ(Text("any(y, y)"), "0-9: any() takes 1 argument, not 2");
  EXPECT_EQ(Text("any + 1"), "0-3: the function `any` needs its arguments in parentheses");
  EXPECT_EQ(Text("file('z.npy')"), "5-12: z.npy: no such file");
  EXPECT_EQ(Text("y 3"), "2-3: `3` does not go on with the expression before it");
  EXPECT_EQ(Text("y[0.5]"), "2-5: an index is a whole number, not 0.5");
  EXPECT_THAT(Text(std::string(1000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(Text(std::string(1000, '-') + "1"), HasSubstr("nested too deeply"));
}

TEST_F(ExpressionTest, ConditionsAreOneNumber) {
  ExpressionError error;
  EXPECT_FALSE(Expression::Parse("y > 0", names_, &error)->EvaluateCondition(*this, &error).has_value());
  EXPECT_THAT(error.message, HasSubstr("where one number is wanted; use any()"));
  EXPECT_EQ(Expression::Parse("y[0] > 0", names_, &error)->EvaluateCondition(*this, &error), true);
  EXPECT_EQ(RenderExpressionError("1 + zz", {4, 6, "no"}), "  1 + zz\n      ^~\n  no\n");
}

// Every prefix and many mutilations of an expression end with a value or an error inside its text.
TEST_F(ExpressionTest, NothingCrashes) {
  const std::string whole = "max(abs(x[0:1, ::2])) > -1e-3 && t{1,0}[()] || !allclose(y, file(\"y.npy\"), 1) % %n";
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    for (const std::string& text :
         {whole.substr(0, cut), whole.substr(cut), whole.substr(0, cut) + whole.substr(cut / 2)}) {
      ExpressionError error;
      const std::optional<Expression> expression = Expression::Parse(text, names_, &error);
      if (expression.has_value() && expression->Evaluate(*this, &error).has_value()) continue;
      EXPECT_NE(error.message, "") << text;
      EXPECT_LE(error.begin, error.end) << text;
      EXPECT_LE(error.begin, text.size()) << text;
    }
  }
}

TEST(ConvertToShapeTest, ScalarsFillAndNumbersAreConverted) {
  QuestionLimit limit;
  const Shape shape = Shape::Array(ElementType::kS32, {3});
  EXPECT_EQ(PrintLiteral(*LiteralOf(*ConvertToShape(*ValueFromTypedText("f64[] 2.75"), shape, limit))), "{2, 2, 2}");
  EXPECT_EQ(PrintLiteral(*LiteralOf(*ConvertToShape(*ValueFromTypedText("u8[3] {1, 2, 255}"), shape, limit))),
            "{1, 2, 255}");
  EXPECT_THAT(ConvertToShape(*ValueFromTypedText("f64[2] {1, 2}"), shape, limit).status().message(),
              HasSubstr("the sizes [2] do not fit the shape s32[3]"));
  EXPECT_FALSE(ConvertToShape(Value::Token(), shape, limit).ok());
  const Shape complex = Shape::Array(ElementType::kC64, {});
  EXPECT_EQ(PrintLiteral(*LiteralOf(*ConvertToShape(*ValueFromTypedText("f64[] 2.5"), complex, limit))), "(2.5, 0)");
}

}  // namespace
}  // namespace hloscope::evaluator
