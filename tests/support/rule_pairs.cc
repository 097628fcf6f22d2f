#include "tests/support/rule_pairs.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "tests/support/rule_pair_rows.h"
#include "tests/support/rule_test.h"

namespace hloscope {
namespace {

using Sizes = std::vector<int64_t>;

// What the pairs of one seed are made of.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  int64_t Int(int64_t low, int64_t high) {  // both included
    return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
  }
  absl::string_view Of(std::initializer_list<absl::string_view> choices) {
    return *(choices.begin() + Int(0, static_cast<int64_t>(choices.size()) - 1));
  }
  Sizes Array(int64_t least_rank = 1, int64_t most_rank = 4, int64_t least = 1) {
    Sizes sizes(static_cast<size_t>(Int(least_rank, most_rank)));
    for (int64_t& size : sizes) size = Int(least, 9);
    return sizes;
  }
  size_t Dimension(const Sizes& sizes) { return static_cast<size_t>(Int(0, static_cast<int64_t>(sizes.size()) - 1)); }
  absl::string_view Float() { return Of({"f16", "bf16", "f32", "f64", "f8e5m2"}); }
  absl::string_view Integer() { return Of({"s8", "u8", "s16", "s32", "u32", "s64", "u64"}); }
  absl::string_view Real() { return Int(0, 1) == 0 ? Float() : Integer(); }
  absl::string_view Any() { return Int(0, 4) == 0 ? Of({"c64", "c128", "pred"}) : Real(); }
  Sizes Permutation(size_t rank) {
    Sizes permutation;
    for (size_t d = 0; d < rank; ++d) permutation.push_back(static_cast<int64_t>(d));
    std::shuffle(permutation.begin(), permutation.end(), engine_);
    return permutation;
  }

 private:
  std::mt19937_64 engine_;
};

std::string Braces(const Sizes& list) { return absl::StrCat("{", absl::StrJoin(list, ","), "}"); }
std::string Array(absl::string_view type, const Sizes& sizes) {
  return absl::StrCat(type, "[", absl::StrJoin(sizes, ","), "]");
}
Sizes With(Sizes sizes, size_t d, int64_t size) {
  sizes[d] = size;
  return sizes;
}
Sizes Without(Sizes sizes, size_t d) {
  sizes.erase(sizes.begin() + static_cast<int64_t>(d));
  return sizes;
}

// A module with an instruction in the notation of rule_test.h.
std::string InstructionModule(absl::string_view attributes, absl::string_view opcode, absl::string_view operands,
                              absl::string_view result) {
  const std::string braces = attributes.empty() ? "" : absl::StrCat("{", attributes, "}");
  return ModuleAround(absl::StrCat(opcode, braces, " ", operands, " -> ", result));
}
// A pair whose instructions differ in their attributes, operands or results.
RulePair ByAttributes(absl::string_view code, absl::string_view opcode, absl::string_view operands,
                      absl::string_view result, absl::string_view good, absl::string_view bad) {
  return {InstructionModule(good, opcode, operands, result), InstructionModule(bad, opcode, operands, result),
          std::string(code)};
}
RulePair ByOperands(absl::string_view code, absl::string_view opcode, absl::string_view attributes,
                    absl::string_view result, absl::string_view good, absl::string_view bad) {
  return {InstructionModule(attributes, opcode, good, result), InstructionModule(attributes, opcode, bad, result),
          std::string(code)};
}
RulePair ByResult(absl::string_view code, absl::string_view opcode, absl::string_view attributes,
                  absl::string_view operands, absl::string_view good, absl::string_view bad) {
  return {InstructionModule(attributes, opcode, operands, good), InstructionModule(attributes, opcode, operands, bad),
          std::string(code)};
}

using Maker = RulePair (*)(Random&);

// --- Elementwise ---

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

// --- Data movement ---

