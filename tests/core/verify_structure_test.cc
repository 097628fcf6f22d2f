// SPDX-License-Identifier: Apache-2.0
// Module structure, entry signature, callers and fusions (docs/ops/control.md 6.3, 6.4, 6.6, 6.7).
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "core/verify/verifier.h"
#include "tests/support/module_diagnostics.h"

namespace hloscope {
namespace {

constexpr Severity kAll = Severity::kHint;

class NoPlaces : public AnchorResolver {
 public:
  SourceRange Resolve(InstructionId, Anchor) const override { return {}; }
};

// Codes of the diagnostics about a module that no text can express.
std::string Codes(const Module& module) {
  DiagnosticSink sink;
  VerifyModule(module, {}, NoPlaces(), sink);
  std::string codes;
  for (const Diagnostic& d : sink.diagnostics()) absl::StrAppend(&codes, codes.empty() ? "" : " ", d.code());
  return codes;
}

TEST(VerifyDeclaredShape, NamesTheDifferenceAndFixesIt) {
  constexpr absl::string_view kText = "ENTRY e { p = f32[2,3]{0,1} parameter(0) ROOT n = f32[2,4]{0,1} negate(p) }";
  EXPECT_EQ(DiagnosticsOf(kText), "declared-shape at 4");
  EXPECT_EQ(FirstDiagnosticOf(kText),
            "`negate`: declared shape f32[2,4] but the operands imply f32[2,3] (dimension 1 is 4, expected 3)");
  EXPECT_EQ(FixedTextOf(kText),
            "HloModule m\nENTRY e { p = f32[2,3]{0,1} parameter(0) ROOT n = f32[2,3]{0,1} negate(p) }");
}

TEST(VerifyDeclaredShape, LayoutsAndDynamicFlagsDoNotCount) {
  EXPECT_EQ(DiagnosticsOf("ENTRY e { p = f32[2,3]{0,1} parameter(0) ROOT n = f32[2,3]{1,0} negate(p) }"), "ok");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { p = f32[<=3] parameter(0) ROOT n = f32[3] negate(p) }"), "ok");
}

TEST(VerifyDeclaredShape, MixedPrecisionIsAnOption) {
  constexpr absl::string_view kText = "ENTRY e { p = f32[2] parameter(0) ROOT n = bf16[2] negate(p) }";
  VerifyOptions options;
  EXPECT_EQ(DiagnosticsOf(kText, options), "declared-shape at bf16");
  options.allow_mixed_precision = true;
  EXPECT_EQ(DiagnosticsOf(kText, options), "ok");
  // Not for operations that hand data on.
  EXPECT_EQ(DiagnosticsOf("ENTRY e { p = f32[2] parameter(0) ROOT t = (bf16[2]) tuple(p) }", options),
            "declared-shape at bf16");
}

TEST(VerifyDeclaredShape, LongTuplesAreAbbreviated) {
  const std::string message = FirstDiagnosticOf(R"(ENTRY e {
  p = (f32[1], f32[1], f32[1], f32[1], f32[1], f32[1], f32[1], f32[1]) parameter(0)
  ROOT b = (f32[1], f32[1], f32[1], f32[1], f32[1], f32[1], f32[1], f32[2]) opt-barrier(p)
})");
  EXPECT_NE(message.find("... 2 more)"), std::string::npos) << message;
  EXPECT_NE(message.find("(element {7}: dimension 0 is 2, expected 1)"), std::string::npos) << message;
}

TEST(VerifyUses, DeadCodeAndUncalledComputationsAreHints) {
  EXPECT_EQ(DiagnosticsOf(R"(
f { ROOT x = s32[] parameter(0) }
ENTRY e { p = s32[] parameter(0) q = s32[] parameter(1) d = s32[] negate(p) ROOT r = s32[] negate(p) })",
                          {}, kAll),
            "uncalled-computation at f | dead-code at d");
  // Side effects and control edges are uses.
  EXPECT_EQ(DiagnosticsOf(R"(ENTRY e {
  p = s32[] parameter(0)
  c = s32[] custom-call(p), custom_call_target="print", custom_call_has_side_effect=true
  d = s32[] negate(p)
  ROOT r = s32[] negate(p), control-predecessors={d}
})",
                          {}, kAll),
            "ok");
  EXPECT_EQ(DiagnosticsOf(R"(
f { x = s32[] parameter(0) t = token[] after-all() o = token[] outfeed(x, t) ROOT r = s32[] negate(x) }
ENTRY e { p = s32[] parameter(0) c = s32[] call(p), to_apply=f ROOT r = s32[] negate(p) })",
                          {}, kAll),
            "ok");
}

