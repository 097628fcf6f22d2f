// SPDX-License-Identifier: Apache-2.0
#include "tests/support/module_evaluation.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "evaluator/engine/session.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "tests/support/kernel_test_support.h"
#include "tests/support/session_test_support.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

// The parts of a text between commas that are in no bracket.
std::vector<std::string> TopLevelParts(absl::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (char c : text) {
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    if (c == ',' && depth == 0) {
      parts.push_back(std::move(part));
      part.clear();
    } else if (c != ' ' || !part.empty()) {
      part += c;
    }
  }
  if (!part.empty()) parts.push_back(std::move(part));
  return parts;
}

bool IsTupleText(absl::string_view text) { return absl::StartsWith(text, "(") && absl::EndsWith(text, ")"); }

absl::StatusOr<evaluator::Value> Constant(absl::string_view shape, absl::string_view literal) {
  const std::shared_ptr<const Module> module =
      ModuleFromText(absl::StrCat("HloModule literal\nENTRY e {\n  ROOT r = ", shape, " constant(", literal, ")\n}\n"));
  if (module == nullptr) return absl::InvalidArgumentError(absl::StrCat("not a literal: ", shape, " ", literal));
  return EvaluateModule(module, {});
}

::testing::AssertionResult TensorsAgree(const evaluator::Tensor& actual, const evaluator::Tensor& expected,
                                        double tolerance) {
  if (actual.element_type() != expected.element_type() || actual.dimensions() != expected.dimensions()) {
    return ::testing::AssertionFailure() << "expected " << expected.shape().ToString() << ", got "
                                         << actual.shape().ToString();
  }
  SerialRuntime runtime;
  const bool is_float = IsFloat(actual.element_type()) || IsComplex(actual.element_type());
  const evaluator::Tensor a = *actual.Contiguous(), e = *expected.Contiguous();
  if (!is_float) {
    if (a.BitwiseEqual(e)) return ::testing::AssertionSuccess();
    const evaluator::Tensor got = *evaluator::ConvertElements(a, ElementType::kF64, runtime),
                            want = *evaluator::ConvertElements(e, ElementType::kF64, runtime);
    ::testing::AssertionResult failure = ::testing::AssertionFailure();
    for (int64_t i = 0; i < a.element_count() && i < 50; ++i) {
      failure << (i ? ", " : "got [") << got.data_as<double>()[i] << " for " << want.data_as<double>()[i];
    }
    return failure << "]";
  }
  const evaluator::Tensor got = *evaluator::ConvertElements(a, ElementType::kC128, runtime),
                          want = *evaluator::ConvertElements(e, ElementType::kC128, runtime);
  const auto agree = [&](double x, double y) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return x == y || std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y));
  };
  for (int64_t i = 0; i < a.element_count(); ++i) {
    const std::complex<double> x = got.data_as<std::complex<double>>()[i], y = want.data_as<std::complex<double>>()[i];
    if (agree(x.real(), y.real()) && agree(x.imag(), y.imag())) continue;
    return ::testing::AssertionFailure() << "element " << i << " of " << a.shape().ToString() << " is " << x << ", not "
                                         << y;
  }
  return ::testing::AssertionSuccess();
}

// The helper computations whose names the text mentions.
std::string HelpersFor(absl::string_view text) {
  const std::string all =
      ReadFileOrDie(std::string(HLOSCOPE_SOURCE_DIR) + "/tests/evaluator/data/helper_computations.hlo");
  std::string helpers;
  for (absl::string_view helper : absl::StrSplit(all, "\n\n")) {
    const absl::string_view name = helper.substr(0, helper.find(' '));
    if (absl::StrContains(text, absl::StrCat("=", name, "\n")) ||
        absl::StrContains(text, absl::StrCat("=", name, ","))) {
      absl::StrAppend(&helpers, helper, "\n\n");
    }
  }
  return helpers;
}

}  // namespace

absl::StatusOr<evaluator::Value> EvaluateModule(std::shared_ptr<const Module> module,
                                                const std::vector<evaluator::Value>& arguments) {
  // Unwatched, a run may put instructions together and reuse memory; nobody may see that in the result.
  const absl::StatusOr<evaluator::Value> watched = EvaluateModule(module, arguments, /*watched=*/true);
  const absl::StatusOr<evaluator::Value> unwatched = EvaluateModule(module, arguments, /*watched=*/false);
  EXPECT_EQ(watched.status(), unwatched.status());
  EXPECT_TRUE(!watched.ok() || !unwatched.ok() || watched->BitwiseEqual(*unwatched)) << "an unwatched run differs";
  return watched;
}

