#include "core/analysis/cost.h"

#include <algorithm>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/analysis/memory.h"
#include "core/ir/checked_math.h"
#include "core/ir/elementwise_table.h"
#include "core/layout/byte_size.h"
#include "core/layout/relayout.h"
#include "core/ops/custom_call.h"

namespace hloscope {
namespace {

// Enough to decide evenly tiled layouts, and small ones.
constexpr int64_t kMaxRelayoutComparisons = 4096;

int64_t Elements(const Shape& shape) { return shape.IsArray() ? std::max<int64_t>(shape.ElementCount(), 0) : 0; }

// Elements of an array or of all arrays of a tuple.
int64_t AllElements(const Shape& shape) {
  int64_t sum = Elements(shape);
  for (const Shape& element : shape.elements()) sum = SaturatingSum(sum, Elements(element));
  return sum;
}
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

// Pairs (output position, kernel position) of one spatial dimension that meet an element of the input.
int64_t MeetingPairs(int64_t input, int64_t output, const WindowDimension& w) {
  constexpr int64_t kMaxKernel = 1 << 16;
  if (w.size > kMaxKernel || w.stride < 1 || w.base_dilation < 1 || w.base_dilation > 1) {
    return SaturatingProduct(output, std::max<int64_t>(w.size, 0));
  }
  int64_t pairs = 0;
  for (int64_t k = 0; k < w.size; ++k) {
    // Output y meets the input at y * stride + offset, which must lie in [0, input).
    const CheckedInt64 offset = CheckedInt64(k) * w.window_dilation - w.padding_low;
    const CheckedInt64 room = CheckedInt64(input) - 1 - offset;
    if (!offset.ok() || !room.ok() || room.value() < 0) continue;
    const int64_t first = offset.value() >= 0 ? 0 : CeilDiv(-offset.value(), w.stride);
    const int64_t last = std::min(room.value() / w.stride, output - 1);
    pairs += std::max<int64_t>(last - first + 1, 0);
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

// Moves or shares nothing but handles.
bool IsFree(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kBitcast:
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
    case Opcode::kAddDependency:
    case Opcode::kAfterAll:
    case Opcode::kAllGatherDone:
    case Opcode::kAllReduceDone:
    case Opcode::kAsyncDone:
    case Opcode::kAsyncUpdate:
    case Opcode::kCollectivePermuteDone:
    case Opcode::kCopyDone:
    case Opcode::kRecvDone:
    case Opcode::kSendDone:
    case Opcode::kGetDimensionSize:
    case Opcode::kInvalid:
      return true;
    default:
      return IsIdentityCustomCall(module, id);
  }
}

bool KeepsAddresses(const Module& module, InstructionId id) {
  const Opcode opcode = module.opcode(id);
  if (opcode != Opcode::kReshape && opcode != Opcode::kTranspose && opcode != Opcode::kCopy) return false;
  const absl::StatusOr<PhysicalLayout> from = PhysicalLayout::Of(module.shape(module.operand(id, 0)));
  const absl::StatusOr<PhysicalLayout> to = PhysicalLayout::Of(module.shape(id));
  if (!from.ok() || !to.ok()) return false;
  if (opcode == Opcode::kReshape) return IsFreeReshape(*from, *to, kMaxRelayoutComparisons);
  // A copy is wanted as such even where no address changes.
  if (opcode == Opcode::kCopy) return false;
  const absl::Span<const int64_t> permutation = module.IntsAttribute(id, AttributeKind::kDimensions);
  if (!IsPermutation(permutation, from->shape().rank()) || to->shape().rank() != from->shape().rank()) return false;
  return IsFreeTranspose(*from, *to, permutation, kMaxRelayoutComparisons);
}

}  // namespace

int64_t Cost::bytes() const { return SaturatingSum(bytes_read, bytes_written); }

Cost& Cost::operator+=(const Cost& other) {
  flops = SaturatingSum(flops, other.flops);
  transcendentals = SaturatingSum(transcendentals, other.transcendentals);
  bytes_read = SaturatingSum(bytes_read, other.bytes_read);
  bytes_written = SaturatingSum(bytes_written, other.bytes_written);
  return *this;
}

Cost Cost::Times(int64_t n) const {
  return {SaturatingProduct(flops, n), SaturatingProduct(transcendentals, n), SaturatingProduct(bytes_read, n),
          SaturatingProduct(bytes_written, n)};
}

bool IsTranscendental(Opcode opcode) {
  const std::optional<ElementwiseInfo> info = ElementwiseInfoOf(opcode);
  return info && info->is_transcendental;
}

CostAnalysis::CostAnalysis(const Module& module, const CallGraph& calls) : module_(module) {
  shape_bytes_.reserve(module.shape_count());
  for (size_t s = 0; s < module.shape_count(); ++s) shape_bytes_.push_back(PhysicalBytes(module.shape(ShapeId(s))));
  instructions_.resize(module.instruction_count());
  computations_.resize(module.computations().size());
  for (ComputationId computation : calls.callees_first()) {
    for (InstructionId id : module.computation(computation).instructions) {
      instructions_[id.index()] = OwnCost(id);
      computations_[computation.index()] += instructions_[id.index()];
    }
  }
  runs_.assign(module.computations().size(), 0);
  if (module.entry().has_value()) runs_[module.entry().index()] = 1;
  for (size_t c = calls.callees_first().size(); c-- > 0;) {
    const ComputationId caller = calls.callees_first()[c];
    if (runs_[caller.index()] == 0) continue;
    for (const CallGraph::Call& call : calls.calls(caller)) {
      const Opcode opcode = module.opcode(call.caller);
      if (!RunsAsFrame(opcode)) continue;
      int64_t times = 1;
      if (opcode == Opcode::kWhile) {
        const std::optional<int64_t> trips = TripCount(module, call.caller);
        times = trips.value_or(1);
        if (!trips && call.attribute == AttributeKind::kBody) ++unknown_trip_counts_;
        if (call.attribute == AttributeKind::kCondition) times = SaturatingSum(times, 1);  // that says that it ends
      }
      int64_t& runs = runs_[call.callee.index()];
      runs = SaturatingSum(runs, SaturatingProduct(runs_[caller.index()], times));
    }
  }
}

std::optional<Cost> CostAnalysis::OfOne(const Module& module, InstructionId id, size_t limit) {
  CostAnalysis analysis(module);
  // Callees are mentioned after their callers, each time again; summed at their last mention, from the end.
  std::vector<ComputationId> found;
  absl::flat_hash_map<ComputationId, size_t> last_mention;
  size_t instructions = 0;
  const auto add_callees = [&](InstructionId caller) {
    module.ForEachCalledComputation(caller, [&](AttributeKind, ComputationId callee) {
      if (!callee.has_value()) return;
      last_mention[callee] = found.size();
      found.push_back(callee);
    });
  };
  add_callees(id);
  for (size_t i = 0; i < found.size(); ++i) {
    const std::vector<InstructionId>& body = module.computation(found[i]).instructions;
    instructions += body.size();
    if (instructions > limit || found.size() > limit) return std::nullopt;
    for (InstructionId inner : body) add_callees(inner);
  }
  for (size_t i = found.size(); i-- > 0;) {
    if (last_mention[found[i]] != i) continue;
    for (InstructionId inner : module.computation(found[i]).instructions)
      analysis.computations_[found[i].index()] += analysis.OwnCost(inner);
  }
  return analysis.OwnCost(id);
}

int64_t CostAnalysis::ShapeBytes(ShapeId id) const {
  return shape_bytes_.empty() ? PhysicalBytes(module_.shape(id)) : shape_bytes_[id.index()];
}

int64_t CostAnalysis::BytesOf(InstructionId id) const { return ShapeBytes(module_.instruction(id).shape); }

int64_t CostAnalysis::Applied(InstructionId id, AttributeKind attribute) const {
  const ComputationId callee = module_.ComputationAttribute(id, attribute);
  return callee.has_value() ? std::max<int64_t>(computations_[callee.index()].flops, 1) : 1;
}

int64_t CostAnalysis::Flops(InstructionId id) const {
  const Shape& result = module_.shape(id);
  const absl::Span<const InstructionId> operands = module_.operands(id);
  const auto operand_shape = [&](size_t k) -> const Shape& { return module_.shape(operands[k]); };
  const auto applications = [&](int64_t n, AttributeKind attribute) {
    return SaturatingProduct(std::max<int64_t>(n, 0), Applied(id, attribute));
  };
  const Opcode opcode = module_.opcode(id);
  switch (InfoOf(opcode).family) {
    case OpFamily::kElementwise:
    case OpFamily::kRandom:
      return AllElements(result);
    case OpFamily::kTypeConversion:
      return opcode == Opcode::kBitcastConvert ? 0 : Elements(result);
    case OpFamily::kConvolution:
      return operands.size() < 2 ? 0 : ConvolutionFlops(module_, id, operand_shape(0), result);
    case OpFamily::kCustomCall:
      return LibraryFlops(module_, id);
    default:
      break;
  }
  if (operands.empty()) return opcode == Opcode::kIota ? Elements(result) : 0;
  const int64_t first = Elements(operand_shape(0));
  switch (opcode) {
    case Opcode::kDot:
    case Opcode::kScaledDot:
    case Opcode::kRaggedDot: {
      int64_t flops = SaturatingProduct(2, Elements(result));
      for (int64_t d : module_.IntsAttribute(id, AttributeKind::kLhsContractingDims)) {
        flops = SaturatingProduct(flops, SizeAt(operand_shape(0), d));
      }
      return flops;
    }
    case Opcode::kReduce:
      return applications(first - Elements(FirstArray(result)), AttributeKind::kToApply);
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kReduceScatter: {
      int64_t elements = 0;
      for (size_t k = 0; k < operands.size(); ++k) elements = SaturatingSum(elements, Elements(operand_shape(k)));
      return applications(elements, AttributeKind::kToApply);
    }
    case Opcode::kReduceWindow:
      return applications(SaturatingProduct(Elements(FirstArray(result)),
                                            std::max<int64_t>(WindowElements(module_.WindowAttribute(id)) - 1, 0)),
                          AttributeKind::kToApply);
    case Opcode::kSelectAndScatter: {
      const int64_t source = operands.size() > 1 ? Elements(operand_shape(1)) : 0;
      const int64_t selects =
          SaturatingProduct(source, std::max<int64_t>(WindowElements(module_.WindowAttribute(id)) - 1, 0));
      return SaturatingSum(applications(selects, AttributeKind::kSelect),
                           applications(source, AttributeKind::kScatter));
    }
    case Opcode::kScatter:
      return applications(Elements(operand_shape(operands.size() - 1)), AttributeKind::kToApply);
    case Opcode::kMap:
    case Opcode::kScan:
      return applications(first, AttributeKind::kToApply);
    case Opcode::kSort: {
      const absl::Span<const int64_t> dimensions = module_.IntsAttribute(id, AttributeKind::kDimensions);
      const int64_t line = dimensions.empty() ? 1 : SizeAt(operand_shape(0), dimensions[0]);
      return applications(SaturatingProduct(first, Log2(line)), AttributeKind::kToApply);
    }
    case Opcode::kTopk:
      return SaturatingProduct(first, Log2(SizeAt(operand_shape(0), operand_shape(0).rank() - 1)));
    case Opcode::kFft:
      return FftFlops(module_, id);
    case Opcode::kCholesky: {
      const int64_t k = SizeAt(result, result.rank() - 1);
      return SaturatingProduct(Elements(result), k) / 3;
    }
    case Opcode::kTriangularSolve:
      return SaturatingProduct(Elements(result), SizeAt(operand_shape(0), operand_shape(0).rank() - 1));
    case Opcode::kBatchNormInference:
      return SaturatingProduct(4, first);
    case Opcode::kBatchNormTraining:
      return SaturatingProduct(7, first);
    case Opcode::kBatchNormGrad:
      return SaturatingProduct(11, first);
    default:
      return 0;
  }
}

Cost CostAnalysis::Traffic(InstructionId id) const {
  Cost cost;
  if (IsFree(module_, id)) return cost;
  const absl::Span<const InstructionId> operands = module_.operands(id);
  const int64_t result = BytesOf(id);
  cost.bytes_written = result;
  switch (module_.opcode(id)) {
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kCopy:
      if (operands.empty() || KeepsAddresses(module_, id)) return {};
      break;
    case Opcode::kSlice:
      cost.bytes_read = result;
      return cost;
    case Opcode::kDynamicSlice:
    case Opcode::kGather:
      cost.bytes_read = result;
      for (size_t k = 1; k < operands.size(); ++k)
        cost.bytes_read = SaturatingSum(cost.bytes_read, BytesOf(operands[k]));
      return cost;
    case Opcode::kDynamicUpdateSlice:
      cost.bytes_written = operands.size() > 1 ? BytesOf(operands[1]) : 0;
      for (size_t k = 1; k < operands.size(); ++k)
        cost.bytes_read = SaturatingSum(cost.bytes_read, BytesOf(operands[k]));
      return cost;
    case Opcode::kScatter: {
      // Operands, indices, updates: the updates are read, and what they meet is read and written.
      const size_t n = operands.size() / 2;
      cost.bytes_written = 0;
      for (size_t k = n; k < operands.size(); ++k)
        cost.bytes_read = SaturatingSum(cost.bytes_read, BytesOf(operands[k]));
      for (size_t k = n + 1; k < operands.size(); ++k) {
        cost.bytes_read = SaturatingSum(cost.bytes_read, BytesOf(operands[k]));
        cost.bytes_written = SaturatingSum(cost.bytes_written, BytesOf(operands[k]));
      }
      return cost;
    }
    case Opcode::kSetDimensionSize:
      return {};
    default:
      break;
  }
  // What is an operand twice is read once.
  constexpr size_t kFew = 16;
  absl::flat_hash_set<InstructionId> read;
  for (size_t k = 0; k < operands.size(); ++k) {
    const bool is_first = operands.size() <= kFew
                              ? std::find(operands.begin(), operands.begin() + k, operands[k]) == operands.begin() + k
                              : read.insert(operands[k]).second;
    if (is_first && operands[k].has_value()) cost.bytes_read = SaturatingSum(cost.bytes_read, BytesOf(operands[k]));
  }
  return cost;
}

Cost CostAnalysis::OwnCost(InstructionId id) const {
  const Opcode opcode = module_.opcode(id);
  const auto called = [&](AttributeKind attribute) {
    const ComputationId callee = module_.ComputationAttribute(id, attribute);
    return callee.has_value() ? computations_[callee.index()] : Cost();
  };
  for (InstructionId operand : module_.operands(id)) {
    if (!operand.has_value()) return {};
  }
  switch (opcode) {
    case Opcode::kCall:
      return called(AttributeKind::kToApply);
    case Opcode::kAsyncStart:
      return called(AttributeKind::kCalls);
    case Opcode::kFusion: {
      Cost cost = called(AttributeKind::kCalls);
      const Cost traffic = Traffic(id);
      cost.bytes_read = traffic.bytes_read;
      cost.bytes_written = traffic.bytes_written;
      return cost;
    }
    case Opcode::kWhile: {
      const int64_t trips = TripCount(module_, id).value_or(1);
      Cost cost = called(AttributeKind::kBody).Times(trips);
      cost += called(AttributeKind::kCondition).Times(SaturatingSum(trips, 1));
      return cost;
    }
    case Opcode::kConditional: {
      Cost most;
      module_.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
        if (!callee.has_value()) return;
        const Cost& cost = computations_[callee.index()];
        if (std::make_pair(cost.flops, cost.bytes()) > std::make_pair(most.flops, most.bytes())) most = cost;
      });
      return most;
    }
    default:
      break;
  }
  Cost cost = Traffic(id);
  cost.flops = Flops(id);
  if (IsTranscendental(opcode)) cost.transcendentals = Elements(module_.shape(id));
  return cost;
}

}  // namespace hloscope