TEST(VerifyStructure, TextsThatEndBeforeTheEntry) {
  constexpr absl::string_view kCut = R"(HloModule m, entry_computation_layout={(s32[],s32[])->s32[]}
f { ROOT x = s32[] parameter(0) }
g { p = s32[] parameter(0) ROOT c = s32[] call(p), to_apply=f }
h { ROOT x = s32[] parameter(0) })";
  EXPECT_EQ(DiagnosticsOf(kCut),
            "entry-layout-count at entry_computation_layout={(s32[],s32[])->s32[]} | unmarked-entry at h");
  EXPECT_EQ(FixedTextOf(kCut), kCut) << "the header is right, and h need not fit it";
  EXPECT_EQ(FixedTextOf("HloModule m, entry_computation_layout={(s32[])->s32[]}\nh { ROOT x = u32[] parameter(0) }"),
            "HloModule m, entry_computation_layout={(s32[])->s32[]}\nh { ROOT x = u32[] parameter(0) }");
  // One that calls all others may well be the entry.
  EXPECT_EQ(DiagnosticsOf("f { ROOT x = s32[] parameter(0) } e { p = s32[] parameter(0) ROOT c = s32[] call(p), "
                          "to_apply=f }",
                          {}, kAll),
            "ok");
}

TEST(VerifyStructure, ModulesThatNoTextCanExpress) {
  const Shape scalar = Shape::Scalar(ElementType::kS32);
  Module module;
  const ComputationId f = module.AddComputation("f");
  const InstructionId x = module.AddInstruction(f, Opcode::kParameter, "x", scalar, {});
  const ComputationId e = module.AddComputation("e");
  module.set_entry(e);
  const InstructionId p = module.AddInstruction(e, Opcode::kParameter, "p", scalar, {});
  const InstructionId n = module.AddInstruction(e, Opcode::kNegate, "n", scalar, {p});
  module.mutable_computation(f).parameters = {x};
  module.mutable_computation(f).root = x;
  module.mutable_computation(e).parameters = {p};
  module.mutable_computation(e).root = n;
  EXPECT_EQ(Codes(module), "uncalled-computation");

  Module elsewhere = module;
  elsewhere.SetOperands(n, {x});
  EXPECT_EQ(Codes(elsewhere), "operand-elsewhere");

  Module cyclic = module;
  const InstructionId m = cyclic.AddInstruction(e, Opcode::kNegate, "m", scalar, {n});
  cyclic.SetOperands(n, {m});
  EXPECT_EQ(Codes(cyclic), "dependency-cycle");

  Module recursive = module;
  const InstructionId call = recursive.AddInstruction(f, Opcode::kCall, "call", scalar, {x});
  recursive.AddComputations(call, AttributeKind::kToApply, {f});
  recursive.mutable_computation(f).root = call;
  EXPECT_EQ(Codes(recursive), "recursive-call");

  Module misordered = module;
  misordered.mutable_header().is_scheduled = true;
  misordered.mutable_computation(e).instructions = {n, p};
  EXPECT_EQ(Codes(misordered), "schedule-order uncalled-computation");
}

TEST(VerifyStructure, UnboundedDimensionsAreReportedWhereTheyComeUp) {
  EXPECT_EQ(DiagnosticsOf("ENTRY e { p = f32[?] parameter(0) n = f32[?] negate(p) ROOT r = f32[?] negate(n) }"),
            "unbounded-dimension at f32[?]");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { p = f32[<=4] parameter(0) ROOT n = f32[<=4] negate(p) }"), "ok");
}

TEST(VerifyStructure, OriginMirrorsTheShape) {
  const auto with_origin = [](absl::string_view origin) {
    return DiagnosticsOf(absl::StrCat("ENTRY e { p = (f32[], (s32[], f32[])) parameter(0), origin=", origin,
                                      " ROOT r = f32[] get-tuple-element(p), index=0 }"));
  };
  EXPECT_EQ(with_origin(R"({({"a"}, ({"b"}, {"c"}))})"), "ok");
  EXPECT_EQ(with_origin("{[synthetic_call]}"), "ok");
  EXPECT_EQ(with_origin(R"({({"a"}, {"b"}, {"c"})})"), R"(origin-leaves at origin={({"a"}, {"b"}, {"c"})})");
  EXPECT_EQ(with_origin(R"({{"a"}})"), R"(origin-leaves at origin={{"a"}})");
}

TEST(VerifyStructure, LayoutsArePermutations) {
  EXPECT_EQ(DiagnosticsOf("ENTRY e { ROOT p = f32[2,3]{0,0} parameter(0) }"), "layout-permutation at {0,0}");
  EXPECT_EQ(DiagnosticsOf("ENTRY e { ROOT p = (f32[2,3]{2,0}) parameter(0) }"), "layout-permutation at {2,0}");
}

