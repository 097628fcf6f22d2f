// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ir/default_layout.h"
#include "interop/hlo_proto/attribute_fields.h"
#include "interop/hlo_proto/attribute_structures.h"
#include "interop/hlo_proto/attribute_words.h"
#include "interop/hlo_proto/attributes.h"
#include "interop/hlo_proto/int_list.h"
#include "interop/hlo_proto/literals.h"
#include "interop/hlo_proto/shapes.h"
#include "interop/hlo_proto/shardings.h"

namespace hloscope::interop {
namespace {

using Kind = AttributeKind;

absl::Status Bad(absl::string_view field, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(field, ": ", what));
}

class AttributeReader {
 public:
  AttributeReader(const proto::HloInstructionProto& from, const proto::HloModuleProto& owner, InstructionId id,
                  Module& module)
      : from_(from),
        owner_(owner),
        id_(id),
        module_(module),
        opcode_(module.opcode(id)),
        required_(InfoOf(opcode_).required) {}

  absl::Status Read() {
    for (Kind kind : InfoOf(opcode_).attributes) {
      if (const absl::Status status = ReadOne(kind); !status.ok()) return status;
    }
    for (Kind kind : CommonAttributes()) {
      if (const absl::Status status = ReadOne(kind); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  bool IsRequired(Kind kind) const { return std::find(required_.begin(), required_.end(), kind) != required_.end(); }

  absl::Status ReadOne(Kind kind) {
    switch (InfoOf(kind).type) {
      case AttributeType::kBool:
        AddBool(kind);
        return absl::OkStatus();
      case AttributeType::kInt:
      case AttributeType::kInt32:
        return ReadInt(kind);
      case AttributeType::kFloat:
        module_.AddFloat(id_, kind, static_cast<double>(from_.epsilon()));
        return absl::OkStatus();
      case AttributeType::kString:
        AddString(kind);
        return absl::OkStatus();
      case AttributeType::kWord:
        return ReadWord(kind);
      case AttributeType::kInts:
        AddInts(kind);
        return absl::OkStatus();
      case AttributeType::kWords:
        return ReadPrecisions();
      case AttributeType::kSharding:
      case AttributeType::kFrontendAttributes:
      case AttributeType::kStatistics:
      case AttributeType::kBools:
      case AttributeType::kOrigin:
      case AttributeType::kRaw:
        return ReadCommon(kind);
      case AttributeType::kIntPairs:
      case AttributeType::kIntLists:
      case AttributeType::kShape:
      case AttributeType::kShapes:
      case AttributeType::kLiteral:
      case AttributeType::kAliasing:
      case AttributeType::kReplicaGroups:
      case AttributeType::kWindow:
      case AttributeType::kDimLabels:
      case AttributeType::kPadding:
      case AttributeType::kSliceRanges:
      case AttributeType::kSparsity:
      case AttributeType::kBlockScaling:
      case AttributeType::kResultAccuracy:
      case AttributeType::kDomain:
        return ReadStructure(kind);
      case AttributeType::kComputation:
      case AttributeType::kComputations:
      case AttributeType::kInstructions:
      case AttributeType::kMetadata:
        return absl::OkStatus();  // ReadLinkAttributes
    }
    return absl::InternalError(absl::StrCat(AttributeName(kind), " is not read"));
  }

  // --- Plain values ---

  void AddBool(Kind kind) {
    const AttributeField<bool>* const field = FindBoolField(kind, opcode_);
    const bool value = field != nullptr && field->get(from_);
    // A topk sorts stably, by the largest, if the text says nothing.
    const bool is_said = opcode_ == Opcode::kTopk ||
                         (kind == Kind::kIsAssociative && from_.is_associative() != proto::TRI_STATE_UNSPECIFIED);
    if (value || is_said) module_.AddBool(id_, kind, value);
  }

  // The one dimension of an instruction that has exactly one.
  absl::Status AddDimension(Kind kind) {
    if (from_.dimensions_size() != 1) {
      return Bad("dimensions",
                 absl::StrCat(module_.InstructionName(id_), " takes one dimension, found ", from_.dimensions_size()));
    }
    module_.AddInt(id_, kind, from_.dimensions(0));
    return absl::OkStatus();
  }

  absl::Status ReadInt(Kind kind) {
    if (kind == Kind::kIotaDimension) return AddDimension(kind);
    if (kind == Kind::kInferredDimension) return from_.dimensions().empty() ? absl::OkStatus() : AddDimension(kind);
    const AttributeField<int64_t>* const field = FindIntField(kind, opcode_);
    if (field == nullptr) return absl::OkStatus();
    int64_t value = field->get(from_);
    bool is_given = true;
    if (kind == Kind::kFeatureGroupCount || kind == Kind::kBatchGroupCount) {
      is_given = value > 1;
    } else if (kind == Kind::kChannelId) {
      const int64_t old = from_.all_reduce_id();
      if (old > 0 && value > 0) return Bad("all_reduce_id", "the instruction has a channel_id too");
      value = std::max(old, value);
      is_given = value > 0;
    } else if (kind == Kind::kCrossProgramPrefetchIndex) {
      is_given = from_.optional_cross_program_prefetch_index_case() ==
                     proto::HloInstructionProto::kCrossProgramPrefetchIndex ||
                 from_.is_cross_program_prefetch();
    }
    if (is_given) module_.AddInt(id_, kind, value);
    return absl::OkStatus();
  }

  void AddString(Kind kind) {
    const StringField* const field = FindStringField(kind, opcode_);
    if (field == nullptr) return;
    const std::string& text = field->get(from_);
    if (!text.empty() || IsRequired(kind)) module_.AddString(id_, kind, text);
  }

  absl::Status ReadWord(Kind kind) {
    const absl::StatusOr<int> word = WordFromProto(kind, from_);
    if (!word.ok()) return word.status();
    if (*word >= 0) module_.AddWord(id_, kind, *word);
    return absl::OkStatus();
  }

  absl::Status ReadPrecisions() {
    const auto& given = from_.precision_config().operand_precision();
    std::vector<int64_t> words = Ints(given);
    if (std::all_of(words.begin(), words.end(), [](int64_t word) { return word == 0; })) return absl::OkStatus();
    for (int64_t word : words) {
      if (word < 0 || word >= static_cast<int64_t>(WordsOf(Enumeration::kPrecision).size())) {
        return Bad("precision_config", absl::StrCat("operand_precision ", word, " is not known"));
      }
    }
    const size_t count =
        opcode_ == Opcode::kRaggedDot || opcode_ == Opcode::kScaledDot ? 2 : module_.operands(id_).size();
    if (words.size() < count) words.resize(count, 0);
    module_.AddInts(id_, Kind::kOperandPrecision, words);
    return absl::OkStatus();
  }

  // --- Lists ---

  void AddInts(Kind kind) {
    const IntsField* const field = FindIntsField(kind, opcode_);
    if (field == nullptr) return;
    const bool is_said = IsRequired(kind) || (kind == Kind::kDimensions && opcode_ == Opcode::kBroadcast);
    if (!field->get(from_).empty() || is_said) module_.AddInts(id_, kind, Ints(field->get(from_)));
  }

  // Sizes of one slice after the other, cut by the ranks of the inputs.
  absl::Status ReadSliceSizes() {
    if (from_.dynamic_slice_sizes().empty() || module_.operands(id_).empty()) return absl::OkStatus();
    const Shape& input = module_.shape(module_.operand(id_, 0));
    std::vector<std::vector<int64_t>> lists;
    int at = 0;
    while (at < from_.dynamic_slice_sizes_size()) {
      const int64_t number = static_cast<int64_t>(lists.size());
      const bool has_element = input.IsTuple() && input.tuple_size() > 0;
      const Shape& array = has_element ? input.element(number % input.tuple_size()) : input;
      const int rank = static_cast<int>(array.rank());
      if (rank == 0 || at + rank > from_.dynamic_slice_sizes_size()) {
        return Bad("dynamic_slice_sizes", "they do not fit the ranks of the inputs");
      }
      lists.emplace_back(from_.dynamic_slice_sizes().begin() + at, from_.dynamic_slice_sizes().begin() + at + rank);
      at += rank;
    }
    module_.AddIntLists(id_, Kind::kSliceSizesList, std::move(lists));
    return absl::OkStatus();
  }

  // --- Structured values ---

  absl::Status ReadStructure(Kind kind) {
    switch (kind) {
      case Kind::kReplicaGroups: {
        absl::StatusOr<std::optional<ReplicaGroups>> groups = ReplicaGroupsFromProto(from_);
        if (!groups.ok()) return Bad("replica_groups", groups.status().message());
        if (*groups) module_.AddReplicaGroups(id_, **std::move(groups));
        return absl::OkStatus();
      }
      case Kind::kSourceTargetPairs: {
        std::vector<std::vector<int64_t>> pairs;
        for (const proto::SourceTarget& pair : from_.source_target_pairs()) {
          pairs.push_back({pair.source(), pair.target()});
        }
        module_.AddIntLists(id_, kind, std::move(pairs));
        return absl::OkStatus();
      }
      case Kind::kSliceSizesList:
        return ReadSliceSizes();
      case Kind::kOutputToOperandAliasing:
        if (!from_.output_operand_aliasing().empty()) {
          module_.AddAliasing(id_, kind, AliasingFromProto(from_.output_operand_aliasing()));
        }
        return absl::OkStatus();
      case Kind::kWindow:
        if (from_.has_window() && (!from_.window().dimensions().empty() || opcode_ == Opcode::kCustomCall)) {
          module_.AddWindow(id_, WindowFromProto(from_.window()));
        }
        return absl::OkStatus();
      case Kind::kDimLabels:
        if (from_.has_convolution_dimension_numbers() || IsRequired(kind)) {
          module_.AddDimLabels(id_, DimLabelsFromProto(from_.convolution_dimension_numbers()));
        }
        return absl::OkStatus();
      case Kind::kSparsityConfig:
        if (from_.sparsity_config().has_lhs() || from_.sparsity_config().has_rhs()) {
          module_.AddSparsity(id_, SparsityFromProto(from_.sparsity_config()));
        }
        return absl::OkStatus();
      case Kind::kBlockScalingConfig:
        if (from_.block_scaling_config().has_lhs() || from_.block_scaling_config().has_rhs()) {
          module_.AddBlockScaling(id_, BlockScalingFromProto(from_.block_scaling_config()));
        }
        return absl::OkStatus();
      case Kind::kSlice:
        module_.AddSliceRanges(id_, SliceRangesFromProto(from_.slice_dimensions()));
        return absl::OkStatus();
      case Kind::kPadding:
        module_.AddPadding(id_, PaddingFromProto(from_.padding_config()));
        return absl::OkStatus();
      case Kind::kOutfeedShape:
        return ReadOutfeedShape();
      case Kind::kOperandLayoutConstraints:
        return ReadLayoutConstraints();
      case Kind::kLiteral: {
        if (!from_.has_literal()) return absl::OkStatus();
        absl::StatusOr<Literal> literal = LiteralFromProto(from_.literal());
        if (!literal.ok()) return Bad("literal", literal.status().message());
        module_.AddLiteral(id_, kind, *std::move(literal));
        return absl::OkStatus();
      }
      case Kind::kResultAccuracy: {
        const absl::StatusOr<std::optional<ResultAccuracy>> accuracy = AccuracyFromProto(from_.result_accuracy());
        if (!accuracy.ok()) return Bad("result_accuracy", accuracy.status().message());
        if (*accuracy) module_.AddResultAccuracy(id_, **accuracy);
        return absl::OkStatus();
      }
      case Kind::kDomain:
        return ReadDomain();
      default:
        return absl::InternalError(absl::StrCat(AttributeName(kind), " is not read"));
    }
  }

  absl::Status ReadOutfeedShape() {
    if (!from_.has_outfeed_shape()) return absl::OkStatus();
    absl::StatusOr<Shape> shape = ShapeFromProto(from_.outfeed_shape());
    if (!shape.ok()) return Bad("outfeed_shape", shape.status().message());
    module_.AddShape(id_, Kind::kOutfeedShape, *shape);
    return absl::OkStatus();
  }

  absl::Status ReadLayoutConstraints() {
    if (!from_.constrain_layout()) return absl::OkStatus();
    std::vector<Shape> shapes;
    for (const proto::ShapeProto& operand : from_.operand_shapes_with_layout()) {
      absl::StatusOr<Shape> shape = ShapeFromProto(operand);
      if (!shape.ok()) {
        return Bad(absl::StrCat("operand_shapes_with_layout[", shapes.size(), "]"), shape.status().message());
      }
      shapes.push_back(WithDefaultLayouts(*shape));
    }
    module_.AddShapes(id_, Kind::kOperandLayoutConstraints, std::move(shapes));
    return absl::OkStatus();
  }

  absl::Status ReadDomain() {
    DomainValue domain;
    domain.kind = "sharding";
    absl::StatusOr<Sharding> entry = ShardingFromProto(from_.domain_entry_sharding(), owner_, module_);
    if (!entry.ok()) return Bad("domain_entry_sharding", entry.status().message());
    absl::StatusOr<Sharding> exit = ShardingFromProto(from_.domain_exit_sharding(), owner_, module_);
    if (!exit.ok()) return Bad("domain_exit_sharding", exit.status().message());
    domain.entry = *std::move(entry);
    domain.exit = *std::move(exit);
    module_.AddDomain(id_, std::move(domain));
    return absl::OkStatus();
  }

  // --- What every opcode accepts ---

  absl::Status ReadCommon(Kind kind) {
    switch (kind) {
      case Kind::kSharding: {
        if (!from_.has_sharding()) return absl::OkStatus();
        absl::StatusOr<Sharding> sharding = ShardingFromProto(from_.sharding(), owner_, module_);
        if (!sharding.ok()) return Bad("sharding", sharding.status().message());
        module_.AddSharding(id_, *std::move(sharding));
        return absl::OkStatus();
      }
      case Kind::kFrontendAttributes:
        if (from_.has_frontend_attributes() && !from_.frontend_attributes().map().empty()) {
          module_.AddFrontendAttributes(id_, FrontendAttributesFromProto(from_.frontend_attributes()));
        }
        return absl::OkStatus();
      case Kind::kStatistics:
        if (!from_.statistics_viz().statistics().empty()) {
          module_.AddStatistics(id_, StatisticsFromProto(from_.statistics_viz()));
        }
        return absl::OkStatus();
      case Kind::kParameterReplication: {
        const auto& flags = from_.parameter_replication().replicated_at_leaf_buffers();
        if (!flags.empty() && opcode_ == Opcode::kParameter) module_.AddInts(id_, kind, Ints(flags));
        return absl::OkStatus();
      }
      case Kind::kOrigin:
        if (std::optional<Origin> origin = OriginFromProto(from_.original_value(), module_.shape(id_))) {
          module_.AddOrigin(id_, *std::move(origin));
        }
        return absl::OkStatus();
      case Kind::kBackendConfig:
        return ReadBackendConfig();
      default:
        return absl::InternalError(absl::StrCat(AttributeName(kind), " is not read"));
    }
  }

  absl::Status ReadBackendConfig() {
    const std::string* text = &from_.backend_config();
    const proto::Payload& payload = from_.backend_config_payload();
    if (payload.payload_source_case() == proto::Payload::kValue) text = &payload.value();
    if (payload.payload_source_case() == proto::Payload::kId) {
      if (payload.id() < 0 || payload.id() >= owner_.payloads_size()) {
        return Bad("backend_config_payload", absl::StrCat("payload ", payload.id(), " of ", owner_.payloads_size()));
      }
      text = &owner_.payloads(static_cast<int>(payload.id()));
    }
    if (!text->empty()) module_.AddRaw(id_, Kind::kBackendConfig, {*text});
    return absl::OkStatus();
  }

  const proto::HloInstructionProto& from_;
  const proto::HloModuleProto& owner_;
  const InstructionId id_;
  Module& module_;
  const Opcode opcode_;
  const absl::Span<const Kind> required_;
};

}  // namespace

absl::Status ReadFieldAttributes(const proto::HloInstructionProto& from, const proto::HloModuleProto& owner,
                                 InstructionId id, Module& module) {
  return AttributeReader(from, owner, id, module).Read();
}

}  // namespace hloscope::interop
