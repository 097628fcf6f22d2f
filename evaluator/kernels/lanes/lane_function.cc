// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/lanes/lane_function.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ir/elementwise_table.h"
#include "evaluator/kernels/lanes/lane_loops.h"
#include "evaluator/kernels/lanes/narrow_lanes.h"
#include "evaluator/kernels/lanes/wide_loops.h"
#include "numerics/parallel/cpu_level.h"
#include "numerics/rows/result_table.h"

namespace hloscope::evaluator {
namespace {

// Lanes computed at a time when elements are converted before or after: the blocks fit in the first-level cache.
constexpr int64_t kBlockLanes = 512;
// Bytes of the widest element that a decoding makes (f64 and the int64_t of total orders).
constexpr int64_t kMaxDecodedBytes = 8;
constexpr int64_t kMaxEncodedBytes = 16;
// Rough costs of converting one lane.
constexpr double kVectorConversionNanoseconds = 0.5;
constexpr double kTableConversionNanoseconds = 1.5;

double ConversionCost(ElementType type) {
  return StorageBytes(type) == 1 ? kTableConversionNanoseconds : kVectorConversionNanoseconds;
}

// The type whose loops compute elements of `type` (1.7): integers by their storage, pred as u8, floats narrower
// than f32 as f32.
ElementType EvaluationDomain(ElementType type) {
  switch (KindOf(type)) {
    case ElementKind::kPredicate:
      return ElementType::kU8;
    case ElementKind::kSigned:
      return BitWidth(type) < 8 ? ElementType::kS8 : type;
    case ElementKind::kUnsigned:
      return BitWidth(type) < 8 ? ElementType::kU8 : type;
    case ElementKind::kFloat:
      return type == ElementType::kF64 ? type : ElementType::kF32;
    case ElementKind::kComplex:
      return type;
    case ElementKind::kOther:
      break;
  }
  return ElementType::kInvalid;
}

void Replicate(uint8_t* elements, int64_t count, int64_t element_bytes) {
  // Doubling copies: the filled part grows until it covers everything.
  for (int64_t done = 1; done < count;) {
    const int64_t step = std::min(done, count - done);
    std::memcpy(elements + done * element_bytes, elements, static_cast<size_t>(step * element_bytes));
    done += step;
  }
}

// The table of the results of `function`, which all instructions of the process share.
std::shared_ptr<numerics::ResultTable> TableOf(const LaneFunction& function) {
  struct Tables {
    std::mutex mutex;
    std::vector<std::pair<LaneFunction, std::shared_ptr<numerics::ResultTable>>> of_functions;
  };
  static Tables& tables = *new Tables;
  const std::lock_guard<std::mutex> lock(tables.mutex);
  for (const auto& [other, table] : tables.of_functions) {
    if (other == function) return table;
  }
  const auto compute = [function](const uint8_t* operand, uint8_t* result, int64_t count) {
    const LaneOperand lanes = {operand, false};
    function(&lanes, result, count);
  };
  auto table = std::make_shared<numerics::ResultTable>(compute, StorageBytes(function.operand_type(0)),
                                                       StorageBytes(function.result_type()));
  tables.of_functions.emplace_back(function, table);
  return table;
}

}  // namespace

// Finds the parts of a LaneFunction for one opcode and its types.
class LaneFunctionBuilder {
 public:
  LaneFunctionBuilder(absl::Span<const ElementType> operands, ElementType result) {
    function_.operand_count_ = operands.size();
    std::copy(operands.begin(), operands.end(), function_.operand_types_.begin());
    function_.parameters_.result = result;
    function_.parameters_.width = operands.empty() ? 0 : BitWidth(operands.back());
  }

  // Each of the following returns false if the opcode has no meaning for the types.

