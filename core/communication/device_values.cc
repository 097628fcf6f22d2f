// SPDX-License-Identifier: Apache-2.0
#include "core/communication/device_values.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "core/ops/collective.h"
#include "core/ops/control_flow.h"

namespace hloscope {
namespace {

// How deep one question may lead to others: each level is a call on the C++ stack.
constexpr int kMostQuestions = 400;
// A loop that takes longer is not followed.
constexpr int kMostFollowed = 4096;

bool HandsOn(const Module& module, InstructionId id) {
  switch (module.opcode(id)) {
    case Opcode::kCopy:
      return module.shape(id).IsTuple();
    case Opcode::kOptBarrier:
    case Opcode::kAddDependency:
    case Opcode::kDomain:
    case Opcode::kAsyncUpdate:
      return true;
    default:
      return false;
  }
}

LeafPath Prefixed(int64_t index, const LeafPath& path) {
  LeafPath longer = {index};
  longer.insert(longer.end(), path.begin(), path.end());
  return longer;
}

LeafPath Joined(const LeafPath& part, const LeafPath& path) {
  LeafPath longer = part;
  longer.insert(longer.end(), path.begin(), path.end());
  return longer;
}

// The way backwards from a value to everything that it is computed from.
class Backwards {
 public:
  // `dependent` and `independent`: what was found out before.
  Backwards(const Module& module, const UserIndex& users, const absl::flat_hash_map<InstructionId, bool>& dependent,
            const absl::flat_hash_set<std::pair<InstructionId, LeafPath>>& independent)
      : module_(module), users_(users), dependent_(dependent), independent_(independent) {}

  bool ReachesDeviceId(InstructionId id) {
    Visit(id, {});
    while (!pending_.empty() && !found_) {
      const auto [next, path] = std::move(pending_.back());
      pending_.pop_back();
      Expand(next, path);
    }
    return found_;
  }
  // If nothing was found: all of it depends on no device.
  absl::flat_hash_set<std::pair<InstructionId, LeafPath>> TakeSeen() { return std::move(seen_); }

 private:
  void Visit(InstructionId id, LeafPath path) {
    if (!id.has_value() || independent_.contains({id, path})) return;
    if (path.empty()) {
      const auto known = dependent_.find(id);
      found_ = found_ || (known != dependent_.end() && known->second);
    }
    if (seen_.emplace(id, path).second) pending_.emplace_back(id, std::move(path));
  }
  void VisitRoot(ComputationId computation, const LeafPath& path) {
    if (computation.has_value()) Visit(module_.computation(computation).root, path);
  }

  void Expand(InstructionId id, const LeafPath& path) {
    const Opcode opcode = module_.opcode(id);
    const absl::Span<const InstructionId> operands = module_.operands(id);
    switch (opcode) {
      case Opcode::kPartitionId:
      case Opcode::kReplicaId:
        found_ = true;
        return;
      case Opcode::kParameter:
        return ExpandParameter(id, path);
      case Opcode::kGetTupleElement:
        if (!operands.empty()) Visit(operands[0], Prefixed(module_.IntAttribute(id, AttributeKind::kIndex), path));
        return;
      case Opcode::kTuple:
        if (path.empty()) break;
        if (path[0] >= 0 && static_cast<size_t>(path[0]) < operands.size()) {
          Visit(operands[static_cast<size_t>(path[0])], LeafPath(path.begin() + 1, path.end()));
        }
        return;
      case Opcode::kCall:
      case Opcode::kFusion:
        VisitRoot(
            module_.ComputationAttribute(id, opcode == Opcode::kCall ? AttributeKind::kToApply : AttributeKind::kCalls),
            path);
        return;
      case Opcode::kWhile:
        VisitRoot(module_.ComputationAttribute(id, AttributeKind::kBody), path);
        VisitRoot(module_.ComputationAttribute(id, AttributeKind::kCondition), {});
        if (!operands.empty()) Visit(operands[0], path);
        return;
      case Opcode::kConditional:
        for (ComputationId branch : BranchesOf(module_, id)) VisitRoot(branch, path);
        if (!operands.empty()) Visit(operands[0], {});
        return;
      default:
        if (IsCollective(opcode)) return;
        if (HandsOn(module_, id) && !operands.empty()) return Visit(operands[0], path);
        break;
    }
    for (InstructionId operand : operands) Visit(operand, {});
  }

