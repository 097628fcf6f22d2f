// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/module_bytes.h"

#include <algorithm>

#include "interop/wire/take_apart.h"

namespace hloscope::interop {
namespace {

// Modules of models take about this many for each.
constexpr size_t kUsualInstructionBytes = 100;

bool IsNumbers(const WireField& field) { return field.type == WireType::kVarint || field.type == WireType::kBytes; }

}  // namespace

bool ModuleBytes::Cut(absl::string_view bytes) {
  instructions_.reserve(bytes.size() / kUsualInstructionBytes);
  return TakeApart(bytes, proto::HloModuleProto::kComputationsFieldNumber, &message_,
                   [&](absl::string_view computation) { return CutComputation(computation); });
}

// The shape of a computation is that of its parameters and root: it is not looked at.
bool ModuleBytes::CutComputation(absl::string_view bytes) {
  using Proto = proto::HloComputationProto;
  Computation computation;
  computation.first = static_cast<uint32_t>(instructions_.size());
  WireReader reader(bytes);
  WireField field;
  while (reader.Next(&field)) {
    const bool is_bytes = field.type == WireType::kBytes;
    const bool is_number = field.type == WireType::kVarint;
    if (field.number == Proto::kInstructionsFieldNumber && is_bytes) {
      if (!CutInstruction(field.bytes)) return false;
    } else if (field.number == Proto::kNameFieldNumber && is_bytes) {
      computation.name = field.bytes;
    } else if (field.number == Proto::kIdFieldNumber && is_number) {
      computation.id = static_cast<int64_t>(field.value);
    } else if (field.number == Proto::kRootIdFieldNumber && is_number) {
      computation.root_id = static_cast<int64_t>(field.value);
    } else if (field.number == Proto::kExecutionThreadFieldNumber && is_bytes) {
      computation.execution_thread = field.bytes;
    }
  }
  computation.count = static_cast<uint32_t>(instructions_.size()) - computation.first;
  computations_.push_back(computation);
  return !reader.has_fault();
}

// A message that comes in parts is that of all their bytes. What was joined before grows, as there may be many parts.
void ModuleBytes::TakeMessage(absl::string_view part, absl::string_view* whole) {
  if (whole->data() == nullptr) {
    *whole = part;
    return;
  }
  // An instruction has two such messages.
  size_t k = merged_.size();
  for (const size_t first = k - std::min<size_t>(k, 2); k > first && merged_[k - 1].data() != whole->data();) --k;
  if (k == merged_.size() - std::min<size_t>(merged_.size(), 2)) {
    merged_.emplace_back(*whole);
    k = merged_.size();
  }
  *whole = merged_[k - 1].append(part.data(), part.size());
}

bool ModuleBytes::TakeKnown(const WireField& field, Instruction* to, bool* is_known) {
  using Proto = proto::HloInstructionProto;
  const bool is_bytes = field.type == WireType::kBytes;
  *is_known = true;
  switch (field.number) {
    case Proto::kNameFieldNumber:
      *is_known = is_bytes;
      if (is_bytes) to->name = field.bytes;
      return true;
    case Proto::kOpcodeFieldNumber:
      *is_known = is_bytes;
      if (is_bytes) to->opcode = field.bytes;
      return true;
    case Proto::kShapeFieldNumber:
      *is_known = is_bytes;
      if (is_bytes) TakeMessage(field.bytes, &to->shape);
      return true;
    case Proto::kMetadataFieldNumber:
      *is_known = is_bytes;
      if (is_bytes) TakeMessage(field.bytes, &to->metadata);
      return true;
    case Proto::kIdFieldNumber:
      *is_known = field.type == WireType::kVarint;
      if (*is_known) to->id = static_cast<int64_t>(field.value);
      return true;
    case Proto::kParameterNumberFieldNumber:
      *is_known = field.type == WireType::kVarint;
      if (*is_known) to->parameter_number = static_cast<int64_t>(field.value);
      return true;
    case Proto::kOperandIdsFieldNumber:
      *is_known = IsNumbers(field);
      return !*is_known || TakeNumbers(field, &operands_);
    case Proto::kControlPredecessorIdsFieldNumber:
      *is_known = IsNumbers(field);
      return !*is_known || TakeNumbers(field, &predecessors_);
    case Proto::kCalledComputationIdsFieldNumber:
      *is_known = IsNumbers(field);
      return !*is_known || TakeNumbers(field, &callees_);
    default:
      *is_known = false;
      return true;
  }
}

bool ModuleBytes::CutInstruction(absl::string_view bytes) {
  Instruction& to = instructions_.emplace_back();
  operands_.clear();
  predecessors_.clear();
  callees_.clear();
  to.first_run = static_cast<uint32_t>(runs_.size());
  const auto add_run = [&](absl::string_view run) { runs_.push_back(run); };
  WireReader reader(bytes);
  WireField field;
  Stretch stretch;
  while (reader.Next(&field)) {
    bool is_known = false;
    if (!TakeKnown(field, &to, &is_known)) return false;
    if (!is_known) stretch.Add(bytes.data() + field.offset, bytes.data() + reader.end(), add_run);
  }
  stretch.Finish(add_run);
  to.run_count = static_cast<uint32_t>(runs_.size()) - to.first_run;
  to.first_number = static_cast<uint32_t>(numbers_.size());
  to.operand_count = static_cast<uint32_t>(operands_.size());
  to.predecessor_count = static_cast<uint32_t>(predecessors_.size());
  to.callee_count = static_cast<uint32_t>(callees_.size());
  for (const auto* list : {&operands_, &predecessors_, &callees_}) {
    numbers_.insert(numbers_.end(), list->begin(), list->end());
  }
  return !reader.has_fault();
}

bool ModuleBytes::Rest(const Instruction& instruction, proto::HloInstructionProto* message) const {
  message->Clear();
  for (absl::string_view run : runs(instruction)) {
    if (!MergeBytes(run, message)) return false;
  }
  return true;
}

}  // namespace hloscope::interop
