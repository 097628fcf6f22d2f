// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/plausible_fills.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "core/analysis/users.h"
#include "core/ir/checked_math.h"

namespace hloscope::evaluator {
namespace {

// How many uses of a value are followed.
constexpr size_t kMaxPlaces = 400;

// An instruction whose value, or an element of it, holds the elements that are followed.
struct Place {
  InstructionId id;
  int64_t element = -1;    // of a tuple; -1: the instruction is an array
  bool is_scaled = false;  // a sum or product with scalars came between
  friend bool operator==(const Place&, const Place&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Place& place) {
    return H::combine(std::move(h), place.id, place.element, place.is_scaled);
  }
};

class UseReader {
 public:
  UseReader(const Module& module, const UserIndex& users) : module_(module), users_(users) {}

  std::optional<FillRule> RuleOf(InstructionId source) {
    const bool is_float = IsFloat(module_.shape(source).element_type());
    places_.clear();
    seen_.clear();
    positive_ = false;
    bound_ = std::numeric_limits<int64_t>::max();
    products_ = 0;
    Add({source, -1, false});
    while (!places_.empty() && seen_.size() < kMaxPlaces && !positive_ && looks_left_ > 0) {
      const Place place = places_.front();
      places_.pop_front();
      for (InstructionId user : users_.users(place.id)) {
        looks_left_ -= std::min(looks_left_, module_.operands(user).size());
        if (looks_left_ == 0) break;
        for (size_t k = 0; k < module_.operands(user).size(); ++k) {
          if (module_.operand(user, k) == place.id) ReadUse(place, user, k);
        }
      }
    }
    if (is_float && positive_) return FillRule(FillKind::kPositive);
    if (is_float && products_ > 3) {
      const double size = std::sqrt(3.0 / static_cast<double>(products_));
      return FillRule::Uniform(-size, size);
    }
    if (!is_float && bound_ < std::numeric_limits<int64_t>::max()) {
      return FillRule::Uniform(0, static_cast<double>(std::max<int64_t>(1, bound_)));
    }
    return std::nullopt;
  }

 private:
  void Add(const Place& place) {
    if (place.id.has_value() && seen_.insert(place).second) places_.push_back(place);
  }
  void AddParameter(ComputationId computation, size_t number, const Place& place) {
    if (!computation.has_value()) return;
    const std::vector<InstructionId>& parameters = module_.computation(computation).parameters;
    if (number < parameters.size()) Add({parameters[number], place.element, place.is_scaled});
  }

  void ReadUse(const Place& place, InstructionId user, size_t k) {
    const Opcode opcode = module_.opcode(user);
    switch (opcode) {
      case Opcode::kGetTupleElement:
        if (module_.IntAttribute(user, AttributeKind::kIndex) == place.element) Add({user, -1, place.is_scaled});
        return;
      case Opcode::kFusion:
        AddParameter(module_.ComputationAttribute(user, AttributeKind::kCalls), k, place);
        return;
      case Opcode::kCall:
        AddParameter(module_.ComputationAttribute(user, AttributeKind::kToApply), k, place);
        return;
      case Opcode::kWhile:
        AddParameter(module_.ComputationAttribute(user, AttributeKind::kBody), 0, place);
        return;
      case Opcode::kOptBarrier:
        Add({user, place.element, place.is_scaled});
        return;
      default:
        break;
    }
    if (place.element >= 0) return;
    if (opcode == Opcode::kTuple) {
      Add({user, static_cast<int64_t>(k), place.is_scaled});
      return;
    }
    ReadArrayUse(place, user, k);
  }

  void ReadArrayUse(const Place& place, InstructionId user, size_t k) {
    const Opcode opcode = module_.opcode(user);
    switch (opcode) {
      case Opcode::kReshape:
      case Opcode::kBroadcast:
      case Opcode::kBitcast:
      case Opcode::kCopy:
      case Opcode::kTranspose:
      case Opcode::kConvert:
      case Opcode::kReducePrecision:
      case Opcode::kSlice:
      case Opcode::kReverse:
      case Opcode::kConcatenate:
      case Opcode::kAllGather:
      case Opcode::kCopyStart:
      case Opcode::kCopyDone:
        Add({user, -1, place.is_scaled});
        return;
      case Opcode::kDynamicSlice:
        if (k == 0) Add({user, -1, place.is_scaled});
        if (k > 0) BoundStart(user, k - 1, 0);
        return;
      case Opcode::kDynamicUpdateSlice:
        if (k > 1) BoundStart(user, k - 2, 1);
        return;
      case Opcode::kGather:
      case Opcode::kScatter:
        if (k == 1) BoundIndices(user);
        return;
      case Opcode::kAdd:
      case Opcode::kMultiply:
      case Opcode::kMaximum:
        if (!place.is_scaled && module_.operands(user).size() == 2 && IsSpreadScalar(module_.operand(user, 1 - k))) {
          Add({user, -1, true});
        }
        return;
      case Opcode::kSqrt:
      case Opcode::kRsqrt:
      case Opcode::kCbrt:
      case Opcode::kLog:
        positive_ = true;
        return;
      case Opcode::kDivide:
        positive_ |= k == 1;
        return;
      case Opcode::kPower:
        positive_ |= k == 0;
        return;
      case Opcode::kBatchNormInference:
        positive_ |= k == 4;
        return;
      case Opcode::kBatchNormGrad:
        positive_ |= k == 3;
        return;
      case Opcode::kDot:
      case Opcode::kConvolution:
        if (!place.is_scaled) CountProducts(user, k);
        return;
      default:
        return;
    }
  }

