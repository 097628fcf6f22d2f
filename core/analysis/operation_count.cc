// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/operation_count.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/ir/checked_math.h"
#include "core/ops/custom_call.h"

namespace hloscope {
namespace {

int64_t Elements(const Shape& shape) { return shape.IsArray() ? std::max<int64_t>(shape.ElementCount(), 0) : 0; }

const Shape& FirstArray(const Shape& shape) {
  return shape.IsTuple() && shape.tuple_size() > 0 ? shape.element(0) : shape;
}

int64_t Log2(int64_t n) {  // rounded up; 0 for n <= 1
  int64_t log = 0;
  while (log < 62 && (int64_t{1} << log) < n) ++log;
  return log;
}

int64_t SizeAt(const Shape& shape, int64_t d) {
  if (!shape.IsArray() || d < 0 || d >= shape.rank()) return 1;
  return std::max<int64_t>(shape.dimension(d), 0);
}

int64_t WindowElements(const Window* window) {
  int64_t elements = 1;
  if (window == nullptr) return elements;
  for (const WindowDimension& d : window->dimensions)
    elements = SaturatingProduct(elements, std::max<int64_t>(d.size, 0));
  return elements;
}

// The number y in [0, modulus) with a * y = 1 (mod modulus); a and modulus have no common divisor.
int64_t InverseOf(int64_t a, int64_t modulus) {
  int64_t rest = a % modulus, other = modulus, y = 1, before = 0;
  while (other != 0) {
    const int64_t quotient = rest / other;
    rest = std::exchange(other, rest - quotient * other);
    y = std::exchange(before, y - quotient * before);
  }
  return ((y % modulus) + modulus) % modulus;
}

// Pairs (output position, kernel position) of one spatial dimension that meet an element of the input.
int64_t MeetingPairs(int64_t input, int64_t output, const WindowDimension& w) {
  constexpr int64_t kMaxKernel = 1 << 16, kMaxStep = 1 << 30;
  if (input < 1 || w.size > kMaxKernel || w.stride < 1 || w.stride > kMaxStep || w.base_dilation < 1 ||
      w.base_dilation > kMaxStep) {
    return SaturatingProduct(output, std::max<int64_t>(w.size, 0));
  }
  // Elements lie at multiples of the base dilation: one in `period` outputs of a kernel position can meet one.
  const int64_t divisor = std::gcd(w.stride, w.base_dilation), period = w.base_dilation / divisor;
  const int64_t inverse = InverseOf(w.stride / divisor, period);
  const CheckedInt64 end = (CheckedInt64(input) - 1) * w.base_dilation;
  int64_t pairs = 0;
  for (int64_t k = 0; k < w.size; ++k) {
    // Output y meets what lies at y * stride + offset, in [0, end].
    const CheckedInt64 offset = CheckedInt64(k) * w.window_dilation - w.padding_low;
    const CheckedInt64 room = end - offset;
    if (!offset.ok() || !room.ok() || room.value() < 0 || offset.value() % divisor != 0) continue;
    const int64_t first = offset.value() >= 0 ? 0 : CeilDiv(-offset.value(), w.stride);
    const int64_t last = std::min(room.value() / w.stride, output - 1);
    if (last < first) continue;
    const int64_t rest = (period - (offset.value() / divisor) % period) % period;  // what y * stride must leave
    const int64_t meets = rest * inverse % period;
    const int64_t skipped = ((meets - first) % period + period) % period;
    if (last - first >= skipped) pairs += (last - first - skipped) / period + 1;
  }
  return pairs;
}

// Of a convolution of `lhs` to `result` with the window and labels of the instruction.
int64_t ConvolutionFlops(const Module& module, InstructionId id, const Shape& lhs, const Shape& result) {
  const ConvolutionDimensionNumbers* labels = module.DimLabelsAttribute(id);
  const Window* window = module.WindowAttribute(id);
  if (labels == nullptr || !lhs.IsArray() || !result.IsArray()) return 0;
  const int64_t groups = std::max<int64_t>(module.IntAttribute(id, AttributeKind::kFeatureGroupCount, 1), 1);
  int64_t flops = SaturatingProduct(2, SizeAt(lhs, labels->input_feature) / groups);
  flops = SaturatingProduct(flops, SizeAt(result, labels->output_batch));
  flops = SaturatingProduct(flops, SizeAt(result, labels->output_feature));
  const size_t spatial =
      window == nullptr
          ? 0
          : std::min({window->dimensions.size(), labels->input_spatial.size(), labels->output_spatial.size()});
  for (size_t j = 0; j < spatial; ++j) {
    flops = SaturatingProduct(flops, MeetingPairs(SizeAt(lhs, labels->input_spatial[j]),
                                                  SizeAt(result, labels->output_spatial[j]), window->dimensions[j]));
  }
  return flops;
}

// Calls of libraries say what they compute by their attributes: convolutions by window and labels, where the gradients
// have the roles of operands and result changed, products by the dimensions in their configuration.
int64_t LibraryFlops(const Module& module, InstructionId id) {
  const absl::Span<const InstructionId> operands = module.operands(id);
  const absl::string_view target = module.StringAttribute(id, AttributeKind::kCustomCallTarget);
  if (operands.size() < 2 || !absl::StartsWith(target, "__")) return 0;
  const Shape &first = module.shape(operands[0]), &second = module.shape(operands[1]);
  const Shape& result = FirstArray(module.shape(id));
  if (module.DimLabelsAttribute(id) != nullptr) {
    if (absl::StrContains(target, "BackwardInput")) return ConvolutionFlops(module, id, result, first);
    if (absl::StrContains(target, "BackwardFilter")) return ConvolutionFlops(module, id, first, second);
    return ConvolutionFlops(module, id, first, result);
  }
  if (!absl::StrContains(target, "gemm") && !absl::StrContains(target, "matmul")) return 0;
  const RawValue* config = module.RawAttribute(id, AttributeKind::kBackendConfig);
  constexpr absl::string_view kKey = "\"lhs_contracting_dimensions\":[";
  // JSON, or JSON in a string.
  const std::string text = config == nullptr ? "" : absl::StrReplaceAll(config->text, {{"\\\"", "\""}});
  const size_t at = absl::string_view(text).find(kKey);
  if (at == absl::string_view::npos || !first.IsArray()) return 0;
  absl::string_view list = absl::string_view(text).substr(at + kKey.size());
  list = list.substr(0, list.find(']'));
  int64_t flops = SaturatingProduct(2, Elements(result));
  for (absl::string_view part : absl::StrSplit(list, ',', absl::SkipEmpty())) {
    int64_t dimension = -1;
    if (!absl::SimpleAtoi(absl::StripPrefix(absl::StripSuffix(part, "\""), "\""), &dimension)) return 0;
    flops = SaturatingProduct(flops, SizeAt(first, dimension));
  }
  return flops;
}

int64_t FftFlops(const Module& module, InstructionId id) {
  const absl::Span<const int64_t> lengths = module.IntsAttribute(id, AttributeKind::kFftLength);
  int64_t transform = 1;
  for (int64_t length : lengths) transform = SaturatingProduct(transform, std::max<int64_t>(length, 0));
  if (transform == 0) return 0;
  // Real transforms store about half of their complex side.
  const Shape &operand = module.shape(module.operand(id, 0)), &result = module.shape(id);
  const bool is_real = !operand.IsArray() || !result.IsArray() || !IsComplex(operand.element_type()) ||
                       !IsComplex(result.element_type());
  const int64_t elements = is_real && !IsComplex(operand.element_type()) ? Elements(operand) : Elements(result);
  const int64_t count = elements / transform;
  const int64_t one = SaturatingProduct(SaturatingProduct(5, transform), Log2(transform));
  return SaturatingProduct(count, is_real ? one / 2 : one);
}

// One function for each rule of opcodes.def.
class OperationCount {
 public:
  OperationCount(const Module& module, InstructionId id, absl::FunctionRef<int64_t(AttributeKind)> applied)
      : module_(module), id_(id), result_(module.shape(id)), operands_(module.operands(id)), applied_(applied) {}