  void ExpandParameter(InstructionId id, const LeafPath& path) {
    const ComputationId computation = module_.instruction(id).computation;
    const size_t number = module_.instruction(id).parameter_number;
    for (InstructionId caller : users_.callers(computation)) {
      const absl::Span<const InstructionId> operands = module_.operands(caller);
      size_t operand = number;
      if (module_.opcode(caller) == Opcode::kWhile) {
        operand = 0;
        VisitRoot(module_.ComputationAttribute(caller, AttributeKind::kBody), path);
      } else if (module_.opcode(caller) == Opcode::kConditional) {
        const std::vector<ComputationId> branches = BranchesOf(module_, caller);
        for (size_t b = 0; b < branches.size(); ++b) {
          if (branches[b] == computation && b + 1 < operands.size()) Visit(operands[b + 1], path);
        }
        continue;
      }
      if (operand < operands.size()) Visit(operands[operand], path);
    }
  }

  const Module& module_;
  const UserIndex& users_;
  const absl::flat_hash_map<InstructionId, bool>& dependent_;
  const absl::flat_hash_set<std::pair<InstructionId, LeafPath>>& independent_;
  bool found_ = false;
  absl::flat_hash_set<std::pair<InstructionId, LeafPath>> seen_;
  std::vector<std::pair<InstructionId, LeafPath>> pending_;
};

}  // namespace

bool DeviceDependence::Of(InstructionId id) {
  std::pair<InstructionId, LeafPath> whole;
  whole.first = id;
  if (independent_.contains(whole)) return false;
  const auto [entry, is_new] = known_.try_emplace(id, false);
  if (!is_new) return entry->second;
  Backwards backwards(module_, users_, known_, independent_);
  const bool depends = backwards.ReachesDeviceId(id);
  entry->second = depends;
  if (!depends) independent_.merge(backwards.TakeSeen());
  return depends;
}

DeviceValues::Frame* DeviceValues::Open(ComputationId computation, std::vector<Source> arguments) {
  frames_.emplace_back();
  frames_.back().computation = computation;
  frames_.back().arguments = std::move(arguments);
  --budget_;
  return &frames_.back();
}

DeviceValues::Leaf DeviceValues::Read(Frame* frame, InstructionId id, const LeafPath& path) {
  if (!id.has_value() || frame == nullptr || --budget_ < 0 || depth_ >= kMostQuestions) return {};
  if (path.empty()) {
    const auto started = frame->started.find(id);
    if (started != frame->started.end()) return {nullptr, started->second};
  }
  const auto found = frame->found.find({id, path});
  if (found != frame->found.end()) return found->second;
  ++depth_;
  const Leaf leaf = Find(frame, id, path);
  --depth_;
  // What is not known now may be known once what it hangs on has been executed.
  if (leaf.array != nullptr || leaf.started >= 0) frame->found[{id, path}] = leaf;
  return leaf;
}

std::optional<int64_t> DeviceValues::Integer(Frame* frame, InstructionId id) {
  const Leaf leaf = Read(frame, id);
  if (leaf.array == nullptr || !leaf.array->IsScalar()) return std::nullopt;
  return leaf.array->elements[0];
}

DeviceValues::Leaf DeviceValues::ReadOperand(Frame* frame, InstructionId id, size_t k, const LeafPath& path) {
  const absl::Span<const InstructionId> operands = module_.operands(id);
  return k < operands.size() ? Read(frame, operands[k], path) : Leaf();
}

DeviceValues::Leaf DeviceValues::Find(Frame* frame, InstructionId id, const LeafPath& path) {
  switch (module_.opcode(id)) {
    case Opcode::kParameter: {
      const size_t number = module_.instruction(id).parameter_number;
      if (number >= frame->arguments.size()) return {};
      const Source& argument = frame->arguments[number];
      return Read(argument.frame, argument.instruction, Joined(argument.part, path));
    }
    case Opcode::kGetTupleElement:
      return ReadOperand(frame, id, 0, Prefixed(module_.IntAttribute(id, AttributeKind::kIndex), path));
    case Opcode::kTuple:
      if (path.empty() || path[0] < 0) return {};
      return ReadOperand(frame, id, static_cast<size_t>(path[0]), LeafPath(path.begin() + 1, path.end()));
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kWhile:
    case Opcode::kConditional:
      return ReadEntered(frame, id, path);
    default:
      if (HandsOn(module_, id)) return ReadOperand(frame, id, 0, path);
      return path.empty() ? Compute(frame, id) : Leaf();
  }
}

DeviceValues::Leaf DeviceValues::ReadEntered(Frame* frame, InstructionId id, const LeafPath& path) {
  auto found = frame->entered.find(id);
  if (found == frame->entered.end()) {
    if (!EnterWithoutEffect(frame, id)) return {};
    found = frame->entered.find(id);
  }
  const Source result = found->second.result;
  const bool is_partial = found->second.is_partial;
  Leaf leaf = Read(result.frame, result.instruction, Joined(result.part, path));
  if (is_partial) leaf.array = nullptr;
  return leaf;
}

DeviceValues::Leaf DeviceValues::Compute(Frame* frame, InstructionId id) {
  const auto known = [](KnownArray array) { return Leaf{std::make_shared<const KnownArray>(std::move(array)), -1}; };
  switch (module_.opcode(id)) {
    case Opcode::kPartitionId:
      return known(KnownArray::Scalar(ElementType::kU32, partition_));
    case Opcode::kReplicaId:
      return known(KnownArray::Scalar(ElementType::kU32, replica_));
    case Opcode::kConstant: {
      if (!module_.instruction(id).literal.has_value()) return {};
      std::optional<KnownArray> literal = KnownLiteral(module_.literal(id));
      return literal ? known(*std::move(literal)) : Leaf();
    }
    default:
      break;
  }
  const Shape& shape = module_.shape(id);
  if (!shape.IsArray() || !(IsInteger(shape.element_type()) || shape.element_type() == ElementType::kPred)) return {};
  std::vector<Leaf> operands;
  std::vector<const KnownArray*> arrays;
  for (InstructionId operand : module_.operands(id)) {
    operands.push_back(Read(frame, operand));
    if (operands.back().array == nullptr) return {};
  }
  for (const Leaf& operand : operands) arrays.push_back(operand.array.get());
  std::optional<KnownArray> result = EvaluateKnown(module_, id, arrays);
  return result ? known(*std::move(result)) : Leaf();
}

DeviceValues::Frame* DeviceValues::Enter(Frame* frame, InstructionId caller, ComputationId callee,
                                         absl::Span<const InstructionId> operands) {
  std::vector<Source> arguments;
  for (InstructionId operand : operands) arguments.push_back({frame, operand, {}});
  Frame* const inner = Open(callee, std::move(arguments));
  frame->entered[caller] = {{inner, module_.computation(callee).root, {}}, false};
  return inner;
}

std::optional<size_t> DeviceValues::BranchOf(Frame* frame, InstructionId conditional) {
  const InstructionId selector = module_.operand(conditional, 0);
  const std::optional<int64_t> value = Integer(frame, selector);
  const size_t count = BranchesOf(module_, conditional).size();
  if (!value || count == 0) return std::nullopt;
  if (module_.shape(selector).element_type() == ElementType::kPred) return *value != 0 ? 0 : 1;
  return *value >= 0 && static_cast<size_t>(*value) < count ? static_cast<size_t>(*value) : count - 1;
}

bool DeviceValues::EnterWithoutEffect(Frame* frame, InstructionId id) {
  const Opcode opcode = module_.opcode(id);
  if (opcode == Opcode::kWhile) return RunLoop(frame, id);
  absl::Span<const InstructionId> operands = module_.operands(id);
  ComputationId callee;
  if (opcode == Opcode::kConditional) {
    if (operands.empty()) return false;
    const std::optional<size_t> branch = BranchOf(frame, id);
    const std::vector<ComputationId> branches = BranchesOf(module_, id);
    if (!branch || *branch >= branches.size() || *branch + 1 >= operands.size()) return false;
    callee = branches[*branch];
    operands = operands.subspan(*branch + 1, 1);
  } else {
    callee =
        module_.ComputationAttribute(id, opcode == Opcode::kCall ? AttributeKind::kToApply : AttributeKind::kCalls);
  }
  if (!callee.has_value()) return false;
  Enter(frame, id, callee, operands);
  return true;
}

bool DeviceValues::RunLoop(Frame* frame, InstructionId loop) {
  const ComputationId condition = module_.ComputationAttribute(loop, AttributeKind::kCondition);
  const ComputationId body = module_.ComputationAttribute(loop, AttributeKind::kBody);
  if (!condition.has_value() || !body.has_value() || module_.operands(loop).empty()) return false;
  Source state{frame, module_.operand(loop, 0), {}};
  for (int i = 0; i < kMostFollowed; ++i) {
    const std::optional<int64_t> goes_on = Integer(Open(condition, {state}), module_.computation(condition).root);
    if (!goes_on) return false;
    if (*goes_on == 0) {
      frame->entered[loop] = {state, false};
      return true;
    }
    state = {Open(body, {state}), module_.computation(body).root, {}};
  }
  return false;
}

}  // namespace hloscope