  bool Convert() {
    const ElementType from = operand(0), to = result();
    if (from == to) return true;
    ElementType domain = EvaluationDomain(from);
    if (IsComplex(from) && !IsComplex(to)) {  // decision A5: the real part counts
      domain = ComplexComponent(from);
      function_.decode_[0] = RealPart(from);
    } else if (IsFloat(from)) {
      function_.decode_[0] = WidenLanes(from, domain);
      AddCost(ConversionCost(from));
    }
    if (to == ElementType::kPred) return Use(IsNonzeroLoop(domain));
    if (IsFloat(to)) {
      if (IsFloat(domain)) {
        EncodeFloatResult(domain);
        return true;
      }
      // Integers go to narrow floats through f32 (decision A3).
      const ElementType wide = EvaluationDomain(to);
      EncodeFloatResult(wide);
      return Use(ConvertLoop(domain, wide));
    }
    if (IsFloat(domain)) return Use(ConvertLoop(domain, EvaluationDomain(to)));  // saturates at the width of `to`
    if (!IsComplex(to)) Encode(CanonicalizeLanes(to), true);
    const ElementType to_domain = EvaluationDomain(to);
    return domain == to_domain || Use(ConvertLoop(domain, to_domain));
  }

  bool BitcastConvert() {
    if (result() == ElementType::kPred) return Use(IsNonzeroLoop(ElementType::kU8));
    Encode(CanonicalizeLanes(result()), true);
    return true;
  }

  bool ReducePrecision(int64_t exponent_bits, int64_t mantissa_bits) {
    // More bits than any type has change nothing.
    function_.parameters_.exponent_bits = static_cast<int>(std::clamp<int64_t>(exponent_bits, 1, 31));
    function_.parameters_.mantissa_bits = static_cast<int>(std::clamp<int64_t>(mantissa_bits, 0, 64));
    if (!IsFloat(operand(0))) return false;
    if (FloatFormatOf(operand(0)).has_infinity && operand(0) == result()) return Use(ReducePrecisionLoop(operand(0)));
    // Formats without infinity: on the f32 image.
    const ElementType domain = DecodeFloats(0);
    EncodeFloatResult(domain);
    return Use(ReducePrecisionLoop(domain));
  }

  bool StochasticConvert() {
    if (!IsFloat(operand(0)) || !IsUnsigned(operand(1)) || !IsSigned(result())) return false;
    const ElementType domain = EvaluationDomain(operand(0));
    function_.decode_[0] = WidenLanes(operand(0), domain);
    return Use(StochasticConvertLoop(domain, StorageBytes(operand(1)), result()));
  }

  bool Compare(ComparisonDirection direction, bool total_order) {
    if (IsFloat(operand(0)) && total_order && operand(0) == operand(1)) {
      for (size_t k = 0; k < 2; ++k) function_.decode_[k] = TotalOrderLanes(operand(k));
      return Use(CompareLoop(direction, ElementType::kS64));
    }
    return Use(CompareLoop(direction, IsFloat(operand(0)) ? DecodeFloats(0) : EvaluationDomain(operand(0))));
  }

  bool Select() {
    if (operand(1) == operand(2) && operand(1) == result()) return Use(SelectLoop(StorageBytes(result())));
    if (!IsFloat(operand(1)) || !IsFloat(operand(2)) || !IsFloat(result())) return false;
    const ElementType domain = DecodeFloats(1);  // mixed precision
    EncodeFloatResult(domain);
    return Use(SelectLoop(StorageBytes(domain)));
  }

  bool Arithmetic(Opcode opcode) {
    const ElementType type = operand(0);
    if (opcode == Opcode::kComplex) {
      return IsComplex(result()) && type == ComplexComponent(result()) && type == operand(1) &&
             Use(ComplexLoop(opcode, result()));
    }
    switch (KindOf(type)) {
      case ElementKind::kPredicate:
        return Use(PredicateLoop(opcode));
      case ElementKind::kSigned:
      case ElementKind::kUnsigned:
        if (IsUnsigned(type) && (opcode == Opcode::kAbs || opcode == Opcode::kSign)) return false;
        if (opcode == Opcode::kMulhi && BitWidth(type) < 8) return false;
        Encode(CanonicalizeLanes(result()), true);
        return Use(IntegerLoop(opcode, EvaluationDomain(type)));
      case ElementKind::kFloat: {
        if (IsAllBf16()) {
          if (const LaneLoopEntry loop = Bf16Loop(opcode); loop.loop != nullptr) {
            is_costly_ = TakesLongerThanALookUp(opcode, loop.loop);
            return Use(loop);
          }
        }
        const ElementType domain = DecodeFloats(0);
        if (opcode != Opcode::kIsFinite) EncodeFloatResult(domain);
        return opcode == Opcode::kReal || Use(FloatLoop(opcode, domain));
      }
      case ElementKind::kComplex:
        if (IsFloat(result())) EncodeFloatResult(ComplexComponent(type));  // of abs, real, imag: mixed precision
        return Use(ComplexLoop(opcode, type));
      case ElementKind::kOther:
        break;
    }
    return false;
  }

