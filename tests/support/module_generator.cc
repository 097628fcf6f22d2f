#include "tests/support/module_generator.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hloscope {
namespace {

using Sizes = std::vector<int64_t>;
using Names = std::vector<std::string>;

const Names kSigned = {"s2", "s4", "s8", "s16", "s32", "s64"};
const Names kUnsigned = {"u2", "u4", "u8", "u16", "u32", "u64"};
const Names kWideFloats = {"f16", "bf16", "f32", "f64"};
const Names kSmallFloats = {"f8e5m2",     "f8e4m3fn", "f8e4m3",   "f8e4m3b11fnuz", "f8e5m2fnuz",
                            "f8e4m3fnuz", "f8e3m4",   "f4e2m1fn", "f8e8m0fnu"};
const Names kComplex = {"c64", "c128"};
const Names kPredicate = {"pred"};

Names Joined(std::initializer_list<Names> lists) {
  Names all;
  for (const Names& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

const Names kIntegers = Joined({kSigned, kUnsigned});
const Names kFloats = Joined({kWideFloats, kSmallFloats});
const Names kReal = Joined({kIntegers, kFloats});
const Names kNumbers = Joined({kReal, kComplex});
const Names kAll = Joined({kPredicate, kNumbers});

bool IsIn(const std::string& type, const Names& names) {
  return std::find(names.begin(), names.end(), type) != names.end();
}

std::string Braces(const Sizes& sizes) { return absl::StrCat("{", absl::StrJoin(sizes, ","), "}"); }

int64_t CountOf(const Sizes& sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

std::string ComponentOf(const std::string& complex) { return complex == "c64" ? "f32" : "f64"; }

int BitsOf(const std::string& type) {
  static const std::map<std::string, int> bits = {
      {"pred", 1},  {"s2", 2},   {"u2", 2},   {"s4", 4},   {"u4", 4},     {"s8", 8},      {"u8", 8},
      {"s16", 16},  {"u16", 16}, {"s32", 32}, {"u32", 32}, {"s64", 64},   {"u64", 64},    {"f16", 16},
      {"bf16", 16}, {"f32", 32}, {"f64", 64}, {"c64", 64}, {"c128", 128}, {"f4e2m1fn", 4}};
  const auto found = bits.find(type);
  return found == bits.end() ? 8 : found->second;
}

struct Array {
  std::string name, type;
  Sizes sizes;
  bool is_dynamic = false;
};

std::string ShapeOf(const std::string& type, const Sizes& sizes) {
  return absl::StrCat(type, "[", absl::StrJoin(sizes, ","), "]");
}

// Writes one module: called computations first, the entry computation last.
class Writer {
 public:
  Writer(uint64_t seed, const GeneratorOptions& options) : random_(seed), options_(options) {}

  std::string Write();
  static const std::vector<std::pair<std::string, void (Writer::*)(const std::string&)>>& Makers();

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
                    attributes.empty() ? "" : ", ", attributes, Annotations(), "\n");
    return name;
  }
  Array Emit(const std::string& opcode, const std::string& type, const Sizes& sizes, const Names& operands,
             const std::string& attributes = "") {
    const Array made = {Line(ShapeOf(type, sizes), opcode, operands, attributes), type, sizes};
    values_.push_back(made);
    return made;
  }
  std::string Annotations() {
    if (!Chance(0.06)) return "";
    switch (Pick(4)) {
      case 0:
        return R"(, metadata={op_type="t" op_name="jit(f)/a b" source_file="x.py" source_line=7})";
      case 1:
        return R"(, frontend_attributes={a="1",b={"c":2}})";
      case 2:
        return R"(, backend_config={"k":[1,"}"]})";
      default:
        return ", sharding={replicated}";
    }
  }
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
  void CustomCall(const std::string& opcode);
  void Collective(const std::string& opcode);
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

std::string Writer::Element(const std::string& type) {
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

std::string Writer::Literal(const std::string& type, const Sizes& sizes, size_t dimension) {
  if (dimension == sizes.size()) return Element(type);
  Names parts;
  for (int64_t k = 0; k < sizes[dimension]; ++k) parts.push_back(Literal(type, sizes, dimension + 1));
  return absl::StrCat("{ ", absl::StrJoin(parts, ", "), " }");
}

Array Writer::Take(const std::string& type, const Sizes& sizes) {
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
  return sizes.empty() ? scalar : Emit("broadcast", type, sizes, {scalar.name}, "dimensions={}");
}

Array Writer::TakeAny(const Names& allowed, size_t min_rank, size_t max_rank) {
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

std::string Writer::Computation(const std::string& stem, const std::function<std::string()>& body) {
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

std::string Writer::BinaryOf(const std::string& type, bool associative) {
  if (type == "pred") return OneOf({"and", "or", "xor"});
  if (IsIn(type, kComplex)) return associative ? "add" : OneOf({"add", "multiply", "subtract"});
  if (IsIn(type, kIntegers)) {
    return associative ? OneOf({"add", "maximum", "minimum", "and", "or", "xor"})
                       : OneOf({"add", "subtract", "multiply", "maximum", "minimum", "and"});
  }
  return associative ? OneOf({"add", "maximum", "minimum"}) : OneOf({"add", "subtract", "multiply", "maximum"});
}

std::string Writer::Reducer(const std::string& type, bool associative) {
  return Computation("reducer", [&] {
    const std::string scalar = ShapeOf(type, {});
    const std::string a = Line(scalar, "parameter", {"0"}), b = Line(scalar, "parameter", {"1"});
    return absl::StrCat("r = ", scalar, " ", BinaryOf(type, associative), "(", a, ", ", b, ")");
  });
}

std::string Writer::SmallBody(const std::string& type, const Sizes& sizes, const Names& parameters) {
  const std::string shape = ShapeOf(type, sizes);
  std::string last = OneOf(parameters);
  const size_t count = 1 + Pick(4);
  for (size_t k = 0; k < count; ++k) last = Line(shape, BinaryOf(type, false), {last, OneOf(parameters)});
  return last;
}

// --- Elementwise ---

void Writer::Unary(const std::string& opcode) {
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
  Emit(opcode, type, x.sizes, {x.name});
}

void Writer::Binary(const std::string& opcode) {
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

void Writer::Compare(const std::string& opcode) {
  const Array a = TakeAny(kAll);
  const std::string direction =
      OneOf(IsIn(a.type, kComplex) ? Names{"EQ", "NE"} : Names{"EQ", "NE", "LT", "LE", "GT", "GE"});
  const bool total = IsIn(a.type, kFloats) && Chance(0.2);
  Emit(opcode, "pred", a.sizes, {a.name, Take(a.type, a.sizes).name},
       absl::StrCat("direction=", direction, total ? ", type=TOTALORDER" : ""));
}

void Writer::Select(const std::string& opcode) {
  const Array a = TakeAny(kAll);
  Emit(opcode, a.type, a.sizes, {Take("pred", a.sizes).name, a.name, Take(a.type, a.sizes).name});
}

void Writer::Clamp(const std::string& opcode) {
  const Array x = TakeAny(Joined({kPredicate, kReal}));
  const Sizes bounds = Chance(0.5) ? Sizes{} : x.sizes;
  Emit(opcode, x.type, x.sizes, {Take(x.type, bounds).name, x.name, Take(x.type, bounds).name});
}

void Writer::Complex(const std::string& opcode) {
  const Array a = TakeAny({"f32", "f64"});
  Emit(opcode, a.type == "f32" ? "c64" : "c128", a.sizes, {a.name, Take(a.type, a.sizes).name});
}

void Writer::Convert(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  Emit(opcode, Type(kAll), x.sizes, {x.name});
}

void Writer::BitcastConvert(const std::string& opcode) {
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

void Writer::ReducePrecision(const std::string& opcode) {
  const Array x = TakeAny(kWideFloats);
  Emit(opcode, x.type, x.sizes, {x.name},
       absl::StrCat("exponent_bits=", Between(2, 8), ", mantissa_bits=", Between(1, 10)));
}

void Writer::StochasticConvert(const std::string& opcode) {
  const Array x = TakeAny(kWideFloats);
  const std::string bits = BitsOf(x.type) == 16 ? "u16" : BitsOf(x.type) == 32 ? "u32" : "u64";
  Emit(opcode, OneOf({"s8", "s16", "s32"}), x.sizes, {x.name, Take(bits, x.sizes).name});
}

// --- Movement of data ---

void Writer::Broadcast(const std::string& opcode) {
  const Array x = TakeAny(kAll, 0, 3);
  Sizes sizes = RandomSizes(x.sizes.size(), 4);
  Sizes places = Permutation(sizes.size());
  places.resize(x.sizes.size());
  std::sort(places.begin(), places.end());
  for (size_t k = 0; k < places.size(); ++k) sizes[static_cast<size_t>(places[k])] = x.sizes[k];
  if (CountOf(sizes) > 2000) return;
  Emit(opcode, x.type, sizes, {x.name}, absl::StrCat("dimensions=", Braces(places)));
}

void Writer::Reshape(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  int64_t left = CountOf(x.sizes);
  Sizes sizes;
  if (left == 0) {
    sizes = {0, 2};
  } else {
    for (int64_t factor : {2, 3, 5, 17, 2, 4}) {
      if (left % factor != 0 || !Chance(0.6)) continue;
      sizes.push_back(factor);
      left /= factor;
    }
    if (left != 1 || Chance(0.3)) sizes.push_back(left);
    std::shuffle(sizes.begin(), sizes.end(), random_);
  }
  Emit(opcode, x.type, sizes, {x.name});
}

void Writer::Transpose(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  const Sizes order = Permutation(x.sizes.size());
  Sizes sizes;
  for (int64_t d : order) sizes.push_back(x.sizes[static_cast<size_t>(d)]);
  Emit(opcode, x.type, sizes, {x.name}, absl::StrCat("dimensions=", Braces(order)));
}

void Writer::Reverse(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  Emit(opcode, x.type, x.sizes, {x.name}, absl::StrCat("dimensions=", Braces(Subset(x.sizes.size()))));
}

void Writer::Slice(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1);
  Sizes sizes;
  Names ranges;
  for (int64_t size : x.sizes) {
    const int64_t start = Between(0, size), limit = Between(start, size), stride = Between(1, 3);
    sizes.push_back((limit - start + stride - 1) / stride);
    ranges.push_back(absl::StrCat("[", start, ":", limit, stride == 1 ? "" : absl::StrCat(":", stride), "]"));
  }
  Emit(opcode, x.type, sizes, {x.name}, absl::StrCat("slice={", absl::StrJoin(ranges, ", "), "}"));
}

void Writer::Pad(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1);
  Sizes sizes;
  Names parts;
  for (int64_t size : x.sizes) {
    const int64_t interior = Chance(0.3) ? Between(1, 2) : 0;
    const int64_t spread = size == 0 ? 0 : size + (size - 1) * interior;
    const int64_t low = Between(-std::min<int64_t>(spread, 1), 2),
                  high = Between(-std::min<int64_t>(spread + low, 1), 2);
    if (spread + low + high < 0) return;
    sizes.push_back(spread + low + high);
    parts.push_back(absl::StrCat(low, "_", high, interior == 0 ? "" : absl::StrCat("_", interior)));
  }
  if (CountOf(sizes) > 3000) return;
  Emit(opcode, x.type, sizes, {x.name, Take(x.type, {}).name}, absl::StrCat("padding=", absl::StrJoin(parts, "x")));
}

void Writer::Concatenate(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1);
  const size_t dimension = Pick(x.sizes.size());
  Names operands = {x.name};
  Sizes sizes = x.sizes;
  for (size_t k = Pick(3); k > 0; --k) {
    Sizes other = x.sizes;
    other[dimension] = Between(0, 4);
    operands.push_back(Take(x.type, other).name);
    sizes[dimension] += other[dimension];
  }
  Emit(opcode, x.type, sizes, operands, absl::StrCat("dimensions={", dimension, "}"));
}

void Writer::DynamicSlice(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1);
  Sizes sizes;
  Names operands = {x.name};
  const std::string index = OneOf({"s32", "s64", "u32", "s8"});
  for (int64_t size : x.sizes) {
    sizes.push_back(Between(0, size));
    operands.push_back(Take(index, {}).name);
  }
  Emit(opcode, x.type, sizes, operands, absl::StrCat("dynamic_slice_sizes=", Braces(sizes)));
}

void Writer::DynamicUpdateSlice(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1);
  Sizes sizes;
  for (int64_t size : x.sizes) sizes.push_back(Between(0, size));
  Names operands = {x.name, Take(x.type, sizes).name};
  const std::string index = OneOf({"s32", "s64", "u32", "s8"});
  for (size_t k = 0; k < sizes.size(); ++k) operands.push_back(Take(index, {}).name);
  Emit(opcode, x.type, x.sizes, operands);
}

void Writer::Iota(const std::string& opcode) {
  const Sizes sizes = RandomSizes(1, 4);
  Emit(opcode, Type(kNumbers), sizes, {}, absl::StrCat("iota_dimension=", Pick(sizes.size())));
}

void Writer::ConstantOf(const std::string&) { Constant(Type(kAll), RandomSizes(0, 3)); }

// Rows of the operand along one dimension, chosen by a vector of indices; sometimes with batching dimensions.
void Writer::Gather(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1, 3);
  const size_t rank = x.sizes.size(), along = Pick(rank);
  if (CountOf(x.sizes) == 0) return;
  const int64_t rows = Between(1, 5);
  const bool collapsed = Chance(0.7);
  Sizes slice = x.sizes, sizes = {rows}, offsets;
  slice[along] = collapsed ? 1 : Between(1, x.sizes[along]);
  for (size_t d = 0; d < rank; ++d) {
    if (d == along && collapsed) continue;
    offsets.push_back(static_cast<int64_t>(sizes.size()));
    sizes.push_back(slice[d]);
  }
  const bool explicit_vector = Chance(0.5);
  const std::string index = OneOf({"s32", "s64", "u8"});
  const Array indices = Take(index, explicit_vector ? Sizes{rows, 1} : Sizes{rows});
  Emit(opcode, x.type, sizes, {x.name, indices.name},
       absl::StrCat("offset_dims=", Braces(offsets), ", collapsed_slice_dims={", collapsed ? absl::StrCat(along) : "",
                    "}, start_index_map={", along, "}, index_vector_dim=1, slice_sizes=", Braces(slice)));
}

void Writer::Scatter(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1, 3);
  const size_t rank = x.sizes.size(), along = Pick(rank);
  if (CountOf(x.sizes) == 0) return;
  const int64_t rows = Between(1, 4);
  Sizes updates = {rows}, windows;
  for (size_t d = 0; d < rank; ++d) {
    if (d == along) continue;
    windows.push_back(static_cast<int64_t>(updates.size()));
    updates.push_back(x.sizes[d]);
  }
  const Array indices = Take(OneOf({"s32", "s64"}), {rows, 1});
  Emit(opcode, x.type, x.sizes, {x.name, indices.name, Take(x.type, updates).name},
       absl::StrCat("update_window_dims=", Braces(windows), ", inserted_window_dims={", along,
                    "}, scatter_dims_to_operand_dims={", along,
                    "}, index_vector_dim=1, to_apply=", Reducer(x.type, false)));
}

