// SPDX-License-Identifier: Apache-2.0
// Compiled programs read views (reversed, transposed, sliced, broadcast, computed) where they lie: every kernel gives
// what the evaluator gives of them.
#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/codegen/compiled_program.h"
#include "tests/support/kernel_cases.h"
#include "tests/support/session_test_support.h"

namespace hloscope::codegen {
namespace {

using Sizes = std::vector<int64_t>;

std::string TypeText(ElementType type, const Sizes& sizes) {
  return absl::StrCat(ElementTypeName(type), "[", absl::StrJoin(sizes, ","), "]");
}

std::string Parameter(ElementType type, const std::string& name, const Sizes& sizes, int64_t number) {
  return absl::StrCat(name, " = ", TypeText(type, sizes), " parameter(", number, ") ");
}

// "name = T[sizes] opcode(from), dimensions={...} "
std::string View(ElementType type, const std::string& name, const Sizes& sizes, absl::string_view opcode,
                 const std::string& from, const Sizes& dimensions) {
  return absl::StrCat(name, " = ", TypeText(type, sizes), " ", opcode, "(", from, "), dimensions={",
                      absl::StrJoin(dimensions, ","), "} ");
}

// Some of the dimensions, in order.
Sizes SomeOf(const Sizes& sizes, std::mt19937& random) {
  Sizes some;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (random() % 2 == 0) some.push_back(static_cast<int64_t>(d));
  }
  return some;
}

// Instructions that make the array `name` of a parameter that is asked for in its place.
std::string RandomViewText(ElementType type, const std::string& name, const Sizes& sizes, int64_t number,
                           std::mt19937& random) {
  const std::string from = absl::StrCat(name, "_from"), turned = absl::StrCat(name, "_turned");
  Sizes order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  Sizes before(sizes.size());
  for (size_t d = 0; d < sizes.size(); ++d) before[static_cast<size_t>(order[d])] = sizes[d];
  switch (random() % 6) {
    case 0:
      return absl::StrCat(Parameter(type, from, sizes, number),
                          View(type, name, sizes, "reverse", from, SomeOf(sizes, random)));
    case 1:
      return absl::StrCat(Parameter(type, from, before, number), View(type, name, sizes, "transpose", from, order));
    case 2:
      return absl::StrCat(Parameter(type, from, before, number), View(type, turned, sizes, "transpose", from, order),
                          View(type, name, sizes, "reverse", turned, SomeOf(sizes, random)));
    case 3: {
      const Sizes kept = SomeOf(sizes, random);
      Sizes less;
      for (int64_t d : kept) less.push_back(sizes[static_cast<size_t>(d)]);
      return absl::StrCat(Parameter(type, from, less, number), View(type, name, sizes, "broadcast", from, kept));
    }
    case 4: {
      Sizes more;
      std::vector<std::string> ranges;
      for (int64_t size : sizes) {
        const int64_t first = random() % 2 == 0 ? 0 : 3, step = random() % 3 == 0 ? 2 : 1;
        more.push_back(first + size * step);
        ranges.push_back(absl::StrCat("[", first, ":", more.back(), ":", step, "]"));
      }
      return absl::StrCat(Parameter(type, from, more, number), name, " = ", TypeText(type, sizes), " slice(", from,
                          "), slice={", absl::StrJoin(ranges, ", "), "} ");
    }
    default:
      return absl::StrCat(Parameter(type, from, sizes, number), name, " = ", TypeText(type, sizes), " negate(", from,
                          ") ");
  }
}

// The text with a view in place of each array parameter of the entry computation: "x = f32[9,4] parameter(0) ".
std::string WithViews(const std::string& text, ElementType type, std::mt19937& random) {
  const std::string equals = absl::StrCat(" = ", ElementTypeName(type), "["), parameter = "] parameter(";
  std::string result;
  size_t done = text.find("ENTRY");
  result = text.substr(0, done);
  while (true) {
    const size_t call = text.find(parameter, done);
    if (call == std::string::npos) return absl::StrCat(result, text.substr(done));
    const size_t at = text.rfind(equals, call), begin = text.rfind(' ', at - 1) + 1;
    const std::string name = text.substr(begin, at - begin);
    Sizes sizes;
    for (absl::string_view size : absl::StrSplit(text.substr(at + equals.size(), call - at - equals.size()), ',')) {
      EXPECT_TRUE(absl::SimpleAtoi(size, &sizes.emplace_back())) << text;
    }
    absl::StrAppend(&result, text.substr(done, begin - done),
                    RandomViewText(type, name, sizes, text[call + parameter.size()] - '0', random));
    done = call + parameter.size() + 3;  // "0) "
  }
}

TEST(CompiledViewsTest, GiveWhatTheEvaluatorGives) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  std::mt19937 random(3);
  std::vector<NamedModule> modules;
  for (const ElementType type : {ElementType::kF32, ElementType::kBF16, ElementType::kF64, ElementType::kS32}) {
    const auto add = [&](absl::Span<const KernelCase> cases) {
      for (const KernelCase& test : cases) {
        for (int k = 0; k < 2; ++k) {
          modules.push_back({absl::StrCat(test.name, "_", ElementTypeName(type), "_", k),
                             ModuleFromText(WithViews(KernelCaseText(test, type), type, random))});
        }
      }
    };
    add(KernelCases());
    if (type == ElementType::kF32) add(FloatKernelCases());
  }
  ExpectSameResults(modules, /*seed=*/3, /*tolerance=*/1e-5);
}

}  // namespace
}  // namespace hloscope::codegen