// The diagnostics about `header` for an entry that takes (f32[4], (f32[4], s32[2])) and returns (f32[4], s32[2]).
std::string HeaderDiagnostics(absl::string_view header, const VerifyOptions& options = {}) {
  const std::string found = DiagnosticsOf(absl::StrCat("HloModule m, ", header, R"(
ENTRY e {
  a = f32[4]{0} parameter(0)
  b = (f32[4]{0}, s32[2]{0}) parameter(1)
  s = s32[2]{0} get-tuple-element(b), index=1
  n = f32[4]{0} negate(a)
  ROOT r = (f32[4]{0}, s32[2]{0}) tuple(n, s)
})"),
                                          options);
  return found.substr(0, found.find(" at "));
}

TEST(VerifyEntry, LayoutMatchesTheEntryComputation) {
  EXPECT_EQ(HeaderDiagnostics("entry_computation_layout={(f32[4]{0}, (f32[4]{0}, s32[2]{0}))->(f32[4]{0}, s32[2]{0})}"),
            "ok");
  EXPECT_EQ(HeaderDiagnostics("entry_computation_layout={(f32[4]{0})->(f32[4]{0}, s32[2]{0})}"), "entry-layout-count");
  EXPECT_EQ(HeaderDiagnostics("entry_computation_layout={(f32[5]{0}, (f32[4]{0}, s32[2]{0}))->(f32[4]{0}, s32[2]{0})}"),
            "entry-layout-shape");
  EXPECT_EQ(HeaderDiagnostics("entry_computation_layout={(f32[4]{0}, (f32[4]{0}, s32[2]{0}))->f32[4]{0}}"),
            "entry-layout-shape");
}

TEST(VerifyEntry, LayoutsCountInLayoutSensitiveMode) {
  constexpr absl::string_view kText = R"(HloModule m, entry_computation_layout={(f32[2,3]{0,1:T(8,128)})->f32[2,3]{1,0}}
ENTRY e { p = f32[2,3]{1,0} parameter(0) ROOT n = f32[2,3]{1,0} negate(p) })";
  VerifyOptions options;
  EXPECT_EQ(DiagnosticsOf(kText, options), "ok");
  options.layout_sensitive = true;
  EXPECT_EQ(DiagnosticsOf(kText, options).substr(0, 18), "entry-layout-shape");
}

TEST(VerifyEntry, AliasesNameArraysOnce) {
  EXPECT_EQ(HeaderDiagnostics("input_output_alias={ {0}: (0, {}, must-alias), {1}: (1, {1}) }"), "ok");
  EXPECT_EQ(HeaderDiagnostics("input_output_alias={ {0}: (2, {}) }"), "module-alias");
  EXPECT_EQ(HeaderDiagnostics("input_output_alias={ {0}: (1, {2}) }"), "module-alias");
  EXPECT_EQ(HeaderDiagnostics("input_output_alias={ {0}: (1, {}) }"), "module-alias");
  EXPECT_EQ(HeaderDiagnostics("input_output_alias={ {0}: (0, {}), {1}: (0, {}) }"), "module-alias");
  EXPECT_EQ(HeaderDiagnostics("input_output_alias={ {0}: (1, {1}, must-alias) }"), "module-alias");
  EXPECT_EQ(HeaderDiagnostics("input_output_alias={ {0}: (1, {1}) }"), "ok");  // may-alias is not compared
  VerifyOptions options;
  options.layout_sensitive = true;
  EXPECT_EQ(HeaderDiagnostics("input_output_alias={ {0}: (1, {1}) }", options), "module-alias");  // 16 and 8 bytes
}

TEST(VerifyEntry, DonorsAreNotAliased) {
  EXPECT_EQ(HeaderDiagnostics("buffer_donor={ (1, {0}) }"), "ok");
  EXPECT_EQ(HeaderDiagnostics("buffer_donor={ (7, {}) }"), "buffer-donor");
  EXPECT_EQ(HeaderDiagnostics("buffer_donor={ (1, {}) }"), "buffer-donor");
  EXPECT_EQ(HeaderDiagnostics("input_output_alias={ {0}: (0, {}) }, buffer_donor={ (0, {}) }"), "buffer-donor");
}