absl::StatusOr<evaluator::Value> EvaluateModule(std::shared_ptr<const Module> module,
                                                const std::vector<evaluator::Value>& arguments, bool watched) {
  absl::StatusOr<std::unique_ptr<evaluator::Session>> session =
      evaluator::Session::Create(std::move(module), evaluator::SessionOptions());
  if (!session.ok()) return session.status();
  (*session)->set_keep_values(watched);
  for (size_t k = 0; k < arguments.size(); ++k) {
    absl::Status set = (*session)->SetArgument(static_cast<int64_t>(k), arguments[k]);
    if (!set.ok()) return set;
  }
  if ((*session)->Run() != evaluator::StopReason::kFinished) return (*session)->status();
  return (*session)->result();
}

absl::StatusOr<evaluator::Value> ValueFromText(const Shape& shape, absl::string_view literal) {
  if (shape.IsToken()) return evaluator::Value::Token();
  if (!shape.IsTuple()) return Constant(shape.ToString(), literal);
  std::vector<evaluator::Value> elements;
  const std::vector<std::string> parts = TopLevelParts(literal.substr(1, literal.size() - 2));
  for (size_t k = 0; k < parts.size(); ++k) {
    absl::StatusOr<evaluator::Value> element = ValueFromText(shape.element(static_cast<int64_t>(k)), parts[k]);
    if (!element.ok()) return element;
    elements.push_back(*std::move(element));
  }
  return evaluator::Value::Tuple(std::move(elements));
}

absl::StatusOr<evaluator::Value> ValueFromTypedText(absl::string_view literal) {
  if (IsTupleText(literal)) {
    std::vector<evaluator::Value> elements;
    for (const std::string& part : TopLevelParts(literal.substr(1, literal.size() - 2))) {
      absl::StatusOr<evaluator::Value> element = ValueFromTypedText(part);
      if (!element.ok()) return element;
      elements.push_back(*std::move(element));
    }
    return evaluator::Value::Tuple(std::move(elements));
  }
  const size_t space = literal.find(' ');
  std::string shape(literal.substr(0, space));
  // "s32[<=6](4)": the literal has the run-time sizes, one for each dynamic dimension or one for each dimension.
  if (const size_t sizes_at = shape.find('('); sizes_at != std::string::npos) {
    const std::vector<std::string> sizes = absl::StrSplit(shape.substr(sizes_at + 1, shape.size() - sizes_at - 2), ',');
    shape = absl::StrCat(shape.substr(0, shape.find('[')), "[", absl::StrJoin(sizes, ","), "]");
  }
  return Constant(shape, literal.substr(space + 1));
}

::testing::AssertionResult ValuesAgree(const evaluator::Value& actual, const evaluator::Value& expected,
                                       double tolerance) {
  if (actual.kind() != expected.kind()) return ::testing::AssertionFailure() << "array and tuple mixed up";
  if (actual.IsTensor()) return TensorsAgree(evaluator::ValidRegion(actual.tensor()), expected.tensor(), tolerance);
  if (actual.elements().size() != expected.elements().size()) {
    return ::testing::AssertionFailure() << actual.elements().size() << " elements, expected "
                                         << expected.elements().size();
  }
  for (size_t k = 0; k < actual.elements().size(); ++k) {
    ::testing::AssertionResult result = ValuesAgree(actual.elements()[k], expected.elements()[k], tolerance);
    if (!result) return result << " (element " << k << " of the tuple)";
  }
  return ::testing::AssertionSuccess();
}

void RunWorkedVectors(const std::string& file, int expected_count) {
  const std::string text = ReadFileOrDie(std::string(HLOSCOPE_SOURCE_DIR) + "/tests/evaluator/data/" + file);
  int count = 0;
  for (absl::string_view block : absl::StrSplit(text, "// V ", absl::SkipEmpty())) {
    SCOPED_TRACE(std::string(block));
    ++count;
    const size_t body = block.find('\n') + 1, result = block.find("// => ");
    ASSERT_NE(result, absl::string_view::npos);
    absl::string_view expected_text = block.substr(result + 6);
    expected_text = expected_text.substr(0, expected_text.find('\n'));
    const absl::string_view instructions = block.substr(body, result - body);
    const std::shared_ptr<const Module> module =
        ModuleFromText(absl::StrCat("HloModule v\n\n", HelpersFor(instructions), "ENTRY e {\n", instructions, "}\n"));
    if (module == nullptr) continue;
    const absl::StatusOr<evaluator::Value> actual = EvaluateModule(module, {});
    EXPECT_TRUE(actual.ok()) << actual.status();
    const absl::StatusOr<evaluator::Value> expected = ValueFromTypedText(expected_text);
    EXPECT_TRUE(expected.ok()) << expected.status();
    if (actual.ok() && expected.ok()) {
      EXPECT_TRUE(ValuesAgree(*actual, *expected));
    }
  }
  EXPECT_EQ(count, expected_count);
}

}  // namespace hloscope
