// SPDX-License-Identifier: Apache-2.0
// What formatting keeps as the text has it: attributes with their defaults, forms of other versions, and the number and
// order of everything (docs/text-format.md 7.1).
#include "core/editing/written_forms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/document/document.h"
#include "core/editing/comments.h"
#include "core/editing/text_style.h"
#include "core/ir/opcode.h"
#include "core/print/printer.h"
#include "tests/support/op_page.h"

namespace hloscope {
namespace {

std::string PrintedInItsStyle(const std::string& text) {
  const auto document = Document::Parse(SourceText::FromString("text", text), {{}, /*parse_only=*/true});
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity == Severity::kError) return absl::StrCat("error: ", d.Message());
  }
  return PrintWithComments(*document, StyleOf(*document));
}

// A module in which `r` is the given statement.
std::string WithStatement(const std::string& statement) {
  return absl::StrCat(
      "HloModule m, replica_count=2\n\n"
      "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n\n"
      "id {\n  ROOT a = f32[4]{0} parameter(0)\n}\n\n"
      "ENTRY e {\n  p = f32[4]{0} parameter(0)\n  m = f32[4,4]{1,0} parameter(1)\n  z = f32[] constant(0)\n"
      "  ROOT r = ",
      statement, "\n}\n");
}

TEST(WrittenForms, AttributesStayWhereTheyAreDefaults) {
  for (const char* statement :
       {"f32[4]{0} all-reduce(p), replica_groups={}, use_global_device_ids=false, to_apply=sum",
        "f32[4]{0} all-reduce(p), constrain_layout=false, mode=cross_replica, to_apply=sum",
        "f32[4]{0} all-reduce(p), to_apply=sum",
        "f32[4,4]{1,0} dot(m, m), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
        "operand_precision={default,default}",
        "f32[4,4]{1,0} dot(m, m), lhs_batch_dims={}, lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
        "algorithm=unset",
        "f32[4,4]{1,0} convolution(m, m), window={}, dim_labels=bf_io->bf, feature_group_count=1, batch_group_count=1, "
        "convolution_kind=unset",
        "f32[4]{0} broadcast(z)",
        "f32[4]{0} broadcast(z), dimensions={}",
        "f32[4]{0} exponential(p), result_accuracy={mode=default}",
        "f32[4]{0} negate(p), frontend_attributes={}",
        "f32[4]{0} negate(p), metadata={source_line=3}",
        "f32[4]{0} custom-call(p), custom_call_target=\"f\", custom_call_has_side_effect=false, "
        "schedule=SCHEDULE_NONE, api_version=API_VERSION_ORIGINAL, called_computations={}",
        "f32[4,4]{1,0} triangular-solve(m, m), left_side=false, lower=true, transpose_a=NO_TRANSPOSE",
        "f32[4]{0} call(p), to_apply=id, is_composite=false",
        "pred[4]{0} compare(p, p), direction=EQ, type=FLOAT",
        "pred[4]{0} compare(p, p), direction=EQ, type=TOTALORDER",
        "pred[4]{0} compare(p, p), direction=EQ, order=TOTAL",
        "pred[4]{0} compare(p, p), direction=EQ, order=PARTIAL",
        "pred[4]{0} compare(p, p), direction=EQ, type=SIGNED",
        "f32[4,4]{1,0} convolution(m, m, p), dim_labels=bf_io->bf, block_scaling_config={rhs={scale_idx=2}}",
        "f32[4]{0:S(-1)} negate(p)",
        "f32[2,2]{1,0} reshape(p), inferred_dimension=-1",
        "f32[4]{0} custom-call(p), custom_call_target=\"f\", output_to_operand_aliasing={}",
        "f32[4]{0} negate(p), sharding={unreduced}",
        "f32[4]{0} negate(p), sharding={mesh['x'=2], unreduced}",
        "f32[4]{0} negate(p), sharding={mesh['x'=2], replicated}",
        "f32[4]{0} negate(p), sharding={unreduced metadata={op_type=\"sdy::reduction_op\" op_name=\"SUM\"}}",
        "f32[4]{0} domain(p), domain={kind=\"sharding\", entry={unreduced}, exit={mesh['x'=2], replicated}}"}) {
    EXPECT_EQ(PrintedInItsStyle(WithStatement(statement)), WithStatement(statement));
  }
}