  LaneFunction Finish() {
    // Bits that nothing computes on pass as they are, NaN payloads included.
    if (function_.loop_ == nullptr && function_.operand_count_ > 0 && operand(0) == result()) {
      function_.decode_[0] = nullptr;
      function_.encode_ = nullptr;
    }
    if (IsWorthATable()) function_.table_ = TableOf(function_);
    return std::move(function_);
  }

 private:
  ElementType operand(size_t k) const { return function_.operand_types_[k]; }
  ElementType result() const { return function_.parameters_.result; }

  bool Use(const LaneLoopEntry& entry) {
    function_.loop_ = entry.loop;
    AddCost(entry.nanoseconds);
    return entry.loop != nullptr;
  }
  void AddCost(double nanoseconds) { function_.nanoseconds_per_lane_ += nanoseconds; }
  void Encode(LaneConversion conversion, bool in_place) {
    function_.encode_ = conversion;
    function_.encodes_in_place_ = in_place;
  }

  bool IsAllBf16() const {
    const auto first = function_.operand_types_.begin();
    return result() == ElementType::kBF16 &&
           std::all_of(first, first + function_.operand_count_, [](ElementType t) { return t == ElementType::kBF16; });
  }

  // Widens the float operands from number `first` on to their common domain, which it returns. They differ only where
  // mixed precision is allowed.
  ElementType DecodeFloats(size_t first) {
    ElementType domain = ElementType::kF32;
    for (size_t k = first; k < function_.operand_count_; ++k) {
      if (operand(k) == ElementType::kF64) domain = ElementType::kF64;
    }
    for (size_t k = first; k < function_.operand_count_; ++k) {
      function_.decode_[k] = WidenLanes(operand(k), domain);
      if (function_.decode_[k] != nullptr) AddCost(ConversionCost(operand(k)));
    }
    return domain;
  }
  void EncodeFloatResult(ElementType domain) {
    LaneConversion conversion = NarrowLanes(domain, result());
    if (domain == ElementType::kF32 && result() == ElementType::kF64) conversion = WidenLanes(domain, result());
    Encode(conversion, false);
    if (conversion != nullptr) AddCost(ConversionCost(result()));
  }

  // Of loops from bf16 to bf16.
  static bool TakesLongerThanALookUp(Opcode opcode, LaneLoop loop) {
    const std::optional<ElementwiseInfo> info = ElementwiseInfoOf(opcode);
    if (!info || !info->is_transcendental || opcode == Opcode::kSqrt || opcode == Opcode::kRsqrt) return false;
    return loop != WideBf16Loop(opcode) || numerics::BestCpuLevel() != numerics::CpuLevel::kAvx512;
  }
  // Without conversions before and after the loop, most take less time than to look results up.
  bool IsWorthATable() const {
    if (function_.operand_count_ != 1 || !IsFloat(operand(0)) || StorageBytes(result()) > 2) return false;
    const int width = BitWidth(operand(0));
    const bool converts = function_.decode_[0] != nullptr && function_.encode_ != nullptr;
    return (width == 8 || width == 16) && (is_costly_ || converts);
  }

  static LaneConversion RealPart(ElementType type) {
    if (type == ElementType::kC64) {
      return [](const uint8_t* in, uint8_t* out, int64_t count) { EveryOther<float>(in, out, count); };
    }
    return [](const uint8_t* in, uint8_t* out, int64_t count) { EveryOther<double>(in, out, count); };
  }
  template <typename T>
  static void EveryOther(const uint8_t* in, uint8_t* out, int64_t count) {
    const T* x = reinterpret_cast<const T*>(in);
    T* y = reinterpret_cast<T*>(out);
    for (int64_t i = 0; i < count; ++i) y[i] = x[2 * i];
  }

