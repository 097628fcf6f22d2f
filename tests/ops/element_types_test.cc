// SPDX-License-Identifier: Apache-2.0
// Which element types each elementwise operation takes (docs/ops/elementwise.md 2.3), of all there are.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

struct TypeFamily {
  char letter;
  absl::string_view types;
};
constexpr TypeFamily kTypeFamilies[] = {
    {'P', "pred"},
    {'S', "s1 s2 s4 s8 s16 s32 s64"},
    {'U', "u1 u2 u4 u8 u16 u32 u64"},
    {'F',
     "f4e2m1fn f6e2m3fn f6e3m2fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu f16 bf16 "
     "f32 f64"},
    {'C', "c64 c128"}};

struct OpcodeTypes {
  absl::string_view opcodes, accepted;
  int operands;
};
// The column "S" of the table, for operations whose result has the type of the operands.
constexpr OpcodeTypes kOpcodeTypes[] = {
    {"acos acosh asin asinh atanh cosine cosh exponential exponential-minus-one log log-plus-one logistic rsqrt sine "
     "sinh sqrt tan tanh",
     "FC", 1},
    {"cbrt ceil erf floor round-nearest-afz round-nearest-even", "F", 1},
    {"sign", "SFC", 1},
    {"negate", "SUFC", 1},
    {"not", "PSU", 1},
    {"count-leading-zeros popcnt", "SU", 1},
    {"copy", "PSUFC", 1},
    {"add multiply maximum minimum mulhi", "PSUFC", 2},
    {"subtract divide power remainder shift-left shift-right-arithmetic shift-right-logical", "SUFC", 2},
    {"and or xor", "PSU", 2},
    {"atan2", "FC", 2}};

bool IsAccepted(const std::string& instruction) {
  const auto document = Document::Parse(SourceText::FromString("types", ModuleAround(instruction)));
  return std::none_of(document->diagnostics().begin(), document->diagnostics().end(),
                      [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

TEST(ElementTypes, OfElementwiseOperationsAreThoseOfTheTable) {
  for (const OpcodeTypes& row : kOpcodeTypes) {
    for (const absl::string_view opcode : absl::StrSplit(row.opcodes, ' ')) {
      for (const TypeFamily& family : kTypeFamilies) {
        for (const absl::string_view type : absl::StrSplit(family.types, ' ')) {
          const std::string array = absl::StrCat(type, "[3]");
          const std::string operands = row.operands == 1 ? array : absl::StrCat(array, ", ", array);
          const bool accepted = row.accepted.find(family.letter) != absl::string_view::npos;
          EXPECT_EQ(IsAccepted(absl::StrCat(opcode, " ", operands, " -> ", array)), accepted) << opcode << " " << type;
        }
      }
      for (const absl::string_view type : {"token[]", "opaque[]", "(f32[3])"}) {
        if (opcode == "copy") continue;
        const std::string operands = row.operands == 1 ? std::string(type) : absl::StrCat(type, ", ", type);
        EXPECT_FALSE(IsAccepted(absl::StrCat(opcode, " ", operands, " -> f32[3]"))) << opcode << " " << type;
      }
    }
  }
}

}  // namespace
}  // namespace hloscope
