// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/dependences.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "core/layout/physical_layout.h"
#include "evaluator/debugger/window_elements.h"
#include "evaluator/kernels/contraction/dot.h"
#include "numerics/elements/numeric.h"
#include "numerics/windows/window_walk.h"

namespace hloscope::evaluator {
namespace {

using Index = std::vector<int64_t>;
using Visit = absl::FunctionRef<bool(size_t operand, const Element& element)>;

size_t At(int64_t dimension) { return static_cast<size_t>(dimension); }

int64_t Linear(absl::Span<const int64_t> sizes, absl::Span<const int64_t> index) {
  int64_t linear = 0;
  for (size_t d = 0; d < sizes.size(); ++d) linear = linear * sizes[d] + index[d];
  return linear;
}

Index Delinear(absl::Span<const int64_t> sizes, int64_t linear) {
  Index index(sizes.size(), 0);
  for (size_t d = sizes.size(); d-- > 0;) {
    index[d] = linear % std::max<int64_t>(sizes[d], 1);
    linear /= std::max<int64_t>(sizes[d], 1);
  }
  return index;
}

// One question and the operations that know an answer.
class Question {
 public:
  Question(const Module& module, InstructionId id, const Element& at, absl::Span<const Value> operands, Visit visit,
           QuestionLimit& limit)
      : module_(module), id_(id), at_(at), operands_(operands), visit_(visit), limit_(limit) {}

  DependenceKind Answer() const;

 private:
  const Tensor& tensor(size_t k) const { return operands_[k].tensor(); }
  absl::Span<const int64_t> sizes(size_t k) const { return tensor(k).dimensions(); }
  absl::Span<const int64_t> ints(AttributeKind kind) const { return module_.IntsAttribute(id_, kind); }
  // The elements of the operand whose bits in memory are those of the element, by the layouts of both shapes. Padding
  // of the operand is no element.
  DependenceKind Bitcast() const {
    const absl::StatusOr<PhysicalLayout> from = PhysicalLayout::Of(module_.shape(module_.operand(id_, 0)));
    const absl::StatusOr<PhysicalLayout> to = PhysicalLayout::Of(module_.shape(id_));
    if (!operands_[0].IsTensor() || !from.ok() || !to.ok() || from->piece_count() != 1 || to->piece_count() != 1) {
      return All();
    }
    const int64_t first_bit = to->AddressOf(at_.index) * to->element_bits();
    const int64_t last_bit = first_bit + to->element_bits() - 1;
    const int64_t end = std::min(last_bit / from->element_bits() + 1, from->cell_count());
    for (int64_t cell = first_bit / from->element_bits(); cell < end; ++cell) {
      const auto index = from->IndexAt({0, cell});
      if (index.has_value() && !Say(0, Index(index->begin(), index->end()))) break;
    }
    return DependenceKind::kExact;
  }

  // Calls `body` with every index of a box, in row-major order, until it returns false or the limit is over; whether
  // neither happened.
  bool ForEachIndex(absl::Span<const int64_t> sizes, absl::FunctionRef<bool(const Index&)> body) const;
  bool Say(size_t operand, Index index) const { return visit_(operand, {{}, std::move(index)}); }
  int64_t Number(size_t operand, int64_t element = 0) const {
    const Tensor& t = tensor(operand);
    return ReadInteger(t.element_type(), t.At(Delinear(t.dimensions(), element)));
  }
  // Start of a dynamic slice, clamped; its indices are scalars from operand `first` on, or one vector there.
  Index Start(size_t first, absl::Span<const int64_t> array, absl::Span<const int64_t> window) const;
  void SayStart(size_t first) const;

  // Whether only the roughest answer can be given: all elements of all operands.
  bool MustSayAll() const;

