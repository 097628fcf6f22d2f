// SPDX-License-Identifier: Apache-2.0
// rng-bit-generator, rng and rng-get-and-update-state (docs/ops/elementwise.md 11).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/lane_function.h"
#include "evaluator/kernels/lanes/narrow_lanes.h"
#include "numerics/random/random_bits.h"
#include "numerics/random/random_words.h"

namespace hloscope::evaluator {
namespace {

// --- rng-bit-generator ---

absl::Status FillPhilox(KernelRuntime& runtime, uint64_t key, const RandomCounter& counter, Tensor& data) {
  return StatusOf(
      numerics::FillPhilox(runtime, key, counter, data.element_count(), data.element_bytes(), data.mutable_data()),
      runtime);
}

absl::StatusOr<Value> EvaluateRngBitGenerator(const KernelContext& context) {
  const auto algorithm =
      context.module.WordAttribute(context.id, AttributeKind::kRngAlgorithm, RandomAlgorithm::kDefault);
  const bool is_three_fry = algorithm == RandomAlgorithm::kThreeFry;
  const Shape& shape = context.shape();
  const Shape& data_shape = shape.IsTuple() && shape.tuple_size() == 2 ? shape.element(1) : shape;
  absl::StatusOr<Tensor> state = context.tensor(0).Contiguous();
  if (!state.ok()) return state.status();
  const int64_t state_size = state->element_count();
  if (state->element_type() != ElementType::kU64 || state_size < 2 || state_size > (is_three_fry ? 2 : 3) ||
      !IsInteger(data_shape.element_type())) {
    return absl::UnimplementedError(absl::StrCat("rng-bit-generator: ", data_shape.ToString(), " from a state ",
                                                 state->shape().ToString(), " is not defined for this algorithm"));
  }
  absl::StatusOr<Tensor> data = Tensor::Allocate(data_shape.element_type(), data_shape.dimensions());
  if (!data.ok()) return data.status();
  absl::StatusOr<Tensor> new_state = state->Copy();
  if (!new_state.ok()) return new_state.status();
  const uint64_t* old = state->data_as<uint64_t>();
  uint64_t* next = new_state->mutable_data_as<uint64_t>();
  const int64_t count = data->element_count();
  const bool is_wide = data->element_bytes() == 8;

  absl::Status status;
  if (is_three_fry) {
    status = StatusOf(numerics::FillThreeFry(context.runtime, old[0], old[1], data->dimensions(), data->element_bytes(),
                                             data->mutable_data()),
                      context.runtime);
    const int64_t blocks = numerics::ThreeFryBlockCount(data->dimensions(), data->element_bytes());
    next[1] = old[1] + static_cast<uint64_t>(blocks);
  } else {
    // The key word doubles as the upper half of a two-element state's counter, whose carry is dropped.
    const RandomCounter counter = {old[1], state_size == 3 ? old[2] : old[0]};
    status = FillPhilox(context.runtime, old[0], counter, *data);
    const uint64_t words = static_cast<uint64_t>(count) * (is_wide ? 2 : 1);
    const RandomCounter after = counter.Plus(words / 4 + (words % 4 != 0 ? 1 : 0));
    next[1] = after.low;
    if (state_size == 3) next[2] = after.high;
  }
  if (!status.ok()) return status;
  if (LaneConversion canonicalize = CanonicalizeLanes(data->element_type())) {
    canonicalize(data->data(), data->mutable_data(), count);
  }
  if (!shape.IsTuple()) return Value(*std::move(data));
  std::vector<Value> results;
  results.push_back(Value(*std::move(new_state)));
  results.push_back(Value(*std::move(data)));
  return Value::Tuple(std::move(results));
}

// --- rng ---

struct RandomStream {
  uint64_t key;
  RandomCounter counter;
};

// The scalar operand `k` as a T of element type `type`.
template <typename T>
T ScalarOperand(const KernelContext& context, size_t k, ElementType type) {
  const LaneFunction convert = LaneFunction::Convert(context.tensor(k).element_type(), type);
  const LaneOperand operand = {context.tensor(k).data(), true};
  T value;
  convert(&operand, reinterpret_cast<uint8_t*>(&value), 1);
  return value;
}

// Fills `out`, whose elements are `Bits` wide, from random bits of the same width.
template <typename Bits, typename T, typename Function>
absl::Status FillFromBits(const KernelContext& context, const RandomStream& stream, Tensor& out, Function function) {
  absl::Status status = FillPhilox(context.runtime, stream.key, stream.counter, out);
  if (!status.ok()) return status;
  static_assert(sizeof(Bits) == sizeof(T));
  uint8_t* bytes = out.mutable_data();
  return ParallelLoop(context.runtime, out.element_count(), 3, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Bits bits;
      std::memcpy(&bits, bytes + i * int64_t{sizeof(Bits)}, sizeof(Bits));
      const T value = function(bits);
      std::memcpy(bytes + i * int64_t{sizeof(T)}, &value, sizeof(T));
    }
  });
}