// --- Reductions, sorting ---

void Writer::Reduce(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  const Sizes dims = Subset(x.sizes.size());
  Sizes sizes;
  for (size_t d = 0; d < x.sizes.size(); ++d) {
    if (!std::binary_search(dims.begin(), dims.end(), static_cast<int64_t>(d))) sizes.push_back(x.sizes[d]);
  }
  if (Chance(0.75)) {
    Emit(opcode, x.type, sizes, {x.name, Take(x.type, {}).name},
         absl::StrCat("dimensions=", Braces(dims), ", to_apply=", Reducer(x.type, Chance(0.7))));
    return;
  }
  // The largest element and its place.
  if (IsIn(x.type, kComplex)) return;
  const Array places = Take("s32", x.sizes);
  const std::string scalar = ShapeOf(x.type, {});
  const std::string reducer = Computation("argmax", [&] {
    const std::string a = Line(scalar, "parameter", {"0"}), i = Line("s32[]", "parameter", {"1"});
    const std::string b = Line(scalar, "parameter", {"2"}), j = Line("s32[]", "parameter", {"3"});
    const std::string greater = Line("pred[]", "compare", {a, b}, "direction=GE");
    const std::string value = Line(scalar, "select", {greater, a, b});
    const std::string place = Line("s32[]", "select", {greater, i, j});
    return absl::StrCat("t = (", scalar, ", s32[]) tuple(", value, ", ", place, ")");
  });
  const std::string shape = absl::StrCat("(", ShapeOf(x.type, sizes), ", ", ShapeOf("s32", sizes), ")");
  const std::string both = Line(shape, opcode, {x.name, places.name, Take(x.type, {}).name, Take("s32", {}).name},
                                absl::StrCat("dimensions=", Braces(dims), ", to_apply=", reducer));
  Emit("get-tuple-element", x.type, sizes, {both}, "index=0");
  Emit("get-tuple-element", "s32", sizes, {both}, "index=1");
}

