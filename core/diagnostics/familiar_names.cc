// SPDX-License-Identifier: Apache-2.0
#include "core/diagnostics/familiar_names.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/suggestions.h"
#include "core/ir/element_type.h"
#include "core/ir/opcode.h"

namespace hloscope {
namespace {

struct Familiar {
  absl::string_view word, meant;
};

// Every meaning of the word in the order of the table; the first that `accept` takes.
template <typename Accept>
absl::string_view MeantBy(absl::string_view word, absl::Span<const Familiar> table, Accept accept) {
  for (const Familiar& entry : table) {
    if (EqualButForStyle(entry.word, word) && accept(entry.meant)) return entry.meant;
  }
  return {};
}
absl::string_view MeantBy(absl::string_view word, absl::Span<const Familiar> table) {
  return MeantBy(word, table, [](absl::string_view) { return true; });
}

std::vector<std::string> SortedParts(absl::string_view name) {
  std::vector<std::string> parts = absl::StrSplit(absl::AsciiStrToLower(name), absl::ByAnyChar("-_"));
  std::sort(parts.begin(), parts.end());
  return parts;
}

// `solve_triangular`, `slice-dynamic-update`: the name with these parts in another order, or nothing.
absl::string_view NameOfSameParts(absl::string_view word, absl::Span<const absl::string_view> names) {
  const std::vector<std::string> parts = SortedParts(word);
  if (parts.size() < 2) return {};
  const auto same =
      std::find_if(names.begin(), names.end(), [&](absl::string_view name) { return SortedParts(name) == parts; });
  return same == names.end() ? absl::string_view() : *same;
}

}  // namespace

absl::string_view NearestAsyncStep(absl::string_view word) {
  static constexpr Familiar kSteps[] = {
      {"-start", "-start"}, {"-begin", "-start"}, {"-done", "-done"}, {"-wait", "-done"}, {"-end", "-done"}};
  for (const Familiar& step : kSteps) {
    absl::string_view operation = word;
    if (!absl::ConsumeSuffix(&operation, step.word) || operation.empty()) continue;
    if (!OpcodeFromName(operation)) operation = NearestOpcode(operation);
    const std::optional<Opcode> opcode = OpcodeFromName(absl::StrCat(operation, step.meant));
    if (opcode) return OpcodeName(*opcode);
  }
  return {};
}

absl::string_view NearestOpcode(absl::string_view word) {
  static constexpr Familiar kTable[] = {{"exp", "exponential"},
                                        {"cmp", "compare"},
                                        {"icmp", "compare"},
                                        {"fcmp", "compare"},
                                        {"plus", "add"},
                                        {"addf", "add"},
                                        {"addi", "add"},
                                        {"addition", "add"},
                                        {"minus", "subtract"},
                                        {"subf", "subtract"},
                                        {"subi", "subtract"},
                                        {"subtraction", "subtract"},
                                        {"times", "multiply"},
                                        {"mult", "multiply"},
                                        {"mulf", "multiply"},
                                        {"muli", "multiply"},
                                        {"product", "multiply"},
                                        {"multiplication", "multiply"},
                                        {"divf", "divide"},
                                        {"divsi", "divide"},
                                        {"division", "divide"},
                                        {"true-divide", "divide"},
                                        {"negative", "negate"},
                                        {"negf", "negate"},
                                        {"fmod", "remainder"},
                                        {"maximumf", "maximum"},
                                        {"minimumf", "minimum"},
                                        {"exponent", "exponential"},
                                        {"ln", "log"},
                                        {"square-root", "sqrt"},
                                        {"rounding", "round-nearest-afz"},
                                        {"round", "round-nearest-even"},
                                        {"floor-divide", "divide"},
                                        {"left-shift", "shift-left"},
                                        {"shl", "shift-left"},
                                        {"right-shift", "shift-right-logical"},
                                        {"shr", "shift-right-logical"},
                                        {"shrl", "shift-right-logical"},
                                        {"shra", "shift-right-arithmetic"},
                                        {"range", "iota"},
                                        {"linspace", "iota"},
                                        {"sorted", "sort"},
                                        {"scatter-add", "scatter"},
                                        {"index-select", "gather"},
                                        {"embedding", "gather"},
                                        {"lookup", "gather"},
                                        {"fuse", "fusion"},
                                        {"fused", "fusion"},
                                        {"random-bits", "rng-bit-generator"},
                                        {"rng-bits", "rng-bit-generator"},
                                        {"narrow", "slice"},
                                        {"expand", "broadcast"},
                                        {"broadcast-to", "broadcast"},
                                        {"tile", "broadcast"},
                                        {"swapaxes", "transpose"},
                                        {"ravel", "reshape"},
                                        {"resize", "reshape"},
                                        {"type-cast", "convert"},
                                        {"to", "convert"},
                                        {"clone", "copy"},
                                        {"assign", "copy"},
                                        {"input", "parameter"},
                                        {"argument", "parameter"},
                                        {"literal", "constant"},
                                        {"make-tuple", "tuple"},
                                        {"tuple-get", "get-tuple-element"},
                                        {"getitem", "get-tuple-element"},
                                        {"get-item", "get-tuple-element"},
                                        {"untuple", "get-tuple-element"},
                                        {"get-element", "get-tuple-element"},
                                        {"tuple-element", "get-tuple-element"},
                                        {"expm1", "exponential-minus-one"},
                                        {"log1p", "log-plus-one"},
                                        {"cos", "cosine"},
                                        {"sin", "sine"},
                                        {"sub", "subtract"},
                                        {"mul", "multiply"},
                                        {"div", "divide"},
                                        {"neg", "negate"},
                                        {"rem", "remainder"},
                                        {"mod", "remainder"},
                                        {"pow", "power"},
                                        {"max", "maximum"},
                                        {"min", "minimum"},
                                        {"sigmoid", "logistic"},
                                        {"matmul", "dot"},
                                        {"dot-general", "dot"},
                                        {"conv", "convolution"},
                                        {"concat", "concatenate"},
                                        {"cast", "convert"},
                                        {"cond", "conditional"},
                                        {"case", "conditional"},
                                        {"if", "conditional"},
                                        {"gte", "get-tuple-element"},
                                        {"param", "parameter"},
                                        {"arg", "parameter"},
                                        {"const", "constant"},
                                        {"broadcast-in-dim", "broadcast"},
                                        {"einsum", "dot"},
                                        {"real-dynamic-slice", "dynamic-slice"},
                                        {"optimization-barrier", "opt-barrier"},
                                        {"create-token", "after-all"},
                                        {"shift-right", "shift-right-logical"},
                                        {"count-leading-zeroes", "count-leading-zeros"},
                                        {"population-count", "popcnt"},
                                        {"eq", "compare"},
                                        {"ne", "compare"},
                                        {"lt", "compare"},
                                        {"le", "compare"},
                                        {"gt", "compare"},
                                        {"ge", "compare"},
                                        {"sum", "reduce"},
                                        {"reduce-sum", "reduce"},
                                        {"reduce-max", "reduce"},
                                        {"reduce-min", "reduce"},
                                        {"argmax", "reduce"},
                                        {"argmin", "reduce"},
                                        {"where", "select"},
                                        {"switch", "conditional"},
                                        {"psum", "all-reduce"},
                                        {"ppermute", "collective-permute"},
                                        {"mm", "dot"},
                                        {"grouped-dot", "ragged-dot"},
                                        {"grouped-matmul", "ragged-dot"},
                                        {"gmm", "ragged-dot"},
                                        {"bmm", "dot"},
                                        {"conv1d", "convolution"},
                                        {"conv2d", "convolution"},
                                        {"conv3d", "convolution"},
                                        {"max-pool", "reduce-window"},
                                        {"avg-pool", "reduce-window"},
                                        {"cumsum", "reduce-window"},
                                        {"arange", "iota"},
                                        {"take", "gather"},
                                        {"view", "reshape"},
                                        {"flatten", "reshape"},
                                        {"squeeze", "reshape"},
                                        {"unsqueeze", "reshape"},
                                        {"expand-dims", "reshape"},
                                        {"permute", "transpose"},
                                        {"flip", "reverse"},
                                        {"rev", "reverse"},
                                        {"clip", "clamp"},
                                        {"stack", "concatenate"},
                                        {"cat", "concatenate"},
                                        {"astype", "convert"},
                                        {"identity", "copy"},
                                        {"absolute", "abs"},
                                        {"arctan2", "atan2"},
                                        {"logical-and", "and"},
                                        {"logical-or", "or"},
                                        {"logical-xor", "xor"},
                                        {"logical-not", "not"},
                                        {"bitwise-and", "and"},
                                        {"bitwise-or", "or"},
                                        {"bitwise-xor", "xor"},
                                        {"bitwise-not", "not"},
                                        {"invert", "not"},
                                        {"while-loop", "while"},
                                        {"for", "while"},
                                        {"fori-loop", "while"},
                                        {"scan", "while"},
                                        {"argsort", "sort"},
                                        {"equal", "compare"},
                                        {"not-equal", "compare"},
                                        {"less", "compare"},
                                        {"less-equal", "compare"},
                                        {"greater", "compare"},
                                        {"greater-equal", "compare"}};
  if (const absl::string_view meant = MeantBy(word, kTable); !meant.empty()) return meant;
  if (const absl::string_view step = NearestAsyncStep(word); !step.empty()) return step;
  // `stablehlo.add`, `mhlo.dot_general`.
  if (const size_t dot = word.rfind('.'); dot != absl::string_view::npos && dot + 1 < word.size()) {
    const absl::string_view plain = word.substr(dot + 1);
    const std::optional<Opcode> opcode = OpcodeFromName(plain);
    return opcode ? OpcodeName(*opcode) : NearestOpcode(plain);
  }
  std::vector<absl::string_view> names;
  for (const Opcode opcode : AllOpcodes()) names.push_back(OpcodeName(opcode));
  if (const absl::string_view same = NameOfSameParts(word, names); !same.empty()) return same;
  const absl::string_view nearest = NearestName(word, names);
  return nearest.empty() ? NameWithParts(word, names) : nearest;
}

absl::string_view InsteadOfFunction(absl::string_view word) {
  static constexpr Familiar kTable[] = {
      {"relu", "`maximum(x, zeros)`"},
      {"relu6", "`clamp(zeros, x, sixes)`"},
      {"square", "`multiply(x, x)`"},
      {"reciprocal", "`divide(ones, x)`"},
      {"softmax", "`exponential` of x less its maximum, divided by the sum (`reduce`, `broadcast`) of that"},
      {"mean", "a `reduce` with addition, divided by the number of elements"},
      {"norm", "the `sqrt` of a `reduce` with addition of `multiply(x, x)`"},
      {"gelu", "`multiply(x, ...)` with `erf` of x"},
      {"silu", "`multiply(x, logistic(x))`"},
      {"swish", "`multiply(x, logistic(x))`"},
      {"softplus", "`log-plus-one(exponential(x))`"},
      {"log2", "`log(x)`, divided by the constant log(2)"},
      {"log10", "`log(x)`, divided by the constant log(10)"},
      {"exp2", "`power(twos, x)`"},
      {"zeros", "`broadcast` of `constant(0)`"},
      {"ones", "`broadcast` of `constant(1)`"},
      {"full", "`broadcast` of a constant"},
      {"one-hot", "`compare` of a broadcast and an `iota`"},
      {"dropout", "`select` with a `compare` of random numbers"},
  };
  if (const size_t dot = word.rfind('.'); dot != absl::string_view::npos) word.remove_prefix(dot + 1);
  return MeantBy(word, kTable);
}

absl::string_view OpcodeOfSign(absl::string_view sign) {
  static constexpr Familiar kTable[] = {{"+", "add"},         {"-", "subtract"},  {"*", "multiply"},
                                        {"/", "divide"},      {"@", "dot"},       {"&&", "and"},
                                        {"||", "or"},         {"%", "remainder"}, {"^", "xor"},
                                        {"&", "and"},         {"|", "or"},        {">>", "shift-right-logical"},
                                        {"<<", "shift-left"}, {"**", "power"},    {"//", "divide"},
                                        {"<", "compare"},     {">", "compare"},   {"<=", "compare"},
                                        {">=", "compare"},    {"==", "compare"},  {"!=", "compare"}};
  const Familiar* const end = std::end(kTable);
  const Familiar* const found =
      std::find_if(std::begin(kTable), end, [&](const Familiar& entry) { return entry.word == sign; });
  return found == end ? absl::string_view() : found->meant;
}

absl::string_view NearestElementType(absl::string_view word) {
  static constexpr Familiar kTable[] = {{"bool", "pred"},       {"i1", "pred"},
                                        {"boolean", "pred"},    {"i2", "s2"},
                                        {"i4", "s4"},           {"i8", "s8"},
                                        {"i16", "s16"},         {"i32", "s32"},
                                        {"i64", "s64"},         {"int8", "s8"},
                                        {"int16", "s16"},       {"int32", "s32"},
                                        {"int64", "s64"},       {"int", "s32"},
                                        {"long", "s64"},        {"ui8", "u8"},
                                        {"ui16", "u16"},        {"ui32", "u32"},
                                        {"ui64", "u64"},        {"uint8", "u8"},
                                        {"uint16", "u16"},      {"uint32", "u32"},
                                        {"uint64", "u64"},      {"byte", "u8"},
                                        {"float", "f32"},       {"float16", "f16"},
                                        {"float32", "f32"},     {"float64", "f64"},
                                        {"fp16", "f16"},        {"fp32", "f32"},
                                        {"fp64", "f64"},        {"half", "f16"},
                                        {"double", "f64"},      {"bfloat16", "bf16"},
                                        {"complex64", "c64"},   {"complex", "c64"},
                                        {"complex128", "c128"}, {"opaque-type", "opaque"},
                                        {"b16", "bf16"},        {"bfloat", "bf16"}};
  static constexpr absl::string_view kNames[] = {
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) spelling,
#include "numerics/elements/element_types.def"
  };
  if (const absl::string_view meant = MeantBy(word, kTable); !meant.empty()) return meant;
  // `np.float32`.
  if (const size_t dot = word.rfind('.'); dot != absl::string_view::npos && dot + 1 < word.size()) {
    return NearestElementType(word.substr(dot + 1));
  }
  // `int32_t` of C, `bool_` of NumPy.
  if (absl::ConsumeSuffix(&word, "_t") || absl::ConsumeSuffix(&word, "_")) return NearestElementType(word);
  const absl::string_view nearest = NearestName(word, kNames);
  // `tuple` and `buffer` are no spellings.
  return ElementTypeFromName(nearest) ? nearest : absl::string_view();
}

