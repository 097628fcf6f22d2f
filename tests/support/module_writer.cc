// SPDX-License-Identifier: Apache-2.0
// What instructions of random modules are made from: elements, operands, computations.
#include "tests/support/module_writer.h"

#include "absl/strings/match.h"

namespace hloscope::module_writer {

std::string ModuleWriter::Annotations(const std::string& shape) {
  if (!Chance(0.06)) return "";
  static const Names kAnnotations = {R"(metadata={op_type="t" op_name="jit(f)/a b" source_file="x.py" source_line=7})",
                                     R"(metadata={op_name="a\"\\\n\303\251" scheduling_name="s.1"})",
                                     R"(frontend_attributes={a="1",b={"c":2}})",
                                     R"(backend_config={"k":[1,"}"]})",
                                     R"(backend_config="raw \" text")",
                                     "sharding={replicated}",
                                     "sharding={maximal device=0}",
                                     "sharding={manual}",
                                     R"(sharding={replicated metadata={op_name="s"}})",
                                     "statistics={visualizing_index=0,x=1,y=2.5}",
                                     R"(origin={{"v"}})",
                                     "control-predecessors="};
  const std::string& annotation = OneOf(kAnnotations);
  // The parameters of a loop's body and condition must agree.
  if (absl::StartsWith(annotation, "sharding") && !in_entry_) return "";
  if (absl::StartsWith(annotation, "origin") && absl::StrContains(shape, "(")) return "";  // one name for each leaf
  if (!absl::EndsWith(annotation, "=")) return absl::StrCat(", ", annotation);
  return values_.empty() ? "" : absl::StrCat(", ", annotation, "{", values_[Pick(values_.size())].name, "}");
}

std::string ModuleWriter::DeclaredType(const std::string& opcode, const std::string& type) {
  // What converts its operands to the declared type (docs/ops/elementwise.md 0).
  static const Names kConverting = {"abs",    "add",         "broadcast", "clamp",   "concatenate", "copy",
                                    "divide", "exponential", "floor",     "maximum", "minimum",     "multiply",
                                    "negate", "pad",         "remainder", "reshape", "reverse",     "select",
                                    "sign",   "slice",       "subtract",  "tanh",    "transpose"};
  const bool converts = options_.mixed_precision && IsIn(type, kWideFloats) && IsIn(opcode, kConverting) && Chance(0.2);
  return converts ? OneOf(kWideFloats) : type;
}

