// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/traffic.h"

#include <algorithm>
#include <cstddef>

#include "absl/container/flat_hash_set.h"
#include "core/ir/checked_math.h"
#include "core/layout/relayout.h"
#include "core/ops/custom_call.h"

namespace hloscope {
namespace {

// Enough to decide evenly tiled layouts, and small ones.
constexpr int64_t kMaxRelayoutComparisons = 4096;

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

// One function for each rule of opcodes.def.
class TrafficMeter {
 public:
  TrafficMeter(const Module& module, InstructionId id, absl::FunctionRef<int64_t(InstructionId)> bytes_of)
      : module_(module), id_(id), operands_(module.operands(id)), bytes_of_(bytes_of) {}

  Traffic Measure() const {
    switch (module_.opcode(id_)) {
#define HLO_ANALYSIS(Name, operations, traffic, links, buffers) \
  case Opcode::k##Name:                                         \
    return traffic();
#include "core/analysis/opcodes.def"
      case Opcode::kInvalid:
        break;
    }
    return {};
  }

 private:
  // Of the operands from `first` on; what is an operand twice is read once.
  int64_t OperandBytes(size_t first) const {
    constexpr size_t kFew = 16;
    const absl::Span<const InstructionId> operands = operands_.subspan(std::min(first, operands_.size()));
    absl::flat_hash_set<InstructionId> read;
    int64_t bytes = 0;
    for (size_t k = 0; k < operands.size(); ++k) {
      const auto begin = operands.begin(), here = begin + static_cast<ptrdiff_t>(k);
      const bool is_first = operands.size() <= kFew ? std::find(begin, here, *here) == here : read.insert(*here).second;
      if (is_first && here->has_value()) bytes = SaturatingSum(bytes, bytes_of_(*here));
    }
    return bytes;
  }

  // Moves or shares nothing but handles.
  Traffic None() const { return {}; }
  Traffic Whole() const { return {OperandBytes(0), bytes_of_(id_)}; }
  Traffic Relayout() const { return operands_.empty() || KeepsAddresses(module_, id_) ? Traffic() : Whole(); }
  Traffic CustomCall() const { return IsIdentityCustomCall(module_, id_) ? Traffic() : Whole(); }
  Traffic Slice() const { return {bytes_of_(id_), bytes_of_(id_)}; }
  // What is taken, and the indices.
  Traffic Indexed() const { return {SaturatingSum(bytes_of_(id_), OperandBytes(1)), bytes_of_(id_)}; }
  Traffic Update() const { return {OperandBytes(1), operands_.size() > 1 ? bytes_of_(operands_[1]) : 0}; }
  // Operands, indices, updates: the updates are read, and what they meet is read and written.
  Traffic Scatter() const {
    const size_t n = operands_.size() / 2;
    const int64_t updates = OperandBytes(n + 1);
    return {SaturatingSum(OperandBytes(n), updates), updates};
  }

  const Module& module_;
  const InstructionId id_;
  const absl::Span<const InstructionId> operands_;
  const absl::FunctionRef<int64_t(InstructionId)> bytes_of_;
};

}  // namespace

Traffic MeasureTraffic(const Module& module, InstructionId id, absl::FunctionRef<int64_t(InstructionId)> bytes_of) {
  return TrafficMeter(module, id, bytes_of).Measure();
}

}  // namespace hloscope