// The parameters that aliases and donors name may be in the part that is missing.
TEST(VerifyEntry, ACutTextHasItsOwnErrorsAlone) {
  constexpr absl::string_view kLayout = "entry_computation_layout={(f32[4]{0}, f32[4]{0}, f32[4]{0})->f32[4]{0}}, ";
  constexpr absl::string_view kAliases = "input_output_alias={ {}: (2, {}) }, buffer_donor={ (1, {}) }\n";
  for (const absl::string_view layout : {absl::string_view(), kLayout}) {
    const std::string header = absl::StrCat("HloModule m, ", layout, kAliases);
    for (const absl::string_view body :
         {"f { a = f32[] parameter(0) ROOT s = f32[] add(a, ", "f { a = f32[] parameter(0)\n"}) {
      const std::string found = DiagnosticsOf(absl::StrCat(header, body));
      EXPECT_THAT(found, ::testing::HasSubstr("unclosed-computation")) << header << body;
      for (const char* const kind : {"module-alias", "buffer-donor", "entry-layout"}) {
        EXPECT_THAT(found, ::testing::Not(::testing::HasSubstr(kind))) << header << body;
      }
    }
  }
  // One mistake is one diagnostic.
  const std::string whole =
      DiagnosticsOf(absl::StrCat("HloModule m, ", kLayout, kAliases, "ENTRY e { ROOT p = f32[4]{0} parameter(0) }"));
  EXPECT_EQ(whole.substr(0, whole.find(" at ")), "entry-layout-count");
  EXPECT_THAT(whole, ::testing::Not(::testing::HasSubstr("alias")));
}

TEST(VerifyEntry, ParametersAreNoBuffers) {
  EXPECT_EQ(DiagnosticsOf("ENTRY e { ROOT p = b(f32[4]) parameter(0) }"), "entry-buffer at b(f32[4])");
}

TEST(VerifyCallers, ThreadsAgree) {
  constexpr absl::string_view kSide = "f { ROOT x = s32[] parameter(0) }, execution_thread=\"side\"\n";
  EXPECT_EQ(DiagnosticsOf(absl::StrCat(
                kSide, "ENTRY e { p = s32[] parameter(0) ROOT r = s32[] fusion(p), kind=kLoop, calls=f }")),
            "thread-mismatch at calls=f");
  EXPECT_EQ(DiagnosticsOf(absl::StrCat(kSide, "ENTRY e { p = s32[] parameter(0) ROOT r = s32[] call(p), to_apply=f }")),
            "ok");
}

TEST(VerifyCallers, ReducersDoNotCommunicate) {
  EXPECT_EQ(DiagnosticsOf(R"(
inner { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
sum { a = f32[] parameter(0) b = f32[] parameter(1) r = f32[] all-reduce(a), to_apply=inner ROOT c = f32[] add(r, b) }
ENTRY e { p = f32[4] parameter(0) z = f32[] constant(0) ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=sum })"),
            "blocking-reducer at to_apply=sum");
}

TEST(VerifyFusions, FusedComputations) {
  constexpr absl::string_view kFused = "f { x = s32[] parameter(0) ROOT y = s32[] negate(x) }\n";
  EXPECT_EQ(DiagnosticsOf(absl::StrCat(kFused, R"(ENTRY e { p = s32[] parameter(0)
  a = s32[] fusion(p), kind=kLoop, calls=f
  ROOT b = s32[] fusion(a), kind=kLoop, calls=f })")),
            "shared-fusion at calls=f");
  EXPECT_EQ(DiagnosticsOf(absl::StrCat(kFused, R"(ENTRY e { p = s32[] parameter(0)
  a = s32[] fusion(p), kind=kLoop, calls=f
  ROOT b = s32[] call(a), to_apply=f })")),
            "shared-fusion at calls=f");
  EXPECT_EQ(DiagnosticsOf(R"(
f { x = s32[] parameter(0) u = s32[] abs(x) ROOT y = s32[] negate(x) }
ENTRY e { p = s32[] parameter(0) ROOT a = s32[] fusion(p), kind=kLoop, calls=f })"),
            "fused-unused at u");
  EXPECT_EQ(DiagnosticsOf(R"(
f { x = s32[] parameter(0) ROOT y = s32[] negate(x) u = s32[] abs(y) t = () custom-call(u), custom_call_target="print", custom_call_has_side_effect=true }
ENTRY e { p = s32[] parameter(0) ROOT a = s32[] fusion(p), kind=kLoop, calls=f })"),
            "fused-root-used at y");
}

TEST(VerifyModule, UnreadableInstructionsCauseNoFollowUps) {
  EXPECT_EQ(DiagnosticsOf(R"(ENTRY e {
  p = f32[4] parameter(0)
  q = f32[4] nonsense(p)
  r = f32[4] add(p, q)
  s = f32[9] add(missing, r)
  ROOT t = (f32[4], f32[9]) tuple(r, s)
})"),
            "unknown-opcode at nonsense | unknown-instruction at missing");
}

}  // namespace
}  // namespace hloscope