std::string ModuleWriter::Element(const std::string& type) {
  if (type == "pred") return Chance(0.5) ? "true" : "false";
  if (IsIn(type, kComplex)) {
    return absl::StrCat("(", Element(ComponentOf(type)), ", ", Element(ComponentOf(type)), ")");
  }
  if (IsIn(type, kIntegers)) {
    const int bits = std::min(BitsOf(type), 63);
    const bool is_signed = type[0] == 's';
    int64_t high = bits >= 62 ? int64_t{1} << 40 : (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
    if (Chance(0.8)) high = std::min<int64_t>(high, 5);
    return absl::StrCat(Between(is_signed ? -high - (high < 5 ? 1 : 0) : 0, high));
  }
  if (type == "f8e8m0fnu") return OneOf({"1", "2", "0.5", "4"});
  if (type == "f4e2m1fn") return OneOf({"0", "1", "-1", "0.5", "-3", "6"});
  static const Names usual = {"0", "1", "-1", "0.5", "2", "-0.25", "3.5", "-7", "0.125", "-0"};
  static const Names special = {"inf", "-inf", "nan", "1e-7", "60000"};
  if (IsIn(type, kWideFloats) && Chance(0.03)) return OneOf(special);
  const std::string& text = OneOf(usual);
  return text == "-0" && absl::StrContains(type, "fnuz") ? "0" : text;
}

std::string ModuleWriter::Literal(const std::string& type, const Sizes& sizes, size_t dimension) {
  if (dimension == sizes.size()) return Element(type);
  Names parts;
  for (int64_t k = 0; k < sizes[dimension]; ++k) parts.push_back(Literal(type, sizes, dimension + 1));
  return absl::StrCat("{ ", absl::StrJoin(parts, ", "), " }");
}

Array ModuleWriter::Take(const std::string& type, const Sizes& sizes) {
  std::vector<const Array*> same;
  for (const Array& value : values_) {
    if (value.type == type && value.sizes == sizes && !value.is_dynamic) same.push_back(&value);
  }
  if (!same.empty() && Chance(0.75)) return *same[Pick(same.size())];
  if (CountOf(sizes) <= 40 && Chance(0.3)) return Constant(type, sizes);
  if (in_entry_ && parameters_.size() < 12 && Chance(0.7)) {
    const std::string name = NewName("parameter");
    absl::StrAppend(&text_, "  ", name, " = ", ShapeOf(type, sizes), " parameter(", parameters_.size(), ")\n");
    parameters_.push_back(ShapeOf(type, sizes));
    values_.push_back({name, type, sizes});
    return values_.back();
  }
  const Array scalar = Constant(type, {});
  return sizes.empty() ? scalar : EmitExactly("broadcast", type, sizes, {scalar.name}, "dimensions={}");
}

Array ModuleWriter::TakeAny(const Names& allowed, size_t min_rank, size_t max_rank) {
  std::vector<const Array*> good;
  for (const Array& value : values_) {
    if (IsIn(value.type, allowed) && value.sizes.size() >= min_rank && value.sizes.size() <= max_rank &&
        !value.is_dynamic) {
      good.push_back(&value);
    }
  }
  if (!good.empty() && Chance(0.7)) return *good[Pick(good.size())];
  return Take(Type(allowed), RandomSizes(min_rank, max_rank));
}

std::string ModuleWriter::Computation(const std::string& stem, const std::function<std::string()>& body) {
  const std::string name = NewName(stem);
  std::string outer_text;
  std::vector<Array> outer_values;
  std::swap(outer_text, text_);
  std::swap(outer_values, values_);
  const bool was_entry = std::exchange(in_entry_, false);
  const std::string root = body();
  absl::StrAppend(&header_computations_, name, " {\n", text_, "  ROOT ", root, "\n}\n\n");
  in_entry_ = was_entry;
  text_ = std::move(outer_text);
  values_ = std::move(outer_values);
  return name;
}

std::string ModuleWriter::BinaryOf(const std::string& type, bool associative) {
  if (type == "pred") return OneOf({"and", "or", "xor"});
  if (IsIn(type, kComplex)) return associative ? "add" : OneOf({"add", "multiply", "subtract"});
  if (IsIn(type, kIntegers)) {
    return associative ? OneOf({"add", "maximum", "minimum", "and", "or", "xor"})
                       : OneOf({"add", "subtract", "multiply", "maximum", "minimum", "and"});
  }
  return associative ? OneOf({"add", "maximum", "minimum"}) : OneOf({"add", "subtract", "multiply", "maximum"});
}

std::string ModuleWriter::Reducer(const std::string& type, bool associative) {
  return Computation("reducer", [&] {
    const std::string scalar = ShapeOf(type, {});
    const std::string a = Line(scalar, "parameter", {"0"}), b = Line(scalar, "parameter", {"1"});
    return absl::StrCat("r = ", scalar, " ", BinaryOf(type, associative), "(", a, ", ", b, ")");
  });
}

std::string ModuleWriter::SmallBody(const std::string& type, const Sizes& sizes, const Names& parameters) {
  const std::string shape = ShapeOf(type, sizes);
  std::string last = OneOf(parameters);
  const size_t count = 1 + Pick(4);
  for (size_t k = 0; k < count; ++k) last = Line(shape, BinaryOf(type, false), {last, OneOf(parameters)});
  return last;
}

}  // namespace hloscope::module_writer