struct BroadcastParts {
  Sizes operand, result, dimensions;
};
BroadcastParts Broadcast(Random& r, int64_t least_rank) {
  BroadcastParts parts;
  parts.result = r.Array(std::max<int64_t>(least_rank, 1));
  const Sizes order = r.Permutation(parts.result.size());
  const int64_t rank = r.Int(least_rank, static_cast<int64_t>(parts.result.size()));
  for (int64_t k = 0; k < rank; ++k) {
    parts.dimensions.push_back(order[static_cast<size_t>(k)]);
    parts.operand.push_back(parts.result[static_cast<size_t>(parts.dimensions.back())]);
  }
  return parts;
}
std::string Dimensions(const Sizes& list) { return absl::StrCat("dimensions=", Braces(list)); }
RulePair BroadcastSizes(Random& r) {
  const BroadcastParts parts = Broadcast(r, 1);
  const size_t d = r.Dimension(parts.operand);
  const absl::string_view type = r.Any();
  return ByOperands("broadcast-size", "broadcast", Dimensions(parts.dimensions), Array(type, parts.result),
                    Array(type, parts.operand), Array(type, With(parts.operand, d, parts.operand[d] + 1)));
}
RulePair BroadcastRange(Random& r) {
  const BroadcastParts parts = Broadcast(r, 1);
  const absl::string_view type = r.Any();
  const int64_t wrong = r.Int(0, 1) == 0 ? -1 : static_cast<int64_t>(parts.result.size());
  return ByAttributes("dimension-out-of-range", "broadcast", Array(type, parts.operand), Array(type, parts.result),
                      Dimensions(parts.dimensions),
                      Dimensions(With(parts.dimensions, r.Dimension(parts.dimensions), wrong)));
}
RulePair BroadcastCount(Random& r) {
  const BroadcastParts parts = Broadcast(r, 1);
  const absl::string_view type = r.Any();
  return ByAttributes("entry-count", "broadcast", Array(type, parts.operand), Array(type, parts.result),
                      Dimensions(parts.dimensions), Dimensions(Without(parts.dimensions, 0)));
}
RulePair BroadcastRepeated(Random& r) {
  const int64_t size = r.Int(1, 9);
  const std::string operand = Array(r.Any(), {size, size});
  const absl::string_view type = absl::string_view(operand).substr(0, operand.find('['));
  return ByAttributes("duplicate-dimension", "broadcast", operand, Array(type, {size, r.Int(1, 9), size}),
                      "dimensions={0,2}", r.Of({"dimensions={0,0}", "dimensions={2,2}"}));
}
RulePair KeptType(Random& r) {
  const Sizes sizes = r.Array(0);
  const bool is_broadcast = r.Int(0, 1) == 0;
  const std::string attributes = is_broadcast ? Dimensions([&] {
    Sizes all;
    for (size_t d = 0; d < sizes.size(); ++d) all.push_back(static_cast<int64_t>(d));
    return all;
  }())
                                              : "";
  return ByResult("result-element-type", is_broadcast ? "broadcast" : "reshape", attributes, Array("f32", sizes),
                  Array("f32", sizes), Array(r.Of({"f64", "bf16", "s32", "pred"}), sizes));
}
RulePair ReshapeCount(Random& r) {
  Sizes sizes = r.Array(1, 4);
  const absl::string_view type = r.Any();
  Sizes flat = {1};
  for (int64_t size : sizes) flat[0] *= size;
  return ByResult("element-count", "reshape", "", Array(type, sizes), Array(type, flat), Array(type, {flat[0] + 1}));
}
RulePair TransposeList(Random& r) {
  const Sizes sizes = r.Array(2);
  const Sizes order = r.Permutation(sizes.size());
  Sizes moved;
  for (int64_t d : order) moved.push_back(sizes[static_cast<size_t>(d)]);
  const absl::string_view type = r.Any();
  const size_t d = r.Dimension(order);
  const int64_t wrong = r.Int(0, 1) == 0 ? order[d == 0 ? 1 : 0] : static_cast<int64_t>(sizes.size());
  return ByAttributes("not-a-permutation", "transpose", Array(type, sizes), Array(type, moved), Dimensions(order),
                      Dimensions(With(order, d, wrong)));
}
RulePair ReverseRepeated(Random& r) {
  const Sizes sizes = r.Array(2);
  const std::string array = Array(r.Any(), sizes);
  const Sizes order = r.Permutation(sizes.size());
  return ByAttributes("duplicate-dimension", "reverse", array, array, Dimensions({order[0], order[1]}),
                      Dimensions({order[0], order[0]}));
}
RulePair ConcatenateSizes(Random& r) {
  const Sizes sizes = r.Array(2);
  const size_t d = r.Dimension(sizes);
  const size_t other = d == 0 ? 1 : d - 1;
  const absl::string_view type = r.Any();
  const std::string a = Array(type, sizes);
  return ByOperands("concatenate-shapes", "concatenate", absl::StrCat("dimensions={", d, "}"),
                    Array(type, With(sizes, d, 2 * sizes[d])), absl::StrCat(a, ", ", a),
                    absl::StrCat(a, ", ", Array(type, With(sizes, other, sizes[other] + 1))));
}
std::string SliceList(const Sizes& sizes, size_t wrong, absl::string_view wrong_range) {
  std::vector<std::string> ranges;
  for (size_t d = 0; d < sizes.size(); ++d) {
    ranges.push_back(d == wrong ? std::string(wrong_range) : absl::StrCat("[0:", sizes[d], "]"));
  }
  return absl::StrCat("slice={", absl::StrJoin(ranges, ", "), "}");
}
RulePair SliceRanges(Random& r) {
  const Sizes sizes = r.Array(1, 4, 2);
  const std::string array = Array(r.Any(), sizes);
  const size_t d = r.Dimension(sizes);
  std::string wrong;
  switch (r.Int(0, 3)) {
    case 0:
      wrong = absl::StrCat("[0:", sizes[d] + r.Int(1, 3), "]");
      break;
    case 1:
      wrong = absl::StrCat("[-1:", sizes[d], "]");
      break;
    case 2:
      wrong = absl::StrCat("[", sizes[d], ":", sizes[d] - 1, "]");
      break;
    default:
      wrong = absl::StrCat("[0:", sizes[d], ":0]");
  }
  return ByAttributes("slice-range", "slice", array, array, SliceList(sizes, sizes.size(), ""),
                      SliceList(sizes, d, wrong));
}
std::string Indices(absl::string_view type, size_t count) {
  std::string text;
  for (size_t k = 0; k < count; ++k) absl::StrAppend(&text, ", ", type, "[]");
  return text;
}
RulePair DynamicSliceSizes(Random& r) {
  const Sizes sizes = r.Array();
  const size_t d = r.Dimension(sizes);
  const std::string array = Array(r.Any(), sizes);
  return ByAttributes(
      "slice-size", "dynamic-slice", absl::StrCat(array, Indices(r.Integer(), sizes.size())), array,
      absl::StrCat("dynamic_slice_sizes=", Braces(sizes)),
      absl::StrCat("dynamic_slice_sizes=", Braces(With(sizes, d, r.Int(0, 1) == 0 ? sizes[d] + 1 : -1))));
}
RulePair DynamicSliceIndexCount(Random& r) {
  const Sizes sizes = r.Array(2);
  const std::string array = Array(r.Any(), sizes);
  const absl::string_view type = r.Integer();
  return ByOperands("operand-count", "dynamic-slice", absl::StrCat("dynamic_slice_sizes=", Braces(sizes)), array,
                    absl::StrCat(array, Indices(type, sizes.size())),
                    absl::StrCat(array, Indices(type, sizes.size() + (r.Int(0, 1) == 0 ? 1 : -1ul))));
}
RulePair DynamicSliceIndexTypes(Random& r) {
  const Sizes sizes = r.Array(2, 2);
  const std::string array = Array(r.Any(), sizes);
  return ByOperands("index-types-differ", "dynamic-slice", absl::StrCat("dynamic_slice_sizes=", Braces(sizes)), array,
                    absl::StrCat(array, ", s32[], s32[]"), absl::StrCat(array, ", s32[], s64[]"));
}
RulePair UpdateSizes(Random& r) {
  const Sizes sizes = r.Array();
  const size_t d = r.Dimension(sizes);
  const absl::string_view type = r.Any();
  const std::string array = Array(type, sizes), indices = Indices(r.Integer(), sizes.size());
  return ByOperands("update-shape", "dynamic-update-slice", "", array,
                    absl::StrCat(array, ", ", Array(type, With(sizes, d, r.Int(0, sizes[d]))), indices),
                    absl::StrCat(array, ", ", Array(type, With(sizes, d, sizes[d] + 1)), indices));
}
RulePair PadInterior(Random& r) {
  const int64_t n = r.Int(2, 9);
  const absl::string_view type = r.Any();
  return ByAttributes("interior-padding", "pad", absl::StrCat(Array(type, {n}), ", ", type, "[]"), Array(type, {n}),
                      "padding=0_0_0", "padding=0_0_-1");
}
RulePair PadNegative(Random& r) {
  const int64_t n = r.Int(1, 9);
  const absl::string_view type = r.Any();
  return ByAttributes("padded-size", "pad", absl::StrCat(Array(type, {n}), ", ", type, "[]"), Array(type, {0}),
                      absl::StrCat("padding=-", n, "_0"), absl::StrCat("padding=-", n, "_-1"));
}
RulePair PadScalar(Random& r) {
  const int64_t n = r.Int(1, 9);
  const absl::string_view type = r.Any();
  const std::string array = Array(type, {n});
  return ByOperands("operand-not-scalar", "pad", "padding=0_0", array, absl::StrCat(array, ", ", type, "[]"),
                    absl::StrCat(array, ", ", type, "[1]"));
}