absl::string_view NearestAttribute(absl::string_view word, absl::Span<const absl::string_view> names) {
  static constexpr Familiar kTable[] = {{"precision_config", "operand_precision"},
                                        {"custom_call_schedule", "schedule"},
                                        {"num_replicas", "replica_count"},
                                        {"replicas", "replica_count"},
                                        {"partition_count", "num_partitions"},
                                        {"partitions", "num_partitions"},
                                        {"alias", "input_output_alias"},
                                        {"donate", "buffer_donor"},
                                        {"donated", "buffer_donor"},
                                        {"layout", "entry_computation_layout"},
                                        {"scheduled", "is_scheduled"},
                                        {"pairs", "source_target_pairs"},
                                        {"permutation", "source_target_pairs"},
                                        {"all_gather_dimension", "dimensions"},
                                        {"scatter_dimension", "dimensions"},
                                        {"concat_dimension", "dimensions"},
                                        {"comparator", "to_apply"},
                                        {"update_computation", "to_apply"},
                                        {"called_computation", "to_apply"},
                                        {"combiner", "to_apply"},
                                        {"branches", "branch_computations"},
                                        {"then", "true_computation"},
                                        {"else", "false_computation"},
                                        {"body_computation", "body"},
                                        {"while_body", "body"},
                                        {"while_cond", "condition"},
                                        {"kernel_size", "window"},
                                        {"original_value", "origin"},
                                        {"calls", "called_computations"},
                                        {"called_computations", "calls"},
                                        {"computation", "to_apply"},
                                        {"reducer", "to_apply"},
                                        {"comparison_direction", "direction"},
                                        {"compare_type", "type"},
                                        {"call_target_name", "custom_call_target"},
                                        {"target", "custom_call_target"},
                                        {"permutation", "dimensions"},
                                        {"perm", "dimensions"},
                                        {"dims", "dimensions"},
                                        {"dim", "dimensions"},
                                        {"axis", "dimensions"},
                                        {"axes", "dimensions"},
                                        {"cond", "condition"},
                                        {"cond_fun", "condition"},
                                        {"body_fun", "body"},
                                        {"groups", "replica_groups"},
                                        {"contracting_dims", "lhs_contracting_dims"},
                                        {"slice_sizes", "dynamic_slice_sizes"},
                                        {"slice_indices", "slice"},
                                        {"start_indices", "slice"},
                                        {"broadcast_dimensions", "dimensions"},
                                        {"lhs_contracting_dimensions", "lhs_contracting_dims"},
                                        {"rhs_contracting_dimensions", "rhs_contracting_dims"},
                                        {"lhs_batching_dimensions", "lhs_batch_dims"},
                                        {"rhs_batching_dimensions", "rhs_batch_dims"},
                                        {"dimension_labels", "dim_labels"},
                                        {"control_predecessors", "control-predecessors"}};
  const absl::string_view meant = MeantBy(
      word, kTable, [&](absl::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); });
  if (!meant.empty()) return meant;
  const absl::string_view nearest = NearestName(word, names);
  return nearest.empty() ? NameWithParts(word, names) : nearest;
}

