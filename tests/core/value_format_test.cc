// SPDX-License-Identifier: Apache-2.0
// The grammar of shapes, layouts, literals and operands (docs/text-format.md 4-6.3), production by production: what is
// accepted, and what is rejected with which code.
#include <algorithm>
#include <cstdint>
#include <string>

#include "core/document/document.h"
#include "core/ir/literal.h"
#include "core/print/literal_printer.h"
#include "gtest/gtest.h"
#include "tests/support/format_rows.h"

namespace hloscope {
namespace {

// Where the fragment of a row is.
constexpr char kValueFormatBody[] =
    "HloModule m\n"
    "sum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n"
    "neg { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
    "less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT c = pred[] compare(x, y), direction=LT }\n"
    "ENTRY e { p = f32[4] parameter(0) q = f32[4] parameter(1) z = f32[] constant(0) "
    "m = f32[4,4] parameter(2) t = (f32[4], (s32[], f32[4])) parameter(3) i = s32[] constant(1) "
    "c = pred[] constant(true)\n$\n}";
constexpr char kValueFormatShape[] = "ENTRY e { ROOT p = $ parameter(0) }";
constexpr char kConstant[] = "ENTRY e { ROOT p = $ }";
constexpr char kValueFormatCall[] =
    "f { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
    "ENTRY e { x = f32[] parameter(0) ROOT r = f32[4]{0} custom-call(x), $ }";

TEST(ValueFormat, Shapes) {
  ExpectCodes({
      {kValueFormatShape, "f32[]"},
      {kValueFormatShape, "f32[0]"},
      {kValueFormatShape, "bf16[<=8,128]"},
      {kValueFormatShape, "f32[?,784]"},
      {kValueFormatShape, "(f32[2], (s32[], token[]))"},
      {kValueFormatShape, "()"},
      {kValueFormatShape, "b(f32[8,16]{1,0})"},
      {kValueFormatShape, "f32 [ 2 , 3 ] { 1 , 0 }"},
      {kValueFormatShape, "opaque[]"},
      {kValueFormatShape, "(b(f32[2]), token[])"},
      {kValueFormatShape, "pred[2]"},
      {kValueFormatShape, "s1[2]"},
      {kValueFormatShape, "u1[2]"},
      {kValueFormatShape, "s2[2]"},
      {kValueFormatShape, "u4[2]"},
      {kValueFormatShape, "f4e2m1fn[2]"},
      {kValueFormatShape, "f6e2m3fn[2]"},
      {kValueFormatShape, "f6e3m2fn[2]"},
      {kValueFormatShape, "f8e3m4[2]"},
      {kValueFormatShape, "f8e4m3b11fnuz[2]"},
      {kValueFormatShape, "f8e8m0fnu[2]"},
      {kValueFormatShape, "c128[2]"},
      {kValueFormatShape, "f32[2]{}", "empty-layout"},
      {kValueFormatShape, "f32[]{}", "empty-layout"},
      {kValueFormatShape, "f32[-1]", "dimension-size"},
      {kValueFormatShape, "f32[2,]", "surplus-comma"},
      {kValueFormatShape, "f32", "missing-dimensions"},
      {kValueFormatShape, "f32[<=?]", "missing-bound"},
      {kValueFormatShape, "f32[>=2]", "stray-byte"},
      {kValueFormatShape, "token[2]", "type-without-dimensions"},
      {kValueFormatShape, "token[]{0}", "layout-not-allowed"},
      {kValueFormatShape, "opaque[]{:T(2)}", "layout-not-allowed"},
      {kValueFormatShape, "b()", "buffer-contents"},
      {kValueFormatShape, "b(f32[], f32[])", "buffer-contents"},
      {kValueFormatShape, "b((f32[]))", "buffer-contents"},
      {kValueFormatShape, "b(token[])", "buffer-contents"},
      {kValueFormatShape, "b(b(f32[]))", "buffer-contents"},
      {kValueFormatShape, "i32[2]", "unknown-element-type"},
      {kValueFormatShape, "bool[]", "unknown-element-type"},
      {kValueFormatShape, "F32[2]", "unknown-element-type"},
      {kValueFormatShape, "(f32[2],)", "surplus-comma"},
      {kValueFormatShape, "f32[9223372036854775807]"},
      {kValueFormatShape, "f32[9223372036854775808]", "dimension-size"},
      {kValueFormatShape, "f32[18446744073709551616]", "integer-out-of-range"},
  });
}

TEST(ValueFormat, Layouts) {
  ExpectCodes({
      {kValueFormatShape, "f32[2,3]{0,1}"},
      {kValueFormatShape, "u32[]{:T(128)}"},
      {kValueFormatShape, "u32[]{:S(2)}"},
      {kValueFormatShape, "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}"},
      {kValueFormatShape, "s4[64,256]{1,0:T(8,128)E(4)S(1)}"},
      {kValueFormatShape, "f32[3,5,7]{0,1,2:T(2,*,128)SC(1:2,4)M(1024)}"},
      {kValueFormatShape, "f32[16]{0:L(1024)}"},
      {kValueFormatShape, "f32[4]{0:T()}"},
      {kValueFormatShape, "f32[4]{0:#(u32)*(u8)}"},
      {kValueFormatShape, "f32[4,4]{1,0:D(D,C+~)}"},
      {kValueFormatShape, "f32[4]{0:D()}"},
      {kValueFormatShape, "f32[4]{0:D(H)T(4)L(8)#(u16)*(u32)E(32)S(1)SC(0:1)(0:2)M(8)}"},
      {kValueFormatShape, "f32[4,4]{1,0:SC(1:)}"},
      {kValueFormatShape, "f32[2,3]{:T(2,128)}", "layout-rank"},
      {kValueFormatShape, "f32[2,3]{0}", "layout-rank"},
      {kValueFormatShape, "f32[2]{0,1}", "layout-rank"},
      {kValueFormatShape, "f32[2,3]{1,0:P(f32[16,128])}", "layout-physical-shape"},
      {kValueFormatShape, "f32[2]{0:#(s32)}"},
      {kValueFormatShape, "f32[2]{0:*(f32)}"},
      {kValueFormatShape, "f32[2]{0:S(-1)}"},
      {kValueFormatShape, "f32[2]{0:T(-1)}", "tile-size"},
      {kValueFormatShape, "f32[2]{0:L(0)}", "value-out-of-range"},
      {kValueFormatShape, "f32[2]{0:S(1)T(2)}", "layout-item"},
      {kValueFormatShape, "f32[2]{0:T(2)T(2)}", "layout-item"},
      {kValueFormatShape, "f32[2]{0:X(1)}", "layout-item"},
      {kValueFormatShape, "f32[2]{0:D(Q)}", "bad-value"},
      {kValueFormatShape, "f32[2]{0,:T(2)}", "bad-value"},
      {kValueFormatShape, "f32[2]{0:E()}", "expected-integer"},
      {kValueFormatShape, "f32[2]{0:}"},
  });
}

TEST(ValueFormat, Literals) {
  ExpectCodes({
      {kConstant, "f32[] constant(7)"},
      {kConstant, "f32[3] constant({1, 2, 3})"},
      {kConstant, "f32[3] constant({1 2 3})"},
      {kConstant, "f32[3] constant({1,,2,3,})"},
      {kConstant, "f32[2,2] constant({ { 1, 2 }, { 3, 4 } })"},
      {kConstant, "f32[2,2] constant({{1,2}{3,4}})"},
      {kConstant, "f32[0] constant({})"},
      {kConstant, "f32[2,0] constant({{},{}})"},
      {kConstant, "f32[8,2048] constant(0)"},
      {kConstant, "f32[4] constant(1)"},
      {kConstant, "f32[67,89] constant({...})"},
      {kConstant, "f32[2,2] constant({{1,2},...})"},
      {kConstant, "f32[2,2] constant({...,})"},
      {kConstant, "(f32[16], s32[3,4]) constant(({...}, {...}))"},
      {kConstant, "(f32[2], (s32[], pred[])) constant(({1, 2}, (3, true)))"},
      {kConstant, "() constant(())"},
      {kConstant, "f32[2] constant({1})", "literal-count"},
      {kConstant, "f32[2] constant({1,2,3})", "literal-count"},
      {kConstant, "f32[2,2] constant({1,2,3,4})", "literal-nesting"},
      {kConstant, "f32[2] constant({{1,2}})", "literal-nesting"},
      {kConstant, "f32[2,2] constant({{...}})", "misplaced-elision"},
      {kConstant, "f32[] constant({...})", "misplaced-elision"},
      {kConstant, "f32[] constant(...)", "literal-element"},
      {kConstant, "f32[] constant({1})", "literal-nesting"},
      {kConstant, "(f32[20], f32[20]) constant({...})", "misplaced-elision"},
      {kConstant, "f32[] constant()", "literal-incomplete"},
      {kConstant, "f32[] constant(1, 2)", "surplus-value"},
      {kConstant, "f32[] constant(.5)", "leading-point"},
      {kConstant, "(f32[], f32[]) constant((1 2))", "missing-comma"},
      {kConstant, "(f32[]) constant((1,))", "surplus-comma"},
      {kConstant, "(f32[]) constant(())", "literal-tuple-count"},
      // Elements by type (5.3).
      {kConstant, "pred[4] constant({1, 0, true, false})"},
      {kConstant, "pred[] constant(-7)"},
      {kConstant, "pred[] constant(1.0)", "literal-element"},
      {kConstant, "s32[] constant(1.0)", "literal-element"},
      {kConstant, "s32[] constant(true)", "literal-element"},
      {kConstant, "f32[] constant(true)", "literal-element"},
      {kConstant, "s32[] constant(nan)", "literal-element"},
      {kConstant, "s32[] constant(inf)", "literal-element"},
      {kConstant, "f32[6] constant({nan, -nan(0x7), inf, -inf, 1., -.5})"},
      {kConstant, "c64[2] constant({(1, -2.5), (-inf, nan)})"},
      {kConstant, "c64[] constant((1, 2))"},
      {kConstant, "c64[] constant(1)", "complex-literal"},
      {kConstant, "c64[2] constant((1, 2))", "literal-nesting"},
      {kConstant, "c64[] constant((1 2))", "complex-literal"},
      {kConstant, "token[] constant(token)", "literal-not-writable"},
      {kConstant, "opaque[] constant(0)", "literal-not-writable"},
      {kConstant, "b(f32[2]) constant({1,2})", "literal-not-writable"},
      {kConstant, "f32[?] constant({1})", "literal-not-writable"},
      {kConstant, "f32[<=2] constant({1, 2})"},
      // Ranges (5.4).
      {kConstant, "s4[2] constant({-8, 7})"},
      {kConstant, "s4[] constant(8)", "literal-out-of-range"},
      {kConstant, "u4[] constant(15)"},
      {kConstant, "u4[] constant(16)", "literal-out-of-range"},
      {kConstant, "u2[] constant(3)"},
      {kConstant, "s2[] constant(-2)"},
      {kConstant, "s1[2] constant({0, -1})"},
      {kConstant, "s1[] constant(1)", "literal-out-of-range"},
      {kConstant, "u1[] constant(1)"},
      {kConstant, "u8[] constant(-1)", "literal-out-of-range"},
      {kConstant, "u32[] constant(4294967295)"},
      {kConstant, "u32[] constant(4294967296)", "literal-out-of-range"},
      {kConstant, "u64[] constant(18446744073709551615)"},
      {kConstant, "u64[] constant(-1)"},
      {kConstant, "s64[] constant(-9223372036854775808)"},
      {kConstant, "s64[] constant(-9223372036854775809)", "integer-out-of-range"},
      {kConstant, "s64[] constant(9223372036854775808)"},
      {kConstant, "u64[] constant(18446744073709551616)", "integer-out-of-range"},
      {kConstant, "f16[] constant(65519)"},
      {kConstant, "f16[] constant(65520)", "literal-out-of-range"},
      {kConstant, "bf16[] constant(65505)"},
      {kConstant, "f32[] constant(3.5e38)", "literal-out-of-range"},
      {kConstant, "f64[] constant(1e400)", "value-out-of-range"},
      {kConstant, "f8e4m3fn[2] constant({448, -nan})"},
      {kConstant, "f4e2m1fn[] constant(100)"},
      {kConstant, "f6e3m2fn[] constant(-100)"},
      {kConstant, "f8e5m2[] constant(57344)"},
      {kConstant, "f8e5m2[] constant(70000)", "literal-out-of-range"},
      {kConstant, "c64[] constant((1e39, 0))", "literal-out-of-range"},
      {kConstant, "f4e2m1fn[] constant(1e400)", "value-out-of-range"},
      // NaN payloads (5.5).
      {kConstant, "f32[] constant(nan(0x7fffff))"},
      {kConstant, "f32[] constant(nan(0x800000))", "nan-payload-size"},
      {kConstant, "f16[] constant(nan(0x3ff))"},
      {kConstant, "bf16[] constant(-nan(0x80))", "nan-payload-size"},
      {kConstant, "f8e5m2[] constant(nan(0x3))"},
      {kConstant, "f8e4m3fn[] constant(nan(0x1))", "nan-payload-size"},
      {kConstant, "f64[] constant(nan(0xfffffffffffff))"},
      {kConstant, "f64[] constant(nan(0x0))", "bad-nan-payload"},
      {kConstant, "f64[] constant(nan(0x10000000000000))", "bad-nan-payload"},
      {kConstant, "f64[] constant(nan (0x1))", "surplus-value"},
      {kConstant, "f64[] constant(nan(7))", "bad-nan-payload"},
      {kConstant, "f32[] constant(NaN)", "number-spelling"},
      {kConstant, "f32[] constant(+inf)", "literal-element"},
  });
}

TEST(ValueFormat, LiteralAttribute) {
  ExpectCodes({
      {kValueFormatCall, "custom_call_target=\"t\", literal=( s32[2]{0} {1, 2}, f32[] 0.1 )"},
      {kValueFormatCall, "custom_call_target=\"t\", literal=s32[2] {1, 2}", "layout-rank"},
      {kValueFormatCall, "custom_call_target=\"t\", literal=s32[2]{0} {1, 2}"},
      {kValueFormatCall, "custom_call_target=\"t\", literal=()"},
      {kValueFormatCall, "custom_call_target=\"t\", literal=(f32[] 1, ((), pred[] true))"},
      {kValueFormatCall, "custom_call_target=\"t\", literal=(f32[] 1,)", "expected-shape"},
      {kValueFormatCall, "custom_call_target=\"t\", literal={1, 2}", "expected-shape"},
      {kValueFormatCall, "custom_call_target=\"t\", literal=(s32[2] {1})", "literal-element"},
  });
}

TEST(ValueFormat, Operands) {
  ExpectCodes({
      {kValueFormatBody, "r = f32[4] add(f32[4] %t#0, f32[4] %t#1#1)"},
      {kValueFormatBody, "r = f32[4] add(t#0, t#0)"},
      {kValueFormatBody, "t_0 = f32[4] copy(p) r = f32[4] copy(t#0)"},
      {kValueFormatBody, "r = f32[4] copy(t#2)", "tuple-access"},
      {kValueFormatBody, "r = f32[4] copy(p#0)", "tuple-access"},
      {kValueFormatBody, "r = f32[4] copy(t#-1)", "tuple-access"},
      {kValueFormatBody, "r = f32[4] copy(t#x)", "expected-token"},
      {kValueFormatBody, "r = f32[4] copy(s32[] t#1#0)", ""},
      {kValueFormatBody, "r = f32[4] copy(f32[] t#1#0)", "operand-shape-mismatch"},
      {kValueFormatBody, "r = f32[4] copy(p), control-predecessors={t#0}", "bad-value"},
      {kValueFormatBody, "r = f32[4] add(f32[4] p, f32[4]{0} q)"},
      {kValueFormatBody, "r = f32[4] add(f32[3] p, q)", "operand-shape-mismatch"},
      {kValueFormatBody, "r = f32[4] add(bf16[4] p, q)", "operand-shape-mismatch"},
      {kValueFormatBody, "r = f32[4] add(f32[<=4] p, f32[?] q)"},
      {kValueFormatBody, "r = f32[4] add(p q)", "missing-comma"},
      {kValueFormatBody, "r = f32[4] add(p, q,)"},
      {kValueFormatBody, "r = f32[4] add(,, p,, q,,)"},
      {kValueFormatBody, "r = f32[4] add(, p)", "operand-count"},
      {kValueFormatBody, "r = f32[4] add(p, nosuch)", "unknown-instruction"},
      {kValueFormatBody, "r = f32[4] negate(f32[4])", "expected-name"},
      {kValueFormatBody, "r = f32[4] add p, q)", "missing-operand-list"},
      {kValueFormatBody, "r = add(f32[4] negate(p), multiply(q, f32[4] broadcast(f32[] constant(2))))"},
      {kValueFormatBody, "add = f32[4] copy(p) r = f32[4] add(add, add)"},
      {kValueFormatBody, "r = f32[4] negate(f32[4] negate(p), x=1)", "expected-name"},
      {kValueFormatBody, "r = f32[4] negate(f32[2] slice(p))", "missing-attribute"},
  });
}

TEST(ValueFormat, OmittedShapesAndOpcodes) {
  ExpectCodes({
      {kValueFormatBody,
       "r = add(p, q) s = tuple(r, p) u = get-tuple-element(s), index=0 w = compare(p, q), direction=EQ"},
      {kValueFormatBody, "r = reshape(p)", "missing-shape"},
      {kValueFormatBody, "r = parameter(4)", "missing-shape"},
      {kValueFormatBody, "r = opt-barrier(p)", "missing-shape"},
      {kValueFormatBody, "r = constant(1)", "missing-shape"},
      {kValueFormatBody, "r = custom-call(p), custom_call_target=\"t\"", "missing-shape"},
      {kValueFormatBody, "r = f32[4] nosuch(p)", "unknown-opcode"},
      {kValueFormatBody, "r = f32[4] Add(p, q)", "unknown-opcode"},
      {kValueFormatBody, "r = f32[4] copy-update(p)", "unknown-opcode"},
      {kValueFormatBody, "r = f32[4] all-reduce-update(p)", "unknown-opcode"},
      {kValueFormatBody, "r = f32[4] send-start(p)", "unknown-opcode"},
      {kValueFormatBody, "r = f32[4] 7(p)", "expected-opcode"},
      {kValueFormatBody, "r f32[4] add(p, q)", "missing-equals"},
      {kValueFormatBody, "r = f32[4]", "expected-opcode"},
      {kValueFormatBody, "r = f32[4] add", "missing-operand-list"},
  });
}

TEST(ValueFormat, StrictChecksRejectWhatReadersTolerate) {
  DocumentOptions options;
  for (const char* text : {"f32[] add(, f32[] x,, f32[] y)", "x = f32[2]{0:S(-1)} parameter(0)",
                           "x = f32[2]{0:#(s32)} parameter(0)", "s64[] constant(9223372036854775808)"}) {
    options.verify.strict = false;
    EXPECT_FALSE(Document::Parse(SourceText::FromString("t", text), options)->has_errors()) << text;
    options.verify.strict = true;
    EXPECT_TRUE(Document::Parse(SourceText::FromString("t", text), options)->has_errors()) << text;
  }
}

TEST(ValueFormat, PiecesOfALiteralAreItsText) {
  Literal array(Shape::Array(ElementType::kF32, {3, 2, 1, 4000}));
  Literal scalar(Shape::Scalar(ElementType::kS32));
  for (int i = 0; i < 24000; ++i) {
    const float value = static_cast<float>(i) / 7;
    const auto* const bytes = reinterpret_cast<const uint8_t*>(&value);
    array.mutable_bytes().insert(array.mutable_bytes().end(), bytes, bytes + sizeof(value));
  }
  const Literal tuple =
      Literal::Tuple(Shape::Tuple({array.shape(), scalar.shape(), array.shape()}), {array, scalar, array});
  for (const Literal& literal : {array, scalar, tuple}) {
    std::string text;
    size_t pieces = 0, largest = 0;
    EXPECT_TRUE(PrintLiteralInPieces(literal, {}, [&](absl::string_view piece) {
      text.append(piece.data(), piece.size());
      largest = std::max(largest, piece.size());
      return ++pieces > 0;
    }));
    EXPECT_EQ(text, PrintLiteral(literal));
    EXPECT_LE(largest, 20000u);
    if (text.size() < largest + 1) continue;
    size_t taken = 0;
    EXPECT_FALSE(PrintLiteralInPieces(literal, {}, [&](absl::string_view) { return ++taken < 3; }));
    EXPECT_EQ(taken, 3u);
  }
}

}  // namespace
}  // namespace hloscope