void Writer::ReduceWindow(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1, 3);
  Sizes window, sizes, strides, dilations, bases;
  Names pads;
  for (int64_t size : x.sizes) {
    window.push_back(Between(1, 3));
    strides.push_back(Between(1, 2));
    dilations.push_back(Chance(0.2) ? 2 : 1);
    bases.push_back(Chance(0.15) ? 2 : 1);
    const int64_t low = Between(0, 2), high = Between(0, 2);
    pads.push_back(absl::StrCat(low, "_", high));
    const int64_t base = size == 0 ? 0 : (size - 1) * bases.back() + 1;
    const int64_t reach = (window.back() - 1) * dilations.back() + 1;
    const int64_t padded = base + low + high;
    sizes.push_back(padded < reach ? 0 : (padded - reach) / strides.back() + 1);
  }
  Emit(opcode, x.type, sizes, {x.name, Take(x.type, {}).name},
       absl::StrCat("window={size=", absl::StrJoin(window, "x"), " stride=", absl::StrJoin(strides, "x"),
                    " pad=", absl::StrJoin(pads, "x"), " lhs_dilate=", absl::StrJoin(bases, "x"),
                    " rhs_dilate=", absl::StrJoin(dilations, "x"), "}, to_apply=", Reducer(x.type, Chance(0.7))));
}

