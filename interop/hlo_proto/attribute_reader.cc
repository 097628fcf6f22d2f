#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ir/default_layout.h"
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

bool AddOrigin(const proto::OriginalValueProto& from, const Shape& shape, ShapeIndex& index, Origin& to) {
  const size_t node = to.nodes.size();
  to.nodes.emplace_back();
  if (shape.IsTuple()) {
    to.nodes[node].is_tuple = true;
    to.nodes[node].child_count = static_cast<uint32_t>(shape.tuple_size());
    for (int64_t i = 0; i < shape.tuple_size(); ++i) {
      index.push_back(i);
      if (!AddOrigin(from, shape.element(i), index, to)) return false;
      index.pop_back();
    }
    return true;
  }
  for (const proto::OriginalValueElementProto& element : from.elements()) {
    if (!std::equal(index.begin(), index.end(), element.shape_index().begin(), element.shape_index().end())) continue;
    if (element.has_original_array()) to.nodes[node].array = OriginArrayFromProto(element.original_array());
    break;
  }
  return std::all_of(to.nodes[node].array.index.begin(), to.nodes[node].array.index.end(),
                     [](int64_t i) { return i >= 0; });
}

class AttributeReader {
 public:
  AttributeReader(const proto::HloInstructionProto& from, const proto::HloModuleProto& owner, const IdResolver& resolve,
                  InstructionId id, Module& module)
      : from_(from),
        owner_(owner),
        resolve_(resolve),
        id_(id),
        module_(module),
        opcode_(module.opcode(id)),
        required_(InfoOf(opcode_).required) {}

  absl::Status Read() {
    for (Kind kind : InfoOf(opcode_).attributes) {
      if (const absl::Status status = ReadOne(kind); !status.ok()) return status;
    }
    for (Kind kind : CommonAttributes()) {
      if (const absl::Status status = ReadCommon(kind); !status.ok()) return status;
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
        return ReadInts(kind);
      case AttributeType::kWords:
        return ReadPrecisions();
      case AttributeType::kComputation:
      case AttributeType::kComputations:
        return ReadComputations(kind);
      default:
        return ReadStructure(kind);
    }
  }

  // --- Single values ---

  void AddBool(Kind kind) {
    const auto value = [&] {
      switch (kind) {
        case Kind::kLargest:
          return from_.largest();
        case Kind::kIsStable:
          return from_.is_stable();
        case Kind::kConstrainLayout:
          return from_.constrain_layout();
        case Kind::kUseGlobalDeviceIds:
          return from_.use_global_device_ids();
        case Kind::kHasDynamicRoot:
          return from_.has_dynamic_root();
        case Kind::kIsHostTransfer:
          return from_.is_host_transfer();
        case Kind::kIsComposite:
          return from_.is_composite();
        case Kind::kLeftSide:
          return from_.triangular_solve_options().left_side();
        case Kind::kLower:
          return opcode_ == Opcode::kCholesky ? from_.cholesky_options().lower()
                                              : from_.triangular_solve_options().lower();
        case Kind::kUnitDiagonal:
          return from_.triangular_solve_options().unit_diagonal();
        case Kind::kIsReverse:
          return from_.is_reverse();
        case Kind::kIsAssociative:
          return from_.is_associative() == proto::TRI_STATE_TRUE;
        case Kind::kCustomCallHasSideEffect:
          return from_.custom_call_has_side_effect();
        case Kind::kIndicesAreSorted:
          return from_.indices_are_sorted();
        case Kind::kUniqueIndices:
          return from_.unique_indices();
        default:
          return false;
      }
    }();
    // A topk sorts stably, by the largest, if the text says nothing.
    const bool is_said = opcode_ == Opcode::kTopk ||
                         (kind == Kind::kIsAssociative && from_.is_associative() != proto::TRI_STATE_UNSPECIFIED);
    if (value || is_said) module_.AddBool(id_, kind, value);
  }

  // The one dimension of an instruction that has exactly one.
  absl::Status AddDimension(Kind kind) {
    if (from_.dimensions_size() != 1) {
      return Bad("dimensions", absl::StrCat(from_.name(), " takes one dimension, found ", from_.dimensions_size()));
    }
    module_.AddInt(id_, kind, from_.dimensions(0));
    return absl::OkStatus();
  }

