// SPDX-License-Identifier: Apache-2.0
// Elementwise instructions of random modules.
#include "tests/support/module_writer.h"

namespace hloscope::module_writer {

// --- Elementwise ---

void ModuleWriter::Unary(const std::string& opcode) {
  static const std::map<std::string, Names> kTypes = {{"abs", Joined({kSigned, kFloats, kComplex})},
                                                      {"sign", Joined({kSigned, kFloats, kComplex})},
                                                      {"negate", kNumbers},
                                                      {"not", Joined({kPredicate, kIntegers})},
                                                      {"count-leading-zeros", kIntegers},
                                                      {"popcnt", kIntegers},
                                                      {"real", Joined({kFloats, kComplex})},
                                                      {"imag", Joined({kFloats, kComplex})},
                                                      {"cbrt", kFloats},
                                                      {"ceil", kFloats},
                                                      {"erf", kFloats},
                                                      {"floor", kFloats},
                                                      {"round-nearest-afz", kFloats},
                                                      {"round-nearest-even", kFloats},
                                                      {"is-finite", kFloats},
                                                      {"copy", kAll},
                                                      {"opt-barrier", kAll}};
  const auto found = kTypes.find(opcode);
  const Array x = TakeAny(found == kTypes.end() ? Joined({kFloats, kComplex}) : found->second);
  std::string type = x.type;
  if (opcode == "is-finite") type = "pred";
  if ((opcode == "abs" || opcode == "real" || opcode == "imag") && IsIn(x.type, kComplex)) type = ComponentOf(x.type);
  static const Names kWithAccuracy = {"cbrt", "cosine",       "erf",      "exponential", "exponential-minus-one",
                                      "log",  "log-plus-one", "logistic", "rsqrt",       "sine",
                                      "sqrt", "tan",          "tanh"};
  static const Names kAccuracies = {"", "", "", "result_accuracy={mode=highest}",
                                    "result_accuracy={tolerance={atol=0.5,rtol=0,ulps=3}}"};
  Emit(opcode, type, x.sizes, {x.name}, IsIn(opcode, kWithAccuracy) ? OneOf(kAccuracies) : "");
}

void ModuleWriter::Binary(const std::string& opcode) {
  static const std::map<std::string, Names> kTypes = {{"add", kAll},
                                                      {"multiply", kAll},
                                                      {"subtract", kNumbers},
                                                      {"divide", kNumbers},
                                                      {"power", kNumbers},
                                                      {"remainder", kReal},
                                                      {"maximum", Joined({kPredicate, kReal})},
                                                      {"minimum", Joined({kPredicate, kReal})},
                                                      {"mulhi", {"s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"}},
                                                      {"and", Joined({kPredicate, kIntegers})},
                                                      {"or", Joined({kPredicate, kIntegers})},
                                                      {"xor", Joined({kPredicate, kIntegers})},
                                                      {"shift-left", kIntegers},
                                                      {"shift-right-logical", kIntegers},
                                                      {"shift-right-arithmetic", kIntegers},
                                                      {"atan2", Joined({kFloats, kComplex})}};
  const Array a = TakeAny(kTypes.at(opcode));
  Emit(opcode, a.type, a.sizes, {a.name, Take(a.type, a.sizes).name});
}

void ModuleWriter::Compare(const std::string& opcode) {
  const Array a = TakeAny(kAll);
  const std::string direction =
      OneOf(IsIn(a.type, kComplex) ? Names{"EQ", "NE"} : Names{"EQ", "NE", "LT", "LE", "GT", "GE"});
  const bool total = IsIn(a.type, kFloats) && Chance(0.2);
  Emit(opcode, "pred", a.sizes, {a.name, Take(a.type, a.sizes).name},
       absl::StrCat("direction=", direction, total ? ", type=TOTALORDER" : ""));
}

void ModuleWriter::Select(const std::string& opcode) {
  const Array a = TakeAny(kAll);
  Emit(opcode, a.type, a.sizes, {Take("pred", a.sizes).name, a.name, Take(a.type, a.sizes).name});
}

void ModuleWriter::Clamp(const std::string& opcode) {
  const Array x = TakeAny(Joined({kPredicate, kReal}));
  const Sizes bounds = Chance(0.5) ? Sizes{} : x.sizes;
  Emit(opcode, x.type, x.sizes, {Take(x.type, bounds).name, x.name, Take(x.type, bounds).name});
}

void ModuleWriter::Complex(const std::string& opcode) {
  const Array a = TakeAny({"f32", "f64"});
  Emit(opcode, a.type == "f32" ? "c64" : "c128", a.sizes, {a.name, Take(a.type, a.sizes).name});
}

void ModuleWriter::Convert(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  Emit(opcode, Type(kAll), x.sizes, {x.name});
}

void ModuleWriter::BitcastConvert(const std::string& opcode) {
  static const Names kBytes = {"s8", "u8", "f8e5m2", "f8e4m3fn"};
  static const Names kWords = {"s16", "u16", "f16", "bf16"};
  static const Names kDoubles = {"s32", "u32", "f32"};
  static const Names kQuads = {"s64", "u64", "f64"};
  static const std::array<Names, 4> kByWidth = {kBytes, kWords, kDoubles, kQuads};
  const size_t from = Pick(4), to = Pick(4);
  Array x = TakeAny(kByWidth[from], 0, 3);
  Sizes sizes = x.sizes;
  if (from < to) {
    sizes.push_back(int64_t{1} << (to - from));
    x = Take(x.type, sizes);
    sizes.pop_back();
  } else if (from > to) {
    sizes.push_back(int64_t{1} << (from - to));
  }
  Emit(opcode, OneOf(kByWidth[to]), sizes, {x.name});
}

void ModuleWriter::ReducePrecision(const std::string& opcode) {
  const Array x = TakeAny(kWideFloats);
  Emit(opcode, x.type, x.sizes, {x.name},
       absl::StrCat("exponent_bits=", Between(2, 8), ", mantissa_bits=", Between(1, 10)));
}

void ModuleWriter::StochasticConvert(const std::string& opcode) {
  // Both operands must have one layout: vectors have no other.
  const Array x = TakeAny(kWideFloats, 0, 1);
  const std::string bits = BitsOf(x.type) == 16 ? "u16" : BitsOf(x.type) == 32 ? "u32" : "u64";
  Emit(opcode, OneOf({"s8", "s16", "s32"}), x.sizes, {x.name, Take(bits, x.sizes).name});
}

}  // namespace hloscope::module_writer