  LaneFunction function_;
  bool is_costly_ = false;  // a loop of bf16 that takes longer than to look its results up
};

namespace {

// Width in a bitcast-convert: pred and the 6-bit floats count as a byte (1.1, 9.2).
int BitcastWidth(ElementType type) {
  const int width = BitWidth(type);
  return width == 6 || type == ElementType::kPred ? 8 : width;
}

// Opcodes of one element at a time, for operands of any types.
bool IsElementwise(Opcode opcode, absl::Span<const ElementType> operands, ElementType result) {
  if (opcode == Opcode::kInvalid || operands.empty() || operands.size() > LaneFunction::kMaxOperands) return false;
  if (static_cast<int>(operands.size()) != InfoOf(opcode).arity || !IsArrayElement(result)) return false;
  if (!std::all_of(operands.begin(), operands.end(), IsArrayElement)) return false;
  const OpFamily family = InfoOf(opcode).family;
  if (family == OpFamily::kElementwise) return true;
  if (family != OpFamily::kTypeConversion) return false;
  return opcode != Opcode::kBitcastConvert || BitcastWidth(operands[0]) == BitcastWidth(result);
}

absl::Status Undefined(Opcode opcode, absl::Span<const ElementType> operands, ElementType result) {
  const auto append_name = [](std::string* out, ElementType type) { absl::StrAppend(out, ElementTypeName(type)); };
  return absl::UnimplementedError(absl::StrCat(opcode == Opcode::kInvalid ? "instruction" : OpcodeName(opcode),
                                               " is not defined for ", absl::StrJoin(operands, ", ", append_name),
                                               " with a result of ", ElementTypeName(result)));
}

std::vector<ElementType> OperandTypes(const Module& module, InstructionId id) {
  std::vector<ElementType> types;
  for (InstructionId operand : module.operands(id)) {
    types.push_back(operand.has_value() ? module.shape(operand).element_type() : ElementType::kInvalid);
  }
  return types;
}

}  // namespace

bool LaneFunction::Handles(const Module& module, InstructionId id) {
  return IsElementwise(module.opcode(id), OperandTypes(module, id), module.shape(id).element_type());
}

absl::StatusOr<LaneFunction> LaneFunction::Create(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  const std::vector<ElementType> types = OperandTypes(module, id);
  const ElementType result = module.shape(id).element_type();
  if (!IsElementwise(opcode, types, result)) return Undefined(opcode, types, result);
  LaneFunctionBuilder builder(types, result);
  bool is_defined = false;
  switch (opcode) {
    case Opcode::kReducePrecision:
      is_defined = builder.ReducePrecision(module.IntAttribute(id, AttributeKind::kExponentBits),
                                           module.IntAttribute(id, AttributeKind::kMantissaBits));
      break;
    case Opcode::kCompare:
      is_defined = builder.Compare(
          module.WordAttribute(id, AttributeKind::kDirection, ComparisonDirection::kEq),
          module.WordAttribute(id, AttributeKind::kComparisonType, ComparisonType::kFloat) != ComparisonType::kFloat);
      break;
    default:
      return Create(opcode, types, result);
  }
  if (!is_defined) return Undefined(opcode, types, result);
  return builder.Finish();
}

struct LaneFunction::Mixed {
  std::vector<LaneFunction> conversions;  // by operand
  LaneFunction function;                  // of operands of the result's type
};

absl::StatusOr<LaneFunction> LaneFunction::CreateMixed(Opcode opcode, absl::Span<const ElementType> operands,
                                                       ElementType result) {
  std::vector<ElementType> declared;
  for (ElementType type : operands) declared.push_back(IsFloat(type) ? result : type);
  absl::StatusOr<LaneFunction> inner = Create(opcode, declared, result);
  if (!inner.ok()) return inner;
  LaneFunction function;
  function.operand_count_ = operands.size();
  std::copy(operands.begin(), operands.end(), function.operand_types_.begin());
  function.parameters_.result = result;
  function.nanoseconds_per_lane_ = inner->nanoseconds_per_lane();
  Mixed mixed{{}, *std::move(inner)};
  for (size_t k = 0; k < operands.size(); ++k) {
    mixed.conversions.push_back(Convert(operands[k], declared[k]));
    if (!mixed.conversions[k].IsIdentity()) {
      function.nanoseconds_per_lane_ += mixed.conversions[k].nanoseconds_per_lane();
    }
  }
  function.mixed_ = std::make_shared<const Mixed>(std::move(mixed));
  return function;
}

absl::StatusOr<LaneFunction> LaneFunction::Create(Opcode opcode, absl::Span<const ElementType> operands,
                                                  ElementType result) {
  if (!IsElementwise(opcode, operands, result)) return Undefined(opcode, operands, result);
  if (InfoOf(opcode).family == OpFamily::kElementwise && ConvertsOperands(operands, result)) {
    return CreateMixed(opcode, operands, result);
  }
  LaneFunctionBuilder builder(operands, result);
  bool is_defined = false;
  switch (opcode) {
    case Opcode::kConvert:
      is_defined = builder.Convert();
      break;
    case Opcode::kBitcastConvert:
      is_defined = builder.BitcastConvert();
      break;
    case Opcode::kStochasticConvert:
      is_defined = builder.StochasticConvert();
      break;
    case Opcode::kSelect:
      is_defined = builder.Select();
      break;
    case Opcode::kReducePrecision:
    case Opcode::kCompare:
      break;  // these need attributes
    default:
      is_defined = builder.Arithmetic(opcode);
      break;
  }
  if (!is_defined) return Undefined(opcode, operands, result);
  return builder.Finish();
}

LaneFunction LaneFunction::Convert(ElementType from, ElementType to) {
  LaneFunctionBuilder builder({from}, to);
  builder.Convert();
  return builder.Finish();
}

void LaneFunction::operator()(const LaneOperand* operands, uint8_t* result, int64_t count) const {
  if (count <= 0) return;
  const int64_t result_bytes = StorageBytes(parameters_.result);
  const bool all_uniform =
      std::all_of(operands, operands + operand_count_, [](const LaneOperand& o) { return o.is_uniform; });
  if (all_uniform && count > 1) {
    (*this)(operands, result, 1);
    Replicate(result, count, result_bytes);
    return;
  }
  if (mixed_ != nullptr) return RunMixed(operands, result, count);
  if (table_ != nullptr && count >= numerics::ResultTable::kLeastLanes &&
      table_->LookUp(operands[0].data, result, count))
    return;
  const bool decodes =
      std::any_of(decode_.begin(), decode_.begin() + operand_count_, [](LaneConversion d) { return d != nullptr; });
  if (loop_ == nullptr) {
    if (decodes && encode_ != nullptr) return RunBlocks(operands, result, count);
    const LaneConversion conversion = decodes ? decode_[0] : encode_;
    if (conversion != nullptr) {
      conversion(operands[0].data, result, count);
    } else if (operands[0].data != result) {
      std::memcpy(result, operands[0].data, static_cast<size_t>(count * result_bytes));
    }
    return;
  }
  if (decodes || (encode_ != nullptr && !encodes_in_place_)) return RunBlocks(operands, result, count);
  loop_(operands, result, count, parameters_);
  if (encode_ != nullptr) encode_(result, result, count);
}

bool LaneFunction::IsPlainLoop() const {
  return loop_ != nullptr && decode_ == decltype(decode_){} && encode_ == nullptr && mixed_ == nullptr;
}

RowLoop LaneFunction::LoopOfRows() const { return operand_count_ == 2 && IsPlainLoop() ? WideRowLoop(loop_) : nullptr; }

std::optional<LaneFunction> LaneFunction::ExponentialOfDifference(const LaneFunction& exponential,
                                                                  const LaneFunction& difference) {
  const ElementType type = difference.result_type();
  const LaneLoop loop = WideExponentialOfDifference(type);
  const auto is = [&](const LaneFunction& function, LaneLoop of_floats, LaneLoop of_bf16s) {
    return function.result_type() == type && function.IsPlainLoop() &&
           function.loop_ == (type == ElementType::kF32 ? of_floats : of_bf16s);
  };
  if (loop == nullptr || !is(exponential, WideFloatLoop(Opcode::kExponential), WideBf16Loop(Opcode::kExponential)) ||
      !is(difference, VectorFloatLoop(Opcode::kSubtract).loop, WideBf16Loop(Opcode::kSubtract))) {
    return std::nullopt;
  }
  LaneFunction function = difference;
  function.loop_ = loop;
  function.nanoseconds_per_lane_ = exponential.nanoseconds_per_lane_;
  return function;
}

std::optional<LaneFunction> LaneFunction::Composition(const LaneFunction& outer, const LaneFunction& inner,
                                                      bool is_right) {
  if (!outer.IsPlainLoop() || !inner.IsPlainLoop()) return std::nullopt;
  const auto opcode_of = [](const LaneFunction& function) {
    for (const Opcode opcode : {Opcode::kAdd, Opcode::kSubtract, Opcode::kMultiply}) {
      if (function.loop_ == VectorFloatLoop(opcode).loop) return opcode;
    }
    return Opcode::kInvalid;
  };
  const LaneLoop loop = WideComposition(opcode_of(outer), opcode_of(inner), is_right);
  if (loop == nullptr) return std::nullopt;
  LaneFunction function = outer;
  function.loop_ = loop;
  function.operand_count_ = 3;
  function.operand_types_ = {ElementType::kF32, ElementType::kF32, ElementType::kF32};
  function.nanoseconds_per_lane_ = std::max(outer.nanoseconds_per_lane_, inner.nanoseconds_per_lane_);
  return function;
}

void LaneFunction::RunMixed(const LaneOperand* operands, uint8_t* result, int64_t count) const {
  alignas(64) uint8_t converted[kMaxOperands][kBlockLanes * kMaxDecodedBytes];
  const int64_t result_bytes = StorageBytes(parameters_.result);
  for (int64_t first = 0; first < count; first += kBlockLanes) {
    const int64_t lanes = std::min(kBlockLanes, count - first);
    std::array<LaneOperand, kMaxOperands> block{};
    for (size_t k = 0; k < operand_count_; ++k) {
      const bool is_uniform = operands[k].is_uniform;
      block[k] = {operands[k].data + (is_uniform ? 0 : first * StorageBytes(operand_types_[k])), is_uniform};
      if (mixed_->conversions[k].IsIdentity()) continue;
      mixed_->conversions[k](&block[k], converted[k], is_uniform ? 1 : lanes);
      block[k].data = converted[k];
    }
    mixed_->function(block.data(), result + first * result_bytes, lanes);
  }
}

void LaneFunction::RunBlocks(const LaneOperand* operands, uint8_t* result, int64_t count) const {
  alignas(64) uint8_t decoded[kMaxOperands][kBlockLanes * kMaxDecodedBytes];
  alignas(64) uint8_t computed[kBlockLanes * kMaxEncodedBytes];
  std::array<LaneOperand, kMaxOperands> block;
  std::array<int64_t, kMaxOperands> element_bytes;
  for (size_t k = 0; k < operand_count_; ++k) {
    block[k] = operands[k];
    element_bytes[k] = StorageBytes(operand_types_[k]);
    if (operands[k].is_uniform && decode_[k] != nullptr) {
      decode_[k](operands[k].data, decoded[k], 1);
      block[k].data = decoded[k];
    }
  }
  const int64_t result_bytes = StorageBytes(parameters_.result);
  for (int64_t first = 0; first < count; first += kBlockLanes) {
    const int64_t lanes = std::min(kBlockLanes, count - first);
    for (size_t k = 0; k < operand_count_; ++k) {
      if (operands[k].is_uniform) continue;
      const uint8_t* stored = operands[k].data + first * element_bytes[k];
      if (decode_[k] != nullptr) {
        decode_[k](stored, decoded[k], lanes);
        block[k].data = decoded[k];
      } else {
        block[k].data = stored;
      }
    }
    uint8_t* out = result + first * result_bytes;
    if (loop_ == nullptr) {
      encode_(block[0].data, out, lanes);
    } else if (encode_ == nullptr) {
      loop_(block.data(), out, lanes, parameters_);
    } else {
      loop_(block.data(), encodes_in_place_ ? out : computed, lanes, parameters_);
      encode_(encodes_in_place_ ? out : computed, out, lanes);
    }
  }
}

}  // namespace hloscope::evaluator
