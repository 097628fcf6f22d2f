// SPDX-License-Identifier: Apache-2.0
// Every opcode that is computed element by element, and those that move elements, builds with every element type that
// it takes: one program of a module for each opcode, with an instruction for each type.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "core/ir/element_type.h"
#include "core/ir/opcode.h"
#include "tests/codegen/compiled_program.h"

namespace hloscope::codegen {
namespace {

// Lines of an entry computation; T is the element type, N a number for each type. The last one is called vN.
struct Lines {
  std::string name, text;
};

std::vector<std::string> ArrayTypes() {
  std::vector<std::string> types;
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) \
  if (IsArrayElement(ElementType::k##Enum)) types.push_back(spelling);
#include "numerics/elements/element_types.def"
  return types;
}

std::vector<Lines> LinesOfEveryOpcode() {
  std::vector<Lines> all;
  for (const Opcode opcode : AllOpcodes()) {
    const OpcodeInfo& info = InfoOf(opcode);
    if (info.family != OpFamily::kElementwise || info.arity < 1 || info.arity > 2) continue;
    const std::string attributes = opcode == Opcode::kCompare ? ", direction=EQ" : "";
    all.push_back({std::string(info.name),
                   absl::StrCat("vN = ", info.name, "(aN", info.arity == 2 ? ", bN)" : ")", attributes, "\n")});
  }
  const std::vector<Lines> others = {
      {"compare_order", "vN = compare(aN, bN), direction=LT\n"},
      {"complex", "vN = complex(aN, bN)\n"},
      {"select", "pN = pred[2,3] parameter_here\nvN = select(pN, aN, bN)\n"},
      {"clamp", "vN = clamp(aN, bN, aN)\n"},
      {"to_f32", "vN = f32[2,3] convert(aN)\n"},
      {"to_s8", "vN = s8[2,3] convert(aN)\n"},
      {"to_pred", "vN = pred[2,3] convert(aN)\n"},
      {"to_c128", "vN = c128[2,3] convert(aN)\n"},
      {"from_f64", "wN = f64[2,3] constant({{0,1,1},{1,0,1}})\nvN = T[2,3] convert(wN)\n"},
      {"from_u16", "wN = u16[2,3] constant({{0,1,1},{1,0,1}})\nvN = T[2,3] convert(wN)\n"},
      {"constant", "vN = T[4] constant({1,0,1,1})\n"},
      {"iota", "vN = T[2,2] iota(), iota_dimension=0\n"},
      {"broadcast", "vN = T[2,3,4] broadcast(aN), dimensions={0,1}\n"},
      {"transpose", "vN = transpose(aN), dimensions={1,0}\n"},
      {"reverse", "vN = reverse(aN), dimensions={1}\n"},
      {"slice", "vN = T[2,2] slice(aN), slice={[0:2],[0:3:2]}\n"},
      {"concatenate", "vN = T[2,6] concatenate(aN, bN), dimensions={1}\n"},
      {"pad", "cN = T[] constant(1)\nvN = pad(aN, cN), padding=1_0x0_0_1\n"},
      {"dynamic_slice", "iN = s32[] constant(1)\nvN = T[1,2] dynamic-slice(aN, iN, iN), dynamic_slice_sizes={1,2}\n"},
      {"dynamic_update_slice",
       "iN = s32[] constant(1)\ncN = T[1,2] constant({{1,1}})\nvN = T[2,3] dynamic-update-slice(aN, cN, iN, iN)\n"},
      {"reduce_add", "cN = T[] constant(1)\nvN = reduce(aN, cN), dimensions={1}, to_apply=add_T\n"},
      {"reduce_maximum", "cN = T[] constant(1)\nvN = reduce(aN, cN), dimensions={1}, to_apply=maximum_T\n"},
      {"dot",
       "tN = transpose(bN), dimensions={1,0}\nvN = dot(aN, tN), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}\n"},
  };
  for (Lines lines : others) {
    lines.text = absl::StrReplaceAll(lines.text, {{"parameter_here", "constant({{1,0,1},{0,1,0}})"}});
    all.push_back(std::move(lines));
  }
  return all;
}

// A module of these lines for each of the types.
std::string ModuleText(const Lines& lines, const std::vector<std::string>& types) {
  std::string callees, body;
  std::vector<std::string> results;
  for (size_t k = 0; k < types.size(); ++k) {
    for (const char* opcode : {"add", "maximum"}) {
      if (!absl::StrContains(lines.text, absl::StrCat(opcode, "_T"))) continue;
      absl::StrAppend(&callees, opcode, "_", types[k], " { p = ", types[k], "[] parameter(0) q = ", types[k],
                      "[] parameter(1) ROOT r = ", opcode, "(p, q) }\n");
    }
    absl::StrAppend(&body, "a", k, " = ", types[k], "[2,3] parameter(", 2 * k, ")\nb", k, " = ", types[k],
                    "[2,3] parameter(", 2 * k + 1, ")\n",
                    absl::StrReplaceAll(lines.text, {{"aN", absl::StrCat("a", k)},
                                                     {"bN", absl::StrCat("b", k)},
                                                     {"cN", absl::StrCat("c", k)},
                                                     {"wN", absl::StrCat("w", k)},
                                                     {"iN", absl::StrCat("i", k)},
                                                     {"pN", absl::StrCat("p", k)},
                                                     {"tN", absl::StrCat("t", k)},
                                                     {"vN", absl::StrCat("v", k)},
                                                     {"_T", absl::StrCat("_", types[k])},
                                                     {"T[", absl::StrCat(types[k], "[")}}));
    results.push_back(absl::StrCat("v", k));
  }
  return absl::StrCat(callees, "ENTRY e {\n", body, "ROOT all = tuple(", absl::StrJoin(results, ", "), ")\n}\n");
}

std::shared_ptr<const Document> Read(const std::string& text) {
  return Document::Parse(SourceText::FromString("test.hlo", text));
}

TEST(CompiledTypesTest, EveryOpcodeBuildsWithEveryTypeThatItTakes) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  std::vector<std::shared_ptr<const Document>> documents;
  std::vector<ProgramModule> modules;
  size_t combinations = 0;
  std::vector<std::string> refused;
  const std::vector<std::string> array_types = ArrayTypes();
  for (const Lines& lines : LinesOfEveryOpcode()) {
    std::vector<std::string> types;
    for (const std::string& name : array_types) {
      const auto alone = Read(ModuleText(lines, {name}));
      if (alone->has_errors()) continue;
      const ProgramModule one = {&alone->module(), lines.name};
      if (GenerateProgram({&one, 1}).complete()) {
        types.push_back(name);
      } else {
        refused.push_back(absl::StrCat(lines.name, " of ", name));
      }
    }
    EXPECT_FALSE(types.empty()) << lines.name;
    if (types.empty()) continue;
    combinations += types.size();
    documents.push_back(Read(ModuleText(lines, types)));
    ASSERT_FALSE(documents.back()->has_errors()) << ModuleText(lines, types);
    modules.push_back({&documents.back()->module(), lines.name});
  }
  // Types for which the operation has no meaning: the evaluator refuses them too.
  static constexpr const char* kUndefined[] = {"mulhi of ", "shift-", "remainder of c", "clamp of c"};
  for (const std::string& one : refused) {
    EXPECT_TRUE(std::any_of(std::begin(kUndefined), std::end(kUndefined), [&](const char* prefix) {
      return absl::StartsWith(one, prefix);
    })) << one;
  }
  EXPECT_GT(combinations, 800U);
  // Whether it builds does not depend on how well.
  setenv("OPTIMISE", "-O0", 1);
  CompiledProgram program;
  const absl::Status status = program.Build(modules);
  unsetenv("OPTIMISE");
  EXPECT_TRUE(status.ok()) << status.message();
}

}  // namespace
}  // namespace hloscope::codegen
