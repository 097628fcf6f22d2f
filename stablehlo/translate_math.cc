// SPDX-License-Identifier: Apache-2.0
// Products, transforms, linear algebra, normalization, random numbers.
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {
namespace {

struct AlgorithmRow {
  absl::string_view lhs, rhs, accumulation;
  int64_t operations;
  absl::string_view name;
};
constexpr AlgorithmRow kAlgorithms[] = {
    {"f16", "f16", "f16", 1, "dot_f16_f16_f16"},        {"f16", "f16", "f32", 1, "dot_f16_f16_f32"},
    {"bf16", "bf16", "bf16", 1, "dot_bf16_bf16_bf16"},  {"bf16", "bf16", "f32", 1, "dot_bf16_bf16_f32"},
    {"bf16", "bf16", "f32", 3, "dot_bf16_bf16_f32_x3"}, {"bf16", "bf16", "f32", 6, "dot_bf16_bf16_f32_x6"},
    {"bf16", "bf16", "f32", 9, "dot_bf16_bf16_f32_x9"}, {"tf32", "tf32", "f32", 1, "dot_tf32_tf32_f32"},
    {"tf32", "tf32", "f32", 3, "dot_tf32_tf32_f32_x3"}, {"f32", "f32", "f32", 1, "dot_f32_f32_f32"},
    {"f64", "f64", "f64", 1, "dot_f64_f64_f64"},
};

}  // namespace

std::string Translator::AlgorithmText(const Operation& op) {
  const AttributeValue* const value = op.Find("algorithm");
  if (value == nullptr || value->form != AttributeForm::kStructure) return "";
  const auto word = [&](absl::string_view field) {
    const AttributeValue* const item = value->Find(field);
    return item == nullptr ? std::string() : std::string(program_.Slice(item->range));
  };
  const auto number = [&](absl::string_view field, int64_t default_value) {
    const AttributeValue* const item = value->Find(field);
    return item == nullptr ? default_value : item->integer;
  };
  const std::string lhs = word("lhs_precision_type"), rhs = word("rhs_precision_type");
  const std::string accumulation = word("accumulation_type");
  const bool fast = number("allow_imprecise_accumulation", 0) != 0;
  if (absl::StartsWith(lhs, "f8") && absl::StartsWith(rhs, "f8") && accumulation == "f32") {
    return absl::StrCat(", algorithm=dot_any_f8_any_f8_f32", fast ? "_fast_accum" : "");
  }
  for (const AlgorithmRow& row : kAlgorithms) {
    const bool matches = row.lhs == lhs && row.rhs == rhs && row.accumulation == accumulation &&
                         row.operations == number("num_primitive_operations", 1);
    if (matches && !fast && number("lhs_component_count", 1) == 1 && number("rhs_component_count", 1) == 1) {
      return absl::StrCat(", algorithm=", row.name);
    }
  }
  sink_.Report(DiagnosticKind::kShloAttribute, value->range,
               absl::StrCat("HLO has no dot algorithm ", lhs, " x ", rhs, " -> ", accumulation, " with these counts"));
  return "";
}

// dot_general and dot.
bool Translator::TranslateDot(Site& site) {
  if (!NeedsOperands(site, 2)) return false;
  std::vector<int64_t> lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
  if (site.op.short_name == "dot") {
    if (site.operands[0]->shape.rank() > 0 && site.operands[1]->shape.rank() > 0) {
      lhs_contracting = {site.operands[0]->shape.rank() - 1};
      rhs_contracting = {0};
    }
  } else {
    const auto read = [&](absl::string_view field) {
      return site.op.Find(field) != nullptr ? Integers(site.op, field)
                                            : StructureIntegers(site.op, "dot_dimension_numbers", field);
    };
    lhs_batch = read("lhs_batching_dimensions");
    rhs_batch = read("rhs_batching_dimensions");
    lhs_contracting = read("lhs_contracting_dimensions");
    rhs_contracting = read("rhs_contracting_dimensions");
  }
  std::string text;
  if (!lhs_batch.empty() || !rhs_batch.empty()) {
    absl::StrAppend(&text, ", lhs_batch_dims=", BracedList(lhs_batch));
  }
  absl::StrAppend(&text, ", lhs_contracting_dims=", BracedList(lhs_contracting));
  if (!lhs_batch.empty() || !rhs_batch.empty()) {
    absl::StrAppend(&text, ", rhs_batch_dims=", BracedList(rhs_batch));
  }
  absl::StrAppend(&text, ", rhs_contracting_dims=", BracedList(rhs_contracting), PrecisionText(site.op, 2),
                  AlgorithmText(site.op));
  return Define(site, "dot", site.operands, text);
}

namespace {

// Puts digits in place of `...` for the dimensions of an operand that have no letters, and gives their number.
int64_t WithoutEllipsis(std::string& letters, int64_t rank) {
  const size_t at = letters.find("...");
  const int64_t count = rank - (static_cast<int64_t>(letters.size()) - 3);
  if (at == std::string::npos || absl::c_any_of(letters, absl::ascii_isdigit) || count < 0 || count > 10) return 0;
  std::string digits;
  for (int64_t k = count; k-- > 0;) digits.push_back(static_cast<char>('0' + k));
  letters.replace(at, 3, digits);
  return count;
}

bool IsOnceEach(const std::string& letters) {
  for (size_t i = 0; i < letters.size(); ++i) {
    if (letters.find(letters[i]) != i) return false;
  }
  return true;
}

}  // namespace

// A dot, then a transpose to the order of the equation. Letters of one operand that the result lacks are summed first.
bool Translator::TranslateEinsum(Site& site) {
  const std::string equation = StringOf(site.op, "einsum_config");
  std::vector<std::string> sides = absl::StrSplit(equation, "->");
  std::vector<std::string> inputs = absl::StrSplit(sides[0], ',');
  if (site.op.short_name == "unary_einsum" && inputs.size() == 1 && site.operands.size() == 1) {
    inputs.insert(inputs.begin(), "");
    site.operands.insert(site.operands.begin(), Scalar(site, site.operands[0]->shape.element_type(), "1"));
  }
  if (sides.size() != 2 || inputs.size() != 2 || site.operands.size() != 2 || !NeedsResults(site, 1) ||
      absl::c_any_of(equation, absl::ascii_isdigit)) {
    return Fail(site.op, DiagnosticKind::kShloAttribute, "expected an equation such as \"ab,bc->ac\" for the operands");
  }
  // Names are letters; what `...` stands for is numbered from behind.
  int64_t unnamed = 0;
  for (size_t k = 0; k < 2; ++k) {
    unnamed = std::max(unnamed, WithoutEllipsis(inputs[k], site.operands[k]->shape.rank()));
  }
  WithoutEllipsis(sides[1], static_cast<int64_t>(sides[1].size()) - 3 + unnamed);
  const auto letters_only = [](absl::string_view text) { return absl::c_all_of(text, absl::ascii_isalnum); };
  if (!letters_only(sides[1])) {
    return Fail(site.op, DiagnosticKind::kShloAttribute,
                absl::StrCat("\"", sides[1], "\" is no list of letters for the dimensions of the result"));
  }
  const std::string& out = sides[1];
  for (size_t k = 0; k < 2; ++k) {
    if (!letters_only(inputs[k]) || static_cast<int64_t>(inputs[k].size()) != site.operands[k]->shape.rank()) {
      return Fail(site.op, DiagnosticKind::kShloAttribute,
                  absl::StrCat("\"", inputs[k], "\" does not name the dimensions of operand ", k));
    }
    if (!IsOnceEach(inputs[k])) {
      return Fail(site.op, DiagnosticKind::kShloNoHlo, absl::StrCat("\"", inputs[k], "\" names a dimension twice"));
    }
  }
  for (size_t k = 0; k < 2; ++k) {
    std::string kept;
    std::vector<int64_t> summed, sizes;
    for (size_t d = 0; d < inputs[k].size(); ++d) {
      const char letter = inputs[k][d];
      if (absl::StrContains(out, letter) || absl::StrContains(inputs[1 - k], letter)) {
        kept.push_back(letter);
        sizes.push_back(site.operands[k]->shape.dimension(static_cast<int64_t>(d)));
      } else {
        summed.push_back(static_cast<int64_t>(d));
      }
    }
    if (summed.empty()) continue;
    const ElementType type = site.operands[k]->shape.element_type();
    const HloRef zero = Scalar(site, type, "0");
    site.operands[k] =
        Emit(site, "reduce", Shape::Array(type, sizes), {site.operands[k], zero},
             absl::StrCat(", dimensions=", BracedList(summed), ", to_apply=%", SumComputation(site.op, type)));
    inputs[k] = kept;
  }
  std::vector<int64_t> lists[4], sizes;
  std::string made;
  const auto index = [](absl::string_view text, char letter) { return static_cast<int64_t>(text.find(letter)); };
  for (const char letter : out) {
    if (!absl::StrContains(inputs[0], letter) || !absl::StrContains(inputs[1], letter)) continue;
    lists[0].push_back(index(inputs[0], letter));
    lists[1].push_back(index(inputs[1], letter));
    made.push_back(letter);
  }
  for (const char letter : inputs[0]) {
    if (absl::StrContains(out, letter) || !absl::StrContains(inputs[1], letter)) continue;
    lists[2].push_back(index(inputs[0], letter));
    lists[3].push_back(index(inputs[1], letter));
  }
  for (size_t k = 0; k < 2; ++k) {
    for (const char letter : inputs[k]) {
      if (absl::StrContains(out, letter) && !absl::StrContains(inputs[1 - k], letter)) made.push_back(letter);
    }
  }
  for (const char letter : made) {
    const size_t k = absl::StrContains(inputs[0], letter) ? 0 : 1;
    sizes.push_back(site.operands[k]->shape.dimension(index(inputs[k], letter)));
  }
  if (made.size() != out.size())
    return Fail(site.op, DiagnosticKind::kShloAttribute, "every letter of the result must be in an operand, once");
  const HloRef dot =
      Emit(site, "dot", Shape::Array(site.op.results[0]->type->shape.element_type(), sizes), site.operands,
           absl::StrCat(", lhs_batch_dims=", BracedList(lists[0]), ", lhs_contracting_dims=", BracedList(lists[2]),
                        ", rhs_batch_dims=", BracedList(lists[1]), ", rhs_contracting_dims=", BracedList(lists[3])));
  std::vector<int64_t> order;
  for (const char letter : out) order.push_back(index(made, letter));
  return Define(site, "transpose", {dot}, absl::StrCat(", dimensions=", BracedList(order)));
}

namespace {

// b01f: one letter for each dimension.
std::string Labels(int64_t first, char first_letter, int64_t second, char second_letter,
                   const std::vector<int64_t>& spatial) {
  std::string text(spatial.size() + 2, '?');
  const auto set = [&](int64_t at, char letter) {
    if (at >= 0 && at < static_cast<int64_t>(text.size())) text[static_cast<size_t>(at)] = letter;
  };
  for (size_t k = 0; k < spatial.size() && k < 10; ++k) set(spatial[k], static_cast<char>('0' + k));
  set(first, first_letter);
  set(second, second_letter);
  return text;
}

}  // namespace

// convolution, and dynamic_conv with constant padding.
bool Translator::TranslateConvolution(Site& site) {
  constexpr absl::string_view kStructure = "dimension_numbers";
  const auto one = [&](absl::string_view field) {
    const std::vector<int64_t> list = StructureIntegers(site.op, kStructure, field);
    return list.empty() ? 0 : list[0];
  };
  const std::vector<int64_t> kernel_spatial = StructureIntegers(site.op, kStructure, "kernel_spatial_dimensions");
  const bool is_dynamic = site.op.short_name == "dynamic_conv";
  if (!NeedsOperands(site, is_dynamic ? 3 : 2)) return false;
  std::vector<int64_t> size;
  for (const int64_t d : kernel_spatial) {
    if (d < 0 || d >= site.operands[1]->shape.rank()) {
      return Fail(site.op, DiagnosticKind::kShloAttribute, absl::StrCat("the kernel has no dimension ", d));
    }
    size.push_back(site.operands[1]->shape.dimension(d));
  }
  std::string window;
  if (is_dynamic) {
    const auto padding = Constants(site.op.operands[2].value);
    if (!padding.has_value())
      return Fail(site.op, DiagnosticKind::kShloDynamic, "the padding of `dynamic_conv` must be a constant");
    Operation with_padding = site.op;
    AttributeValue value;
    value.form = AttributeForm::kIntegers;
    value.integers = *padding;
    with_padding.attributes.push_back({"padding", site.op.name_range, &value});
    window = WindowText(with_padding, size, "window_strides", "lhs_dilation", "rhs_dilation", "window_reversal");
  } else {
    window = WindowText(site.op, size, "window_strides", "lhs_dilation", "rhs_dilation", "window_reversal");
  }
  std::string text = absl::StrCat(
      window, ", dim_labels=",
      Labels(one("input_batch_dimension"), 'b', one("input_feature_dimension"), 'f',
             StructureIntegers(site.op, kStructure, "input_spatial_dimensions")),
      "_",
      Labels(one("kernel_input_feature_dimension"), 'i', one("kernel_output_feature_dimension"), 'o', kernel_spatial),
      "->",
      Labels(one("output_batch_dimension"), 'b', one("output_feature_dimension"), 'f',
             StructureIntegers(site.op, kStructure, "output_spatial_dimensions")));
  for (const absl::string_view count : {"feature_group_count", "batch_group_count"}) {
    if (const int64_t groups = Integer(site.op, count, 1); groups != 1)
      absl::StrAppend(&text, ", ", count, "=", groups);
  }
  return Define(site, "convolution", absl::MakeConstSpan(site.operands).first(2),
                absl::StrCat(text, PrecisionText(site.op, 2)));
}

bool Translator::TranslateFft(Site& site) {
  return Define(site, "fft", site.operands,
                absl::StrCat(", fft_type=", Word(site.op, "fft_type"),
                             ", fft_length=", BracedList(Integers(site.op, "fft_length"))));
}

bool Translator::TranslateCholesky(Site& site) {
  return Define(site, "cholesky", site.operands, Flag(site.op, "lower") ? ", lower=true" : "");
}

bool Translator::TranslateTriangularSolve(Site& site) {
  std::string text;
  for (const absl::string_view flag : {"left_side", "lower", "unit_diagonal"}) {
    if (Flag(site.op, flag)) absl::StrAppend(&text, ", ", flag, "=true");
  }
  return Define(site, "triangular-solve", site.operands,
                absl::StrCat(text, ", transpose_a=", Word(site.op, "transpose_a")));
}

bool Translator::TranslateBatchNorm(Site& site) {
  const AttributeValue* const epsilon = site.op.Find("epsilon");
  const std::string opcode = absl::StrReplaceAll(site.op.short_name, {{"_", "-"}});
  const std::string text = absl::StrCat(", epsilon=", epsilon == nullptr ? 0 : static_cast<float>(epsilon->number),
                                        ", feature_index=", Integer(site.op, "feature_index", 0));
  return DefineAll(site, opcode, site.operands, text);
}

bool Translator::TranslateRng(Site& site) {
  if (!NeedsOperands(site, 3)) return false;
  const std::string distribution = Word(site.op, "rng_distribution");
  return Define(site, "rng", absl::MakeConstSpan(site.operands).first(2),
                absl::StrCat(", distribution=rng_", absl::AsciiStrToLower(distribution)));
}

bool Translator::TranslateRngBitGenerator(Site& site) {
  if (!NeedsResults(site, 2)) return false;
  return DefineAll(site, "rng-bit-generator", site.operands,
                   absl::StrCat(", algorithm=rng_", absl::AsciiStrToLower(Word(site.op, "rng_algorithm"))));
}

bool Translator::TranslateRngState(Site& site) {
  return Define(site, "rng-get-and-update-state", site.operands,
                absl::StrCat(", delta=", Integer(site.op, "delta", 0)));
}

bool Translator::TranslateTopK(Site& site) {
  if (!NeedsResults(site, 2) || !NeedsOperands(site, 1)) return false;
  const bool is_largest = Integer(site.op, "largest", 1) != 0, is_stable = Integer(site.op, "is_stable", 1) != 0;
  return DefineAll(site, "topk", site.operands,
                   absl::StrCat(", k=", Integer(site.op, "k", 1), ", largest=", is_largest ? "true" : "false",
                                is_stable ? "" : ", is_stable=false"));
}

// The dimensions are a structure or, in a composite, an array of six lists.
bool Translator::TranslateRaggedDot(Site& site) {
  constexpr absl::string_view kStructure = "ragged_dot_dimension_numbers";
  static constexpr absl::string_view kFields[] = {"lhs_batching_dimensions",    "rhs_batching_dimensions",
                                                  "lhs_contracting_dimensions", "rhs_contracting_dimensions",
                                                  "lhs_ragged_dimensions",      "rhs_group_dimensions"};
  if (!NeedsOperands(site, 3)) return false;
  const AttributeValue* const dimensions = site.op.Find(kStructure);
  const bool is_array = dimensions != nullptr && dimensions->form == AttributeForm::kArray;
  if (is_array && dimensions->items.size() != std::size(kFields)) {
    return Fail(
        site.op, DiagnosticKind::kShloAttribute,
        absl::StrCat("`", kStructure, "` needs ", std::size(kFields), " lists, there are ", dimensions->items.size()));
  }
  std::vector<int64_t> lists[std::size(kFields)];
  for (size_t k = 0; k < std::size(kFields); ++k) {
    lists[k] = is_array ? IntegersOf(program_, *dimensions->items[k]).value_or(std::vector<int64_t>())
                        : StructureIntegers(site.op, kStructure, kFields[k]);
  }
  std::string text =
      absl::StrCat(", lhs_batch_dims=", BracedList(lists[0]), ", lhs_contracting_dims=", BracedList(lists[2]),
                   ", rhs_batch_dims=", BracedList(lists[1]), ", rhs_contracting_dims=", BracedList(lists[3]));
  // Rows of a batch are all of the same group: it is a product like any other.
  const bool is_batch = !lists[4].empty() && absl::c_linear_search(lists[0], lists[4][0]);
  if (is_batch) site.operands.pop_back();
  if (!is_batch) {
    absl::StrAppend(&text, ", lhs_ragged_dims=", BracedList(lists[4]), ", rhs_group_dims=", BracedList(lists[5]));
  }
  return Define(site, is_batch ? "dot" : "ragged-dot", site.operands, absl::StrCat(text, PrecisionText(site.op, 2)));
}

}  // namespace hloscope::stablehlo
