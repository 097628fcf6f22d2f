// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/row_program.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "evaluator/kernels/indexing/strided_iteration.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "numerics/contraction/micro_kernel_choice.h"
#include "numerics/data_movement/past_cache.h"

namespace hloscope::evaluator {
namespace {

// Elements of the rows that are computed together: a few such arrays stay in the second cache level, mostly the first.
constexpr int64_t kBlockElements = 4096;
constexpr int64_t kLine = 64;
// Elements that are computed between two looks ahead.
constexpr int64_t kPiece = 1024;

int64_t Product(absl::Span<const int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) product *= size;
  return product;
}

int64_t RoundUp(int64_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

numerics::Workspace<uint8_t>& OwnScratch() {
  static thread_local numerics::Workspace<uint8_t> scratch;
  return scratch;
}

// The stride of dimensions that are one run of elements; nothing if they are none. Zero: all are one element.
std::optional<int64_t> RunStride(absl::Span<const int64_t> sizes, absl::Span<const int64_t> strides) {
  const StridedPlan<1> plan = CollapseDimensions<1>(sizes, {strides});
  if (plan.dimensions.size() != 1) return std::nullopt;
  return plan.row_stride(0);
}

}  // namespace

int64_t RowShape::rows() const { return Product(absl::MakeConstSpan(dimensions).first(static_cast<size_t>(split))); }
int64_t RowShape::columns() const {
  return Product(absl::MakeConstSpan(dimensions).subspan(static_cast<size_t>(split)));
}

bool RowShape::HasElementPerRow(const Shape& shape) const {
  if (!shape.IsArray()) return false;
  size_t at = 0;
  const size_t end = static_cast<size_t>(split);
  for (int64_t size : shape.dimensions()) {
    if (size == 1) continue;
    while (at < end && dimensions[at] == 1) ++at;
    if (at == end || dimensions[at++] != size) return false;
  }
  return std::all_of(dimensions.begin() + static_cast<std::ptrdiff_t>(at),
                     dimensions.begin() + static_cast<std::ptrdiff_t>(end), [](int64_t size) { return size == 1; });
}

std::unique_ptr<const RowProgram> RowProgram::Make(const Module& module, absl::Span<const InstructionId> instructions,
                                                   absl::Span<const InstructionId> inputs, const RowShape& rows) {
  std::unique_ptr<RowProgram> program(new RowProgram(module, rows));
  absl::flat_hash_map<InstructionId, uint32_t> values;
  for (InstructionId input : inputs) {
    const Shape& shape = module.shape(input);
    const bool is_full = shape.dimensions() == rows.dimensions;
    if (!is_full && !shape.IsScalar() && !rows.HasElementPerRow(shape)) return nullptr;
    values.emplace(input, static_cast<uint32_t>(values.size()));
    program->input_bytes_.push_back(StorageBytes(shape.element_type()));
    program->input_is_full_.push_back(is_full);
  }
  for (InstructionId id : instructions) {
    std::vector<uint32_t> operands;
    for (InstructionId operand : module.operands(id)) operands.push_back(values.at(operand));
    const std::optional<uint32_t> value = program->AddStep(id, operands, id == instructions.back());
    if (!value.has_value()) return nullptr;
    values.emplace(id, *value);
  }
  program->DropUnusedSteps();
  program->result_shape_ = module.shape(instructions.back()).WithoutLayout();
  program->AssignSlots();
  return program;
}

std::optional<uint32_t> RowProgram::AddStep(InstructionId id, const std::vector<uint32_t>& operands, bool is_result) {
  Step step;
  step.operands = operands;
  step.element_bytes = StorageBytes(module_.shape(id).element_type());
  if (step.element_bytes > kMaxElementBytes) return std::nullopt;
  const Opcode opcode = module_.opcode(id);
  if (opcode == Opcode::kReduce) {
    step.reduction = RowReduction::Of(module_, id);
    if (!step.reduction.has_value()) return std::nullopt;
    ReduceUnwidened(step);
  } else if (opcode != Opcode::kReshape && opcode != Opcode::kBroadcast) {
    absl::StatusOr<LaneFunction> function = LaneFunction::Create(module_, id);
    if (!function.ok()) return std::nullopt;
    step.function = *std::move(function);
    TakeInDifference(step);
    step.is_full = module_.shape(id).dimensions() == shape_.dimensions;
    step.loop_of_rows = step.function->LoopOfRows();
  } else if (!is_result) {
    return operands[0];
  }
  // What is computed already need not be computed again.
  const auto same = std::find_if(steps_.begin(), steps_.end(), [&](const Step& other) {
    return step.function.has_value() && other.function.has_value() && other.operands == step.operands &&
           other.is_full == step.is_full && *other.function == *step.function;
  });
  if (same != steps_.end() && !is_result) {
    return static_cast<uint32_t>(input_bytes_.size()) + static_cast<uint32_t>(same - steps_.begin());
  }
  steps_.push_back(std::move(step));
  return static_cast<uint32_t>(input_bytes_.size() + steps_.size() - 1);
}

// Softmax: a difference that nothing else needs is not written down.
void RowProgram::TakeInDifference(Step& step) const {
  if (step.operands.size() != 1 || step.operands[0] < input_bytes_.size()) return;
  const Step& operand = steps_[step.operands[0] - input_bytes_.size()];
  if (!operand.function.has_value()) return;
  std::optional<LaneFunction> both = LaneFunction::ExponentialOfDifference(*step.function, *operand.function);
  if (!both.has_value()) return;
  step.function = *std::move(both);
  step.operands = operand.operands;
}

// A sum of elements that were widened just before reads them as they are.
void RowProgram::ReduceUnwidened(Step& step) const {
  if (step.operands[0] < input_bytes_.size()) return;
  const Step& operand = steps_[step.operands[0] - input_bytes_.size()];
  if (!operand.function.has_value() || !operand.function->IsWideningOfBf16()) return;
  if (const std::optional<RowReduction> reduction = step.reduction->OfBf16(); reduction.has_value()) {
    step.reduction = reduction;
    step.operands[0] = operand.operands[0];
  }
}

void RowProgram::DropUnusedSteps() {
  const size_t inputs = input_bytes_.size();
  std::vector<bool> used(inputs + steps_.size(), false);
  used.back() = true;
  for (size_t s = steps_.size(); s-- > 0;) {
    for (uint32_t operand : steps_[s].operands) used[operand] = used[operand] || used[inputs + s];
  }
  std::vector<uint32_t> numbers(used.size());  // of values, without those that are dropped
  std::vector<Step> kept;
  for (size_t v = 0; v < used.size(); ++v) {
    numbers[v] = static_cast<uint32_t>(v < inputs ? v : inputs + kept.size());
    if (v < inputs || !used[v]) continue;
    Step& step = steps_[v - inputs];
    for (uint32_t& operand : step.operands) operand = numbers[operand];
    if (step.reduction.has_value()) nanoseconds_per_element_ += 0.2;
    if (step.is_full) nanoseconds_per_element_ += step.function->nanoseconds_per_lane();
    kept.push_back(std::move(step));
  }
  steps_ = std::move(kept);
}

// A slot is taken by a result until its last use, which may write over it where elements have the same size.
void RowProgram::AssignSlots() {
  const size_t inputs = input_bytes_.size();
  std::vector<size_t> last_use(inputs + steps_.size(), 0);
  for (size_t s = steps_.size(); s-- > 0;) {
    // What is passed on is used as long as what it is passed on as.
    const bool passes = !steps_[s].function.has_value() && !steps_[s].reduction.has_value();
    const size_t used = passes ? std::max(s, last_use[inputs + s]) : s;
    for (uint32_t value : steps_[s].operands) last_use[value] = std::max(last_use[value], used);
  }
  struct Slot {
    size_t busy_until;
    int64_t element_bytes;
  };
  std::vector<Slot> slots;
  for (size_t s = 0; s + 1 < steps_.size(); ++s) {
    Step& step = steps_[s];
    if (!step.function.has_value()) continue;
    const auto free = std::find_if(slots.begin(), slots.end(), [&](const Slot& slot) {
      return slot.busy_until < s || (slot.busy_until == s && slot.element_bytes == step.element_bytes);
    });
    step.slot = free - slots.begin();
    if (free == slots.end()) slots.emplace_back();
    slots[static_cast<size_t>(step.slot)] = {last_use[inputs + s], step.element_bytes};
    slot_element_bytes_ = std::max(slot_element_bytes_, step.element_bytes);
  }
  slot_count_ = static_cast<int64_t>(slots.size());
}

std::optional<RowProgram::Extent> RowProgram::ExtentOf(const Tensor& tensor) const {
  const absl::Span<const int64_t> sizes = shape_.dimensions, strides = tensor.strides();
  const size_t split = static_cast<size_t>(shape_.split);
  const std::optional<int64_t> outer = RunStride(sizes.first(split), strides.first(split));
  const std::optional<int64_t> inner = RunStride(sizes.subspan(split), strides.subspan(split));
  if (!outer.has_value() || !inner.has_value()) return std::nullopt;
  const bool only_row = shape_.rows() == 1;
  if (*inner == 1 && (only_row || *outer == shape_.columns())) return Extent::kAll;
  if (*inner == 1 && *outer == 0) return Extent::kColumns;
  if (*inner == 0 && (only_row || *outer == 0)) return Extent::kOne;
  if (*inner == 0 && *outer == 1) return Extent::kRows;
  return std::nullopt;
}

std::vector<RowProgram::Extent> RowProgram::Extents(absl::Span<const Value> operands) const {
  std::vector<Extent> extents;
  // What has elements everywhere because an operand has, as a whole array has them side by side in memory.
  std::vector<bool> is_dense;
  for (size_t k = 0; k < operands.size(); ++k) {
    const Tensor& tensor = operands[k].tensor();
    std::optional<Extent> extent = Extent::kOne;
    if (input_is_full_[k]) {
      extent = ExtentOf(tensor);
    } else if (tensor.rank() > 0) {
      const std::optional<int64_t> stride = RunStride(tensor.dimensions(), tensor.strides());
      if (!stride.has_value() || (*stride != 0 && *stride != 1)) return {};
      extent = *stride == 0 ? Extent::kOne : Extent::kRows;
    }
    if (!extent.has_value()) return {};
    extents.push_back(*extent);
    is_dense.push_back(*extent == Extent::kAll);
  }
  for (const Step& step : steps_) {
    Extent extent = Extent::kOne;
    bool dense = false;
    for (uint32_t operand : step.operands) {
      extent = std::max(extent, extents[operand]);
      dense = dense || is_dense[operand];
    }
    if (step.reduction.has_value()) {
      const bool reduces_rows = is_dense[step.operands[0]] && extents[step.operands[1]] == Extent::kOne;
      if (!reduces_rows) return {};
      extent = Extent::kRows;
      dense = false;
    } else if (extent == Extent::kColumns) {
      // Elements of columns are computed for every row, as the slots of results have rows.
      extent = step.function.has_value() ? Extent::kAll : extent;
    }
    extents.push_back(extent);
    is_dense.push_back(dense);
  }
  const bool has_dense_result = steps_.back().reduction.has_value() || is_dense.back();
  return has_dense_result ? extents : std::vector<Extent>();
}

bool RowProgram::Fits(absl::Span<const Value> operands) const { return !Extents(operands).empty(); }

int64_t RowProgram::BlockRows() const {
  return std::clamp<int64_t>(kBlockElements / shape_.columns(), 1, std::max<int64_t>(shape_.rows(), 1));
}

// Slots of whole rows; an element for each row of every step; accumulators.
RowProgram::Scratch RowProgram::SizesOfScratch(int64_t rows) const {
  Scratch sizes{};
  sizes.slot_bytes = RoundUp(rows * shape_.columns() * slot_element_bytes_);
  sizes.value_bytes = RoundUp(rows * kMaxElementBytes);
  sizes.total = slot_count_ * sizes.slot_bytes + (static_cast<int64_t>(steps_.size()) + 1) * sizes.value_bytes +
                RoundUp(kPiece * steps_.back().element_bytes);
  return sizes;
}

int64_t RowProgram::PiecesOfBlock(int64_t rows) const {
  const int64_t of_step = rows * ((shape_.columns() - 1) / kPiece + 1);
  return of_step * std::count_if(steps_.begin(), steps_.end(), [](const Step& step) { return step.is_full; });
}

void RowProgram::RunPieces(const Step& step, LaneOperand* lanes, uint8_t* to, int64_t count, bool past_cache,
                           Between& between) const {
  for (int64_t first = 0; first < count; first += kPiece) {
    const int64_t piece = std::min(kPiece, count - first);
    (*step.function)(lanes, past_cache ? between.piece : to, piece);
    if (past_cache) numerics::CopyPastCache(between.piece, to, piece * step.element_bytes);
    to += piece * step.element_bytes;
    for (size_t k = 0; k < step.operands.size(); ++k) {
      if (!lanes[k].is_uniform) lanes[k].data += piece * StorageBytes(step.function->operand_type(k));
    }
    between.ahead.Fetch();
  }
}

void RowProgram::RunLanes(const Step& step, const Place* places, Extent extent, int64_t rows, uint8_t* to,
                          bool past_cache, Between& between) const {
  const size_t count = step.operands.size();
  absl::InlinedVector<LaneOperand, LaneFunction::kMaxOperands> lanes(count);
  bool side_by_side = true;
  for (size_t k = 0; k < count; ++k) {
    const Place& place = places[step.operands[k]];
    lanes[k] = {place.data, place.extent == Extent::kOne};
    side_by_side &= place.extent == Extent::kOne || place.extent == extent;
  }
  const int64_t columns = shape_.columns();
  if (side_by_side && extent == Extent::kAll) {
    return RunPieces(step, lanes.data(), to, rows * columns, past_cache, between);
  }
  if (side_by_side) {
    (*step.function)(lanes.data(), to, extent == Extent::kOne ? 1 : rows);
    return;
  }
  if (step.loop_of_rows != nullptr && columns <= kPiece && !past_cache &&
      places[step.operands[0]].extent == Extent::kAll && places[step.operands[1]].extent == Extent::kRows) {
    step.loop_of_rows(lanes[0].data, lanes[1].data, to, rows, columns);
    for (int64_t r = 0; r < rows; ++r) between.ahead.Fetch();
    return;
  }
  for (int64_t r = 0; r < rows; ++r) {
    for (size_t k = 0; k < count; ++k) {
      const Place& place = places[step.operands[k]];
      const int64_t step_of_row = place.extent == Extent::kAll ? columns : place.extent == Extent::kRows ? 1 : 0;
      lanes[k] = {place.data + r * step_of_row * place.element_bytes,
                  place.extent == Extent::kOne || place.extent == Extent::kRows};
    }
    RunPieces(step, lanes.data(), to + r * columns * step.element_bytes, columns, past_cache, between);
  }
}

// `own`: where the result of the last step goes; else null.
void RowProgram::RunStep(const Step& step, Place* places, const Scratch& sizes, int64_t rows, uint8_t* scratch,
                         uint8_t* own, Between& between) const {
  const size_t s = static_cast<size_t>(&step - steps_.data());
  Place& result = places[input_bytes_.size() + s];
  result.element_bytes = step.element_bytes;
  uint8_t* const values = scratch + slot_count_ * sizes.slot_bytes;
  uint8_t* const value = values + static_cast<int64_t>(s + 1) * sizes.value_bytes;
  if (step.reduction.has_value()) {
    uint8_t* const to = own != nullptr ? own : value;
    (*step.reduction)(places[step.operands[1]].data, places[step.operands[0]].data, rows, shape_.columns(), values, to);
    result.data = to;
  } else if (!step.function.has_value()) {
    result.data = places[step.operands[0]].data;
  } else {
    uint8_t* const to = own != nullptr                  ? own
                        : result.extent == Extent::kAll ? scratch + step.slot * sizes.slot_bytes
                                                        : value;
    RunLanes(step, places, result.extent, rows, to, own != nullptr && between.piece != nullptr, between);
    result.data = to;
  }
}

absl::StatusOr<Tensor> RowProgram::Run(std::vector<Value>& operands, KernelRuntime& runtime) const {
  const std::vector<Extent> extents = Extents(operands);
  const size_t inputs = operands.size();
  const int64_t columns = shape_.columns(), count = shape_.rows();
  const bool gives_rows = steps_.back().reduction.has_value();
  const int64_t result_row_bytes = (gives_rows ? 1 : columns) * steps_.back().element_bytes;
  std::vector<const uint8_t*> data;
  for (const Value& value : operands) data.push_back(value.tensor().data());
  Tensor result;
  for (size_t k = 0; k < inputs && !gives_rows && !result.has_buffer(); ++k) {
    const Tensor& operand = operands[k].tensor();
    if (extents[k] != Extent::kAll || operand.element_bytes() != steps_.back().element_bytes ||
        operand.SharesBuffer() || operand.buffer()->size() != count * columns * operand.element_bytes()) {
      continue;
    }
    result = operand.WithElementType(result_shape_.element_type())
                 .View(result_shape_.dimensions(), RowMajorStrides(result_shape_.dimensions()), 0);
    operands[k] = Value();  // the result is now the only holder
  }
  if (!result.has_buffer()) {
    absl::StatusOr<Tensor> fresh = Tensor::Allocate(result_shape_.element_type(), result_shape_.dimensions());
    if (!fresh.ok()) return fresh;
    result = *std::move(fresh);
  }
  if (count == 0) return result;
  uint8_t* const out = result.mutable_data();
  const int64_t block = BlockRows(), blocks = (count - 1) / block + 1;
  const Scratch sizes = SizesOfScratch(block);
  const bool past_cache = steps_.back().is_full && count * result_row_bytes >= numerics::kPastCacheBytes;
  std::atomic<bool> out_of_memory = false;
  const double nanoseconds = nanoseconds_per_element_ * static_cast<double>(block * columns);
  absl::Status status = ParallelLoop(runtime, blocks, nanoseconds, [&](int64_t begin, int64_t end) {
    uint8_t* const scratch = OwnScratch().Get(sizes.total);
    if (scratch == nullptr) {
      out_of_memory = true;
      return;
    }
    std::vector<Place> places(extents.size());
    for (size_t v = 0; v < extents.size(); ++v) places[v].extent = extents[v];
    Between between;
    if (past_cache) between.piece = scratch + sizes.total - RoundUp(kPiece * steps_.back().element_bytes);
    for (int64_t first = begin * block, last = std::min(count, end * block); first < last; first += block) {
      const int64_t rows = std::min(block, last - first), rows_ahead = std::min(block, last - first - rows);
      for (size_t k = 0; k < inputs; ++k) {
        const int64_t step_of_row = extents[k] == Extent::kAll ? columns : extents[k] == Extent::kRows ? 1 : 0;
        places[k].data = data[k] + first * step_of_row * input_bytes_[k];
        places[k].element_bytes = input_bytes_[k];
        if (extents[k] != Extent::kAll) continue;
        const int64_t row_bytes = columns * input_bytes_[k];
        between.ahead.Add(places[k].data + rows * row_bytes, rows_ahead * row_bytes);
      }
      between.ahead.SpreadOver(PiecesOfBlock(rows));
      for (const Step& step : steps_) {
        uint8_t* const own = &step == &steps_.back() ? out + first * result_row_bytes : nullptr;
        RunStep(step, places.data(), sizes, rows, scratch, own, between);
      }
    }
    if (past_cache) numerics::FinishPastCache();
  });
  if (!status.ok()) return status;
  if (out_of_memory) return absl::ResourceExhaustedError("there is no memory for the rows of a loop");
  return result;
}

}  // namespace hloscope::evaluator