  absl::Status ReadInt(Kind kind) {
    const auto add = [&](int64_t value, bool is_given = true) {
      if (is_given) module_.AddInt(id_, kind, value);
      return absl::OkStatus();
    };
    switch (kind) {
      case Kind::kIotaDimension:
        return AddDimension(kind);
      case Kind::kInferredDimension:
        return from_.dimensions_size() == 0 ? absl::OkStatus() : AddDimension(kind);
      case Kind::kK:
        return add(from_.k());
      case Kind::kChannelId: {
        const int64_t old = from_.all_reduce_id();
        if (old > 0 && from_.channel_id() > 0) return Bad("all_reduce_id", "the instruction has a channel_id too");
        return add(old > 0 ? old : from_.channel_id(), old > 0 || from_.channel_id() > 0);
      }
      case Kind::kCrossProgramPrefetchIndex: {
        const bool has_index = from_.optional_cross_program_prefetch_index_case() ==
                               proto::HloInstructionProto::kCrossProgramPrefetchIndex;
        return add(has_index ? from_.cross_program_prefetch_index() : 0,
                   has_index || from_.is_cross_program_prefetch());
      }
      case Kind::kIndex:
        return add(from_.tuple_index());
      case Kind::kFeatureGroupCount:
        return add(from_.feature_group_count(), from_.feature_group_count() > 1);
      case Kind::kBatchGroupCount:
        return add(from_.batch_group_count(), from_.batch_group_count() > 1);
      case Kind::kNumCarries:
        return add(from_.num_carries());
      case Kind::kFeatureIndex:
        return add(from_.feature_index());
      case Kind::kDelta:
        return add(from_.delta());
      case Kind::kExponentBits:
        return add(from_.exponent_bits());
      case Kind::kMantissaBits:
        return add(from_.mantissa_bits());
      case Kind::kIndexVectorDim:
        return add(opcode_ == Opcode::kGather ? from_.gather_dimension_numbers().index_vector_dim()
                                              : from_.scatter_dimension_numbers().index_vector_dim());
      default:
        return absl::OkStatus();
    }
  }