void Writer::SelectAndScatter(const std::string& opcode) {
  const Array x = TakeAny(Joined({kReal}), 1, 3);
  Sizes window, sizes, strides;
  for (int64_t size : x.sizes) {
    window.push_back(Between(1, std::max<int64_t>(1, std::min<int64_t>(3, size))));
    strides.push_back(Between(1, 2));
    sizes.push_back(size < window.back() ? 0 : (size - window.back()) / strides.back() + 1);
  }
  const std::string scalar = ShapeOf(x.type, {});
  const std::string select = Computation("select", [&] {
    const std::string a = Line(scalar, "parameter", {"0"}), b = Line(scalar, "parameter", {"1"});
    return absl::StrCat("r = pred[] compare(", a, ", ", b, "), direction=GE");
  });
  Emit(opcode, x.type, x.sizes, {x.name, Take(x.type, sizes).name, Take(x.type, {}).name},
       absl::StrCat("window={size=", absl::StrJoin(window, "x"), " stride=", absl::StrJoin(strides, "x"),
                    "}, select=", select, ", scatter=", Reducer(x.type, true)));
}

void Writer::Map(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  Sizes all(x.sizes.size());
  for (size_t d = 0; d < all.size(); ++d) all[d] = static_cast<int64_t>(d);
  Emit(opcode, x.type, x.sizes, {x.name, Take(x.type, x.sizes).name},
       absl::StrCat("dimensions=", Braces(all), ", to_apply=", Reducer(x.type, false)));
}

void Writer::Scan(const std::string& opcode) {
  const Array x = TakeAny({"f32", "s32", "f64", "bf16"}, 1, 3);
  const size_t dimension = Pick(x.sizes.size());
  Sizes carry = x.sizes;
  carry.erase(carry.begin() + static_cast<std::ptrdiff_t>(dimension));
  const std::string row = ShapeOf(x.type, carry);
  const std::string body = Computation("scan", [&] {
    const std::string a = Line(row, "parameter", {"0"}), b = Line(row, "parameter", {"1"});
    const std::string sum = Line(row, "add", {a, b});
    return absl::StrCat("t = (", row, ", ", row, ") tuple(", sum, ", ", sum, ")");
  });
  const std::string shape = absl::StrCat("(", ShapeOf(x.type, x.sizes), ", ", row, ")");
  const std::string both =
      Line(shape, opcode, {x.name, Take(x.type, carry).name},
           absl::StrCat("dimensions={", dimension, "}, num_carries=1, is_reverse=", Chance(0.5) ? "true" : "false",
                        ", to_apply=", body));
  Emit("get-tuple-element", x.type, x.sizes, {both}, "index=0");
}

void Writer::Sort(const std::string& opcode) {
  const Array keys = TakeAny(Joined({kPredicate, kReal}), 1, 3);
  const size_t dimension = Pick(keys.sizes.size());
  const bool with_values = Chance(0.5);
  const std::string scalar = ShapeOf(keys.type, {});
  const std::string order = Computation("order", [&] {
    const std::string a = Line(scalar, "parameter", {"0"}), b = Line(scalar, "parameter", {"1"});
    if (with_values) {
      Line("s32[]", "parameter", {"2"});
      Line("s32[]", "parameter", {"3"});
    }
    return absl::StrCat("r = pred[] compare(", a, ", ", b, "), direction=", OneOf({"LT", "GT"}),
                        IsIn(keys.type, kFloats) ? ", type=TOTALORDER" : "");
  });
  const std::string attributes = absl::StrCat("dimensions={", dimension, "}, is_stable=true, to_apply=", order);
  if (!with_values) {
    Emit(opcode, keys.type, keys.sizes, {keys.name}, attributes);
    return;
  }
  const std::string shape = absl::StrCat("(", ShapeOf(keys.type, keys.sizes), ", ", ShapeOf("s32", keys.sizes), ")");
  const std::string both = Line(shape, opcode, {keys.name, Take("s32", keys.sizes).name}, attributes);
  Emit("get-tuple-element", "s32", keys.sizes, {both}, "index=1");
}

void Writer::Topk(const std::string& opcode) {
  const Array x = TakeAny({"f32", "bf16", "s32", "u8", "f64"}, 1, 2);
  Sizes sizes = x.sizes;
  sizes.back() = Between(0, sizes.back());
  const std::string shape = absl::StrCat("(", ShapeOf(x.type, sizes), ", ", ShapeOf("s32", sizes), ")");
  const std::string both =
      Line(shape, opcode, {x.name}, absl::StrCat("k=", sizes.back(), ", largest=", Chance(0.5) ? "true" : "false"));
  Emit("get-tuple-element", x.type, sizes, {both}, "index=0");
  Emit("get-tuple-element", "s32", sizes, {both}, "index=1");
}

// --- Contractions, linear algebra ---

void Writer::Dot(const std::string& opcode) {
  const std::string type = Type(Joined({kIntegers, kWideFloats, kComplex, {"f8e5m2", "f8e4m3fn"}}));
  const bool batched = Chance(0.4);
  const int64_t batch = Between(1, 3), rows = Between(0, 6), columns = Between(1, 9), inner = Between(1, 9);
  Sizes lhs = {rows, inner}, rhs = {inner, columns}, sizes = {rows, columns};
  int64_t lhs_inner = 1, rhs_inner = 0;
  if (Chance(0.4)) {
    std::swap(lhs[0], lhs[1]);
    lhs_inner = 0;
  }
  if (Chance(0.4)) {
    std::swap(rhs[0], rhs[1]);
    rhs_inner = 1;
  }
  std::string attributes;
  if (batched) {
    for (Sizes* s : {&lhs, &rhs, &sizes}) s->insert(s->begin(), batch);
    attributes = "lhs_batch_dims={0}, rhs_batch_dims={0}, ";
    ++lhs_inner;
    ++rhs_inner;
  }
  Emit(opcode, type, sizes, {Take(type, lhs).name, Take(type, rhs).name},
       absl::StrCat(attributes, "lhs_contracting_dims={", lhs_inner, "}, rhs_contracting_dims={", rhs_inner, "}"));
}