absl::string_view ReplacementOfRemovedOpcode(absl::string_view word) {
  static constexpr Familiar kTable[] = {
      {"tuple-select", "use `select` on each element and `tuple` the results"},
      {"trace", "leave it out; tags belong into `metadata`"},
  };
  return MeantBy(word, kTable);
}

void ReportUnknownOpcode(DiagnosticSink& sink, SourceRange range, absl::string_view word) {
  if (const absl::string_view replacement = ReplacementOfRemovedOpcode(word); !replacement.empty()) {
    sink.Report(DiagnosticKind::kRemovedOpcode, range, word, replacement);
    return;
  }
  if (const absl::string_view instead = InsteadOfFunction(word); !instead.empty()) {
    sink.Report(DiagnosticKind::kUnknownOpcode, range, word, absl::StrCat("; in HLO it is ", instead));
    return;
  }
  const absl::string_view nearest = NearestOpcode(word);
  if (const absl::string_view type = NearestElementType(word); nearest.empty() && !type.empty()) {
    sink.Report(DiagnosticKind::kUnknownOpcode, range, word,
                absl::StrCat("; if it is an element type, a shape is written `", type, "[8,16]`"));
    return;
  }
  FixSpelling(sink.Report(DiagnosticKind::kUnknownOpcode, range, word, DidYouMean(nearest)), range, nearest);
}

}  // namespace hloscope
