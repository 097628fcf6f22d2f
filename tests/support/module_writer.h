// SPDX-License-Identifier: Apache-2.0
// Writes the text of one random module, opcode by opcode; module_generator.h is its interface.
#ifndef HLOSCOPE_TESTS_SUPPORT_MODULE_WRITER_H_
#define HLOSCOPE_TESTS_SUPPORT_MODULE_WRITER_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/support/module_generator.h"

namespace hloscope::module_writer {

using Sizes = std::vector<int64_t>;
using Names = std::vector<std::string>;

inline const Names kSigned = {"s1", "s2", "s4", "s8", "s16", "s32", "s64"};
inline const Names kUnsigned = {"u1", "u2", "u4", "u8", "u16", "u32", "u64"};
inline const Names kWideFloats = {"f16", "bf16", "f32", "f64"};
inline const Names kSmallFloats = {"f8e5m2", "f8e4m3fn", "f8e4m3",   "f8e4m3b11fnuz", "f8e5m2fnuz", "f8e4m3fnuz",
                                   "f8e3m4", "f4e2m1fn", "f6e2m3fn", "f6e3m2fn",      "f8e8m0fnu"};
inline const Names kComplex = {"c64", "c128"};
inline const Names kPredicate = {"pred"};

inline Names Joined(std::initializer_list<Names> lists) {
  Names all;
  for (const Names& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

inline const Names kIntegers = Joined({kSigned, kUnsigned});
inline const Names kFloats = Joined({kWideFloats, kSmallFloats});
inline const Names kReal = Joined({kIntegers, kFloats});
inline const Names kNumbers = Joined({kReal, kComplex});
inline const Names kAll = Joined({kPredicate, kNumbers});

inline bool IsIn(const std::string& type, const Names& names) {
  return std::find(names.begin(), names.end(), type) != names.end();
}

inline std::string Braces(const Sizes& sizes) { return absl::StrCat("{", absl::StrJoin(sizes, ","), "}"); }

inline int64_t CountOf(const Sizes& sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

inline std::string ComponentOf(const std::string& complex) { return complex == "c64" ? "f32" : "f64"; }

inline int BitsOf(const std::string& type) {
  static const std::map<std::string, int> bits = {
      {"pred", 1},  {"s1", 1},   {"u1", 1},   {"s2", 2},   {"u2", 2},     {"s4", 4},      {"u4", 4},   {"s8", 8},
      {"u8", 8},    {"s16", 16}, {"u16", 16}, {"s32", 32}, {"u32", 32},   {"s64", 64},    {"u64", 64}, {"f16", 16},
      {"bf16", 16}, {"f32", 32}, {"f64", 64}, {"c64", 64}, {"c128", 128}, {"f4e2m1fn", 4}};
  const auto found = bits.find(type);
  return found == bits.end() ? 8 : found->second;
}

struct Array {
  std::string name, type;
  Sizes sizes;
  bool is_dynamic = false;
};

inline std::string ShapeOf(const std::string& type, const Sizes& sizes) {
  return absl::StrCat(type, "[", absl::StrJoin(sizes, ","), "]");
}

// Writes one module: called computations first, the entry computation last.
class ModuleWriter {
 public:
  ModuleWriter(uint64_t seed, const GeneratorOptions& options) : random_(seed), options_(options) {}

  std::string Write();
  static const std::vector<std::pair<std::string, void (ModuleWriter::*)(const std::string&)>>& Makers();

 private:
  // --- Choices ---
  size_t Pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
  int64_t Between(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }
  bool Chance(double probability) { return std::uniform_real_distribution<double>(0, 1)(random_) < probability; }
  const std::string& OneOf(const Names& names) { return names[Pick(names.size())]; }
  // Wide types more often than odd ones: most opcodes of real modules are computed in them.
  std::string Type(const Names& allowed) {
    static const Names usual = {"f32", "f32", "s32", "bf16", "pred", "f64", "u32", "s8"};
    const std::string& type = OneOf(usual);
    return Chance(0.5) && IsIn(type, allowed) ? type : OneOf(allowed);
  }
  Sizes RandomSizes(size_t min_rank, size_t max_rank) {
    static constexpr std::array<int64_t, 9> kSizes = {1, 2, 2, 3, 3, 4, 5, 8, 17};
    Sizes sizes(static_cast<size_t>(Between(static_cast<int64_t>(min_rank), static_cast<int64_t>(max_rank))));
    for (int64_t& size : sizes) size = kSizes[Pick(kSizes.size())];
    if (!sizes.empty() && Chance(0.03)) sizes[Pick(sizes.size())] = 0;
    while (CountOf(sizes) > 400) *std::max_element(sizes.begin(), sizes.end()) /= 2;
    return sizes;
  }
  Sizes Permutation(size_t rank) {
    Sizes order(rank);
    for (size_t k = 0; k < rank; ++k) order[k] = static_cast<int64_t>(k);
    std::shuffle(order.begin(), order.end(), random_);
    return order;
  }
  // Some of the dimensions, ascending.
  Sizes Subset(size_t rank, size_t min_count = 0) {
    Sizes dims = Permutation(rank);
    dims.resize(std::max(min_count, Pick(rank + 1)));
    std::sort(dims.begin(), dims.end());
    return dims;
  }

  // --- Text ---
  std::string NewName(const std::string& stem) { return absl::StrCat(stem, ".", ++serial_); }
  // Appends `name = shape opcode(operands)attributes` and returns its name.
  std::string Line(const std::string& shape, const std::string& opcode, const Names& operands,
                   const std::string& attributes = "") {
    const std::string name = NewName(opcode);
    absl::StrAppend(&text_, "  ", name, " = ", shape, " ", opcode, "(", absl::StrJoin(operands, ", "), ")",
                    attributes.empty() ? "" : ", ", attributes, Annotations(shape), "\n");
    return name;
  }
  Array Emit(const std::string& opcode, const std::string& type, const Sizes& sizes, const Names& operands,
             const std::string& attributes = "") {
    return EmitExactly(opcode, DeclaredType(opcode, type), sizes, operands, attributes);
  }
  // The type that an instruction declares which would give `type`: with mixed precision sometimes another one.
  std::string DeclaredType(const std::string& opcode, const std::string& type);
  Array EmitExactly(const std::string& opcode, const std::string& type, const Sizes& sizes, const Names& operands,
                    const std::string& attributes = "") {
    const Array made = {Line(absl::StrCat(ShapeOf(type, sizes), Layout(sizes)), opcode, operands, attributes), type,
                        sizes};
    values_.push_back(made);
    return made;
  }
  // Mostly nothing, which is the default layout.
  std::string Layout(const Sizes& sizes) {
    return sizes.size() > 1 && Chance(0.06) ? Braces(Permutation(sizes.size())) : "";
  }
  // Attributes that instructions of every opcode take, or none.
  std::string Annotations(const std::string& shape);
  std::string Element(const std::string& type);
  std::string Literal(const std::string& type, const Sizes& sizes, size_t dimension = 0);

  // --- Operands ---
  Array Constant(const std::string& type, const Sizes& sizes) {
    return Emit("constant", type, sizes, {Literal(type, sizes)});
  }
  Array Take(const std::string& type, const Sizes& sizes);
  // Any array whose type is allowed and whose rank is in range.
  Array TakeAny(const Names& allowed, size_t min_rank = 0, size_t max_rank = 4);
  // A computation of its own; `body` writes instructions and returns the root's line without "ROOT".
  std::string Computation(const std::string& stem, const std::function<std::string()>& body);
  std::string Reducer(const std::string& type, bool associative);
  std::string BinaryOf(const std::string& type, bool associative);
  // Elementwise instructions on f32 or s32 values of one shape: bodies of calls, loops, fusions.
  std::string SmallBody(const std::string& type, const Sizes& sizes, const Names& parameters);

  // --- One function per group of opcodes; each appends an instruction of `opcode` ---
  void Unary(const std::string& opcode);
  void Binary(const std::string& opcode);
  void Compare(const std::string& opcode);
  void Select(const std::string& opcode);
  void Clamp(const std::string& opcode);
  void Complex(const std::string& opcode);
  void Convert(const std::string& opcode);
  void BitcastConvert(const std::string& opcode);
  void ReducePrecision(const std::string& opcode);
  void StochasticConvert(const std::string& opcode);
  void Broadcast(const std::string& opcode);
  void Reshape(const std::string& opcode);
  void Transpose(const std::string& opcode);
  void Reverse(const std::string& opcode);
  void Slice(const std::string& opcode);
  void Pad(const std::string& opcode);
  void Concatenate(const std::string& opcode);
  void DynamicSlice(const std::string& opcode);
  void DynamicUpdateSlice(const std::string& opcode);
  void Iota(const std::string& opcode);
  void ConstantOf(const std::string& opcode);
  void Gather(const std::string& opcode);
  void Scatter(const std::string& opcode);
  void Reduce(const std::string& opcode);
  void ReduceWindow(const std::string& opcode);
  void SelectAndScatter(const std::string& opcode);
  void Map(const std::string& opcode);
  void Scan(const std::string& opcode);
  void Sort(const std::string& opcode);
  void Topk(const std::string& opcode);
  void Dot(const std::string& opcode);
  void RaggedDot(const std::string& opcode);
  void ScaledDot(const std::string& opcode);
  void Convolution(const std::string& opcode);
  void Fft(const std::string& opcode);
  void Cholesky(const std::string& opcode);
  void TriangularSolve(const std::string& opcode);
  void BatchNorm(const std::string& opcode);
  void TupleOf(const std::string& opcode);
  void Token(const std::string& opcode);
  void CallOf(const std::string& opcode);
  void While(const std::string& opcode);
  void Conditional(const std::string& opcode);
  void Fusion(const std::string& opcode);
  void Async(const std::string& opcode);
  void CopyPair(const std::string& opcode);
  void RngBits(const std::string& opcode);
  void Rng(const std::string& opcode);
  void RngState(const std::string& opcode);
  void DimensionSize(const std::string& opcode);
  void DynamicReshape(const std::string& opcode);
  void CustomCall(const std::string& opcode);
  void Collective(const std::string& opcode);
  void CollectivePair(const std::string& opcode);
  void RaggedAllToAll(const std::string& opcode);
  void DeviceId(const std::string& opcode);
  void HostTransfer(const std::string& opcode);

  std::mt19937_64 random_;
  const GeneratorOptions& options_;
  std::string header_computations_, text_;
  std::vector<Array> values_;
  Names parameters_;  // shapes of the entry computation's parameters
  bool in_entry_ = true;
  int64_t serial_ = 0, channel_ = 0;
};

}  // namespace hloscope::module_writer

#endif  // HLOSCOPE_TESTS_SUPPORT_MODULE_WRITER_H_
