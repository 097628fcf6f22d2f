// SPDX-License-Identifier: Apache-2.0
// The grammar for editors: it is JSON, its expressions compile, and texts get the scopes they should.
#include "lsp/textmate/grammar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ir/element_type.h"
#include "core/ir/opcode.h"
#include "core/semantics/header_reader.h"
#include "nlohmann/json.hpp"
#include "tests/lsp/textmate/scope_finder.h"
#include "tests/support/shared_files.h"

namespace hloscope::lsp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const ScopeFinder& Finder() {
  static const ScopeFinder* const finder = new ScopeFinder(nlohmann::json::parse(TextMateGrammar()));
  return *finder;
}

// Expects that every byte of the first `token` in the text has `scope` (without `.hlo`) as its innermost scope.
void ExpectScope(const std::string& text, const std::string& token, const std::string& scope) {
  const size_t at = text.find(token);
  ASSERT_NE(at, std::string::npos) << text;
  const auto scopes = Finder().Scopes(text);
  for (size_t i = at; i < at + token.size(); ++i) {
    const std::string innermost = scopes[i].empty() ? "" : scopes[i].back();
    ASSERT_EQ(innermost, scope + ".hlo") << text << "\n`" << token << "`, byte " << i - at;
  }
}

TEST(Grammar, IsJsonWithExpressionsForEveryEngine) {
  const auto grammar = nlohmann::json::parse(TextMateGrammar());
  EXPECT_EQ(grammar.at("scopeName"), "source.hlo");
  EXPECT_GT(Finder().expressions().size(), 30u);
  for (const std::string& expression : Finder().expressions()) {
    // What Oniguruma and ECMAScript do not share.
    for (const char* part : {"(?<", "(?>", "\\G", "\\A", "\\z", "\\h", "(?i", "[[:", "\\p{", "&&"}) {
      EXPECT_THAT(expression, Not(HasSubstr(part)));
    }
    // An empty choice matches everywhere, and an editor would never get on.
    for (const char* part : {"(?:|", "||", "|)"}) EXPECT_THAT(expression, Not(HasSubstr(part)));
  }
}

TEST(Grammar, TheBuildWritesTheFile) {
  ASSERT_TRUE(std::filesystem::exists(HLOSCOPE_GRAMMAR));
  EXPECT_EQ(ReadFileOrDie(HLOSCOPE_GRAMMAR), TextMateGrammar());
}

TEST(Grammar, EveryOpcode) {
  for (Opcode opcode : AllOpcodes()) {
    const std::string name(OpcodeName(opcode));
    ExpectScope(absl::StrCat("  %v = f32[2]{0} ", name, "(%w)"), name, "support.function.opcode");
    ExpectScope(absl::StrCat("  v = ((f32[2]), f32[2]) ", name, "-start(w)"), absl::StrCat(name, "-start"),
                name == "all-gather" || name == "all-reduce" || name == "collective-permute" || name == "copy" ||
                        name == "async"
                    ? "support.function.opcode"
                    : "support.function.opcode.asynchronous");
  }
}

TEST(Grammar, EveryAttribute) {
  std::vector<absl::string_view> names = {"execution_thread"};
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enumeration, doc) names.push_back(spelling);
#include "core/ir/attributes.def"
  for (absl::string_view name : HeaderAttributeNames()) names.push_back(name);
  for (absl::string_view name : names) {
    ExpectScope(absl::StrCat("  v = f32[] negate(w), ", name, "={0}"), absl::StrCat(name),
                "entity.other.attribute-name");
    ExpectScope(absl::StrCat("  v = f32[] negate(w), ", name, "=\"x\""), absl::StrCat(name),
                "entity.other.attribute-name");
  }
}

TEST(Grammar, EveryElementType) {
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, proto_number) \
  ExpectScope("  v = " spelling "[2,3]{1,0} copy(w)", spelling, "storage.type");  \
  ExpectScope("  v = (" spelling "[], s32[]) tuple(w)", spelling, "storage.type");
#include "numerics/elements/element_types.def"
}

