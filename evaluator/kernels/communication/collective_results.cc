// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/communication/collective_results.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/ops/element_type_rules.h"
#include "evaluator/kernels/data_movement/data_movement.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/index_values.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/lanes/scalar_program.h"

namespace hloscope::evaluator {
namespace {

// The declared shape of result number `k`.
const Shape& ResultShape(const KernelContext& context, size_t k) {
  const Shape& shape = context.opcode() == Opcode::kAllGatherStart ? context.shape().element(1) : context.shape();
  return shape.IsTuple() ? shape.element(static_cast<int64_t>(k)) : shape;
}

absl::StatusOr<std::vector<Value>> AllGather(const KernelContext& context, const Meeting& meeting) {
  const int64_t dimension = context.module.IntsAttribute(context.id, AttributeKind::kDimensions)[0];
  std::vector<Value> results;
  for (size_t k = 0; k < context.operands.size(); ++k) {
    std::vector<Tensor> parts;
    for (size_t member = 0; member < meeting.group_size(); ++member) {
      parts.push_back(ValidRegion(meeting.Get(member, k)));
    }
    absl::StatusOr<Tensor> gathered = ConcatenateTensors(parts, dimension, parts[0].element_type(), context.runtime);
    if (gathered.ok()) gathered = EnlargeToBounds(*std::move(gathered), ResultShape(context, k));
    if (!gathered.ok()) return gathered.status();
    results.emplace_back(*std::move(gathered));
  }
  return results;
}

// The combiner, which must take two scalars and return one, of types between which `type` can be converted: the
// verifier leaves it free.
absl::StatusOr<std::unique_ptr<ScalarProgram>> CompileCombiner(const KernelContext& context, ElementType type) {
  absl::StatusOr<std::unique_ptr<ScalarProgram>> program =
      ScalarProgram::Compile(context.module, context.module.ComputationAttribute(context.id, AttributeKind::kToApply));
  if (!program.ok()) return program;
  const ScalarProgram& combiner = **program;
  if (combiner.input_count() == 2 && combiner.output_count() == 1 &&
      SameUpToFloatPrecision(combiner.input_type(0), type) && SameUpToFloatPrecision(combiner.input_type(1), type) &&
      SameUpToFloatPrecision(combiner.output_type(0), type)) {
    return program;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      OpcodeName(context.opcode()), ": the combiner does not make one value of two of type ", ElementTypeName(type)));
}

// ((v0 o v1) o v2) ... element by element, in rank order. A combiner of another precision works in that; the result
// alone is rounded to the type of the operand.
absl::StatusOr<Tensor> Fold(const KernelContext& context, const Meeting& meeting, size_t operand) {
  if (meeting.group_size() == 1) return meeting.Get(0, operand);
  const ElementType type = meeting.Get(0, operand).element_type();
  absl::StatusOr<std::unique_ptr<ScalarProgram>> program = CompileCombiner(context, type);
  if (!program.ok()) return program.status();
  const ScalarProgram& combiner = **program;
  // Dense and nobody else's, of the type that the combiner takes.
  const auto own = [&](const Tensor& tensor) -> absl::StatusOr<Tensor> {
    absl::StatusOr<Tensor> converted = ConvertElements(tensor, combiner.input_type(0), context.runtime);
    return converted.ok() ? CopyOfElements(*converted, context.runtime) : converted;
  };
  const bool in_place = combiner.output_type(0) == combiner.input_type(0);
  absl::StatusOr<Tensor> accumulator = own(meeting.Get(0, operand));
  if (!accumulator.ok()) return accumulator;
  for (size_t member = 1; member < meeting.group_size(); ++member) {
    if (accumulator->element_type() != combiner.input_type(0)) accumulator = own(*accumulator);
    if (!accumulator.ok()) return accumulator;
    absl::StatusOr<Tensor> value =
        ConvertElements(meeting.Get(member, operand), combiner.input_type(1), context.runtime);
    if (value.ok()) value = DenseElements(*value, context.runtime);
    if (!value.ok()) return value;
    absl::StatusOr<Tensor> combined =
        in_place ? *accumulator : Tensor::Allocate(combiner.output_type(0), accumulator->dimensions());
    if (!combined.ok()) return combined;
    const uint8_t* const data = accumulator->data();
    uint8_t* const out = combined->mutable_data();
    const int64_t bytes = accumulator->element_bytes(), value_bytes = value->element_bytes();
    const int64_t out_bytes = combined->element_bytes();
    const auto run = [&](int64_t begin, int64_t end) {
      const LaneOperand lanes[] = {{data + begin * bytes, false}, {value->data() + begin * value_bytes, false}};
      uint8_t* const outputs[] = {out + begin * out_bytes};
      return combiner.Run(lanes, outputs, end - begin, context.runtime);
    };
    absl::Status status;
    if (combiner.is_compiled()) {
      status = ParallelLoop(context.runtime, accumulator->element_count(), combiner.nanoseconds_per_lane(),
                            [&](int64_t begin, int64_t end) { run(begin, end).IgnoreError(); });  // cannot fail
    } else {
      status = run(0, accumulator->element_count());
    }
    if (!status.ok()) return status;
    accumulator = *std::move(combined);
  }
  absl::StatusOr<Tensor> result = ConvertElements(*accumulator, type, context.runtime);
  if (!result.ok()) return result;
  // As large at run time as what this device contributes.
  const absl::Span<const int64_t> sizes = meeting.Get(meeting.rank, operand).dynamic_sizes();
  result->set_dynamic_sizes(DimensionVector(sizes.begin(), sizes.end()));
  return result;
}

absl::StatusOr<std::vector<Value>> AllReduce(const KernelContext& context, const Meeting& meeting) {
  std::vector<Value> results;
  for (size_t k = 0; k < context.operands.size(); ++k) {
    absl::StatusOr<Tensor> sum = Fold(context, meeting, k);
    if (!sum.ok()) return sum.status();
    results.emplace_back(*std::move(sum));
  }
  return results;
}

// Part number `part` of `count` equal ones along the dimension.
Tensor PartOf(const Tensor& tensor, int64_t dimension, size_t part, size_t count) {
  const int64_t size = tensor.dimension(dimension) / static_cast<int64_t>(count);
  return RangeOf(tensor, dimension, size * static_cast<int64_t>(part), size);
}

absl::StatusOr<std::vector<Value>> ReduceScatter(const KernelContext& context, const Meeting& meeting) {
  const int64_t dimension = context.module.IntsAttribute(context.id, AttributeKind::kDimensions)[0];
  std::vector<Value> results;
  for (size_t k = 0; k < context.operands.size(); ++k) {
    absl::StatusOr<Tensor> sum = Fold(context, meeting, k);
    if (!sum.ok()) return sum.status();
    const Tensor exact = ValidRegion(*sum);
    if (exact.dimension(dimension) % static_cast<int64_t>(meeting.group_size()) != 0) {
      return absl::InvalidArgumentError(absl::StrCat("reduce-scatter: the run-time size ", exact.dimension(dimension),
                                                     " of dimension ", dimension, " has no ", meeting.group_size(),
                                                     " equal parts"));
    }
    absl::StatusOr<Tensor> part =
        EnlargeToBounds(PartOf(exact, dimension, meeting.rank, meeting.group_size()), ResultShape(context, k));
    if (!part.ok()) return part.status();
    results.emplace_back(*std::move(part));
  }
  return results;
}

absl::StatusOr<std::vector<Value>> AllToAll(const KernelContext& context, const Meeting& meeting) {
  const size_t size = meeting.group_size();
  const absl::Span<const int64_t> dimensions = context.module.IntsAttribute(context.id, AttributeKind::kDimensions);
  if (dimensions.empty()) {
    // Tuple form: element i is what the member of rank i has for this one.
    if (context.operands.size() != size) {
      return absl::InvalidArgumentError(
          absl::StrCat("all-to-all: ", context.operands.size(), " operands in a group of ", size, " devices"));
    }
    std::vector<Value> results;
    for (size_t member = 0; member < size; ++member) {
      results.push_back(meeting.contributions[member][meeting.rank]);
    }
    return results;
  }
  std::vector<Tensor> parts;
  for (size_t member = 0; member < size; ++member) {
    parts.push_back(PartOf(meeting.Get(member, 0), dimensions[0], meeting.rank, size));
  }
  absl::StatusOr<Tensor> result =
      ConcatenateTensors(parts, dimensions[0], context.shape().element_type(), context.runtime);
  if (!result.ok()) return result.status();
  return std::vector<Value>{Value(*std::move(result))};
}

// The verifier asks only that offsets and sizes are lists of one shape.
absl::Status CheckRaggedOperands(const KernelContext& context, const Meeting& meeting) {
  if (!context.operands[0].IsTensor()) return absl::InvalidArgumentError("ragged-all-to-all: the input is no array");
  const Tensor& input = context.tensor(0);
  const Tensor& output = context.tensor(1);
  bool rows_agree = input.rank() > 0 && input.rank() == output.rank() &&
                    SameUpToFloatPrecision(input.element_type(), output.element_type());
  for (int64_t d = 1; rows_agree && d < input.rank(); ++d) rows_agree = input.dimension(d) == output.dimension(d);
  if (!rows_agree) {
    return absl::InvalidArgumentError(absl::StrCat("ragged-all-to-all: rows of ", input.shape().ToString(false),
                                                   " are not rows of ", output.shape().ToString(false)));
  }
  for (size_t k = 2; k < 6; ++k) {
    if (IsInteger(context.tensor(k).element_type())) continue;
    return absl::InvalidArgumentError(absl::StrCat("ragged-all-to-all: operand ", k, " does not hold integers"));
  }
  const int64_t entries = context.tensor(2).element_count(), members = static_cast<int64_t>(meeting.group_size());
  if (entries % members == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("ragged-all-to-all: ", entries, " offsets cannot be shared by ", members, " devices"));
}

// 4.11: operands are input, output, input offsets, send sizes, output offsets, receive sizes.
absl::StatusOr<std::vector<Value>> RaggedAllToAll(const KernelContext& context, const Meeting& meeting) {
  if (absl::Status s = CheckRaggedOperands(context, meeting); !s.ok()) return s;
  absl::StatusOr<Tensor> result = context.tensor(1).Copy();
  if (!result.ok()) return result.status();
  const std::vector<int64_t> receive_sizes = ReadIndices(context.tensor(5));
  const size_t updates = receive_sizes.size() / meeting.group_size();
  // By row; rows may be empty, and very many.
  absl::StatusOr<Tensor> is_written = ZeroTensor(ElementType::kPred, {result->dimension(0)}, context.runtime);
  if (!is_written.ok()) return is_written.status();
  uint8_t* const written = is_written->mutable_data();
  for (size_t sender = 0; sender < meeting.group_size(); ++sender) {
    const absl::StatusOr<Tensor> converted =
        ConvertElements(meeting.Get(sender, 0), result->element_type(), context.runtime);
    if (!converted.ok()) return converted.status();
    const Tensor& input = *converted;
    const std::vector<int64_t> input_offsets = ReadIndices(meeting.Get(sender, 2));
    const std::vector<int64_t> send_sizes = ReadIndices(meeting.Get(sender, 3));
    const std::vector<int64_t> output_offsets = ReadIndices(meeting.Get(sender, 4));
    for (size_t k = 0; k < updates; ++k) {
      const size_t entry = meeting.rank * updates + k;  // of the sender's tables
      const int64_t from = input_offsets[entry], count = send_sizes[entry], to = output_offsets[entry];
      const int64_t expected = receive_sizes[sender * updates + k];
      if (count != expected) {
        return absl::InvalidArgumentError(absl::StrCat("ragged-all-to-all: rank ", sender, " sends ", count,
                                                       " rows, but recv_sizes says ", expected));
      }
      if (count < 0 || from < 0 || from > input.dimension(0) - count || to < 0 || to > result->dimension(0) - count) {
        return absl::InvalidArgumentError(absl::StrCat("ragged-all-to-all: ", count, " rows from row ", from, " of ",
                                                       input.dimension(0), " to row ", to, " of ", result->dimension(0),
                                                       " are out of range"));
      }
      for (int64_t row = to; row < to + count; ++row) {
        if (written[row] != 0) {
          return absl::InvalidArgumentError(absl::StrCat("ragged-all-to-all: row ", row, " is written twice"));
        }
        written[row] = 1;
      }
      uint8_t* const target = result->mutable_data() + to * result->strides()[0] * result->element_bytes();
      absl::Status s = CopyElements(RangeOf(input, 0, from, count), target, result->strides(), context.runtime);
      if (!s.ok()) return s;
    }
  }
  return std::vector<Value>{Value(*std::move(result))};
}

absl::StatusOr<std::vector<Value>> ZerosLike(const KernelContext& context, size_t count) {
  std::vector<Value> zeros;
  for (size_t k = 0; k < count; ++k) {
    absl::StatusOr<Value> zero = ZeroValue(ShapeOf(context.operands[k]));
    if (!zero.ok()) return zero.status();
    zeros.push_back(*std::move(zero));
  }
  return zeros;
}

absl::StatusOr<std::vector<Value>> CollectiveBroadcast(const KernelContext& context, const Meeting& meeting) {
  const bool dynamic_root = context.module.BoolAttribute(context.id, AttributeKind::kHasDynamicRoot);
  const size_t count = context.operands.size() - (dynamic_root ? 1 : 0);
  if (count == 0) return absl::InvalidArgumentError("collective-broadcast: the roots are missing");
  if (!meeting.takes_part) return ZerosLike(context, count);
  std::vector<int64_t> roots(count, 0);
  if (dynamic_root) {
    if (!context.operands[count].IsTensor()) {
      return absl::InvalidArgumentError("collective-broadcast: the roots are no array");
    }
    const Tensor& written = context.tensor(count);
    if (!IsInteger(written.element_type()) || written.element_count() < static_cast<int64_t>(count)) {
      return absl::InvalidArgumentError(absl::StrCat("collective-broadcast: ", written.shape().ToString(false),
                                                     " does not hold the roots of ", count, " values"));
    }
    roots = ReadIndices(written);
  }
  std::vector<Value> results;
  for (size_t k = 0; k < count; ++k) {
    if (roots[k] < 0 || roots[k] >= static_cast<int64_t>(meeting.group_size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("collective-broadcast: root ", roots[k], " in a group of ", meeting.group_size(), " devices"));
    }
    results.push_back(meeting.contributions[static_cast<size_t>(roots[k])][k]);
  }
  return results;
}

// The index tuples of one buffer, in slice order: a tuple of scalars is the one of a single slice.
absl::Span<const Value> IndexTuples(const Value& indices) {
  const bool single = indices.elements().empty() || indices.elements()[0].IsTensor();
  return single ? absl::MakeConstSpan(&indices, 1) : indices.elements();
}

// Start indices as dynamic-slice clamps them.
std::vector<int64_t> ClampedStarts(const Value& indices, const Tensor& buffer, absl::Span<const int64_t> sizes) {
  std::vector<int64_t> starts;
  for (size_t d = 0; d < indices.elements().size() && d < sizes.size(); ++d) {
    const int64_t start = ReadIndices(indices.elements()[d].tensor())[0];
    starts.push_back(std::clamp<int64_t>(start, 0, buffer.dimension(static_cast<int64_t>(d)) - sizes[d]));
  }
  return starts;
}

Tensor SliceAt(Tensor tensor, absl::Span<const int64_t> starts, absl::Span<const int64_t> sizes) {
  for (size_t d = 0; d < starts.size(); ++d) tensor = RangeOf(tensor, static_cast<int64_t>(d), starts[d], sizes[d]);
  return tensor;
}

// The verifier does not look at slice_sizes: a list for each slice of each buffer, and sizes that fit into both
// buffers.
absl::Status CheckSliceSizes(const KernelContext& context, absl::Span<const Value> inputs,
                             absl::Span<const Value> outputs, const std::vector<std::vector<int64_t>>& sizes,
                             size_t slice_count) {
  const std::string opcode(OpcodeName(context.opcode()));
  if (sizes.size() != inputs.size() * slice_count || inputs.size() != outputs.size()) {
    return absl::InvalidArgumentError(absl::StrCat(opcode, ": slice_sizes has ", sizes.size(), " lists for ",
                                                   inputs.size() * slice_count, " slices"));
  }
  for (size_t b = 0; b < inputs.size(); ++b) {
    if (inputs[b].tensor().element_type() == outputs[b].tensor().element_type()) continue;
    return absl::InvalidArgumentError(absl::StrCat(opcode, ": slices of ", inputs[b].tensor().shape().ToString(false),
                                                   " cannot be written to ",
                                                   outputs[b].tensor().shape().ToString(false)));
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    for (const Tensor* buffer : {&inputs[i / slice_count].tensor(), &outputs[i / slice_count].tensor()}) {
      bool fits = static_cast<int64_t>(sizes[i].size()) == buffer->rank();
      for (size_t d = 0; fits && d < sizes[i].size(); ++d) {
        fits = sizes[i][d] >= 0 && sizes[i][d] <= buffer->dimensions()[d];
      }
      if (fits) continue;
      return absl::InvalidArgumentError(absl::StrCat(opcode, ": a slice of sizes {", absl::StrJoin(sizes[i], ","),
                                                     "} does not fit into ", buffer->shape().ToString(false)));
    }
  }
  return absl::OkStatus();
}

// The verifier asks for a tuple of arrays.
absl::Status CheckStartIndices(const Value& indices, size_t rank) {
  const auto is_index = [](const Value& value) {
    return value.IsTensor() && IsInteger(value.tensor().element_type()) && value.tensor().element_count() == 1;
  };
  if (indices.elements().size() == rank && absl::c_all_of(indices.elements(), is_index)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("collective-permute: ", ShapeOf(indices).ToString(false),
                                                 " is no place in an array of rank ", rank));
}

// 4.12, in-place form. The operands are input, output, where slices are read and where they are written; the j-th pair
// in which an id is the source (the target) uses its j-th slice.
absl::StatusOr<std::vector<Value>> PermuteSlices(const KernelContext& context, const Meeting& meeting) {
  const bool several = context.operands[0].IsTuple();
  const auto buffers = [&](const Value& v) { return several ? v.elements() : absl::MakeConstSpan(&v, 1); };
  const std::vector<std::vector<int64_t>>& sizes =
      *context.module.IntListsAttribute(context.id, AttributeKind::kSliceSizesList);
  static const auto* const kNoPairs = new std::vector<std::vector<int64_t>>();
  const auto* written_pairs = context.module.IntListsAttribute(context.id, AttributeKind::kSourceTargetPairs);
  const std::vector<std::vector<int64_t>>& pairs = written_pairs != nullptr ? *written_pairs : *kNoPairs;
  const bool is_partition = context.module.HasAttribute(context.id, AttributeKind::kChannelId);
  const int64_t own_id = is_partition ? context.runtime.partition_id() : context.runtime.replica_id();
  const size_t buffer_count = buffers(context.operands[0]).size();
  const Value& first_indices = several ? context.operands[2].elements()[0] : context.operands[2];
  const size_t slice_count = IndexTuples(first_indices).size();
  absl::Status fits =
      CheckSliceSizes(context, buffers(context.operands[0]), buffers(context.operands[1]), sizes, slice_count);
  if (!fits.ok()) return fits;
  std::vector<Value> results;
  for (size_t b = 0; b < buffer_count; ++b) {
    absl::StatusOr<Tensor> result = buffers(context.operands[1])[b].tensor().Copy();
    if (!result.ok()) return result.status();
    size_t received = 0;  // pairs with this device as the target
    for (size_t p = 0; p < pairs.size(); ++p) {
      if (pairs[p][1] != own_id) continue;
      // Which of the source's slices this pair reads.
      const size_t sent = static_cast<size_t>(std::count_if(pairs.begin(), pairs.begin() + static_cast<int64_t>(p),
                                                            [&](const auto& q) { return q[0] == pairs[p][0]; }));
      const std::vector<Value>& operands = meeting.contributions[received];
      const Value& input_indices = several ? operands[2].elements()[b] : operands[2];
      const Value& output_indices = several ? context.operands[3].elements()[b] : context.operands[3];
      if (sent >= std::min(slice_count, IndexTuples(input_indices).size()) ||
          received >= std::min(slice_count, IndexTuples(output_indices).size())) {
        return absl::InvalidArgumentError("collective-permute: an id has more pairs than slices");
      }
      const std::vector<int64_t>& size = sizes[b * slice_count + sent];  // of what is written as well
      for (const Value* indices : {&IndexTuples(input_indices)[sent], &IndexTuples(output_indices)[received]}) {
        if (absl::Status s = CheckStartIndices(*indices, size.size()); !s.ok()) return s;
      }
      const Tensor& input = buffers(operands[0])[b].tensor();
      const std::vector<int64_t> from = ClampedStarts(IndexTuples(input_indices)[sent], input, size);
      const std::vector<int64_t> to = ClampedStarts(IndexTuples(output_indices)[received], *result, size);
      int64_t offset = 0;
      for (size_t d = 0; d < to.size(); ++d) offset += to[d] * result->strides()[d];
      absl::Status s =
          CopyElements(SliceAt(input, from, size), result->mutable_data() + offset * result->element_bytes(),
                       result->strides(), context.runtime);
      if (!s.ok()) return s;
      ++received;
    }
    results.emplace_back(*std::move(result));
  }
  return results;
}

// 4.12: the operands of the source on a target, zeros elsewhere.
absl::StatusOr<std::vector<Value>> CollectivePermute(const KernelContext& context, const Meeting& meeting) {
  if (context.module.HasAttribute(context.id, AttributeKind::kSliceSizesList)) return PermuteSlices(context, meeting);
  if (meeting.contributions.empty()) return ZerosLike(context, context.operands.size());
  return meeting.contributions[0];
}

}  // namespace

absl::StatusOr<std::vector<Value>> CollectiveResults(const KernelContext& context, const Meeting& meeting) {
  switch (context.opcode()) {
    case Opcode::kAllGather:
    case Opcode::kAllGatherStart:
      return AllGather(context, meeting);
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
      return AllReduce(context, meeting);
    case Opcode::kReduceScatter:
      return ReduceScatter(context, meeting);
    case Opcode::kAllToAll:
      return AllToAll(context, meeting);
    case Opcode::kRaggedAllToAll:
      return RaggedAllToAll(context, meeting);
    case Opcode::kCollectiveBroadcast:
      return CollectiveBroadcast(context, meeting);
    case Opcode::kCollectivePermute:
    case Opcode::kCollectivePermuteStart:
      return CollectivePermute(context, meeting);
    default:
      return absl::UnimplementedError(absl::StrCat(OpcodeName(context.opcode()), " is not a collective"));
  }
}

}  // namespace hloscope::evaluator
