// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "interop/hlo_proto/attributes.h"
#include "interop/hlo_proto/metadata.h"

namespace hloscope::interop {
namespace {

using Kind = AttributeKind;

absl::Status Bad(absl::string_view field, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(field, ": ", what));
}

class LinkReader {
 public:
  LinkReader(const AttributeLinks& from, const proto::HloModuleProto& owner, const IdResolver& resolve,
             InstructionId id, RecentAttributes* recent, Module& module)
      : from_(from),
        owner_(owner),
        resolve_(resolve),
        id_(id),
        recent_(*recent),
        module_(module),
        opcode_(module.opcode(id)) {}

  absl::Status Read() {
    for (Kind kind : InfoOf(opcode_).attributes) {
      const AttributeType type = InfoOf(kind).type;
      if (type != AttributeType::kComputation && type != AttributeType::kComputations) continue;
      if (const absl::Status status = ReadComputations(kind); !status.ok()) return status;
    }
    if (const absl::Status status = ReadPredecessors(); !status.ok()) return status;
    return ReadMetadata();
  }

 private:
  absl::Status ReadComputations(Kind kind) {
    const int count = static_cast<int>(from_.callees.size());
    const auto called = [&](int k) -> absl::Status {
      if (k >= count) {
        return Bad("called_computation_ids", absl::StrCat("`", AttributeName(kind), "` is missing, found ", count));
      }
      return AddCalled(kind, k, 1);
    };
    switch (kind) {
      case Kind::kBody:
        return called(0);
      case Kind::kCondition:
        return called(1);
      case Kind::kSelect:
        return called(0);
      case Kind::kScatter:
        return called(1);
      case Kind::kTrueComputation:
        return ChoosesByFlag() ? called(0) : absl::OkStatus();
      case Kind::kFalseComputation:
        return ChoosesByFlag() ? called(1) : absl::OkStatus();
      case Kind::kBranchComputations:
        return ChoosesByFlag() ? absl::OkStatus() : AddCalled(kind, 0, count);
      case Kind::kCalledComputations:
        return count == 0 ? absl::OkStatus() : AddCalled(kind, 0, count);
      case Kind::kToApply:
        return opcode_ == Opcode::kCustomCall ? absl::OkStatus() : called(0);
      case Kind::kCalls:
        // The other links of a chain have the computation of their start.
        return opcode_ == Opcode::kAsyncUpdate || opcode_ == Opcode::kAsyncDone ? absl::OkStatus() : called(0);
      default:
        return absl::OkStatus();
    }
  }

  bool ChoosesByFlag() const {
    return !module_.operands(id_).empty() && module_.operand(id_, 0).has_value() &&
           module_.shape(module_.operand(id_, 0)).element_type() == ElementType::kPred;
  }

  absl::Status AddCalled(Kind kind, int first, int count) {
    std::vector<ComputationId> list;
    for (int k = first; k < first + count; ++k) {
      const int64_t callee = from_.callees[static_cast<size_t>(k)];
      list.push_back(resolve_.computation(callee));
      if (!list.back().has_value()) {
        return Bad(absl::StrCat("called_computation_ids[", k, "]"), absl::StrCat("no computation has the id ", callee));
      }
    }
    module_.AddComputations(id_, kind, list);
    return absl::OkStatus();
  }

  absl::Status ReadPredecessors() {
    std::vector<InstructionId> list;
    for (int64_t id : from_.predecessors) {
      const InstructionId predecessor = resolve_.instruction(id);
      if (!predecessor.has_value()) {
        return Bad(absl::StrCat("control_predecessor_ids[", list.size(), "]"),
                   absl::StrCat("no instruction of the computation has the id ", id));
      }
      list.push_back(predecessor);
    }
    if (!list.empty()) module_.AddInstructions(id_, Kind::kControlPredecessors, list);
    return absl::OkStatus();
  }

  absl::Status ReadMetadata() {
    if (from_.metadata.empty()) return absl::OkStatus();
    if (const Attribute* const known = recent_.Find(Kind::kMetadata, from_.metadata)) {
      module_.AddShared(id_, *known);
      return absl::OkStatus();
    }
    const absl::StatusOr<Metadata> metadata = MetadataFromBytes(from_.metadata, owner_, module_);
    if (absl::IsDataLoss(metadata.status())) return metadata.status();
    if (!metadata.ok()) return Bad("metadata", metadata.status().message());
    if (*metadata == Metadata()) return absl::OkStatus();
    module_.AddMetadata(id_, *metadata);
    recent_.Keep(module_.attributes(id_).back(), from_.metadata);
    return absl::OkStatus();
  }

  const AttributeLinks& from_;
  const proto::HloModuleProto& owner_;
  const IdResolver& resolve_;
  const InstructionId id_;
  RecentAttributes& recent_;
  Module& module_;
  const Opcode opcode_;
};

}  // namespace

absl::Status ReadLinkAttributes(const AttributeLinks& from, const proto::HloModuleProto& owner,
                                const IdResolver& resolve, InstructionId id, RecentAttributes* recent, Module& module) {
  return LinkReader(from, owner, resolve, id, recent, module).Read();
}

}  // namespace hloscope::interop
