// What formatting keeps as the text has it: attributes with their defaults, forms of other versions, and the number and
// order of everything (docs/text-format.md 7.1).
#include "core/editing/written_forms.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/editing/comments.h"
#include "core/editing/refactorings.h"

namespace hloscope {
namespace {

std::string FormattedAsWritten(const std::string& text) {
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
        "f32[2,2]{1,0} reshape(p), inferred_dimension=-1",
        "f32[4]{0} custom-call(p), custom_call_target=\"f\", output_to_operand_aliasing={}",
        "f32[4]{0} negate(p), sharding={unreduced}",
        "f32[4]{0} negate(p), sharding={mesh['x'=2], unreduced}",
        "f32[4]{0} negate(p), sharding={mesh['x'=2], replicated}",
        "f32[4]{0} negate(p), sharding={unreduced metadata={op_type=\"sdy::reduction_op\" op_name=\"SUM\"}}",
        "f32[4]{0} domain(p), domain={kind=\"sharding\", entry={unreduced}, exit={mesh['x'=2], replicated}}"}) {
    EXPECT_EQ(FormattedAsWritten(WithStatement(statement)), WithStatement(statement));
  }
}

TEST(WrittenForms, LinksOfChainsKeepWhatTheyRepeat) {
  const std::string text =
      "HloModule m\n\nw {\n  x = f32[4]{0} parameter(0)\n  ROOT y = f32[4]{0} negate(x)\n}, execution_thread=\"t\"\n\n"
      "ENTRY e {\n  p = f32[4]{0} parameter(0)\n"
      "  s = ((f32[4]{0}), f32[4]{0}, s32[]) async-start(p), async_execution_thread=\"t\", calls=w\n"
      "  u = ((f32[4]{0}), f32[4]{0}, s32[]) async-update(s), async_execution_thread=\"t\", calls=w\n"
      "  ROOT d = f32[4]{0} async-done(u), calls=w\n}\n";
  EXPECT_EQ(FormattedAsWritten(text), text);
}

TEST(WrittenForms, LongIntegersOfFloatsStay) {
  const auto constant = [](const char* shape, const char* value) {
    return absl::StrCat("HloModule m\n\nENTRY e {\n  ROOT c = ", shape, " constant(", value, ")\n}\n");
  };
  for (const auto& [shape, value] :
       {std::pair("f32[]", "55906239034112"), std::pair("f32[]", "-55906239034112"),
        std::pair("f32[3]{0}", "{1, 55906239034112, 2.5}"), std::pair("c64[]", "(55906239034112, nan(0x1))"),
        std::pair("(f32[], s64[])", "( 55906239034112, 55906239034112 )")}) {
    EXPECT_EQ(FormattedAsWritten(constant(shape, value)), constant(shape, value));
  }
  EXPECT_EQ(FormattedAsWritten(constant("f32[2]{0}", "{1.0,   55906239034112 /* c */}")),
            "HloModule m\n\nENTRY e {\n  /* c */\n  ROOT c = f32[2]{0} constant({1, 55906239034112})\n}\n")
      << "blanks and other numbers are formatted";
}

TEST(WrittenForms, TheHeaderOfOldPrintersStays) {
  const std::string text =
      "HloModule m, "
      "entry_computation_layout={(f32[2]{0},f32[2]{0},f32[2]{0},f32[2]{0},f32[2]{0},f32[2]{0})->f32[2]{0}}\n"
      " \n%f (x: f32[]) -> f32[] {\n  ROOT %x = f32[] parameter(0)\n}\n"
      " \nENTRY %e (a: f32[2], b: f32[2], c: f32[2], d: f32[2], g: f32[2], h: f32[2]) -> f32[2] {\n"
      "  %b = f32[2]{0} parameter(1)\n  %c = f32[2]{0} parameter(2)\n  %d = f32[2]{0} parameter(3)\n"
      "  %g = f32[2]{0} parameter(4)\n  %h = f32[2]{0} parameter(5)\n  ROOT %a = f32[2]{0} parameter(0)\n}\n\n";
  EXPECT_EQ(FormattedAsWritten(text), text);
}

}  // namespace
}  // namespace hloscope