TEST(WrittenForms, OrderOfAComparisonIsItsType) {
  const auto printed = [](const std::string& attribute) {
    const std::string text = WithStatement(absl::StrCat("pred[4]{0} compare(p, p), direction=LT", attribute));
    return PrintModule(Document::Parse(SourceText::FromString("m", text))->module(), PrintOptions::Short());
  };
  EXPECT_EQ(printed(", order=TOTAL"), printed(", type=TOTALORDER"));
  EXPECT_EQ(printed(", order=PARTIAL"), printed(""));
}

TEST(WrittenForms, LinksOfChainsKeepWhatTheyRepeat) {
  const std::string text =
      "HloModule m\n\nw {\n  x = f32[4]{0} parameter(0)\n  ROOT y = f32[4]{0} negate(x)\n}, execution_thread=\"t\"\n\n"
      "ENTRY e {\n  p = f32[4]{0} parameter(0)\n"
      "  s = ((f32[4]{0}), f32[4]{0}, s32[]) async-start(p), async_execution_thread=\"t\", calls=w\n"
      "  u = ((f32[4]{0}), f32[4]{0}, s32[]) async-update(s), async_execution_thread=\"t\", calls=w\n"
      "  ROOT d = f32[4]{0} async-done(u), calls=w\n}\n";
  EXPECT_EQ(PrintedInItsStyle(text), text);
}

TEST(WrittenForms, LongIntegersOfFloatsStay) {
  const auto constant = [](const char* shape, const char* value) {
    return absl::StrCat("HloModule m\n\nENTRY e {\n  ROOT c = ", shape, " constant(", value, ")\n}\n");
  };
  for (const auto& [shape, value] :
       {std::pair("f32[]", "55906239034112"), std::pair("f32[]", "-55906239034112"),
        std::pair("f32[3]{0}", "{1, 55906239034112, 2.5}"), std::pair("c64[]", "(55906239034112, nan(0x1))"),
        std::pair("(f32[], s64[])", "( 55906239034112, 55906239034112 )")}) {
    EXPECT_EQ(PrintedInItsStyle(constant(shape, value)), constant(shape, value));
  }
  EXPECT_EQ(PrintedInItsStyle(constant("f32[2]{0}", "{1.0,   55906239034112 /* c */}")),
            "HloModule m\n\nENTRY e {\n  /* c */\n  ROOT c = f32[2]{0} constant({1.0, 55906239034112})\n}\n")
      << "blanks are formatted";
}

TEST(WrittenForms, TheHeaderOfOldPrintersStays) {
  const std::string text =
      "HloModule m, "
      "entry_computation_layout={(f32[2]{0},f32[2]{0},f32[2]{0},f32[2]{0},f32[2]{0},f32[2]{0})->f32[2]{0}}\n"
      " \n%f (x: f32[]) -> f32[] {\n  ROOT %x = f32[] parameter(0)\n}\n"
      " \nENTRY %e (a: f32[2], b: f32[2], c: f32[2], d: f32[2], g: f32[2], h: f32[2]) -> f32[2] {\n"
      "  %b = f32[2]{0} parameter(1)\n  %c = f32[2]{0} parameter(2)\n  %d = f32[2]{0} parameter(3)\n"
      "  %g = f32[2]{0} parameter(4)\n  %h = f32[2]{0} parameter(5)\n  ROOT %a = f32[2]{0} parameter(0)\n}\n\n";
  EXPECT_EQ(PrintedInItsStyle(text), text);
}

// Values that say nothing, or what readers assume.
std::vector<std::string> EmptyAndDefaultValues(AttributeKind kind) {
  std::vector<std::string> values = {"\"\"",
                                     "\"main\"",
                                     "{}",
                                     "{{}}",
                                     "{{},{}}",
                                     "false",
                                     "true",
                                     "0",
                                     "1",
                                     "-1",
                                     "{0}",
                                     "{1}",
                                     "{0,1}",
                                     "{true}",
                                     "{false}",
                                     "1x1",
                                     "{mode=default}",
                                     "{op_type=\"\" op_name=\"\" source_line=0}",
                                     "{visualizing_index=0}",
                                     "{replicated}",
                                     "{manual}",
                                     "{devices=[1]0}",
                                     "{devices=[2]0,1}",
                                     "{{0,1}}",
                                     "{{0},{1}}",
                                     "[1,2]<=[2]",
                                     "{size=1}",
                                     "{size=1 stride=1 pad=0_0 lhs_dilate=1 rhs_dilate=1 rhs_reversal=0}",
                                     "{size=1x1 stride=1x1 pad=0_0x0_0}",
                                     "0_0_0",
                                     "{[0:4:1]}",
                                     "{[0:4:1], [0:4:1]}",
                                     "0.0"};
  for (absl::string_view word : WordsOf(InfoOf(kind).enumeration)) {
    values.emplace_back(word);
    values.push_back(absl::StrCat("{", word, "}"));
    values.push_back(absl::StrCat("{", word, ",", word, "}"));
  }
  return values;
}