  // One function for each rule of dependences.def; those without a result say exactly which elements they are.
  DependenceKind Said(DependenceKind (Question::*rule)() const) const { return (this->*rule)(); }
  DependenceKind Said(void (Question::*rule)() const) const {
    (this->*rule)();
    return DependenceKind::kExact;
  }
  DependenceKind None() const { return DependenceKind::kNone; }
  void Same() const;
  void Broadcast() const;
  void Reshape() const;
  void Transpose() const;
  void Reverse() const;
  void Slice() const;
  void DynamicSlice() const;
  void Sort() const;
  void AllReduce() const;
  void Select() const;
  void Reduce() const;
  void ReduceWindow() const;
  void Pad() const;
  void Concatenate() const;
  void DynamicUpdateSlice() const;
  void Gather() const;
  void Scatter() const;
  void SelectAndScatter() const;
  void Dot() const;
  void Convolution() const;
  void Line(int64_t dimension) const;  // everything along a dimension, in all operands of the same rank
  DependenceKind All() const;

  const Module& module_;
  const InstructionId id_;
  const Element& at_;
  const absl::Span<const Value> operands_;
  const Visit visit_;
  QuestionLimit& limit_;
};

bool Question::ForEachIndex(absl::Span<const int64_t> sizes, absl::FunctionRef<bool(const Index&)> body) const {
  Index index(sizes.size(), 0);
  if (absl::c_any_of(sizes, [](int64_t size) { return size <= 0; })) return true;
  for (;;) {
    if (limit_.IsOver() || !body(index)) return false;
    size_t d = sizes.size();
    while (d > 0 && ++index[d - 1] == sizes[d - 1]) index[--d] = 0;
    if (d == 0) return true;
  }
}

DependenceKind Question::All() const {
  for (size_t k = 0; k < operands_.size(); ++k) {
    if (!operands_[k].IsTensor()) continue;
    if (!ForEachIndex(sizes(k), [&](const Index& index) { return Say(k, index); })) break;
  }
  return DependenceKind::kAll;
}

void Question::Same() const {
  for (size_t k = 0; k < operands_.size(); ++k) {
    if (!operands_[k].IsTensor()) continue;
    if (!Say(k, tensor(k).rank() == 0 ? Index() : at_.index)) return;
  }
}

void Question::Line(int64_t dimension) const {
  for (size_t k = 0; k < operands_.size(); ++k) {
    if (!operands_[k].IsTensor() || sizes(k).size() != at_.index.size()) continue;
    Index index = at_.index;
    for (int64_t i = 0; i < sizes(k)[At(dimension)]; ++i) {
      index[At(dimension)] = i;
      if (limit_.IsOver() || !Say(k, index)) return;
    }
  }
}

void Question::Reduce() const {
  const size_t inputs = operands_.size() / 2;
  // Each result may depend on every input: the computation has them all.
  const absl::Span<const int64_t> reduced = ints(AttributeKind::kDimensions);
  for (size_t k = 0; k < inputs; ++k) {
    Index box;
    for (int64_t d : reduced) box.push_back(sizes(k)[At(d)]);
    Index index(sizes(k).size(), 0);
    for (size_t d = 0, r = 0; d < index.size(); ++d) {
      if (!absl::c_linear_search(reduced, static_cast<int64_t>(d))) index[d] = at_.index[r++];
    }
    const bool all = ForEachIndex(box, [&](const Index& offset) {
      for (size_t i = 0; i < offset.size(); ++i) index[At(reduced[i])] = offset[i];
      return Say(k, index);
    });
    if (!all) return;
  }
  for (size_t k = inputs; k < operands_.size(); ++k) {
    if (!Say(k, {})) return;
  }
}

void Question::ReduceWindow() const {
  const Window* window = module_.WindowAttribute(id_);
  if (window == nullptr) return;
  const size_t inputs = operands_.size() / 2;
  for (size_t k = 0; k < inputs; ++k) {
    if (!ForEachInWindow(
            *window, sizes(k), at_.index, [&](const Index& index) { return Say(k, index); }, limit_)) {
      return;
    }
  }
  for (size_t k = inputs; k < operands_.size(); ++k) {
    if (!Say(k, {})) return;
  }
}

void Question::Pad() const {
  const PaddingConfig* padding = module_.PaddingAttribute(id_);
  if (padding == nullptr) return;
  Index index;
  for (size_t d = 0; d < at_.index.size(); ++d) {
    const int64_t step = (*padding)[d].interior + 1;
    const int64_t place = at_.index[d] - (*padding)[d].low;
    if (place < 0 || place % step != 0 || place / step >= sizes(0)[d]) {
      Say(1, {});
      return;
    }
    index.push_back(place / step);
  }
  Say(0, std::move(index));
}

void Question::Concatenate() const {
  const size_t d = At(ints(AttributeKind::kDimensions)[0]);
  Index index = at_.index;
  for (size_t k = 0; k < operands_.size(); ++k) {
    if (index[d] < sizes(k)[d]) {
      Say(k, std::move(index));
      return;
    }
    index[d] -= sizes(k)[d];
  }
}

Index Question::Start(size_t first, absl::Span<const int64_t> array, absl::Span<const int64_t> window) const {
  Index start;
  for (size_t d = 0; d < array.size(); ++d) {
    const bool is_vector = operands_.size() == first + 1 && tensor(first).rank() == 1;
    const int64_t wanted = is_vector ? Number(first, static_cast<int64_t>(d)) : Number(first + d);
    start.push_back(std::clamp<int64_t>(wanted, 0, std::max<int64_t>(array[d] - window[d], 0)));
  }
  return start;
}

void Question::SayStart(size_t first) const {
  for (size_t k = first; k < operands_.size(); ++k) {
    if (!ForEachIndex(sizes(k), [&](const Index& index) { return Say(k, index); })) return;
  }
}

void Question::DynamicUpdateSlice() const {
  const Index start = Start(2, sizes(0), sizes(1));
  Index inside;
  for (size_t d = 0; d < start.size(); ++d) inside.push_back(at_.index[d] - start[d]);
  bool covered = true;
  for (size_t d = 0; d < start.size(); ++d) covered &= inside[d] >= 0 && inside[d] < sizes(1)[d];
  if (covered ? Say(1, std::move(inside)) : Say(0, at_.index)) SayStart(2);
}

void Question::Gather() const {
  const IndexDimensionNumbers numbers = IndexNumbersOf(module_, id_);
  const absl::Span<const int64_t> offset_dims = ints(AttributeKind::kOffsetDims);
  const absl::Span<const int64_t> collapsed = ints(AttributeKind::kCollapsedSliceDims);
  const absl::Span<const int64_t> slice_sizes = ints(AttributeKind::kSliceSizes);
  const StartIndices starts(tensor(1), numbers);
  Index batch, offset;
  for (size_t d = 0; d < at_.index.size(); ++d) {
    (absl::c_linear_search(offset_dims, static_cast<int64_t>(d)) ? offset : batch).push_back(at_.index[d]);
  }
  const int64_t n = Linear(starts.batch_sizes(), batch);
  Index start(sizes(0).size(), 0), batch_index(batch.size(), 0);
  starts.Get(n, absl::MakeSpan(batch_index), absl::MakeSpan(start));
  Index index;
  for (size_t d = 0, o = 0; d < start.size(); ++d) {
    const int64_t clamped = std::clamp<int64_t>(start[d], 0, sizes(0)[d] - slice_sizes[d]);
    const int64_t dimension = static_cast<int64_t>(d);
    const bool gone =
        absl::c_linear_search(collapsed, dimension) || absl::c_linear_search(numbers.operand_batching_dims, dimension);
    index.push_back(clamped + (gone || o >= offset.size() ? 0 : offset[o++]));
  }
  if (!Say(0, std::move(index))) return;
  // The start indices, one component after the other.
  const size_t vector_dim = At(numbers.index_vector_dim);
  Index place = batch;
  if (vector_dim < sizes(1).size()) place.insert(place.begin() + static_cast<std::ptrdiff_t>(vector_dim), 0);
  for (size_t c = 0; c < numbers.start_index_map.size(); ++c) {
    if (vector_dim < sizes(1).size()) place[vector_dim] = static_cast<int64_t>(c);
    if (!Say(1, place)) return;
  }
}

void Question::Scatter() const {
  const size_t count = (operands_.size() - 1) / 2;
  const size_t result = at_.path.empty() ? 0 : At(at_.path[0]);
  if (!Say(result, at_.index)) return;
  const IndexDimensionNumbers numbers = IndexNumbersOf(module_, id_);
  const absl::Span<const int64_t> window_dims = ints(AttributeKind::kUpdateWindowDims);
  const absl::Span<const int64_t> inserted = ints(AttributeKind::kInsertedWindowDims);
  const size_t first_update = count + 1;
  const Tensor& update = tensor(first_update + result);
  const StartIndices starts(tensor(count), numbers);
  Index batch_index(starts.batch_sizes().size(), 0), start(at_.index.size(), 0);
  for (int64_t n = 0; n < starts.batch_count() && !limit_.IsOver(); ++n) {
    std::fill(start.begin(), start.end(), 0);
    starts.Get(n, absl::MakeSpan(batch_index), absl::MakeSpan(start));
    Index window;
    bool fits = true, covers = true;
    for (size_t d = 0, w = 0; d < start.size(); ++d) {
      const int64_t dimension = static_cast<int64_t>(d);
      const bool single =
          absl::c_linear_search(inserted, dimension) || absl::c_linear_search(numbers.operand_batching_dims, dimension);
      const int64_t size = single ? 1 : update.dimension(window_dims[w]);
      const int64_t offset = at_.index[d] - start[d];
      fits &= start[d] >= 0 && start[d] + size <= sizes(result)[d];
      covers &= offset >= 0 && offset < size;
      if (!single) {
        window.push_back(offset);
        ++w;
      }
    }
    if (!fits || !covers) continue;
    Index place;
    for (int64_t d = 0, w = 0, b = 0; d < update.rank(); ++d) {
      place.push_back(absl::c_linear_search(window_dims, d) ? window[At(w++)] : batch_index[At(b++)]);
    }
    if (!Say(first_update + result, std::move(place))) return;
  }
}

void Question::SelectAndScatter() const {
  const Window* window = module_.WindowAttribute(id_);
  if (window == nullptr) return;
  // The sources whose windows cover the element, and the windows' elements, which decide where a source goes.
  Index first, box;
  for (size_t d = 0; d < at_.index.size(); ++d) {
    const WindowDimension& w = window->dimensions[d];
    const int64_t place =
        at_.index[d] + w.padding_low;  // from where the first window begins; negative padding is cut off
    const int64_t last = place < 0 ? -1 : std::min(place / w.stride, sizes(1)[d] - 1);
    first.push_back(place < w.size ? 0 : (place - w.size) / w.stride + 1);
    box.push_back(last - first[d] + 1);
  }
  const bool all = ForEachIndex(box, [&](const Index& offset) {
    Index source = first;
    for (size_t d = 0; d < source.size(); ++d) source[d] += offset[d];
    return Say(1, source) && ForEachInWindow(
                                 *window, sizes(0), source, [&](const Index& index) { return Say(0, index); }, limit_);
  });
  if (all) Say(2, {});
}

void Question::Dot() const {
  const DotDimensionNumbers numbers = DotDimensionNumbersOf(module_, id_);
  Index lhs(sizes(0).size(), 0), rhs(sizes(1).size(), 0);
  size_t next = 0;
  for (size_t i = 0; i < numbers.lhs_batch.size(); ++i, ++next) {
    lhs[At(numbers.lhs_batch[i])] = rhs[At(numbers.rhs_batch[i])] = at_.index[next];
  }
  const auto free = [&](Index& index, const DimensionVector& batch, const DimensionVector& contracting) {
    for (int64_t d = 0; d < static_cast<int64_t>(index.size()); ++d) {
      if (!absl::c_linear_search(batch, d) && !absl::c_linear_search(contracting, d)) index[At(d)] = at_.index[next++];
    }
  };
  free(lhs, numbers.lhs_batch, numbers.lhs_contracting);
  free(rhs, numbers.rhs_batch, numbers.rhs_contracting);
  Index box;
  for (int64_t d : numbers.lhs_contracting) box.push_back(sizes(0)[At(d)]);
  ForEachIndex(box, [&](const Index& k) {
    for (size_t i = 0; i < k.size(); ++i) {
      lhs[At(numbers.lhs_contracting[i])] = rhs[At(numbers.rhs_contracting[i])] = k[i];
    }
    return Say(0, lhs) && Say(1, rhs);
  });
}

void Question::Convolution() const {
  const ConvolutionDimensionNumbers* numbers = module_.DimLabelsAttribute(id_);
  const Window* window = module_.WindowAttribute(id_);
  if (numbers == nullptr) return;
  const int64_t feature_groups = module_.IntAttribute(id_, AttributeKind::kFeatureGroupCount, 1);
  const int64_t batch_groups = module_.IntAttribute(id_, AttributeKind::kBatchGroupCount, 1);
  const int64_t output_features = sizes(1)[At(numbers->kernel_output_feature)];
  const int64_t input_features = sizes(1)[At(numbers->kernel_input_feature)];
  const int64_t feature = at_.index[At(numbers->output_feature)];
  Index lhs(sizes(0).size(), 0), kernel(sizes(1).size(), 0);
  const int64_t output_batch = sizes(0)[At(numbers->input_batch)] / batch_groups;
  lhs[At(numbers->input_batch)] =
      at_.index[At(numbers->output_batch)] +
      feature / std::max<int64_t>(output_features / batch_groups, 1) * (batch_groups > 1 ? output_batch : 0);
  kernel[At(numbers->kernel_output_feature)] = feature;
  const int64_t first_input = feature / std::max<int64_t>(output_features / feature_groups, 1) * input_features;
  Index box;
  const size_t spatial = numbers->kernel_spatial.size();
  for (size_t s = 0; s < spatial; ++s) box.push_back(sizes(1)[At(numbers->kernel_spatial[s])]);
  box.push_back(input_features);
  ForEachIndex(box, [&](const Index& k) {
    for (size_t s = 0; s < spatial; ++s) {
      const WindowDimension w =
          window != nullptr && s < window->dimensions.size() ? window->dimensions[s] : WindowDimension();
      const size_t base = At(numbers->input_spatial[s]);
      lhs[base] = numerics::BasePosition(w, sizes(0)[base], at_.index[At(numbers->output_spatial[s])], k[s]);
      if (lhs[base] < 0) return true;
      kernel[At(numbers->kernel_spatial[s])] = w.reversal ? w.size - 1 - k[s] : k[s];
    }
    lhs[At(numbers->input_feature)] = first_input + k[spatial];
    kernel[At(numbers->kernel_input_feature)] = k[spatial];
    return Say(0, lhs) && Say(1, kernel);
  });
}

void Question::Select() const {
  const bool scalar = tensor(0).rank() == 0;
  const bool chosen = *tensor(0).At(scalar ? Index() : at_.index) != 0;
  if (Say(chosen ? 1 : 2, at_.index)) Say(0, scalar ? Index() : at_.index);
}

void Question::Broadcast() const {
  Index index;
  for (int64_t d : ints(AttributeKind::kDimensions)) index.push_back(at_.index[At(d)]);
  Say(0, std::move(index));
}

void Question::Reshape() const { Say(0, Delinear(sizes(0), Linear(module_.shape(id_).dimensions(), at_.index))); }

void Question::Transpose() const {
  const absl::Span<const int64_t> permutation = ints(AttributeKind::kDimensions);
  Index index(at_.index.size(), 0);
  for (size_t d = 0; d < index.size(); ++d) index[At(permutation[d])] = at_.index[d];
  Say(0, std::move(index));
}

void Question::Reverse() const {
  Index index = at_.index;
  for (int64_t d : ints(AttributeKind::kDimensions)) index[At(d)] = sizes(0)[At(d)] - 1 - index[At(d)];
  Say(0, std::move(index));
}

void Question::Slice() const {
  const std::vector<SliceRange>* ranges = module_.SliceRangesAttribute(id_);
  Index index = at_.index;
  for (size_t d = 0; d < index.size(); ++d) index[d] = (*ranges)[d].start + index[d] * (*ranges)[d].stride;
  Say(0, std::move(index));
}

void Question::DynamicSlice() const {
  Index index = Start(1, sizes(0), module_.shape(id_).dimensions());
  for (size_t d = 0; d < index.size(); ++d) index[d] += at_.index[d];
  if (Say(0, std::move(index))) SayStart(1);
}

void Question::Sort() const { Line(ints(AttributeKind::kDimensions)[0]); }

void Question::AllReduce() const {
  if (operands_.size() <= 1) return Same();
  Say(at_.path.empty() ? 0 : At(at_.path[0]), at_.index);
}

bool Question::MustSayAll() const {
  const auto has_run_time_sizes = [](const Value& operand) {
    return operand.IsTensor() && !operand.tensor().dynamic_sizes().empty();
  };
  if (absl::c_any_of(operands_, has_run_time_sizes)) return true;
  switch (module_.opcode(id_)) {
    case Opcode::kReshape:
      return !operands_[0].IsTensor() || tensor(0).element_count() == 0;
    case Opcode::kDot:
    case Opcode::kConvolution:
      return operands_.size() != 2;
    case Opcode::kBitcastConvert:
      return sizes(0).size() != at_.index.size();
    default:
      return false;
  }
}

DependenceKind Question::Answer() const {
  if (MustSayAll()) return All();
  switch (module_.opcode(id_)) {
#define HLO_DEPENDENCE(Name, rule) \
  case Opcode::k##Name:            \
    return Said(&Question::rule);
#include "evaluator/debugger/dependences.def"
    case Opcode::kInvalid:
      break;
  }
  return All();
}

}  // namespace

DependenceKind ForEachDependence(const Module& module, InstructionId id, const Element& at,
                                 absl::Span<const Value> operands,
                                 absl::FunctionRef<bool(size_t operand, const Element& element)> visit,
                                 QuestionLimit& limit) {
  return Question(module, id, at, operands, visit, limit).Answer();
}

IndexDimensionNumbers IndexNumbersOf(const Module& module, InstructionId id) {
  const bool gathers = module.opcode(id) == Opcode::kGather;
  const auto ints = [&](AttributeKind of_gather, AttributeKind of_scatter) {
    return module.IntsAttribute(id, gathers ? of_gather : of_scatter);
  };
  IndexDimensionNumbers numbers;
  numbers.index_vector_dim = module.IntAttribute(id, AttributeKind::kIndexVectorDim);
  numbers.start_index_map = ints(AttributeKind::kStartIndexMap, AttributeKind::kScatterDimsToOperandDims);
  numbers.operand_batching_dims = ints(AttributeKind::kOperandBatchingDims, AttributeKind::kInputBatchingDims);
  numbers.start_indices_batching_dims =
      ints(AttributeKind::kStartIndicesBatchingDims, AttributeKind::kScatterIndicesBatchingDims);
  return numbers;
}

std::vector<int64_t> ScatterWindow(const Module& module, InstructionId id, int64_t rank,
                                   absl::Span<const int64_t> update) {
  const absl::Span<const int64_t> window_dims = module.IntsAttribute(id, AttributeKind::kUpdateWindowDims);
  const absl::Span<const int64_t> inserted = module.IntsAttribute(id, AttributeKind::kInsertedWindowDims);
  const absl::Span<const int64_t> batching = module.IntsAttribute(id, AttributeKind::kInputBatchingDims);
  std::vector<int64_t> sizes;
  size_t w = 0;
  for (int64_t d = 0; d < rank; ++d) {
    const bool single = absl::c_linear_search(inserted, d) || absl::c_linear_search(batching, d);
    sizes.push_back(single || w >= window_dims.size() ? 1 : update[At(window_dims[w++])]);
  }
  return sizes;
}

}  // namespace hloscope::evaluator