void Writer::Convolution(const std::string& opcode) {
  const std::string type = Type(Joined({kWideFloats, {"s8", "s32", "u8", "c64"}}));
  const int64_t groups = Chance(0.3) ? 2 : 1, features = groups * Between(1, 3), outputs = groups * Between(1, 3);
  const int64_t batch = Between(1, 2);
  Sizes lhs = {batch}, kernel, sizes = {batch}, window, strides, dilations, bases;
  Names pads;
  for (int k = 0; k < 2; ++k) {
    lhs.push_back(Between(1, 7));
    window.push_back(Between(1, 3));
    strides.push_back(Between(1, 3));
    dilations.push_back(Chance(0.2) ? 2 : 1);
    bases.push_back(Chance(0.2) ? 2 : 1);
    const int64_t low = Between(0, 2), high = Between(0, 2);
    pads.push_back(absl::StrCat(low, "_", high));
    const int64_t base = (lhs.back() - 1) * bases.back() + 1 + low + high;
    const int64_t reach = (window.back() - 1) * dilations.back() + 1;
    sizes.push_back(base < reach ? 0 : (base - reach) / strides.back() + 1);
    kernel.push_back(window.back());
  }
  lhs.push_back(features);
  sizes.push_back(outputs);
  kernel.push_back(features / groups);
  kernel.push_back(outputs);
  Emit(
      opcode, type, sizes, {Take(type, lhs).name, Take(type, kernel).name},
      absl::StrCat("window={size=", absl::StrJoin(window, "x"), " stride=", absl::StrJoin(strides, "x"),
                   " pad=", absl::StrJoin(pads, "x"), " lhs_dilate=", absl::StrJoin(bases, "x"),
                   " rhs_dilate=", absl::StrJoin(dilations, "x"), Chance(0.1) ? " rhs_reversal=1x1" : "",
                   "}, dim_labels=b01f_01io->b01f", groups == 1 ? "" : absl::StrCat(", feature_group_count=", groups)));
}

void Writer::Fft(const std::string& opcode) {
  const int64_t length = Between(1, 12), batch = Between(1, 3);
  switch (Pick(3)) {
    case 0: {
      const std::string type = OneOf(kComplex);
      Emit(opcode, type, {batch, length}, {Take(type, {batch, length}).name},
           absl::StrCat("fft_type=", OneOf({"FFT", "IFFT"}), ", fft_length={", length, "}"));
      break;
    }
    case 1:
      Emit(opcode, "c64", {batch, length / 2 + 1}, {Take("f32", {batch, length}).name},
           absl::StrCat("fft_type=RFFT, fft_length={", length, "}"));
      break;
    default:
      Emit(opcode, "f64", {batch, length}, {Take("c128", {batch, length / 2 + 1}).name},
           absl::StrCat("fft_type=IRFFT, fft_length={", length, "}"));
      break;
  }
}

void Writer::Cholesky(const std::string& opcode) {
  const std::string type = OneOf({"f32", "f64", "c64"});
  const int64_t order = Between(1, 4);
  Emit(opcode, type, {2, order, order}, {Take(type, {2, order, order}).name},
       absl::StrCat("lower=", Chance(0.5) ? "true" : "false"));
}

