// SPDX-License-Identifier: Apache-2.0
#include "interop/hlo_proto/module_bytes.h"

#include <algorithm>

#include "interop/wire/take_apart.h"

namespace hloscope::interop {
namespace {

// Modules of models take about this many for each.
constexpr size_t kUsualInstructionBytes = 100;

// Of an instruction, that are kept as bytes: its shape, its metadata and its literal.
constexpr size_t kMessages = 3;

bool IsNumbers(const WireField& field) { return field.type == WireType::kVarint || field.type == WireType::kBytes; }

}  // namespace

bool ModuleBytes::Cut(absl::string_view bytes) {
  using Proto = proto::HloModuleProto;
  const size_t count = bytes.size() / kUsualInstructionBytes;
  instructions_.reserve(count);
  runs_.reserve(count);
  numbers_.reserve(count * 2);
  const auto is_wanted = [](uint32_t number) {
    return number == Proto::kComputationsFieldNumber || number == Proto::kHostProgramShapeFieldNumber;
  };
  return TakeApart(bytes, &message_, is_wanted, [&](const WireField& field) {
    if (field.number == Proto::kComputationsFieldNumber) return CutComputation(field.bytes);
    if (!program_shape_) program_shape_.emplace();
    program_shape_->append(field.bytes.data(), field.bytes.size());
    return true;
  });
}

uint64_t ModuleBytes::MostNameBytes() const {
  size_t longest = 0;
  for (const Instruction& instruction : instructions_) longest = std::max(longest, instruction.name.size());
  for (const Computation& computation : computations_) longest = std::max(longest, computation.name.size());
  return uint64_t{longest} * (instructions_.size() + numbers_.size());
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
  size_t k = merged_.size();
  const size_t first = k - std::min(k, kMessages);
  while (k > first && merged_[k - 1].data() != whole->data()) --k;
  if (k == first) {
    merged_.emplace_back(*whole);
    k = merged_.size();
  }
  *whole = merged_[k - 1].append(part.data(), part.size());
}

bool ModuleBytes::TakeList(const WireField& field, uint32_t* count, uint32_t later) {
  const size_t before = numbers_.size();
  if (!TakeNumbers(field, &numbers_)) return false;
  *count += static_cast<uint32_t>(numbers_.size() - before);
  has_mixed_lists_ |= later > 0;
  return true;
}

void ModuleBytes::SortLists(absl::string_view bytes, size_t first) {
  using Proto = proto::HloInstructionProto;
  numbers_.resize(first);
  for (const uint32_t list : {Proto::kOperandIdsFieldNumber, Proto::kControlPredecessorIdsFieldNumber,
                              Proto::kCalledComputationIdsFieldNumber}) {
    WireReader reader(bytes);
    WireField field;
    while (reader.Next(&field)) {
      if (field.number == list && IsNumbers(field)) TakeNumbers(field, &numbers_);
    }
  }
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
    case Proto::kLiteralFieldNumber:
      *is_known = is_bytes;
      if (is_bytes) TakeMessage(field.bytes, &to->literal);
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
      return !*is_known || TakeList(field, &to->operand_count, to->predecessor_count + to->callee_count);
    case Proto::kControlPredecessorIdsFieldNumber:
      *is_known = IsNumbers(field);
      return !*is_known || TakeList(field, &to->predecessor_count, to->callee_count);
    case Proto::kCalledComputationIdsFieldNumber:
      *is_known = IsNumbers(field);
      return !*is_known || TakeList(field, &to->callee_count, 0);
    default:
      *is_known = false;
      return true;
  }
}

bool ModuleBytes::CutInstruction(absl::string_view bytes) {
  Instruction& to = instructions_.emplace_back();
  to.first_number = static_cast<uint32_t>(numbers_.size());
  to.first_run = static_cast<uint32_t>(runs_.size());
  has_mixed_lists_ = false;
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
  if (has_mixed_lists_) SortLists(bytes, to.first_number);
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
