// SPDX-License-Identifier: Apache-2.0
// Pairs of elementwise operations.
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/support/rule_pair_makers.h"

namespace hloscope::rule_pairs {
namespace {

RulePair UnaryResult(Random& r) {
  const Sizes sizes = r.Array();
  const size_t d = r.Dimension(sizes);
  const std::string array = Array(r.Float(), sizes);
  return ByResult("declared-shape", r.Of({"negate", "exponential", "tanh", "sqrt", "floor"}), "", array, array,
                  Array(array.substr(0, array.find('[')), With(sizes, d, sizes[d] + 1)));
}
RulePair UnaryType(Random& r) {
  const Sizes sizes = r.Array(0);
  const absl::string_view opcode = r.Of({"exponential", "log", "cosine", "rsqrt", "cbrt", "is-finite", "erf"});
  const bool is_predicate = opcode == "is-finite";
  const std::string good = Array(r.Float(), sizes), bad = Array(r.Integer(), sizes);
  return {InstructionModule("", opcode, good, is_predicate ? Array("pred", sizes) : good),
          InstructionModule("", opcode, bad, is_predicate ? Array("pred", sizes) : bad), "operand-element-type"};
}
absl::string_view BinaryOpcode(Random& r) { return r.Of({"add", "multiply", "maximum", "subtract", "divide"}); }
RulePair BinaryTypes(Random& r) {
  const Sizes sizes = r.Array(0);
  const std::string a = Array(r.Float(), sizes), b = Array(r.Integer(), sizes);
  return ByOperands("operand-types-differ", BinaryOpcode(r), "", a, absl::StrCat(a, ", ", a), absl::StrCat(a, ", ", b));
}
RulePair BinaryPrecision(Random& r) {
  const Sizes sizes = r.Array(0);
  const std::string a = Array("f32", sizes), b = Array(r.Of({"f16", "bf16", "f8e5m2"}), sizes);
  return ByOperands("mixed-precision", BinaryOpcode(r), "", a, absl::StrCat(a, ", ", a), absl::StrCat(a, ", ", b));
}
RulePair BinarySizes(Random& r) {
  const Sizes sizes = r.Array(1, 4, 2);
  const size_t d = r.Dimension(sizes);
  const absl::string_view type = r.Real();
  const std::string a = Array(type, sizes), b = Array(type, With(sizes, d, sizes[d] + 1));
  return ByOperands("operand-shapes-differ", BinaryOpcode(r), "", a, absl::StrCat(a, ", ", a),
                    absl::StrCat(a, ", ", b));
}
RulePair BinaryRanks(Random& r) {
  const Sizes sizes = r.Array(2, 4, 2);
  const absl::string_view type = r.Real();
  const std::string a = Array(type, sizes), b = Array(type, Without(sizes, r.Dimension(sizes)));
  return ByOperands("operand-ranks-differ", BinaryOpcode(r), "", a, absl::StrCat(a, ", ", a), absl::StrCat(a, ", ", b));
}
RulePair CompareOrder(Random& r) {
  const Sizes sizes = r.Array(0);
  const std::string a = Array(r.Float(), sizes);
  return ByAttributes("comparison-type", "compare", absl::StrCat(a, ", ", a), Array("pred", sizes),
                      "direction=LT, type=FLOAT", "direction=LT, type=SIGNED");
}
RulePair CompareComplex(Random& r) {
  const Sizes sizes = r.Array(0);
  const std::string a = Array(r.Of({"c64", "c128"}), sizes);
  return ByAttributes("complex-order", "compare", absl::StrCat(a, ", ", a), Array("pred", sizes), "direction=EQ",
                      absl::StrCat("direction=", r.Of({"LT", "LE", "GT", "GE"})));
}
RulePair ShiftOfFloats(Random& r) {
  const Sizes sizes = r.Array(0);
  const absl::string_view opcode = r.Of({"shift-left", "shift-right-logical", "shift-right-arithmetic"});
  const std::string a = Array(r.Integer(), sizes), b = Array(r.Float(), sizes);
  return {InstructionModule("", opcode, absl::StrCat(a, ", ", a), a),
          InstructionModule("", opcode, absl::StrCat(b, ", ", b), b), "undefined-for-type"};
}
RulePair SelectPredicateSizes(Random& r) {
  const Sizes sizes = r.Array(1, 4, 2);
  const size_t d = r.Dimension(sizes);
  const std::string a = Array(r.Any(), sizes);
  return ByOperands("select-predicate", "select", "", a, absl::StrCat(Array("pred", sizes), ", ", a, ", ", a),
                    absl::StrCat(Array("pred", With(sizes, d, sizes[d] + 1)), ", ", a, ", ", a));
}
RulePair SelectBranches(Random& r) {
  const Sizes sizes = r.Array(1, 4, 2);
  const size_t d = r.Dimension(sizes);
  const absl::string_view type = r.Any();
  const std::string a = Array(type, sizes);
  return ByOperands("select-branches", "select", "", a, absl::StrCat("pred[], ", a, ", ", a),
                    absl::StrCat("pred[], ", a, ", ", Array(type, With(sizes, d, sizes[d] + 1))));
}
RulePair ClampBound(Random& r) {
  const Sizes sizes = r.Array(1, 4, 2);
  const size_t d = r.Dimension(sizes);
  const absl::string_view type = r.Real();
  const std::string a = Array(type, sizes);
  return ByOperands("clamp-bound", "clamp", "", a, absl::StrCat(type, "[], ", a, ", ", a),
                    absl::StrCat(type, "[], ", a, ", ", Array(type, With(sizes, d, sizes[d] + 1))));
}
RulePair ReducePrecisionBits(Random& r) {
  const std::string a = Array(r.Float(), r.Array(0));
  return ByAttributes("precision-bits", "reduce-precision", a, a, "exponent_bits=5, mantissa_bits=0",
                      r.Of({"exponent_bits=0, mantissa_bits=3", "exponent_bits=4, mantissa_bits=-1"}));
}
RulePair BitcastConvertSize(Random& r) {
  const Sizes sizes = r.Array(0, 3);
  Sizes good = sizes, bad = sizes;
  good.push_back(4);
  bad.push_back(r.Int(0, 1) == 0 ? 3 : 5);
  return ByOperands("bitcast-convert-size", "bitcast-convert", "", Array("f32", sizes), Array("u8", good),
                    Array("u8", bad));
}

}  // namespace

absl::Span<const Maker> ElementwiseMakers() {
  static constexpr Maker kMakers[] = {
      UnaryResult,    UnaryType,    BinaryTypes,         BinaryPrecision,    BinarySizes,
      BinaryRanks,    CompareOrder, CompareComplex,      ShiftOfFloats,      SelectPredicateSizes,
      SelectBranches, ClampBound,   ReducePrecisionBits, BitcastConvertSize,
  };
  return kMakers;
}

}  // namespace hloscope::rule_pairs