void Writer::TriangularSolve(const std::string& opcode) {
  const std::string type = OneOf({"f32", "f64", "c64"});
  const int64_t order = Between(1, 4), columns = Between(1, 3);
  const bool left = Chance(0.5);
  const Sizes sizes = left ? Sizes{order, columns} : Sizes{columns, order};
  Emit(opcode, type, sizes, {Take(type, {order, order}).name, Take(type, sizes).name},
       absl::StrCat("left_side=", left ? "true" : "false", ", lower=", Chance(0.5) ? "true" : "false",
                    ", unit_diagonal=", Chance(0.3) ? "true" : "false",
                    ", transpose_a=", OneOf({"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})));
}

void Writer::BatchNorm(const std::string& opcode) {
  const Array x = TakeAny(kWideFloats, 2, 4);
  const size_t feature = Pick(x.sizes.size());
  const Sizes features = {x.sizes[feature]};
  const auto vector = [&] { return Take(x.type, features).name; };
  const std::string attributes = absl::StrCat("epsilon=0.001, feature_index=", feature);
  const std::string whole = ShapeOf(x.type, x.sizes), one = ShapeOf(x.type, features);
  if (opcode == "batch-norm-inference") {
    Emit(opcode, x.type, x.sizes, {x.name, vector(), vector(), vector(), vector()}, attributes);
    return;
  }
  Names operands = {x.name, vector(), vector()};
  if (opcode == "batch-norm-grad") {
    operands.push_back(vector());
    operands.push_back(Take(x.type, x.sizes).name);
  }
  const std::string all = Line(absl::StrCat("(", whole, ", ", one, ", ", one, ")"), opcode, operands, attributes);
  Emit("get-tuple-element", x.type, x.sizes, {all}, "index=0");
  Emit("get-tuple-element", x.type, features, {all}, "index=2");
}

// --- Tuples, tokens, control flow ---

void Writer::TupleOf(const std::string& opcode) {
  const Array a = TakeAny(kAll), b = TakeAny(kAll);
  const std::string inner = absl::StrCat("(", ShapeOf(b.type, b.sizes), ")");
  const std::string first = Line(inner, "tuple", {b.name});
  std::string tuple = Line(absl::StrCat("(", ShapeOf(a.type, a.sizes), ", ", inner, ")"), "tuple", {a.name, first});
  if (opcode == "domain") {
    Emit(opcode, a.type, a.sizes, {a.name}, R"(domain={kind="sharding", entry={replicated}, exit={replicated}})");
    return;
  }
  Emit("get-tuple-element", a.type, a.sizes, {tuple}, "index=0");
  const std::string again = Line(inner, "get-tuple-element", {tuple}, "index=1");
  Emit("get-tuple-element", b.type, b.sizes, {again}, "index=0");
}

void Writer::Token(const std::string&) {
  const Array x = TakeAny(kAll);
  const std::string token = Line("token[]", "after-all", {});
  const std::string both = Line("token[]", "after-all", {token, token});
  Emit("add-dependency", x.type, x.sizes, {x.name, both});
}

void Writer::CallOf(const std::string& opcode) {
  const Array a = TakeAny({"f32", "s32", "bf16", "f64", "u8"});
  const Array b = Take(a.type, a.sizes);
  const std::string shape = ShapeOf(a.type, a.sizes);
  const std::string callee = Computation("callee", [&] {
    const Names p = {Line(shape, "parameter", {"0"}), Line(shape, "parameter", {"1"})};
    return absl::StrCat("r = ", shape, " add(", SmallBody(a.type, a.sizes, p), ", ", p[1], ")");
  });
  Emit(opcode, a.type, a.sizes, {a.name, b.name}, absl::StrCat("to_apply=", callee));
}

void Writer::While(const std::string& opcode) {
  const Array x = TakeAny({"f32", "s32", "bf16", "f64", "u8"});
  const std::string shape = ShapeOf(x.type, x.sizes), state = absl::StrCat("(s32[], ", shape, ")");
  const int64_t trips = Between(0, 5);
  const std::string body = Computation("body", [&] {
    const std::string p = Line(state, "parameter", {"0"});
    const std::string i = Line("s32[]", "get-tuple-element", {p}, "index=0");
    const std::string v = Line(shape, "get-tuple-element", {p}, "index=1");
    const std::string one = Line("s32[]", "constant", {"1"});
    const std::string next = Line("s32[]", "add", {i, one});
    return absl::StrCat("t = ", state, " tuple(", next, ", ", SmallBody(x.type, x.sizes, {v}), ")");
  });
  const std::string condition = Computation("condition", [&] {
    const std::string p = Line(state, "parameter", {"0"});
    const std::string i = Line("s32[]", "get-tuple-element", {p}, "index=0");
    const std::string limit = Line("s32[]", "constant", {absl::StrCat(trips)});
    return absl::StrCat("r = pred[] compare(", i, ", ", limit, "), direction=LT");
  });
  const std::string zero = Line("s32[]", "constant", {"0"});
  const std::string initial = Line(state, "tuple", {zero, x.name});
  const std::string result = Line(state, opcode, {initial}, absl::StrCat("condition=", condition, ", body=", body));
  Emit("get-tuple-element", x.type, x.sizes, {result}, "index=1");
}

void Writer::Conditional(const std::string& opcode) {
  const Array x = TakeAny({"f32", "s32", "bf16", "f64", "u8"});
  const std::string shape = ShapeOf(x.type, x.sizes);
  const auto branch = [&] {
    return Computation("branch", [&] {
      const Names p = {Line(shape, "parameter", {"0"})};
      const std::string last = SmallBody(x.type, x.sizes, p);
      return absl::StrCat("r = ", shape, " copy(", last, ")");
    });
  };
  if (Chance(0.5)) {
    const std::string yes = branch(), no = branch();
    Emit(opcode, x.type, x.sizes, {Take("pred", {}).name, x.name, x.name},
         absl::StrCat("true_computation=", yes, ", false_computation=", no));
    return;
  }
  Names branches, operands = {Take("s32", {}).name};
  for (size_t k = 1 + Pick(3); k > 0; --k) {
    branches.push_back(branch());
    operands.push_back(x.name);
  }
  Emit(opcode, x.type, x.sizes, operands, absl::StrCat("branch_computations={", absl::StrJoin(branches, ", "), "}"));
}

void Writer::Fusion(const std::string& opcode) {
  const Array a = TakeAny({"f32", "s32", "bf16", "f64", "u8"});
  const std::string shape = ShapeOf(a.type, a.sizes);
  const std::string fused = Computation("fused", [&] {
    const Names p = {Line(shape, "parameter", {"0"}), Line(shape, "parameter", {"1"})};
    const std::string sum = Line(shape, "add", p);
    return absl::StrCat("r = ", shape, " maximum(", SmallBody(a.type, a.sizes, {sum}), ", ", sum, ")");
  });
  Emit(opcode, a.type, a.sizes, {a.name, Take(a.type, a.sizes).name},
       absl::StrCat("kind=", OneOf({"kLoop", "kInput", "kOutput", "kCustom"}), ", calls=", fused));
}

void Writer::Async(const std::string&) {
  const Array x = TakeAny({"f32", "s32", "bf16", "u8"});
  const std::string shape = ShapeOf(x.type, x.sizes);
  const std::string state = absl::StrCat("((", shape, "), ", shape, ", u32[])");
  const std::string thread = Chance(0.5) ? R"(, async_execution_thread="dma")" : "";
  const std::string wrapped = Computation("wrapped", [&] {
    const std::string p = Line(shape, "parameter", {"0"});
    return absl::StrCat("r = ", shape, " negate(", p, ")");
  });
  if (Chance(0.5)) {
    const std::string start = Line(state, "async-start", {x.name}, absl::StrCat("calls=", wrapped, thread));
    const std::string update = Chance(0.5) ? Line(state, "async-update", {start}) : start;
    Emit("async-done", x.type, x.sizes, {update});
    return;
  }
  const std::string start = Line(state, "call-start", {x.name}, absl::StrCat("to_apply=", wrapped, thread));
  Emit("call-done", x.type, x.sizes, {start});
}

void Writer::CopyPair(const std::string&) {
  const Array x = TakeAny(kAll);
  const std::string shape = ShapeOf(x.type, x.sizes);
  const std::string start = Line(absl::StrCat("(", shape, ", ", shape, ", u32[])"), "copy-start", {x.name});
  Emit("copy-done", x.type, x.sizes, {start});
}

// --- Random numbers, dynamic sizes, custom calls, devices, hosts ---

void Writer::RngBits(const std::string& opcode) {
  const std::string algorithm = OneOf({"rng_default", "rng_philox", "rng_three_fry"});
  const Sizes state = {algorithm == "rng_three_fry" ? 2 : 3}, sizes = RandomSizes(0, 3);
  const std::string type = OneOf({"u8", "u16", "u32", "u64"});
  const std::string both = Line(absl::StrCat("(", ShapeOf("u64", state), ", ", ShapeOf(type, sizes), ")"), opcode,
                                {Take("u64", state).name}, absl::StrCat("algorithm=", algorithm));
  Emit("get-tuple-element", "u64", state, {both}, "index=0");
  Emit("get-tuple-element", type, sizes, {both}, "index=1");
}

void Writer::Rng(const std::string& opcode) {
  const std::string type = OneOf({"f32", "f64", "bf16"});
  const std::string low = Line(ShapeOf(type, {}), "constant", {"0"}), high = Line(ShapeOf(type, {}), "constant", {"1"});
  Emit(opcode, type, RandomSizes(0, 3), {low, high},
       absl::StrCat("distribution=", OneOf({"rng_uniform", "rng_normal"})));
}

void Writer::RngState(const std::string& opcode) {
  Emit(opcode, "u64", {2}, {}, absl::StrCat("delta=", Between(1, 9)));
}

void Writer::DimensionSize(const std::string& opcode) {
  const Array x = TakeAny(kAll, 1, 3);
  const size_t dimension = Pick(x.sizes.size());
  if (opcode == "get-dimension-size") {
    Emit(opcode, "s32", {}, {x.name}, absl::StrCat("dimensions={", dimension, "}"));
    return;
  }
  if (CountOf(x.sizes) == 0) return;
  Names sizes;
  for (size_t d = 0; d < x.sizes.size(); ++d) sizes.push_back(absl::StrCat(d == dimension ? "<=" : "", x.sizes[d]));
  const std::string size = Line("s32[]", "constant", {absl::StrCat(Between(0, x.sizes[dimension]))});
  const std::string name = Line(absl::StrCat(x.type, "[", absl::StrJoin(sizes, ","), "]"), opcode, {x.name, size},
                                absl::StrCat("dimensions={", dimension, "}"));
  Emit("get-dimension-size", "s32", {}, {name}, absl::StrCat("dimensions={", dimension, "}"));
}

void Writer::CustomCall(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  Emit(opcode, x.type, x.sizes, {x.name},
       absl::StrCat(R"(custom_call_target="Sharding")",
                    Chance(0.5) ? R"(, api_version=API_VERSION_STATUS_RETURNING)" : ""));
}

void Writer::Collective(const std::string& opcode) {
  const Array x = TakeAny({"f32", "s32", "bf16", "u8", "f64"}, 1, 3);
  const std::string channel = Chance(0.3) ? absl::StrCat("channel_id=", ++channel_, ", ") : "";
  const std::string groups = absl::StrCat(channel, "replica_groups={}");
  if (opcode == "all-reduce") {
    Emit(opcode, x.type, x.sizes, {x.name}, absl::StrCat(groups, ", to_apply=", Reducer(x.type, true)));
  } else if (opcode == "collective-permute") {
    Emit(opcode, x.type, x.sizes, {x.name}, absl::StrCat(channel, "source_target_pairs={{0,0}}"));
  } else if (opcode == "collective-broadcast") {
    Emit(opcode, x.type, x.sizes, {x.name}, absl::StrCat(channel, "replica_groups={{0}}"));
  } else if (opcode == "all-to-all") {
    const std::string tuple = Line(absl::StrCat("(", ShapeOf(x.type, x.sizes), ")"), opcode, {x.name},
                                   absl::StrCat(channel, "replica_groups={{0}}"));
    Emit("get-tuple-element", x.type, x.sizes, {tuple}, "index=0");
  } else {
    const std::string dimension = absl::StrCat(", dimensions={", Pick(x.sizes.size()), "}");
    const std::string combiner = opcode == "reduce-scatter" ? absl::StrCat(", to_apply=", Reducer(x.type, true)) : "";
    Emit(opcode, x.type, x.sizes, {x.name}, absl::StrCat(channel, "replica_groups={{0}}", dimension, combiner));
  }
}

void Writer::DeviceId(const std::string& opcode) { Emit(opcode, "u32", {}, {}); }

void Writer::HostTransfer(const std::string& opcode) {
  const Array x = TakeAny(kAll);
  const std::string shape = ShapeOf(x.type, x.sizes), token = Line("token[]", "after-all", {});
  if (opcode == "infeed") {
    const std::string both = Line(absl::StrCat("(", shape, ", token[])"), opcode, {token});
    Emit("get-tuple-element", x.type, x.sizes, {both}, "index=0");
  } else if (opcode == "outfeed") {
    Line("token[]", opcode, {x.name, token}, absl::StrCat("outfeed_shape=", shape));
  } else {
    const std::string channel = absl::StrCat("channel_id=", ++channel_, ", is_host_transfer=true");
    const std::string state = absl::StrCat("(", shape, ", u32[], token[])");
    if (opcode == "send") {
      Line("token[]", "send-done", {Line(state, opcode, {x.name, token}, channel)}, channel);
    } else {
      const std::string done =
          Line(absl::StrCat("(", shape, ", token[])"), "recv-done", {Line(state, opcode, {token}, channel)}, channel);
      Emit("get-tuple-element", x.type, x.sizes, {done}, "index=0");
    }
  }
}

const std::vector<std::pair<std::string, void (Writer::*)(const std::string&)>>& Writer::Makers() {
  static const auto* const makers = new std::vector<std::pair<std::string, void (Writer::*)(const std::string&)>>{
      {"abs", &Writer::Unary},
      {"acos", &Writer::Unary},
      {"acosh", &Writer::Unary},
      {"asin", &Writer::Unary},
      {"asinh", &Writer::Unary},
      {"atanh", &Writer::Unary},
      {"cbrt", &Writer::Unary},
      {"ceil", &Writer::Unary},
      {"copy", &Writer::Unary},
      {"cosh", &Writer::Unary},
      {"cosine", &Writer::Unary},
      {"count-leading-zeros", &Writer::Unary},
      {"erf", &Writer::Unary},
      {"exponential", &Writer::Unary},
      {"exponential-minus-one", &Writer::Unary},
      {"floor", &Writer::Unary},
      {"imag", &Writer::Unary},
      {"is-finite", &Writer::Unary},
      {"log", &Writer::Unary},
      {"log-plus-one", &Writer::Unary},
      {"logistic", &Writer::Unary},
      {"negate", &Writer::Unary},
      {"not", &Writer::Unary},
      {"opt-barrier", &Writer::Unary},
      {"popcnt", &Writer::Unary},
      {"real", &Writer::Unary},
      {"round-nearest-afz", &Writer::Unary},
      {"round-nearest-even", &Writer::Unary},
      {"rsqrt", &Writer::Unary},
      {"sign", &Writer::Unary},
      {"sine", &Writer::Unary},
      {"sinh", &Writer::Unary},
      {"sqrt", &Writer::Unary},
      {"tan", &Writer::Unary},
      {"tanh", &Writer::Unary},
      {"add", &Writer::Binary},
      {"and", &Writer::Binary},
      {"atan2", &Writer::Binary},
      {"divide", &Writer::Binary},
      {"maximum", &Writer::Binary},
      {"minimum", &Writer::Binary},
      {"mulhi", &Writer::Binary},
      {"multiply", &Writer::Binary},
      {"or", &Writer::Binary},
      {"power", &Writer::Binary},
      {"remainder", &Writer::Binary},
      {"shift-left", &Writer::Binary},
      {"shift-right-arithmetic", &Writer::Binary},
      {"shift-right-logical", &Writer::Binary},
      {"subtract", &Writer::Binary},
      {"xor", &Writer::Binary},
      {"compare", &Writer::Compare},
      {"select", &Writer::Select},
      {"clamp", &Writer::Clamp},
      {"complex", &Writer::Complex},
      {"convert", &Writer::Convert},
      {"bitcast-convert", &Writer::BitcastConvert},
      {"reduce-precision", &Writer::ReducePrecision},
      {"stochastic-convert", &Writer::StochasticConvert},
      {"broadcast", &Writer::Broadcast},
      {"reshape", &Writer::Reshape},
      {"bitcast", &Writer::Reshape},
      {"transpose", &Writer::Transpose},
      {"reverse", &Writer::Reverse},
      {"slice", &Writer::Slice},
      {"pad", &Writer::Pad},
      {"concatenate", &Writer::Concatenate},
      {"dynamic-slice", &Writer::DynamicSlice},
      {"dynamic-update-slice", &Writer::DynamicUpdateSlice},
      {"iota", &Writer::Iota},
      {"constant", &Writer::ConstantOf},
      {"gather", &Writer::Gather},
      {"scatter", &Writer::Scatter},
      {"reduce", &Writer::Reduce},
      {"reduce-window", &Writer::ReduceWindow},
      {"select-and-scatter", &Writer::SelectAndScatter},
      {"map", &Writer::Map},
      {"scan", &Writer::Scan},
      {"sort", &Writer::Sort},
      {"topk", &Writer::Topk},
      {"dot", &Writer::Dot},
      {"convolution", &Writer::Convolution},
      {"fft", &Writer::Fft},
      {"cholesky", &Writer::Cholesky},
      {"triangular-solve", &Writer::TriangularSolve},
      {"batch-norm-training", &Writer::BatchNorm},
      {"batch-norm-inference", &Writer::BatchNorm},
      {"batch-norm-grad", &Writer::BatchNorm},
      {"tuple", &Writer::TupleOf},
      {"domain", &Writer::TupleOf},
      {"add-dependency", &Writer::Token},
      {"call", &Writer::CallOf},
      {"while", &Writer::While},
      {"conditional", &Writer::Conditional},
      {"fusion", &Writer::Fusion},
      {"async-start", &Writer::Async},
      {"copy-start", &Writer::CopyPair},
      {"rng-bit-generator", &Writer::RngBits},
      {"rng", &Writer::Rng},
      {"rng-get-and-update-state", &Writer::RngState},
      {"get-dimension-size", &Writer::DimensionSize},
      {"set-dimension-size", &Writer::DimensionSize},
      {"custom-call", &Writer::CustomCall},
      {"all-reduce", &Writer::Collective},
      {"all-gather", &Writer::Collective},
      {"all-to-all", &Writer::Collective},
      {"collective-permute", &Writer::Collective},
      {"collective-broadcast", &Writer::Collective},
      {"reduce-scatter", &Writer::Collective},
      {"replica-id", &Writer::DeviceId},
      {"partition-id", &Writer::DeviceId},
      {"infeed", &Writer::HostTransfer},
      {"outfeed", &Writer::HostTransfer},
      {"send", &Writer::HostTransfer},
      {"recv", &Writer::HostTransfer},
  };
  return *makers;
}

std::string Writer::Write() {
  std::vector<std::pair<std::string, void (Writer::*)(const std::string&)>> makers;
  for (const auto& maker : Makers()) {
    const std::string& opcode = maker.first;
    if (!options_.opcodes.empty() && !IsIn(opcode, options_.opcodes)) continue;
    if (!options_.asynchronous && absl::EndsWith(opcode, "-start")) continue;
    if (!options_.random_numbers && (opcode == "rng" || opcode == "rng-get-and-update-state")) continue;
    if (!options_.collectives && (maker.second == &Writer::Collective || maker.second == &Writer::DeviceId)) continue;
    if (!options_.host_transfers && maker.second == &Writer::HostTransfer) continue;
    if (!options_.dynamic_sizes && opcode == "set-dimension-size") continue;
    makers.push_back(maker);
  }
  for (int k = 0; k < options_.instruction_count; ++k) {
    const auto& [opcode, make] = makers[Pick(makers.size())];
    (this->*make)(opcode);
  }
  Names shapes, names;
  const size_t kept = std::min<size_t>(values_.size(), 12);
  for (size_t k = values_.size() - kept; k < values_.size(); ++k) {
    shapes.push_back(ShapeOf(values_[k].type, values_[k].sizes));
    names.push_back(values_[k].name);
  }
  return absl::StrCat("HloModule random\n\n", header_computations_, "ENTRY entry {\n", text_, "  ROOT results = (",
                      absl::StrJoin(shapes, ", "), ") tuple(", absl::StrJoin(names, ", "), ")\n}\n");
}

}  // namespace

std::string RandomModule(uint64_t seed, const GeneratorOptions& options) { return Writer(seed, options).Write(); }

std::vector<std::string> GeneratedOpcodes() {
  std::vector<std::string> opcodes;
  for (const auto& maker : Writer::Makers()) opcodes.push_back(maker.first);
  return opcodes;
}

}  // namespace hloscope