TEST(Grammar, EveryWord) {
#define HLO_ATTRIBUTE(Enum, spelling, Type, Enumeration_, doc)                                                         \
  if (AttributeType::k##Type == AttributeType::kWord) {                                                                \
    for (absl::string_view word : WordsOf(Enumeration::k##Enumeration_)) {                                             \
      ExpectScope(absl::StrCat("  v = f32[] x(w), ", spelling, "=", word, ", a=1"), absl::StrCat("=", word).substr(1), \
                  "constant.language.word");                                                                           \
    }                                                                                                                  \
  }
#include "core/ir/attributes.def"
  ExpectScope("  v = f32[] dot(a, b), operand_precision={high,HIGHEST}", "HIGHEST", "constant.language.word");
}

TEST(Grammar, EveryKeyword) {
  for (const char* word : {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
    ExpectScope(absl::StrCat(word, "\n1 \"a.py\""), word, "keyword.control");
  }
  for (const char* word : {"replicated", "maximal", "manual", "unknown", "unreduced", "shard_as", "shard_like",
                           "last_tile_dim_replicate"}) {
    ExpectScope(absl::StrCat("  v = f32[] copy(w), sharding={", word, "}"), word, "constant.language.sharding");
  }
  for (const char* word : {"true", "false"}) {
    ExpectScope(absl::StrCat("  v = pred[] constant(", word, ")"), word, "constant.language.boolean");
  }
}

TEST(Grammar, Statements) {
  ExpectScope("HloModule jit_f.1, is_scheduled=true", "HloModule", "keyword.control.module");
  ExpectScope("HloModule jit_f.1, is_scheduled=true", "jit_f.1", "entity.name.namespace");
  ExpectScope("ENTRY %main.7 (a: f32[]) -> f32[] {", "ENTRY", "storage.modifier.entry");
  ExpectScope("ENTRY %main.7 (a: f32[]) -> f32[] {", "%main.7", "entity.name.function");
  ExpectScope("ENTRY %main.7 (a: f32[]) -> f32[] {", "a:", "variable.other");
  ExpectScope("ENTRY %main.7 (a: f32[]) -> f32[] {", "->", "keyword.operator");
  ExpectScope("%region_0.1 (a: f32[]) -> f32[] {", "%region_0.1", "entity.name.function");
  ExpectScope("region_0.1 {", "region_0.1", "entity.name.function");
  ExpectScope("  ROOT %add.5 = f32[] add(%a, %b)", "ROOT", "storage.modifier.root");
  ExpectScope("  ROOT %add.5 = f32[] add(%a, %b)", "%add.5", "entity.name.variable");
  ExpectScope("  %x=f32[] copy(%a)", "%x", "entity.name.variable");
  ExpectScope("  dot = f32[] copy(a)", "dot", "entity.name.variable");
  ExpectScope("  v = f32[] copy(multiply)", "multiply", "variable.other");
  ExpectScope("  v = f32[] add(%t#1, %t#0)", "#", "keyword.operator.tuple-access");
  ExpectScope("  v = f32[] add(%t#1, %t#0)", "%t", "variable.other");
  ExpectScope("  v = f32[] reduce(a, b), to_apply=%region.1", "%region.1", "entity.name.function");
  ExpectScope("  v = f32[] while(a), condition=cond, body=%b.2", "%b.2", "entity.name.function");
  ExpectScope("  v = f32[] conditional(i, a), branch_computations={f.1, %g}", "f.1", "entity.name.function");
  ExpectScope("  v = f32[] reduce(a, b), to_apply={\n    p = f32[] parameter(0)\n  }", "parameter",
              "support.function.opcode");
}

TEST(Grammar, Values) {
  ExpectScope("  v = f32[2,3]{1,0:T(8,128)} copy(w)", "8", "constant.numeric.integer");
  ExpectScope("  v = f32[2,3]{1,0:T(8,128)} copy(w)", "T", "keyword.other.layout");
  ExpectScope("  v = b(f32[2]) copy(w)", "b", "keyword.other.buffer");
  ExpectScope("  v = f32[<=2] copy(w)", "<=", "keyword.operator");
  ExpectScope("  v = f32[2] constant({-1.5e+07, nan})", "-1.5e+07", "constant.numeric.decimal");
  ExpectScope("  v = f32[2] constant({-1.5e+07, nan})", "nan", "constant.numeric.special");
  ExpectScope("  v = f32[2] constant({nan(0x7f), -inf})", "nan(0x7f)", "constant.numeric.special");
  ExpectScope("  v = f32[2] constant({...})", "...", "constant.language.elided");
  ExpectScope("  v = f32[] c(a), dim_labels=b01f_01io->b01f", "b01f_01io->b01f", "constant.other.dim-labels");
  ExpectScope("  v = f32[] pad(a, z), padding=0_0_1x-1_2", "0_0_1x-1_2", "constant.numeric.padding");
  ExpectScope("  v = f32[] c(a), window={size=3x3 stride=2x2}", "3x3", "constant.numeric.sizes");
  ExpectScope("  v = f32[] c(a), window={size=3x3 stride=2x2}", "stride", "variable.parameter.field");
  ExpectScope("  v = f32[] c(a), sharding={mesh['x'=2], [{'x'}]}", "mesh", "keyword.other.mesh");
  ExpectScope("  v = f32[] c(a), metadata={op_name=\"j(f)/a\"}", "j(f)/a", "string.quoted.double");
  ExpectScope("  v = f32[] c(a), metadata={op_name=\"a\\n\"}", "\\n", "constant.character.escape");
  ExpectScope("  v = f32[] c(a), metadata={op_name=\"a\\q\"}", "\\q", "invalid.illegal.escape");
}

TEST(Grammar, CommentsAndRawBlocks) {
  ExpectScope("  v = f32[] add(a, /*index=5*/b) // add(c)", "/*index=5*/", "comment.block");
  ExpectScope("  v = f32[] add(a, b) // add(c)", "// add(c)", "comment.line.double-slash");
  ExpectScope("/* two\nENTRY lines */ ENTRY e {", "ENTRY lines", "comment.block");
  ExpectScope("  v = f32[] c(a), backend_config={a = add(b, {c}) // d}, sharding={replicated}", "a = add(b, {c}) // d",
              "string.unquoted.raw");
  ExpectScope("  v = f32[] c(a), backend_config={\"k\":\"}\"}, sharding={replicated}", "replicated",
              "constant.language.sharding");
  ExpectScope("HloModule m, frontend_attributes={a={b = #c<[\"d\"=2]>},e=\"f\"}", "b = #c<[", "string.unquoted.raw");
  ExpectScope("HloModule m, frontend_attributes={a={b},key=\"f\"}", "key", "variable.parameter.field");
}

}  // namespace
}  // namespace hloscope::lsp