// --- Dot, gather, scatter ---

RulePair DotSizes(Random& r) {
  const int64_t b = r.Int(1, 5), m = r.Int(1, 5), k = r.Int(1, 5), n = r.Int(1, 5);
  const absl::string_view type = r.Real();
  const bool wrong_batch = r.Int(0, 1) == 0;
  return ByOperands("dot-pair-size", "dot",
                    "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}",
                    Array(type, {b, m, n}), absl::StrCat(Array(type, {b, m, k}), ", ", Array(type, {b, k, n})),
                    absl::StrCat(Array(type, {b, m, k}), ", ",
                                 Array(type, {b + (wrong_batch ? 1 : 0), k + (wrong_batch ? 0 : 1), n})));
}
RulePair DotCounts(Random& r) {
  const int64_t m = r.Int(1, 5), k = r.Int(1, 5), n = r.Int(1, 5);
  const absl::string_view type = r.Real();
  return ByAttributes("dot-pair-count", "dot", absl::StrCat(Array(type, {m, k}), ", ", Array(type, {k, n})),
                      Array(type, {m, n}), "lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                      "lhs_contracting_dims={1}, rhs_contracting_dims={}");
}
RulePair DotReused(Random& r) {
  const int64_t m = r.Int(1, 5), n = r.Int(1, 5);
  const absl::string_view type = r.Real();
  return ByAttributes("dot-dimension-reused", "dot", absl::StrCat(Array(type, {m, n}), ", ", Array(type, {m, n})),
                      Array(type, {m}),
                      "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}",
                      "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={0}, rhs_contracting_dims={1}");
}
std::string GatherList(int64_t first, int64_t second, absl::string_view rest) {
  return absl::StrCat("collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={", first, ",",
                      second, "}, offset_dims=", rest);
}
RulePair GatherSizes(Random& r) {
  const int64_t n = r.Int(2, 9), m = r.Int(1, 9), count = r.Int(1, 9);
  const absl::string_view type = r.Any();
  const bool collapsed = r.Int(0, 1) == 0;
  return ByAttributes(collapsed ? "collapsed-slice-size" : "slice-size", "gather",
                      absl::StrCat(Array(type, {n, m}), ", ", Array(r.Integer(), {count, 1})), Array(type, {count, m}),
                      GatherList(1, m, "{1}"), collapsed ? GatherList(2, m, "{1}") : GatherList(1, m + 1, "{1}"));
}
RulePair GatherOffset(Random& r) {
  const int64_t n = r.Int(2, 9), m = r.Int(1, 9), count = r.Int(1, 9);
  const absl::string_view type = r.Any();
  return ByAttributes("dimension-out-of-range", "gather",
                      absl::StrCat(Array(type, {n, m}), ", ", Array(r.Integer(), {count, 1})), Array(type, {count, m}),
                      GatherList(1, m, "{1}"), GatherList(1, m, r.Of({"{2}", "{-1}"})));
}
RulePair GatherBatching(Random& r) {
  const int64_t n = r.Int(2, 9), m = r.Int(1, 9);
  const absl::string_view type = r.Any(), index = r.Integer();
  const std::string operand = Array(type, {n, m});
  return {InstructionModule(
              absl::StrCat("offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
                           "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,",
                           m, "}"),
              "gather", absl::StrCat(operand, ", ", Array(index, {n, 1})), Array(type, {n, m})),
          InstructionModule(
              absl::StrCat("offset_dims={1}, collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, "
                           "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,",
                           m, "}"),
              "gather", absl::StrCat(operand, ", ", Array(index, {n + 1, 1})), Array(type, {n + 1, m})),
          "batching-size"};
}
RulePair ScatterUpdates(Random& r) {
  const int64_t n = r.Int(2, 9), m = r.Int(1, 9), count = r.Int(1, 9);
  const std::string operand = Array("s32", {n, m}), indices = Array(r.Integer(), {count, 1});
  const Sizes bad = r.Int(0, 1) == 0 ? Sizes{count + 1, m} : Sizes{count, m + 1};
  return ByOperands("updates-size", "scatter",
                    "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                    "index_vector_dim=1, to_apply=add_s32",
                    operand, absl::StrCat(operand, ", ", indices, ", ", Array("s32", {count, m})),
                    absl::StrCat(operand, ", ", indices, ", ", Array("s32", bad)));
}

// --- Reductions, windows, sorting ---

RulePair ReduceRepeated(Random& r) {
  const int64_t n = r.Int(1, 9), m = r.Int(1, 9), k = r.Int(1, 9);
  const std::string operands = absl::StrCat(Array("s32", {n, m, k}), ", s32[]");
  return {InstructionModule("dimensions={0,1}, to_apply=add_s32", "reduce", operands, Array("s32", {k})),
          InstructionModule("dimensions={1,1}, to_apply=add_s32", "reduce", operands, Array("s32", {n, k})),
          "duplicate-dimension"};
}
RulePair ReduceInit(Random& r) {
  const Sizes sizes = r.Array();
  return ByOperands("operand-not-scalar", "reduce", "dimensions={0}, to_apply=add_s32", Array("s32", Without(sizes, 0)),
                    absl::StrCat(Array("s32", sizes), ", s32[]"), absl::StrCat(Array("s32", sizes), ", s32[1]"));
}
RulePair ReduceWindowRank(Random& r) {
  const int64_t n = r.Int(2, 9), m = r.Int(2, 9);
  return ByAttributes("window-rank", "reduce-window", absl::StrCat(Array("s32", {n, m}), ", s32[]"),
                      Array("s32", {n - 1, m - 1}), "window={size=2x2}, to_apply=add_s32",
                      r.Of({"window={size=2}, to_apply=add_s32", "window={size=2x2x1}, to_apply=add_s32"}));
}
RulePair ReduceWindowFields(Random& r) {
  const int64_t n = r.Int(2, 9);
  return ByAttributes(
      "window-field", "reduce-window", absl::StrCat(Array("s32", {n}), ", s32[]"), Array("s32", {n - 1}),
      "window={size=2 stride=1}, to_apply=add_s32",
      r.Of({"window={size=2 stride=0}, to_apply=add_s32", "window={size=2 rhs_dilate=0}, to_apply=add_s32",
            "window={size=2 lhs_dilate=0}, to_apply=add_s32"}));
}
RulePair SortDimension(Random& r) {
  const Sizes sizes = r.Array();
  const std::string array = Array("f32", sizes);
  const int64_t rank = static_cast<int64_t>(sizes.size());
  return ByAttributes("dimension-out-of-range", "sort", array, array,
                      absl::StrCat("dimensions={", r.Int(0, rank - 1), "}, to_apply=lt_f32"),
                      absl::StrCat("dimensions={", r.Int(0, 1) == 0 ? rank : -1, "}, to_apply=lt_f32"));
}

// --- Linear algebra, random numbers, sizes ---

RulePair FftTypes(Random& r) {
  const int64_t n = r.Int(1, 9);
  const std::string attributes = absl::StrCat("fft_type=FFT, fft_length={", n, "}");
  return {InstructionModule(attributes, "fft", Array("c64", {n}), Array("c64", {n})),
          InstructionModule(attributes, "fft", Array(r.Real(), {n}), Array("c64", {n})), "fft-type"};
}
RulePair FftLengths(Random& r) {
  const int64_t n = r.Int(1, 9);
  const std::string array = Array(r.Of({"c64", "c128"}), {n});
  const absl::string_view type = r.Of({"FFT", "IFFT"});
  return ByAttributes("fft-length", "fft", array, array, absl::StrCat("fft_type=", type, ", fft_length={", n, "}"),
                      absl::StrCat("fft_type=", type, ", fft_length={", r.Int(0, 1) == 0 ? n + 1 : n - 1, "}"));
}
RulePair RfftLengths(Random& r) {
  const int64_t n = r.Int(2, 9);
  return ByAttributes("fft-length", "fft", Array("f32", {n}), Array("c64", {n / 2 + 1}),
                      absl::StrCat("fft_type=RFFT, fft_length={", n, "}"),
                      absl::StrCat("fft_type=RFFT, fft_length={", r.Int(0, 1) == 0 ? n + 1 : n - 1, "}"));
}
RulePair CholeskySquare(Random& r) {
  const int64_t n = r.Int(1, 9);
  const absl::string_view type = r.Of({"f32", "f64", "c64"});
  const std::string good = Array(type, {n, n}), bad = Array(type, {n, n + 1});
  return {InstructionModule("lower=true", "cholesky", good, good),
          InstructionModule("lower=true", "cholesky", bad, bad), "matrix-not-square"};
}
RulePair SolveSizes(Random& r) {
  const int64_t n = r.Int(1, 9), m = r.Int(1, 9);
  const absl::string_view type = r.Of({"f32", "f64", "c64"});
  const std::string a = Array(type, {n, n}), good = Array(type, {n, m}), bad = Array(type, {n + 1, m});
  const absl::string_view attributes = "left_side=true, lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE";
  return {InstructionModule(attributes, "triangular-solve", absl::StrCat(a, ", ", good), good),
          InstructionModule(attributes, "triangular-solve", absl::StrCat(a, ", ", bad), bad), "solve-size"};
}
RulePair RngScalars(Random& r) {
  const std::string result = Array("f32", r.Array(0));
  return ByOperands("operand-not-scalar", "rng", "distribution=rng_uniform", result, "f32[], f32[]", "f32[], f32[1]");
}
RulePair GeneratorTupleSize(Random& r) {
  const std::string data = Array(r.Integer(), r.Array(0));
  return ByResult("generator-result", "rng-bit-generator", "algorithm=rng_default", "u64[2]",
                  absl::StrCat("(u64[2], ", data, ")"), absl::StrCat("(u64[2], ", data, ", ", data, ")"));
}
RulePair GeneratorStateKept(Random& r) {
  const std::string data = Array(r.Integer(), r.Array(0));
  return ByResult("generator-state-changed", "rng-bit-generator", "algorithm=rng_default", "u64[2]",
                  absl::StrCat("(u64[2], ", data, ")"), absl::StrCat("(u64[3], ", data, ")"));
}
RulePair GeneratorData(Random& r) {
  const Sizes sizes = r.Array(0);
  return ByResult("result-type-unsupported", "rng-bit-generator", "algorithm=rng_default", "u64[2]",
                  absl::StrCat("(u64[2], ", Array(r.Integer(), sizes), ")"),
                  absl::StrCat("(u64[2], ", Array(r.Float(), sizes), ")"));
}
RulePair DimensionSizeRange(Random& r) {
  const Sizes sizes = r.Array();
  const int64_t rank = static_cast<int64_t>(sizes.size());
  return ByAttributes("dimension-out-of-range", "get-dimension-size", Array(r.Any(), sizes), "s32[]",
                      absl::StrCat("dimensions={", r.Int(0, rank - 1), "}"), absl::StrCat("dimensions={", rank, "}"));
}

// --- Tuples and collectives ---

RulePair TupleShape(Random& r) {
  const std::string a = Array(r.Any(), r.Array(0)), b = Array(r.Any(), r.Array(1));
  return ByResult("declared-shape", "tuple", "", absl::StrCat(a, ", ", b), absl::StrCat("(", a, ", ", b, ")"),
                  absl::StrCat("(", a, ", ", b, ", ", a, ")"));
}
std::string Groups(int64_t devices, int64_t last) {
  Sizes ids;
  for (int64_t i = 0; i + 1 < devices; ++i) ids.push_back(i);
  ids.push_back(last);
  return absl::StrCat("replica_groups={", Braces(ids), "}");
}
RulePair AllReduceGroups(Random& r) {
  const int64_t devices = r.Int(2, 6);
  const std::string array = Array("s32", r.Array(0));
  return ByAttributes(
      "replica-groups", "all-reduce", array, array, absl::StrCat(Groups(devices, devices - 1), ", to_apply=add_s32"),
      absl::StrCat(Groups(devices, r.Of({"repeated", "beyond"}) == "beyond" ? devices : 0), ", to_apply=add_s32"));
}
RulePair AllReduceCombiner(Random& r) {
  const int64_t devices = r.Int(2, 6);
  const Sizes sizes = r.Array(0);
  const std::string good = Array("s32", sizes), bad = Array(r.Of({"f32", "u32", "s64", "pred"}), sizes);
  const std::string attributes = absl::StrCat(Groups(devices, devices - 1), ", to_apply=add_s32");
  return {InstructionModule(attributes, "all-reduce", good, good),
          InstructionModule(attributes, "all-reduce", bad, bad), "collective-combiner"};
}
RulePair AllGatherSizes(Random& r) {
  const int64_t devices = r.Int(2, 6);
  const Sizes sizes = r.Array();
  const size_t d = r.Dimension(sizes);
  const absl::string_view type = r.Any();
  return ByResult("declared-shape", "all-gather", absl::StrCat("dimensions={", d, "}, ", Groups(devices, devices - 1)),
                  Array(type, sizes), Array(type, With(sizes, d, sizes[d] * devices)),
                  Array(type, With(sizes, d, sizes[d] * devices + 1)));
}
RulePair ReduceScatterSizes(Random& r) {
  const int64_t devices = r.Int(2, 6), n = r.Int(1, 4);
  return ByOperands("collective-size", "reduce-scatter",
                    absl::StrCat("dimensions={0}, ", Groups(devices, devices - 1), ", to_apply=add_s32"),
                    Array("s32", {n}), Array("s32", {n * devices}), Array("s32", {n * devices + 1}));
}
RulePair PermutePairs(Random& r) {
  const std::string array = Array(r.Any(), r.Array(0));
  return ByAttributes("source-target-pairs", "collective-permute", array, array, "source_target_pairs={{0,1},{1,2}}",
                      absl::StrCat("source_target_pairs=", r.Of({"{{0,1},{0,2}}", "{{0,1},{2,1}}", "{{0,-1},{1,2}}"})));
}
RulePair RaggedLists(Random& r) {
  const int64_t devices = r.Int(2, 4), n = r.Int(1, 9), updates = r.Int(1, 3);
  const std::string data = Array(r.Any(), {n}), lists = Array(r.Integer(), {devices * updates});
  const std::string bad = Array("s16", {devices * updates + 1});
  const std::string head = absl::StrCat(data, ", ", data, ", ", lists, ", ", lists, ", ", lists, ", ");
  return ByOperands("ragged-operands", "ragged-all-to-all", Groups(devices, devices - 1), data,
                    absl::StrCat(head, lists), absl::StrCat(head, bad));
}
RulePair RaggedCounts(Random& r) {
  const int64_t devices = r.Int(2, 4), n = r.Int(1, 9), updates = r.Int(1, 3);
  const std::string data = Array(r.Any(), {n});
  const absl::string_view type = r.Integer();
  const auto operands = [&](int64_t entries) {
    const std::string list = Array(type, {entries});
    return absl::StrCat(data, ", ", data, ", ", absl::StrJoin(std::vector<std::string>(4, list), ", "));
  };
  return ByOperands("ragged-operands", "ragged-all-to-all", Groups(devices, devices - 1), data,
                    operands(devices * updates), operands(devices * updates + 1));
}

constexpr Maker kMakers[] = {
    UnaryResult,
    UnaryType,
    BinaryTypes,
    BinaryPrecision,
    BinarySizes,
    BinaryRanks,
    CompareOrder,
    CompareComplex,
    ShiftOfFloats,
    SelectPredicateSizes,
    SelectBranches,
    ClampBound,
    ReducePrecisionBits,
    BitcastConvertSize,
    BroadcastSizes,
    BroadcastRange,
    BroadcastCount,
    BroadcastRepeated,
    KeptType,
    ReshapeCount,
    TransposeList,
    ReverseRepeated,
    ConcatenateSizes,
    SliceRanges,
    DynamicSliceSizes,
    DynamicSliceIndexCount,
    DynamicSliceIndexTypes,
    UpdateSizes,
    PadInterior,
    PadNegative,
    PadScalar,
    DotSizes,
    DotCounts,
    DotReused,
    GatherSizes,
    GatherOffset,
    GatherBatching,
    ScatterUpdates,
    ReduceRepeated,
    ReduceInit,
    ReduceWindowRank,
    ReduceWindowFields,
    SortDimension,
    FftTypes,
    FftLengths,
    RfftLengths,
    CholeskySquare,
    SolveSizes,
    RngScalars,
    GeneratorTupleSize,
    GeneratorStateKept,
    GeneratorData,
    DimensionSizeRange,
    TupleShape,
    AllReduceGroups,
    AllReduceCombiner,
    AllGatherSizes,
    ReduceScatterSizes,
    PermutePairs,
    RaggedLists,
    RaggedCounts,
};

}  // namespace

size_t RulePairKinds() { return std::size(kMakers) + RulePairRowCount(); }

RulePair MakeRulePair(size_t kind, uint64_t seed) {
  if (kind >= std::size(kMakers)) return PairOfRow(kind - std::size(kMakers), seed);
  Random random(seed * 1000003 + kind);
  return kMakers[kind](random);
}

}  // namespace hloscope
