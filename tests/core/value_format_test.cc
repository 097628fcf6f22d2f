// The grammar of shapes, layouts, literals and operands (spec/hlo-text.md 4-6.3), production by production: what is
// accepted, and what is rejected with which code.
#include <string>

#include "gtest/gtest.h"
#include "tests/support/format_rows.h"

namespace hloscope {
namespace {

// Where the fragment of a row stands.
constexpr char kBody[] =
    "HloModule m\n"
    "sum { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n"
    "neg { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
    "less { x = f32[] parameter(0) y = f32[] parameter(1) ROOT c = pred[] compare(x, y), direction=LT }\n"
    "ENTRY e { p = f32[4] parameter(0) q = f32[4] parameter(1) z = f32[] constant(0) "
    "m = f32[4,4] parameter(2) t = (f32[4], (s32[], f32[4])) parameter(3) i = s32[] constant(1) "
    "c = pred[] constant(true)\n$\n}";
constexpr char kShape[] = "ENTRY e { ROOT p = $ parameter(0) }";
constexpr char kConstant[] = "ENTRY e { ROOT p = $ }";
constexpr char kCall[] =
    "f { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n"
    "ENTRY e { x = f32[] parameter(0) ROOT r = f32[4]{0} custom-call(x), $ }";

TEST(ValueFormat, Shapes) {
  ExpectCodes({
      {kShape, "f32[]"},
      {kShape, "f32[0]"},
      {kShape, "bf16[<=8,128]"},
      {kShape, "f32[?,784]"},
      {kShape, "(f32[2], (s32[], token[]))"},
      {kShape, "()"},
      {kShape, "b(f32[8,16]{1,0})"},
      {kShape, "f32 [ 2 , 3 ] { 1 , 0 }"},
      {kShape, "opaque[]"},
      {kShape, "(b(f32[2]), token[])"},
      {kShape, "pred[2]"},
      {kShape, "s1[2]"},
      {kShape, "u1[2]"},
      {kShape, "s2[2]"},
      {kShape, "u4[2]"},
      {kShape, "f4e2m1fn[2]"},
      {kShape, "f6e2m3fn[2]"},
      {kShape, "f6e3m2fn[2]"},
      {kShape, "f8e3m4[2]"},
      {kShape, "f8e4m3b11fnuz[2]"},
      {kShape, "f8e8m0fnu[2]"},
      {kShape, "c128[2]"},
      {kShape, "f32[2]{}", "empty-layout"},
      {kShape, "f32[]{}", "empty-layout"},
      {kShape, "f32[-1]", "dimension-size"},
      {kShape, "f32[2,]", "surplus-comma"},
      {kShape, "f32", "missing-dimensions"},
      {kShape, "f32[<=?]", "missing-bound"},
      {kShape, "f32[>=2]", "stray-byte"},
      {kShape, "token[2]", "type-without-dimensions"},
      {kShape, "token[]{0}", "layout-not-allowed"},
      {kShape, "opaque[]{:T(2)}", "layout-not-allowed"},
      {kShape, "b()", "buffer-contents"},
      {kShape, "b(f32[], f32[])", "buffer-contents"},
      {kShape, "b((f32[]))", "buffer-contents"},
      {kShape, "b(token[])", "buffer-contents"},
      {kShape, "b(b(f32[]))", "buffer-contents"},
      {kShape, "i32[2]", "unknown-element-type"},
      {kShape, "bool[]", "unknown-element-type"},
      {kShape, "F32[2]", "unknown-element-type"},
      {kShape, "(f32[2],)", "surplus-comma"},
      {kShape, "f32[9223372036854775807]"},
      {kShape, "f32[9223372036854775808]", "dimension-size"},
      {kShape, "f32[18446744073709551616]", "integer-out-of-range"},
  });
}

TEST(ValueFormat, Layouts) {
  ExpectCodes({
      {kShape, "f32[2,3]{0,1}"},
      {kShape, "u32[]{:T(128)}"},
      {kShape, "u32[]{:S(2)}"},
      {kShape, "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}"},
      {kShape, "s4[64,256]{1,0:T(8,128)E(4)S(1)}"},
      {kShape, "f32[3,5,7]{0,1,2:T(2,*,128)SC(1:2,4)M(1024)}"},
      {kShape, "f32[16]{0:L(1024)}"},
      {kShape, "f32[4]{0:T()}"},
      {kShape, "f32[4]{0:#(u32)*(u8)}"},
      {kShape, "f32[4,4]{1,0:D(D,C+~)}"},
      {kShape, "f32[4]{0:D()}"},
      {kShape, "f32[4]{0:D(H)T(4)L(8)#(u16)*(u32)E(32)S(1)SC(0:1)(0:2)M(8)}"},
      {kShape, "f32[4,4]{1,0:SC(1:)}"},
      {kShape, "f32[2,3]{:T(2,128)}", "layout-rank"},
      {kShape, "f32[2,3]{0}", "layout-rank"},
      {kShape, "f32[2]{0,1}", "layout-rank"},
      {kShape, "f32[2,3]{1,0:P(f32[16,128])}", "layout-physical-shape"},
      {kShape, "f32[2]{0:#(s32)}", "layout-index-type"},
      {kShape, "f32[2]{0:*(f32)}", "layout-index-type"},
      {kShape, "f32[2]{0:T(-1)}", "tile-size"},
      {kShape, "f32[2]{0:L(0)}", "value-out-of-range"},
      {kShape, "f32[2]{0:S(1)T(2)}", "layout-item"},
      {kShape, "f32[2]{0:T(2)T(2)}", "layout-item"},
      {kShape, "f32[2]{0:X(1)}", "layout-item"},
      {kShape, "f32[2]{0:D(Q)}", "bad-value"},
      {kShape, "f32[2]{0,:T(2)}", "bad-value"},
      {kShape, "f32[2]{0:E()}", "expected-integer"},
      {kShape, "f32[2]{0:}"},
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
      {kConstant, "s64[] constant(9223372036854775808)", "literal-out-of-range"},
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
      {kCall, "custom_call_target=\"t\", literal=( s32[2]{0} {1, 2}, f32[] 0.1 )"},
      {kCall, "custom_call_target=\"t\", literal=s32[2] {1, 2}", "layout-rank"},
      {kCall, "custom_call_target=\"t\", literal=s32[2]{0} {1, 2}"},
      {kCall, "custom_call_target=\"t\", literal=()"},
      {kCall, "custom_call_target=\"t\", literal=(f32[] 1, ((), pred[] true))"},
      {kCall, "custom_call_target=\"t\", literal=(f32[] 1,)", "expected-shape"},
      {kCall, "custom_call_target=\"t\", literal={1, 2}", "expected-shape"},
      {kCall, "custom_call_target=\"t\", literal=(s32[2] {1})", "literal-element"},
  });
}

TEST(ValueFormat, Operands) {
  ExpectCodes({
      {kBody, "r = f32[4] add(f32[4] %t#0, f32[4] %t#1#1)"},
      {kBody, "r = f32[4] add(t#0, t#0)"},
      {kBody, "t_0 = f32[4] copy(p) r = f32[4] copy(t#0)"},
      {kBody, "r = f32[4] copy(t#2)", "tuple-access"},
      {kBody, "r = f32[4] copy(p#0)", "tuple-access"},
      {kBody, "r = f32[4] copy(t#-1)", "tuple-access"},
      {kBody, "r = f32[4] copy(t#x)", "expected-token"},
      {kBody, "r = f32[4] copy(s32[] t#1#0)", ""},
      {kBody, "r = f32[4] copy(f32[] t#1#0)", "operand-shape-mismatch"},
      {kBody, "r = f32[4] copy(p), control-predecessors={t#0}", "bad-value"},
      {kBody, "r = f32[4] add(f32[4] p, f32[4]{0} q)"},
      {kBody, "r = f32[4] add(f32[3] p, q)", "operand-shape-mismatch"},
      {kBody, "r = f32[4] add(bf16[4] p, q)", "operand-shape-mismatch"},
      {kBody, "r = f32[4] add(f32[<=4] p, f32[?] q)"},
      {kBody, "r = f32[4] add(p q)", "missing-comma"},
      {kBody, "r = f32[4] add(p, q,)", "surplus-comma"},
      {kBody, "r = f32[4] add(, p)", "surplus-comma"},
      {kBody, "r = f32[4] add(p, nosuch)", "unknown-instruction"},
      {kBody, "r = f32[4] negate(f32[4])", "expected-name"},
      {kBody, "r = f32[4] add p, q)", "missing-operand-list"},
      {kBody, "r = add(f32[4] negate(p), multiply(q, f32[4] broadcast(f32[] constant(2))))"},
      {kBody, "add = f32[4] copy(p) r = f32[4] add(add, add)"},
      {kBody, "r = f32[4] negate(f32[4] negate(p), x=1)", "expected-name"},
      {kBody, "r = f32[4] negate(f32[2] slice(p))", "missing-attribute"},
  });
}

TEST(ValueFormat, OmittedShapesAndOpcodes) {
  ExpectCodes({
      {kBody, "r = add(p, q) s = tuple(r, p) u = get-tuple-element(s), index=0 w = compare(p, q), direction=EQ"},
      {kBody, "r = reshape(p)", "missing-shape"},
      {kBody, "r = parameter(4)", "missing-shape"},
      {kBody, "r = constant(1)", "missing-shape"},
      {kBody, "r = custom-call(p), custom_call_target=\"t\"", "missing-shape"},
      {kBody, "r = f32[4] nosuch(p)", "unknown-opcode"},
      {kBody, "r = f32[4] Add(p, q)", "unknown-opcode"},
      {kBody, "r = f32[4] copy-update(p)", "unknown-opcode"},
      {kBody, "r = f32[4] all-reduce-update(p)", "unknown-opcode"},
      {kBody, "r = f32[4] send-start(p)", "unknown-opcode"},
      {kBody, "r = f32[4] 7(p)", "expected-opcode"},
      {kBody, "r f32[4] add(p, q)", "missing-equals"},
      {kBody, "r = f32[4]", "expected-opcode"},
      {kBody, "r = f32[4] add", "missing-operand-list"},
  });
}

}  // namespace
}  // namespace hloscope
