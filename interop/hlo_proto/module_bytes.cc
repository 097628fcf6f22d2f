#include "interop/hlo_proto/module_bytes.h"

#include "absl/strings/str_cat.h"
#include "interop/wire/take_apart.h"

namespace hloscope::interop {
namespace {

bool IsNumbers(const WireField& field) { return field.type == WireType::kVarint || field.type == WireType::kBytes; }

}  // namespace

bool ModuleBytes::Cut(absl::string_view bytes) {
  return TakeApart(bytes, proto::HloModuleProto::kComputationsFieldNumber, &message_,
                   [&](absl::string_view computation) { return CutComputation(computation); });
}

bool ModuleBytes::CutComputation(absl::string_view bytes) {
  Computation& computation = computations_.emplace_back();
  computation.first = static_cast<uint32_t>(instructions_.size());
  const bool is_good = TakeApart(bytes, proto::HloComputationProto::kInstructionsFieldNumber, &computation.message,
                                 [&](absl::string_view instruction) { return CutInstruction(instruction); });
  computation.count = static_cast<uint32_t>(instructions_.size()) - computation.first;
  return is_good;
}

// A message that comes in parts is that of all their bytes.
void ModuleBytes::TakeMessage(absl::string_view part, absl::string_view* whole) {
  *whole = whole->data() == nullptr ? part : merged_.emplace_back(absl::StrCat(*whole, part));
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
  for (absl::string_view run : absl::MakeConstSpan(runs_).subspan(instruction.first_run, instruction.run_count)) {
    if (!MergeBytes(run, message)) return false;
  }
  return true;
}

}  // namespace hloscope::interop
