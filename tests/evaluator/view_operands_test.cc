// SPDX-License-Identifier: Apache-2.0
// Every kernel that reads arrays gives the same for views in any strides (permuted, reversed, spread out, repeating) as
// for their dense copies.
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/support/kernel_cases.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/random_views.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

// Sums of these numbers are exact in f32: their order does not matter there.
double ToleranceOf(ElementType type, bool is_exact) {
  if (is_exact) return 0;
  return type == ElementType::kBF16 ? 1e-2 : 1e-5;
}

void CheckViews(const KernelCase& test, ElementType type, bool is_exact, std::mt19937& random) {
  SCOPED_TRACE(absl::StrCat(test.name, " of ", ElementTypeName(type)));
  const std::shared_ptr<const Module> module = ModuleFromText(KernelCaseText(test, type));
  ASSERT_NE(module, nullptr);
  for (int repetition = 0; repetition < 12; ++repetition) {
    std::vector<Value> views, copies;
    for (InstructionId parameter : module->computation(module->entry()).parameters) {
      const Tensor view = RandomView(type, module->shape(parameter).dimensions(), random);
      views.push_back(view);
      copies.push_back(*view.Copy());
    }
    const absl::StatusOr<Value> from_views = EvaluateModule(module, views);
    const absl::StatusOr<Value> from_copies = EvaluateModule(module, copies);
    ASSERT_TRUE(from_views.ok()) << from_views.status();
    ASSERT_TRUE(from_copies.ok()) << from_copies.status();
    ASSERT_TRUE(ValuesAgree(*from_views, *from_copies, ToleranceOf(type, is_exact))) << "repetition " << repetition;
  }
}

TEST(ViewOperandsTest, ViewsGiveWhatCopiesGive) {
  std::mt19937 random(11);
  for (const ElementType type :
       {ElementType::kF32, ElementType::kBF16, ElementType::kF64, ElementType::kS32, ElementType::kS8}) {
    for (const KernelCase& test : KernelCases())
      CheckViews(test, type, /*is_exact=*/type != ElementType::kBF16, random);
  }
  for (const ElementType type : {ElementType::kF32, ElementType::kF64}) {
    for (const KernelCase& test : FloatKernelCases()) CheckViews(test, type, /*is_exact=*/false, random);
  }
}

}  // namespace
}  // namespace hloscope::evaluator