  // A number that was spread over an array, as far as its own computation shows.
  bool IsSpreadScalar(InstructionId id) const {
    for (int depth = 0; depth < 4; ++depth) {
      if (module_.shape(id).IsArray() && module_.shape(id).rank() == 0) return true;
      const Opcode opcode = module_.opcode(id);
      if (opcode == Opcode::kConstant) return true;
      if (opcode != Opcode::kBroadcast && opcode != Opcode::kConvert && opcode != Opcode::kReshape) return false;
      id = module_.operand(id, 0);
    }
    return false;
  }

  // Starts along dimension `d` of a slice; the operand that says the size of the slice is the instruction itself
  // (`update` 0) or its operand 1.
  void BoundStart(InstructionId user, size_t d, size_t update) {
    const Shape& array = module_.shape(module_.operand(user, 0));
    const Shape& slice = update == 0 ? module_.shape(user) : module_.shape(module_.operand(user, 1));
    const int64_t dimension = static_cast<int64_t>(d);
    if (!array.IsArray() || !slice.IsArray() || dimension >= array.rank() || dimension >= slice.rank()) return;
    bound_ = std::min(bound_, array.dimension(dimension) - slice.dimension(dimension) + 1);
  }

  void BoundIndices(InstructionId user) {
    const bool is_gather = module_.opcode(user) == Opcode::kGather;
    const Shape& array = module_.shape(module_.operand(user, 0));
    const absl::Span<const int64_t> sizes = module_.IntsAttribute(user, AttributeKind::kSliceSizes);
    const absl::Span<const int64_t> dimensions = module_.IntsAttribute(
        user, is_gather ? AttributeKind::kStartIndexMap : AttributeKind::kScatterDimsToOperandDims);
    for (const int64_t d : dimensions) {
      if (!array.IsArray() || d < 0 || d >= array.rank()) continue;
      const int64_t size = is_gather && static_cast<size_t>(d) < sizes.size() ? sizes[static_cast<size_t>(d)] : 1;
      bound_ = std::min(bound_, array.dimension(d) - size + 1);
    }
  }

  void CountProducts(InstructionId user, size_t k) {
    int64_t products = 1;
    const Shape& shape = module_.shape(module_.operand(user, k));
    if (!shape.IsArray()) return;
    if (module_.opcode(user) == Opcode::kConvolution) {
      const ConvolutionDimensionNumbers* const labels = module_.DimLabelsAttribute(user);
      if (k != 1 || labels == nullptr || labels->kernel_output_feature < 0 ||
          labels->kernel_output_feature >= shape.rank()) {
        return;
      }
      for (int64_t d = 0; d < shape.rank(); ++d) {
        if (d != labels->kernel_output_feature)
          products = SaturatingProduct(products, std::max<int64_t>(1, shape.dimension(d)));
      }
    } else {
      for (const int64_t d : module_.IntsAttribute(
               user, k == 0 ? AttributeKind::kLhsContractingDims : AttributeKind::kRhsContractingDims)) {
        if (d >= 0 && d < shape.rank())
          products = SaturatingProduct(products, std::max<int64_t>(1, shape.dimension(d)));
      }
    }
    products_ = std::max(products_, products);
  }

  const Module& module_;
  const UserIndex& users_;
  std::deque<Place> places_;
  absl::flat_hash_set<Place> seen_;
  // Operands that are looked at for all sources together: very many may be in very long lists.
  size_t looks_left_ = 20'000'000;
  // What the uses that were read say.
  bool positive_ = false;
  int64_t bound_ = 0;     // of indices; the largest number: nothing
  int64_t products_ = 0;  // summed for an element of a result
};

}  // namespace

absl::flat_hash_map<InstructionId, FillRule> PlausibleFills(const Module& module) {
  absl::flat_hash_map<InstructionId, FillRule> rules;
  if (!module.entry().has_value()) return rules;
  const UserIndex users(module);
  UseReader reader(module, users);
  const auto read = [&](InstructionId source) {
    if (!module.shape(source).IsArray() || module.shape(source).HasUnboundedDimension()) return;
    const ElementType type = module.shape(source).element_type();
    if (!IsFloat(type) && (!IsInteger(type) || type == ElementType::kPred)) return;
    if (const std::optional<FillRule> rule = reader.RuleOf(source)) rules.emplace(source, *rule);
  };
  for (InstructionId parameter : module.computation(module.entry()).parameters) {
    if (parameter.has_value()) read(parameter);
  }
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (module.opcode(id) == Opcode::kConstant && module.instruction(id).literal.has_value() &&
        module.literal(id).IsElided()) {
      read(id);
    }
  }
  return rules;
}

}  // namespace hloscope::evaluator