  int64_t Count() const {
    switch (module_.opcode(id_)) {
#define HLO_ANALYSIS(Name, operations, traffic, links, buffers) \
  case Opcode::k##Name:                                         \
    return operations();
#include "core/analysis/opcodes.def"
      case Opcode::kInvalid:
        break;
    }
    return 0;
  }

 private:
  const Shape& operand_shape(size_t k) const { return module_.shape(operands_[k]); }
  // Of the first operand; 0 if there is none.
  int64_t FirstElements() const { return operands_.empty() ? 0 : Elements(operand_shape(0)); }
  int64_t Applications(int64_t n, AttributeKind attribute) const {
    return operands_.empty() ? 0 : SaturatingProduct(std::max<int64_t>(n, 0), applied_(attribute));
  }
  // Beyond the first element of the window.
  int64_t WindowSteps() const { return std::max<int64_t>(WindowElements(module_.WindowAttribute(id_)) - 1, 0); }

  int64_t None() const { return 0; }
  int64_t PerElement() const { return ArrayElements(result_); }
  int64_t Convolution() const {
    return operands_.size() < 2 ? 0 : ConvolutionFlops(module_, id_, operand_shape(0), result_);
  }
  int64_t Library() const { return LibraryFlops(module_, id_); }
  int64_t Dot() const {
    if (operands_.empty()) return 0;
    int64_t flops = SaturatingProduct(2, Elements(result_));
    for (int64_t d : module_.IntsAttribute(id_, AttributeKind::kLhsContractingDims)) {
      flops = SaturatingProduct(flops, SizeAt(operand_shape(0), d));
    }
    return flops;
  }
  int64_t Reduce() const {
    return Applications(FirstElements() - Elements(FirstArray(result_)), AttributeKind::kToApply);
  }
  int64_t Combine() const {
    int64_t elements = 0;
    for (size_t k = 0; k < operands_.size(); ++k) elements = SaturatingSum(elements, Elements(operand_shape(k)));
    return Applications(elements, AttributeKind::kToApply);
  }
  int64_t ReduceWindow() const {
    return Applications(SaturatingProduct(Elements(FirstArray(result_)), WindowSteps()), AttributeKind::kToApply);
  }
  int64_t SelectAndScatter() const {
    const int64_t source = operands_.size() > 1 ? Elements(operand_shape(1)) : 0;
    return SaturatingSum(Applications(SaturatingProduct(source, WindowSteps()), AttributeKind::kSelect),
                         Applications(source, AttributeKind::kScatter));
  }
  int64_t Scatter() const {
    return operands_.empty() ? 0 : Applications(Elements(operand_shape(operands_.size() - 1)), AttributeKind::kToApply);
  }
  int64_t Apply() const { return Applications(FirstElements(), AttributeKind::kToApply); }
  int64_t Sort() const {
    if (operands_.empty()) return 0;
    const absl::Span<const int64_t> dimensions = module_.IntsAttribute(id_, AttributeKind::kDimensions);
    const int64_t line = dimensions.empty() ? 1 : SizeAt(operand_shape(0), dimensions[0]);
    return Applications(SaturatingProduct(FirstElements(), Log2(line)), AttributeKind::kToApply);
  }
  int64_t Topk() const {
    if (operands_.empty()) return 0;
    return SaturatingProduct(FirstElements(), Log2(SizeAt(operand_shape(0), operand_shape(0).rank() - 1)));
  }
  int64_t Fft() const { return operands_.empty() ? 0 : FftFlops(module_, id_); }
  int64_t Cholesky() const {
    if (operands_.empty()) return 0;
    return SaturatingProduct(Elements(result_), SizeAt(result_, result_.rank() - 1)) / 3;
  }
  int64_t TriangularSolve() const {
    if (operands_.empty()) return 0;
    return SaturatingProduct(Elements(result_), SizeAt(operand_shape(0), operand_shape(0).rank() - 1));
  }
  int64_t BatchNormInference() const { return SaturatingProduct(4, FirstElements()); }
  int64_t BatchNormTraining() const { return SaturatingProduct(7, FirstElements()); }
  int64_t BatchNormGrad() const { return SaturatingProduct(11, FirstElements()); }

  const Module& module_;
  const InstructionId id_;
  const Shape& result_;
  const absl::Span<const InstructionId> operands_;
  const absl::FunctionRef<int64_t(AttributeKind)> applied_;
};

}  // namespace

int64_t ArrayElements(const Shape& shape) {
  int64_t sum = Elements(shape);
  for (const Shape& element : shape.elements()) sum = SaturatingSum(sum, Elements(element));
  return sum;
}

int64_t CountOperations(const Module& module, InstructionId id, absl::FunctionRef<int64_t(AttributeKind)> applied) {
  return OperationCount(module, id, applied).Count();
}

}  // namespace hloscope