  void AddString(Kind kind) {
    const std::string& text = kind == Kind::kAsyncExecutionThread ? from_.async_execution_thread()
                              : kind == Kind::kInfeedConfig       ? from_.infeed_config()
                              : kind == Kind::kOutfeedConfig      ? from_.outfeed_config()
                                                                  : from_.custom_call_target();
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

  absl::Status ReadInts(Kind kind) {
    const absl::StatusOr<std::vector<int64_t>> list = ListOf(kind);
    if (!list.ok()) return list.status();
    const bool is_said = IsRequired(kind) || (kind == Kind::kDimensions && opcode_ == Opcode::kBroadcast);
    if (!list->empty() || is_said) module_.AddInts(id_, kind, *list);
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<int64_t>> ListOf(Kind kind) const {
    const proto::DotDimensionNumbers& dot = opcode_ == Opcode::kRaggedDot
                                                ? from_.ragged_dot_dimension_numbers().dot_dimension_numbers()
                                                : from_.dot_dimension_numbers();
    const proto::GatherDimensionNumbers& gather = from_.gather_dimension_numbers();
    const proto::ScatterDimensionNumbers& scatter = from_.scatter_dimension_numbers();
    switch (kind) {
      case Kind::kDimensions:
        return Ints(from_.dimensions());
      case Kind::kFftLength:
        return Ints(from_.fft_length());
      case Kind::kDynamicSliceSizes:
        return Ints(from_.dynamic_slice_sizes());
      case Kind::kLhsContractingDims:
        return Ints(dot.lhs_contracting_dimensions());
      case Kind::kRhsContractingDims:
        return Ints(dot.rhs_contracting_dimensions());
      case Kind::kLhsBatchDims:
        return Ints(dot.lhs_batch_dimensions());
      case Kind::kRhsBatchDims:
        return Ints(dot.rhs_batch_dimensions());
      case Kind::kLhsRaggedDims:
        return Ints(from_.ragged_dot_dimension_numbers().lhs_ragged_dimensions());
      case Kind::kRhsGroupDims:
        return Ints(from_.ragged_dot_dimension_numbers().rhs_group_dimensions());
      case Kind::kOffsetDims:
        return Ints(gather.offset_dims());
      case Kind::kCollapsedSliceDims:
        return Ints(gather.collapsed_slice_dims());
      case Kind::kStartIndexMap:
        return Ints(gather.start_index_map());
      case Kind::kSliceSizes:
        return Ints(from_.gather_slice_sizes());
      case Kind::kOperandBatchingDims:
        return Ints(gather.operand_batching_dims());
      case Kind::kStartIndicesBatchingDims:
        return Ints(gather.start_indices_batching_dims());
      case Kind::kUpdateWindowDims:
        return Ints(scatter.update_window_dims());
      case Kind::kInsertedWindowDims:
        return Ints(scatter.inserted_window_dims());
      case Kind::kScatterDimsToOperandDims:
        return Ints(scatter.scatter_dims_to_operand_dims());
      case Kind::kInputBatchingDims:
        return Ints(scatter.input_batching_dims());
      case Kind::kScatterIndicesBatchingDims:
        return Ints(scatter.scatter_indices_batching_dims());
      default:
        return std::vector<int64_t>();
    }
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

  // --- Computations ---

  absl::Status ReadComputations(Kind kind) {
    const int count = from_.called_computation_ids_size();
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
      list.push_back(resolve_.computation(from_.called_computation_ids(k)));
      if (!list.back().has_value()) {
        return Bad(absl::StrCat("called_computation_ids[", k, "]"),
                   absl::StrCat("no computation has the id ", from_.called_computation_ids(k)));
      }
    }
    module_.AddComputations(id_, kind, list);
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
        AddAliasing();
        return absl::OkStatus();
      case Kind::kWindow:
        AddWindow();
        return absl::OkStatus();
      case Kind::kDimLabels:
        AddDimLabels();
        return absl::OkStatus();
      case Kind::kSparsityConfig:
        AddSparsity();
        return absl::OkStatus();
      case Kind::kSlice: {
        std::vector<SliceRange> ranges;
        for (const auto& range : from_.slice_dimensions()) {
          ranges.push_back({range.start(), range.limit(), range.stride()});
        }
        module_.AddSliceRanges(id_, std::move(ranges));
        return absl::OkStatus();
      }
      case Kind::kPadding: {
        PaddingConfig padding;
        for (const auto& d : from_.padding_config().dimensions()) {
          padding.push_back({d.edge_padding_low(), d.edge_padding_high(), d.interior_padding()});
        }
        module_.AddPadding(id_, std::move(padding));
        return absl::OkStatus();
      }
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
      case Kind::kResultAccuracy:
        return ReadAccuracy();
      case Kind::kDomain:
        return ReadDomain();
      default:
        return absl::OkStatus();
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

  void AddAliasing() {
    std::vector<AliasEntry> entries;
    for (const proto::OutputOperandAliasing& entry : from_.output_operand_aliasing()) {
      entries.push_back(
          {Ints(entry.output_shape_index()), entry.operand_index(), Ints(entry.operand_shape_index()), false});
    }
    if (!entries.empty()) module_.AddAliasing(id_, Kind::kOutputToOperandAliasing, std::move(entries));
  }

  void AddWindow() {
    if (!from_.has_window()) return;
    Window window;
    for (const proto::WindowDimension& d : from_.window().dimensions()) {
      window.dimensions.push_back({.size = d.size(),
                                   .stride = d.stride(),
                                   .padding_low = d.padding_low(),
                                   .padding_high = d.padding_high(),
                                   .base_dilation = d.base_dilation(),
                                   .window_dilation = d.window_dilation(),
                                   .reversal = d.window_reversal()});
    }
    if (!window.dimensions.empty() || opcode_ == Opcode::kCustomCall) module_.AddWindow(id_, std::move(window));
  }

  void AddDimLabels() {
    if (!from_.has_convolution_dimension_numbers() && !IsRequired(Kind::kDimLabels)) return;
    const proto::ConvolutionDimensionNumbers& d = from_.convolution_dimension_numbers();
    ConvolutionDimensionNumbers to;
    to.input_batch = d.input_batch_dimension();
    to.input_feature = d.input_feature_dimension();
    to.input_spatial = Ints(d.input_spatial_dimensions());
    to.kernel_input_feature = d.kernel_input_feature_dimension();
    to.kernel_output_feature = d.kernel_output_feature_dimension();
    to.kernel_spatial = Ints(d.kernel_spatial_dimensions());
    to.output_batch = d.output_batch_dimension();
    to.output_feature = d.output_feature_dimension();
    to.output_spatial = Ints(d.output_spatial_dimensions());
    module_.AddDimLabels(id_, std::move(to));
  }

  void AddSparsity() {
    if (!from_.has_sparsity_config()) return;
    const auto side = [](const proto::SparsityConfig::TensorSparsityConfig& s) {
      return SparsitySide{s.num_non_zero(), s.block_size(), s.dimension(), s.stride(), s.idx()};
    };
    SparsityConfig config;
    if (from_.sparsity_config().has_lhs()) config.lhs = side(from_.sparsity_config().lhs());
    if (from_.sparsity_config().has_rhs()) config.rhs = side(from_.sparsity_config().rhs());
    if (config.lhs || config.rhs) module_.AddSparsity(id_, std::move(config));
  }

  absl::Status ReadAccuracy() {
    const proto::ResultAccuracy& accuracy = from_.result_accuracy();
    if (accuracy.specs_case() == proto::ResultAccuracy::kTolerance) {
      const auto& tolerance = accuracy.tolerance();
      if (tolerance.atol() < 0 || tolerance.rtol() < 0 || tolerance.ulps() < 0) {
        return Bad("result_accuracy", "a tolerance is negative");
      }
      module_.AddResultAccuracy(id_, {true, false, tolerance.atol(), tolerance.rtol(), tolerance.ulps()});
    } else if (accuracy.mode() == proto::ResultAccuracy::HIGHEST) {
      module_.AddResultAccuracy(id_, {.highest = true});
    }
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
        AddStatistics();
        return absl::OkStatus();
      case Kind::kParameterReplication: {
        const auto& flags = from_.parameter_replication().replicated_at_leaf_buffers();
        if (!flags.empty() && opcode_ == Opcode::kParameter) module_.AddInts(id_, kind, Ints(flags));
        return absl::OkStatus();
      }
      case Kind::kControlPredecessors:
        return ReadPredecessors();
      case Kind::kOrigin:
        AddOriginalValue();
        return absl::OkStatus();
      case Kind::kMetadata: {
        if (!from_.has_metadata()) return absl::OkStatus();
        const absl::StatusOr<Metadata> metadata = MetadataFromProto(from_.metadata(), owner_, module_);
        if (!metadata.ok()) return Bad("metadata", metadata.status().message());
        if (!(*metadata == Metadata())) module_.AddMetadata(id_, *metadata);
        return absl::OkStatus();
      }
      case Kind::kBackendConfig:
        return ReadBackendConfig();
      default:
        return absl::OkStatus();
    }
  }

  void AddStatistics() {
    if (from_.statistics_viz().statistics().empty()) return;
    Statistics statistics;
    statistics.visualizing_index = from_.statistics_viz().stat_index_to_visualize();
    for (const proto::Statistic& value : from_.statistics_viz().statistics()) {
      statistics.values.emplace_back(value.stat_name(), value.stat_val());
    }
    module_.AddStatistics(id_, std::move(statistics));
  }

  absl::Status ReadPredecessors() {
    std::vector<InstructionId> list;
    for (int64_t id : from_.control_predecessor_ids()) {
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

  void AddOriginalValue() {
    if (!from_.has_original_value()) return;
    Origin origin;
    origin.synthetic_call = from_.original_value().is_synthetic_call();
    ShapeIndex index;
    const bool is_given = origin.synthetic_call || !from_.original_value().elements().empty();
    if (!is_given) return;
    if (!origin.synthetic_call && !AddOrigin(from_.original_value(), module_.shape(id_), index, origin)) return;
    module_.AddOrigin(id_, std::move(origin));
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
  const IdResolver& resolve_;
  const InstructionId id_;
  Module& module_;
  const Opcode opcode_;
  const absl::Span<const Kind> required_;
};

}  // namespace

FrontendAttributes FrontendAttributesFromProto(const proto::FrontendAttributes& from) {
  FrontendAttributes attributes;
  for (const auto& entry : from.map()) attributes.emplace_back(entry.key(), RawValue{entry.value()});
  // Of equal keys the last one counts.
  std::stable_sort(attributes.begin(), attributes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto same_key = [](const auto& a, const auto& b) { return a.first == b.first; };
  attributes.erase(attributes.begin(), std::unique(attributes.rbegin(), attributes.rend(), same_key).base());
  return attributes;
}

OriginArray OriginArrayFromProto(const proto::OriginalArrayProto& from) {
  return {from.instruction_name(), Ints(from.shape_index())};
}

absl::Status ReadAttributes(const proto::HloInstructionProto& from, const proto::HloModuleProto& owner,
                            const IdResolver& resolve, InstructionId id, Module& module) {
  return AttributeReader(from, owner, resolve, id, module).Read();
}

}  // namespace hloscope::interop
