// SPDX-License-Identifier: Apache-2.0
// Printing loses nothing but what its style leaves out: what is printed reads back as an equal module, and printing
// that again changes nothing.
#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/analysis/module_compare.h"
#include "core/document/document.h"
#include "core/editing/text_style.h"
#include "core/print/printer.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"
#include "tests/support/time_limit.h"

namespace hloscope {
namespace {

std::string FirstError(const Document& document) {
  for (const Diagnostic& d : document.diagnostics()) {
    if (d.severity != Severity::kError) continue;
    const LineColumn at = document.source().LineColumnAt(d.range.begin);
    return std::to_string(at.line + 1) + ": " + d.Message();
  }
  return "";
}

void ExpectRoundTrip(const Document& original, const PrintOptions& options, const std::string& what) {
  const std::string printed = PrintModule(original.module(), options);
  const auto again = ParseDocument(printed);
  ASSERT_FALSE(again->has_errors()) << what << ": " << FirstError(*again);
  EXPECT_EQ(FirstDifference(original.module(), again->module(), HiddenInPrint(original.module(), options)), "") << what;
  // Bodies in place have their final names only when they are printed again.
  if (options.order == PrintOrder::kText && !options.inline_computations) {
    EXPECT_TRUE(PrintModule(again->module(), options) == printed) << what << ": printing what was printed changes it";
    return;
  }
  // The order of instructions, and then that of the computations they call, may move once (docs/text-format.md 7.11);
  // then nothing changes any more.
  const std::string moved = PrintModule(ParseDocument(PrintModule(again->module(), options))->module(), options);
  EXPECT_TRUE(PrintModule(ParseDocument(moved)->module(), options) == moved)
      << what << ": printing what was printed changes it again and again";
}

constexpr const char* kStyles[] = {"dump", "long", "short", "canonical"};

void ExpectRoundTripIn(const char* style, const Document& document, const std::string& what) {
  PrintOptions options = *PrintOptions::FromStyleName(style);
  ExpectRoundTrip(document, options, absl::StrCat(what, " (", style, ")"));
  options.order = PrintOrder::kXla;
  ExpectRoundTrip(document, options, absl::StrCat(what, " (", style, ", order of the reference)"));
}

void ExpectRoundTripInEveryStyle(const Document& document, const std::string& what) {
  for (const char* style : kStyles) ExpectRoundTripIn(style, document, what);
  ExpectRoundTrip(document, StyleOf(document), what + " (its own)");
}

void ExpectRoundTripInEveryStyle(const std::string& file) {
  const auto document = Document::Open(file, {{}, /*parse_only=*/true});
  ASSERT_TRUE(document.ok()) << file;
  ExpectRoundTripInEveryStyle(**document, file);
}

TEST(PrintRoundTrip, EveryCorpusFileInEveryStyle) {
  SKIP_WITHOUT_SHARED_FILES();
  if (!kIsSanitized) {
    for (const std::string& file : CorpusFiles()) ExpectRoundTripInEveryStyle(file);
    return;
  }
  // The same code nine times over large files takes minutes there: each file in one of the styles.
  size_t number = 0;
  for (const std::string& file : CorpusFiles()) {
    const auto document = Document::Open(file, {{}, /*parse_only=*/true});
    ASSERT_TRUE(document.ok()) << file;
    ExpectRoundTripIn(kStyles[number++ % std::size(kStyles)], **document, file);
  }
}

TEST(PrintRoundTrip, EveryVectorInEveryStyle) {
  SKIP_WITHOUT_SHARED_FILES();
  for (const std::string& folder : VectorCases()) ExpectRoundTripInEveryStyle(folder + "/module.hlo");
}

// Each choice of 7.1 turned the other way in each style, on an example of each operation.
TEST(PrintRoundTrip, EveryOptionOfEveryStyle) {
  // Those that are left out give texts that cannot be read, essential_constants where it elides a scalar.
  static constexpr bool PrintOptions::*kOptions[] = {
      &PrintOptions::percent,
      &PrintOptions::operand_shapes,
      &PrintOptions::operand_index_comments,
      &PrintOptions::signatures,
      &PrintOptions::metadata,
      &PrintOptions::backend_config,
      &PrintOptions::control_predecessors,
      &PrintOptions::large_constants,
      &PrintOptions::inline_computations,
      &PrintOptions::canonical_names,
      &PrintOptions::async_sugar,
      &PrintOptions::compact_tuple_access,
      &PrintOptions::keep_written_tuple_access,
      &PrintOptions::only_op_name,
      &PrintOptions::sorted_backend_config,
      &PrintOptions::explicit_replica_groups,
      &PrintOptions::closing_names,
  };
  for (const Opcode opcode : AllOpcodes()) {
    const std::string name(OpcodeName(opcode));
    const std::string page = ReadFileOrDie(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/resources/ops/", name, ".md"));
    const size_t begin = page.find("```hlo\n") + 7;
    const auto document = ParseDocument(page.substr(begin, page.find("```", begin) - begin));
    ASSERT_FALSE(document->has_errors()) << name << ": " << FirstError(*document);
    for (const char* style : kStyles) {
      for (size_t k = 0; k < std::size(kOptions); ++k) {
        PrintOptions options = *PrintOptions::FromStyleName(style);
        options.*kOptions[k] = !(options.*kOptions[k]);
        ExpectRoundTrip(*document, options, absl::StrCat(name, " (", style, ", option ", k, ")"));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// What corpus and vectors do not have: every form of sharding, comments in headers, texts inside texts.
TEST(PrintRoundTrip, RareValues) {
  const auto document =
      ParseDocument(R"hlo(HloModule m, origin_recovery_table={ {"x" {1}} : {"y"}, "f32[2] negate(f32[2])" }
ENTRY e {
  a = f32[4,4] parameter(0), sharding={devices=[2,1,2,2]<=[8] last_tile_dims={replicated, manual}}
  b = f32[4,4] parameter(1), sharding={mesh['x'=2,'y'=4], [{'x'}, {'y':(1)2, ?}], replicated={'y':(2)2}}
  c = (f32[4,4], f32[4,4]) tuple(a, b), sharding={{mesh['x'=2], replicated}, {unreduced}}
  d = f32[4,4] copy(a), sharding={unreduced metadata={{op_name="q"}, {op_type="sdy::reduction_op" op_name="MIN"}}}
  t = ((f32[4,4], f32[4,4]), (f32[4,4], f32[4,4]), u32[]) custom-call-start(a, b), custom_call_target="f", statistics={visualizing_index=0,x=1}
  ROOT r = f32[4,4] add(c#0, d), origin={{"v" {0,1}}}, metadata={op_name="\377\"" scheduling_name="a b"}
})hlo");
  ASSERT_FALSE(document->has_errors()) << FirstError(*document);
  ExpectRoundTripInEveryStyle(*document, "rare values");
}

// Chains of every form: written out and as sugar, with operands and results that are bound late, on threads, with
// attributes that belong to the start, to what it wraps, or to both.
TEST(PrintRoundTrip, AsynchronousChains) {
  constexpr absl::string_view kComputations = R"hlo(HloModule m
f { a = f32[8] parameter(0) b = f32[8] parameter(1) ROOT d = f32[8] subtract(a, b) }
g { a = f32[8] parameter(0) ROOT d = f32[8] negate(a) }
neg { a = f32[8] parameter(0) ROOT d = f32[8] negate(a) }
add { a = f32[8] parameter(0) b = f32[8] parameter(1) ROOT d = f32[8] add(a, b) }
call { a = f32[8] parameter(0) ROOT d = f32[8] custom-call(a), custom_call_target="f", output_to_operand_aliasing={{}: (0, {})} }
two { a = f32[8] parameter(0) b = f32[8] negate(a) ROOT d = f32[8] negate(b) }
marked { a = f32[8] parameter(0), metadata={op_name="p"} ROOT d = f32[8] negate(a), metadata={op_name="n"}, sharding={replicated} }
cc { a = f32[8] parameter(0) ROOT d = f32[8] custom-call(a), custom_call_target="f" }, execution_thread="t"
ENTRY e {
  p = f32[8] parameter(0)
  q = f32[8] parameter(1)
)hlo";
  static constexpr absl::string_view kStarts[] = {
      "s = ((f32[8]), f32[8], u32[]) fusion-start(p), kind=kLoop, calls=g",
      "s = ((f32[8]), f32[8], u32[]) call-start(p), to_apply=g, async_execution_thread=\"dma\"",
      "s = ((f32[8]), f32[8], u32[]) negate-start(p), async_execution_thread=\"dma\", metadata={op_name=\"x\"}",
      "s = ((f32[8]), f32[8], u32[]) exponential-start(p), result_accuracy={mode=highest}, sharding={replicated}",
      "s = ((f32[8]), f32[8], u32[]) custom-call-start(p), custom_call_target=\"f\", output_to_operand_aliasing={{}: "
      "(0, "
      "{})}, backend_config={\"k\":1}",
      "s = ((f32[8]), f32[8], u32[]) async-start(p), calls=neg",
      "s = ((f32[8]), f32[8], u32[]) async-start(p), calls=neg, async_execution_thread=\"dma\"",
      "s = ((f32[8]), f32[8], u32[]) async-start(p), calls=neg, metadata={op_name=\"x\"}, backend_config=\"b\"",
      "s = ((f32[8]), f32[8], u32[]) async-start(p), calls=two, async_execution_thread=\"dma\"",
      "s = ((f32[8]), f32[8], u32[]) async-start(p), calls=marked, frontend_attributes={a=\"b\"}",
      "s = ((f32[8]), f32[8], u32[]) async-start(p), calls=call",
      "s = ((f32[8]), f32[8], u32[]) async-start(p), calls=cc, output_to_operand_aliasing={{1}: (0, {})}",
      "s0 = ((), (), u32[]) async-start(), calls=neg\n  s = ((f32[8]), f32[8], u32[]) async-update(s0, p)",
      "s0 = ((), (), u32[]) async-start(), calls=add\n  sa = ((f32[8]), (), u32[]) async-update(s0, p)\n"
      "  s = ((f32[8], f32[8]), (), u32[]) async-update(sa, q)",
      "s0 = ((f32[8]), (), u32[]) call-start(p), to_apply=f\n  s = ((f32[8], f32[8]), f32[8], u32[]) call-update(s0, "
      "q)",
      "s0 = ((), (), u32[]) add-start()\n  sa = ((f32[8]), (), u32[]) add-update(s0, p)\n"
      "  s = ((f32[8], f32[8]), (), u32[]) add-update(sa, q)",
  };
  for (absl::string_view start : kStarts) {
    std::string done = "async-done";
    if (start.find("async-") == absl::string_view::npos) {
      const size_t dash = start.find(start.find("-update") == absl::string_view::npos ? "-start" : "-update");
      const size_t begin = start.rfind(' ', dash) + 1;
      done = absl::StrCat(start.substr(begin, dash - begin), "-done");
    }
    const std::string text = absl::StrCat(kComputations, "  ", start, "\n  ROOT d = f32[8] ", done, "(s)\n}\n");
    const auto document = ParseDocument(text);
    ASSERT_FALSE(document->has_errors()) << FirstError(*document) << "\n" << text;
    ExpectRoundTripInEveryStyle(*document, std::string(start));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(ModuleCompare, NamesTheFirstDifference) {
  const auto module = [](const std::string& body) { return ParseDocument("ENTRY e {\n" + body + "\n}"); };
  const auto difference = [](const auto& a, const auto& b, ModuleComparison comparison = {}) {
    return FirstDifference(a->module(), b->module(), comparison);
  };
  const auto a = module("x = f32[2] parameter(0)\n ROOT r = f32[2] negate(x)");
  const auto renamed = module("y = f32[2] parameter(0)\n ROOT q = f32[2] negate(y)");
  EXPECT_EQ(difference(a, a), "");
  EXPECT_EQ(difference(a, renamed, {.ignore_names = true}), "");
  EXPECT_NE(difference(a, renamed), "");
  EXPECT_EQ(difference(a, module("x = f32[2] parameter(0)\n ROOT r = f32[2] abs(x)")),
            "computation `e`, instruction `r`: opcode is `negate`, in the other module `abs`");
  EXPECT_NE(difference(a, module("x = f32[3] parameter(0)\n ROOT r = f32[3] negate(x)")), "");
  const auto c1 = module("ROOT c = f32[2] constant({1, 2})"), c2 = module("ROOT c = f32[2] constant({1, 3})");
  EXPECT_EQ(difference(c1, c2), "computation `e`, instruction `c`: value is `{1, 2}`, in the other module `{1, 3}`");
  EXPECT_EQ(difference(c1, module("ROOT c = f32[2] constant({...})"), {.ignore_elision = true}), "");
  const auto d1 = module("x = f32[2,3] parameter(0)\n ROOT r = f32[3,2] transpose(x), dimensions={1,0}");
  const auto d2 = module("x = f32[2,3] parameter(0)\n ROOT r = f32[3,2] transpose(x), dimensions={0,1}");
  EXPECT_EQ(difference(d1, d2), "computation `e`, instruction `r`: dimensions is `{1,0}`, in the other module `{0,1}`");
}

}  // namespace
}  // namespace hloscope