// Uniform numbers on [low, high): u (high - low) + low, each operation rounded.
template <typename T>
absl::Status FillUniform(const KernelContext& context, const RandomStream& stream, T low, T high, Tensor& out) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  constexpr int kMantissaBits = std::numeric_limits<T>::digits - 1;
  constexpr int kUnusedBits = static_cast<int>(sizeof(T)) * 8 - kMantissaBits;
  const T unit = std::ldexp(T(1), -kMantissaBits);
  const T range = high - low;
  return FillFromBits<Bits, T>(context, stream, out, [=](Bits bits) {
    const T u = static_cast<T>(bits >> kUnusedBits) * unit;
    const T scaled = u * range;
    return scaled + low;
  });
}

// Integers low ... high - 1 of 32 or 64 bits.
template <typename T>
absl::Status FillUniformIntegers(const KernelContext& context, const RandomStream& stream, ElementType domain,
                                 Tensor& out) {
  using Bits = std::make_unsigned_t<T>;
  const T low = ScalarOperand<T>(context, 0, domain), high = ScalarOperand<T>(context, 1, domain);
  if (low >= high) return absl::InvalidArgumentError(absl::StrCat("rng: empty range [", low, ",", high, ")"));
  const Bits range = static_cast<Bits>(high) - static_cast<Bits>(low);
  return FillFromBits<Bits, T>(context, stream, out, [low, range](Bits bits) {
    const Bits distance = bits % range;
    return static_cast<T>(static_cast<Bits>(low) + (distance >> 1) + (distance - (distance >> 1)));
  });
}

// Box-Muller on pairs of uniform numbers that are neighbours along the split dimension (11.2, step 7).
template <typename T>
absl::Status FillNormal(const KernelContext& context, const RandomStream& stream, ElementType domain, Tensor& out) {
  const T mean = ScalarOperand<T>(context, 0, domain), deviation = ScalarOperand<T>(context, 1, domain);
  const numerics::RandomSplit split = numerics::SplitOf(out.dimensions());
  absl::StatusOr<Tensor> uniform = Tensor::Allocate(domain, {split.outer, split.half(), 2, split.inner});
  if (!uniform.ok()) return uniform.status();
  if (absl::Status status = FillUniform<T>(context, stream, 0, 1, *uniform); !status.ok()) return status;
  const T* u = uniform->data_as<T>();
  T* z = out.mutable_data_as<T>();
  const int64_t rows = out.element_count() == 0 ? 0 : split.outer * split.half();
  const double row_nanoseconds = 60 * static_cast<double>(split.inner);
  return ParallelLoop(context.runtime, rows, row_nanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t outer = row / split.half(), h = row % split.half();
      const T* p = u + row * 2 * split.inner;
      const T* q = p + split.inner;
      T* first = z + (outer * split.size + 2 * h) * split.inner;
      const bool has_second = 2 * h + 1 < split.size;
      for (int64_t i = 0; i < split.inner; ++i) {
        const T radius = std::sqrt(T(-2) * std::log(std::max(p[i], T(1e-7))));
        const T angle = T(2) * std::numbers::pi_v<T> * q[i];
        first[i] = mean + deviation * (std::sin(angle) * radius);
        if (has_second) first[split.inner + i] = mean + deviation * (std::cos(angle) * radius);
      }
    }
  });
}