// Whatever the text gives is printed, letter for letter, on instructions of every opcode.
TEST(WrittenForms, EveryAttributeThatIsReadIsPrinted) {
  int kept = 0;
  std::string lost;
  for (Opcode opcode : AllOpcodes()) {
    const std::string example = ExampleOfOpPage(opcode);
    const auto document = Document::Parse(SourceText::FromString("text", example), {{}, /*parse_only=*/true});
    const SyntaxTree& tree = document->syntax();
    const TokenBuffer& tokens = document->tokens();
    const auto node = std::find_if(tree.instructions.begin(), tree.instructions.end(), [&](const auto& n) {
      return n.opcode != kNoToken && document->source().Slice(tokens.range(n.opcode)) == OpcodeName(opcode);
    });
    if (node == tree.instructions.end()) continue;
    const size_t end = tokens.end(node->tokens.end - 1);
    std::set<AttributeKind> present;
    for (uint32_t k = 0; k < node->attribute_count; ++k) {
      const absl::string_view name =
          document->source().Slice(tokens.range(tree.attributes[node->first_attribute + k].name));
      if (const auto kind = AttributeFromName(opcode, absl::StripSuffix(name, "="))) present.insert(*kind);
    }
    std::vector<AttributeKind> kinds(CommonAttributes().begin(), CommonAttributes().end());
    kinds.insert(kinds.end(), InfoOf(opcode).attributes.begin(), InfoOf(opcode).attributes.end());
    for (AttributeKind kind : kinds) {
      if (present.contains(kind)) continue;
      for (const std::string& value : EmptyAndDefaultValues(kind)) {
        const std::string attribute = absl::StrCat(", ", AttributeName(kind), "=", value);
        const std::string formatted =
            PrintedInItsStyle(absl::StrCat(example.substr(0, end), attribute, example.substr(end)));
        if (absl::StartsWith(formatted, "error: ")) continue;
        ++kept;
        if (!absl::StrContains(formatted, attribute)) {
          absl::StrAppend(&lost, OpcodeName(opcode), attribute, "\n");
        }
      }
    }
  }
  EXPECT_EQ(lost, "");
  EXPECT_GT(kept, 1000);
}

TEST(WrittenForms, EveryHeaderAttributeStays) {
  for (const char* attribute :
       {"is_scheduled=false", "is_scheduled=true", "input_output_alias={}", "buffer_donor={}",
        "alias_passthrough_params=false", "allow_spmd_sharding_propagation_to_parameters={}",
        "allow_spmd_sharding_propagation_to_parameters={false}", "allow_spmd_sharding_propagation_to_output={false}",
        "replica_count=1", "num_partitions=1", "frontend_attributes={}"}) {
    const std::string text =
        absl::StrCat("HloModule m, ", attribute, "\n\nENTRY e {\n  ROOT p = f32[4]{0} parameter(0)\n}\n");
    EXPECT_EQ(PrintedInItsStyle(text), text);
  }
  // All of them, in the order of the reference.
  const std::string text =
      "HloModule m, is_scheduled=false, input_output_alias={}, buffer_donor={}, alias_passthrough_params=false, "
      "entry_computation_layout={(f32[4]{0})->f32[4]{0}}, allow_spmd_sharding_propagation_to_parameters={false}, "
      "allow_spmd_sharding_propagation_to_output={false}, replica_count=1, num_partitions=1, "
      "frontend_attributes={}\n\nENTRY e {\n  ROOT p = f32[4]{0} parameter(0)\n}, execution_thread=\"main\"\n";
  EXPECT_EQ(PrintedInItsStyle(text), text);
}

TEST(WrittenForms, EmptyAttributesStayBesideOthers) {
  for (const char* statement :
       {"f32[4]{0} negate(p), sharding={replicated}, metadata={op_name=\"a\"}, backend_config=\"\"",
        "f32[4]{0} negate(p), metadata={op_type=\"\" op_name=\"a\" source_file=\"\" source_line=0}",
        "f32[4]{0} custom-call(p), custom_call_target=\"\", api_version=API_VERSION_ORIGINAL, backend_config=\"\"",
        "f32[4]{0} custom-call(p), custom_call_target=\", backend_config=\", backend_config=\"\""}) {
    EXPECT_EQ(PrintedInItsStyle(WithStatement(statement)), WithStatement(statement));
  }
}

}  // namespace
}  // namespace hloscope