absl::Status FillRandom(const KernelContext& context, const RandomStream& stream, bool is_normal, ElementType domain,
                        Tensor& out) {
  switch (domain) {
    case ElementType::kF32:
      if (is_normal) return FillNormal<float>(context, stream, domain, out);
      return FillUniform<float>(context, stream, ScalarOperand<float>(context, 0, domain),
                                ScalarOperand<float>(context, 1, domain), out);
    case ElementType::kF64:
      if (is_normal) return FillNormal<double>(context, stream, domain, out);
      return FillUniform<double>(context, stream, ScalarOperand<double>(context, 0, domain),
                                 ScalarOperand<double>(context, 1, domain), out);
    case ElementType::kS32:
      return FillUniformIntegers<int32_t>(context, stream, domain, out);
    case ElementType::kU32:
      return FillUniformIntegers<uint32_t>(context, stream, domain, out);
    case ElementType::kS64:
      return FillUniformIntegers<int64_t>(context, stream, domain, out);
    default:
      return FillUniformIntegers<uint64_t>(context, stream, domain, out);
  }
}

// The type in which random numbers of `type` are drawn: 32 bits for everything narrower.
ElementType RandomDomain(ElementType type) {
  const bool is_wide = StorageBytes(type) == 8;
  if (IsFloat(type)) return is_wide ? ElementType::kF64 : ElementType::kF32;
  if (IsSigned(type)) return is_wide ? ElementType::kS64 : ElementType::kS32;
  return is_wide ? ElementType::kU64 : ElementType::kU32;
}

absl::StatusOr<Value> EvaluateRng(const KernelContext& context) {
  const Shape& shape = context.shape();
  const ElementType type = shape.element_type();
  const bool is_normal = context.module.WordAttribute(context.id, AttributeKind::kDistribution,
                                                      RandomDistribution::kInvalid) == RandomDistribution::kNormal;
  if (IsComplex(type) || (is_normal && !IsFloat(type)) || context.operands.size() != 2) {
    return absl::UnimplementedError(absl::StrCat("rng: this distribution is not defined for ", shape.ToString()));
  }
  const ElementType domain = RandomDomain(type);
  absl::StatusOr<Tensor> numbers = Tensor::Allocate(domain, shape.dimensions());
  if (!numbers.ok()) return numbers.status();

  const uint64_t op_seed = context.runtime.NumberStream(context.module, context.id);
  const uint64_t key = context.runtime.random_seed() ^ op_seed ^ static_cast<uint64_t>(context.runtime.replica_id()) ^
                       (static_cast<uint64_t>(context.runtime.partition_id()) << 32);
  const uint64_t words = static_cast<uint64_t>(numbers->element_count()) * (numbers->element_bytes() == 8 ? 2 : 1);
  const RandomStream stream = {key, context.runtime.AdvanceRandomCounter(context.id, words)};
  if (absl::Status status = FillRandom(context, stream, is_normal, domain, *numbers); !status.ok()) return status;

  if (domain == type) return Value(*std::move(numbers));
  absl::StatusOr<Tensor> result = Tensor::Allocate(type, shape.dimensions());
  if (!result.ok()) return result.status();
  // pred is drawn as u32 and wraps to its bit; everything else converts.
  const LaneFunction convert = LaneFunction::Convert(domain, type == ElementType::kPred ? ElementType::kU1 : type);
  const LaneOperand operand = {numbers->data(), false};
  convert(&operand, result->mutable_data(), numbers->element_count());
  return Value(*std::move(result));
}

// --- rng-get-and-update-state ---

absl::StatusOr<Value> EvaluateRngGetAndUpdateState(const KernelContext& context) {
  const int64_t delta = context.module.IntAttribute(context.id, AttributeKind::kDelta);
  const RandomCounter counter = context.runtime.AdvanceRandomCounter(context.id, static_cast<uint64_t>(delta));
  const uint64_t words[] = {counter.low, counter.high};
  absl::StatusOr<Tensor> result = Tensor::FromValues<uint64_t>(ElementType::kU64, {2}, words);
  if (!result.ok()) return result.status();
  return Value(*std::move(result));
}

}  // namespace

absl::StatusOr<Value> EvaluateRandom(const KernelContext& context) {
  switch (context.opcode()) {
    case Opcode::kRngBitGenerator:
      return EvaluateRngBitGenerator(context);
    case Opcode::kRng:
      return EvaluateRng(context);
    case Opcode::kRngGetAndUpdateState:
      return EvaluateRngGetAndUpdateState(context);
    default:
      return absl::UnimplementedError(
          absl::StrCat(OpcodeName(context.opcode()), " is not an opcode of the random family"));
  }
}

}  // namespace hloscope::evaluator
